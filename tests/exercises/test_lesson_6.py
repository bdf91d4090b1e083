"""Right answers to lesson 6's exercises that differ from the printed solution."""

import pytest

from companion import check
from companion.graphs import guards_and_fallbacks


def test_the_lessons_own_handler_passes(capsys: pytest.CaptureFixture[str]) -> None:
    check("6.2", guards_and_fallbacks.explain)
    assert capsys.readouterr().out.splitlines()[-1].startswith("Right. Exercise 6.2 is done")
