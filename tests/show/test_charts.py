from typing import Any

import pytest
from matplotlib.text import Text

from companion import show
from companion.show.picture import GREY

CALLS = {"workflow": {"model": 2, "search": 1}, "agent": {"model": 3}}


def texts(picture: Any) -> list[Text]:
    """Every text drawn."""
    return [text for text in picture.draw().findobj(Text) if text.get_text()]


def words(picture: Any) -> set[str]:
    return {text.get_text() for text in texts(picture)}


def test_bars_and_their_table() -> None:
    picture = show.bars(CALLS, title="Calls", unit="calls")
    assert str(picture).splitlines() == [
        "Calls (calls)",
        "          model  search",
        "workflow  2      1",
        "agent     3      -",
    ]
    assert {"Calls", "calls", "workflow", "agent", "model", "search"} <= words(picture)


def test_series_differ_by_hatch_not_only_by_colour() -> None:
    hatches = {bar.get_hatch() for bar in show.bars(CALLS).draw().axes[0].patches}
    assert len(hatches) == 2


def test_lines_and_their_table() -> None:
    picture = show.lines({"all": [174, 1218, 305], "trimmed": [174, 218]}, x="turn", y="tokens")
    assert str(picture).splitlines() == [
        "(turn: tokens)",
        "         1    2      3",
        "all      174  1,218  305",
        "trimmed  174  218",
    ]
    assert len({line.get_marker() for line in picture.draw().axes[0].lines}) == 2


@pytest.mark.parametrize(("digits", "row"), [(0, "b  1      2"), (1, "b  1.0    2.0"), (2, "b  1.02   2.04")])
def test_the_timeline_twin_is_as_exact_as_asked(digits: int, row: str) -> None:
    spans = [("a", 0, 1.04), ("b", 1.02, 2.04)]
    assert str(show.timeline(spans, digits=digits)).splitlines()[-1] == row


def test_timeline_runs_from_the_top_down() -> None:
    axes = show.timeline([("a", 0, 1), ("b", 1, 2)]).draw().axes[0]
    assert axes.yaxis_inverted()
    assert [(bar.get_x(), bar.get_width()) for bar in axes.patches] == [(0, 1), (1, 1)]


def test_words_read_on_white_and_on_black() -> None:
    def light(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    grey = light(GREY)
    assert (light("#ffffff") + 0.05) / (grey + 0.05) > 4
    assert (grey + 0.05) / (light("#111111") + 0.05) > 4
    colours = {text.get_color() for text in texts(show.bars(CALLS, title="T"))}
    assert colours == {GREY}


def test_names_are_taken_literally() -> None:
    assert "$a_b$" in words(show.bars({"$a_b$": {"x": 1}}))
    assert show.bars({"$a_b$ 天": {"x": 1}})._repr_mimebundle_()


def test_nothing_to_draw_is_said_at_once() -> None:
    for nothing in ({}, {"a": {}}):
        with pytest.raises(ValueError, match="no bars to draw"):
            show.bars(nothing)
    for nothing in ({}, {"a": []}):
        with pytest.raises(ValueError, match="no lines to draw"):
            show.lines(nothing)


def test_a_value_that_is_missing_is_a_dash_and_no_bar() -> None:
    picture = show.bars({"a": {"x": None, "y": 1}})
    assert str(picture).splitlines()[1].split() == ["a", "-", "1"]
    assert picture._repr_mimebundle_()


def test_a_moment_just_before_the_first_is_a_plain_zero() -> None:
    """Threads start in any order: a span of a parallel run may begin a hair before the one that counts as zero."""
    assert "-0" not in show.timeline([("Oslo", 0.0, 1.0), ("Cairo", -0.004, 1.0)], title="naps", unit="s").text
