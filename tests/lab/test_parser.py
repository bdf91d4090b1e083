"""The Hermes rule, case by case as vLLM's parser applied it; and the same result wherever a stream is cut."""

import pytest
from lab_client import captured, named

from companion.lab.parser import Parsed, Stream, parse

CASES = captured("parser")["cases"]


@pytest.mark.parametrize("case", named(CASES, "id"))
def test_whole_completion(case: dict) -> None:
    parsed = parse(case["completion_text"])
    calls = [{"name": call.name, "arguments": call.arguments} for call in parsed.tool_calls]
    assert {"content": parsed.content, "tool_calls": calls} == case["expected"]


def streamed(pieces: list[str]) -> Parsed:
    stream = Stream()
    shown = "".join(stream.feed(piece) for piece in pieces)
    rest = stream.finish()
    return Parsed(shown + (rest.content or ""), rest.tool_calls)


@pytest.mark.parametrize("case", named(CASES, "id"))
def test_every_cut_in_two_gives_the_same(case: dict) -> None:
    text = case["completion_text"]
    whole = parse(text)
    for at in range(len(text) + 1):
        assert streamed([text[:at], text[at:]]) == Parsed(whole.content or "", whole.tool_calls), at


@pytest.mark.parametrize("case", named(CASES, "id"))
def test_character_by_character_gives_the_same(case: dict) -> None:
    whole = parse(case["completion_text"])
    assert streamed(list(case["completion_text"])) == Parsed(whole.content or "", whole.tool_calls)


def test_content_before_a_call_is_shown_at_once_and_a_possible_tag_is_held_back() -> None:
    stream = Stream()
    assert stream.feed("Let me see <to") == "Let me see "
    assert stream.feed("day>") == "<today>"


def test_depth_that_cannot_be_followed_is_text() -> None:
    deep = '<tool_call>{"name": "f", "arguments": ' + "[" * 100_000
    assert parse(deep) == Parsed(deep)
