from typing import Any

import pytest

from companion import show
from companion.lab.journal import Exchange

THREAD = {"configurable": {"thread_id": "t"}}


@pytest.fixture(autouse=True)
def nobody_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    monkeypatch.delenv("COMPANION_LIVE", raising=False)


def test_without_a_front_end_live_is_the_static_twin(run: list[Exchange]) -> None:
    tabs = show.tabs(run)
    assert tabs.live()._repr_mimebundle_() == tabs._repr_mimebundle_()  # type: ignore[operator]


@pytest.mark.parametrize(
    ("session", "override", "widget"), [("a.ipynb", None, True), ("a.ipynb", "0", False), (None, "1", True)]
)
def test_a_front_end_or_the_variable_decides(
    run: list[Exchange], monkeypatch: pytest.MonkeyPatch, session: str | None, override: str | None, widget: bool
) -> None:
    for name, value in (("JPY_SESSION_NAME", session), ("COMPANION_LIVE", override)):
        if value is not None:
            monkeypatch.setenv(name, value)
    assert hasattr(show.tabs(run).live(), "model_id") is widget


def test_tabs_hold_every_step_of_every_call(run: list[Exchange]) -> None:
    tabs = show.tabs(run)
    assert [line for line in str(tabs).splitlines() if line.startswith("Call")] == ["Call 1", "Call 2"]
    widget = tabs.widget()
    assert widget.titles == ("Call 1", "Call 2")
    assert widget.children[1].titles == ("Request", "Prompt", "Completion", "Parsed", "Response")
    assert "+ new" in widget.children[1].children[1].value


def test_walk_is_the_table_of_checkpoints_until_it_is_live(agent: Any) -> None:
    agent.invoke({"n": 0, "log": []}, THREAD)
    view = show.walk(agent, THREAD)
    assert str(view) == str(show.checkpoints(agent, THREAD))
    slider, side_by_side = view.widget().children
    picture, told = side_by_side.children
    seen = [(told.value, bytes(picture.value))]
    for step in range(1, slider.max + 1):
        slider.value = step
        seen.append((told.value, bytes(picture.value)))
    assert "step -1, next: START" in seen[0][0]
    assert "step 3, next: END" in seen[-1][0]
    assert "log[1]" in seen[3][0]
    assert len({image for _, image in seen}) == 4


def test_a_thread_without_checkpoints_can_be_walked(agent: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_LIVE", "1")
    walk = show.walk(agent, {"configurable": {"thread_id": "nobody"}})
    assert walk.live().value == walk.html
