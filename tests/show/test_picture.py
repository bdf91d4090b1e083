from pathlib import Path

import pytest

from companion.show import picture


def test_pictures_are_the_same_bytes_each_time(agent: object) -> None:
    from companion import show

    first, second = (show.graph(agent)._repr_mimebundle_() for _ in range(2))
    assert first == second


def test_what_no_font_has_is_written_as_its_escape(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture, "fonts", lambda: ("DejaVu Sans",))
    assert picture.drawable("ü▶ 天 \n") == "ü▶ \\u5929 \\n"


def test_fonts_are_only_those_this_machine_has() -> None:
    from matplotlib.font_manager import fontManager

    assert picture.fonts()[0] == "DejaVu Sans"
    assert set(picture.fonts()) <= set(fontManager.get_font_names())


def test_nothing_is_drawn_through_pyplot() -> None:
    sources = Path(picture.__file__).parent.glob("*.py")
    assert not [path.name for path in sources if "matplotlib.pyplot" in path.read_text()]
