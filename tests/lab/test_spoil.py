"""What each fault makes of a text."""

import pytest
from lab_client import CALL, TWO_CALLS

from companion.lab.parser import parse
from companion.lab.spoil import TEXT_FAULTS, drift, empty, first_call, first_half, malformed_json, poisoned

NO_ARGUMENTS = '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>'
CUT = '<tool_call>\n{"name": "add", "argu'


@pytest.mark.parametrize("fault", ["malformed_json", "plain_call"])
@pytest.mark.parametrize("text", [CALL, TWO_CALLS, "Let me see.\n" + CALL, NO_ARGUMENTS])
def test_no_call_is_left(fault: str, text: str) -> None:
    spoilt = TEXT_FAULTS[fault](text)
    assert parse(spoilt).tool_calls == []
    assert parse(spoilt).content == spoilt


@pytest.mark.parametrize("fault", [name for name in TEXT_FAULTS if name not in ("drift", "empty")])
@pytest.mark.parametrize("text", ["", "It is 31 degrees.", "{curly} words"])
def test_what_holds_no_call_stays(fault: str, text: str) -> None:
    assert TEXT_FAULTS[fault](text) == text


def test_without_arguments_there_is_none_to_rename() -> None:
    assert TEXT_FAULTS["wrong_argument"](NO_ARGUMENTS) == NO_ARGUMENTS


@pytest.mark.parametrize("fault", ["plain_call", "invented_tool", "wrong_argument", "malformed_json"])
@pytest.mark.parametrize("block", [CUT, f"{CUT}</tool_call>", "<tool_call>[1]</tool_call>", "<tool_call></tool_call>"])
def test_a_call_that_is_broken_already_breaks_nothing(fault: str, block: str) -> None:
    assert parse(TEXT_FAULTS[fault](block)).tool_calls == []


@pytest.mark.parametrize(
    ("text", "drifted"),
    [
        ("理解：曼谷的天气\n搜索词：曼谷 天气", "**理解**: 曼谷的天气\n**搜索词**: 曼谷 天气"),
        ("Intent: weather", "**Intent**: weather"),
        ("Here is the result: sunny", None),
        ("See https://example.org, it opens at 10:30.", None),
        ("https://example.org", None),
        (CALL, None),
        ("", None),
    ],
)
def test_drift_changes_labels_only(text: str, drifted: str | None) -> None:
    assert drift(text) == (text if drifted is None else drifted)


def test_json_loses_its_brace_or_gets_company() -> None:
    assert malformed_json('{"a": {}}') == '{"a": {}'
    assert "```json\n[1]\n```" in drift("[1]")


def test_the_first_half_ends_inside_the_first_call() -> None:
    half = first_half("Let me see.\n" + TWO_CALLS)
    assert half.startswith("Let me see.\n<tool_call>\n{")
    assert "}" not in half
    assert first_half("abcd") == "ab"


def test_the_first_call() -> None:
    assert first_call("Well.\n" + TWO_CALLS) == CALL
    assert first_call("Well.") is None
    assert empty(CALL) == ""


def test_poison_needs_a_text() -> None:
    assert poisoned({"count": 1}) == {"count": 1}
