"""Where an answer ends: its own end, a stop string, a number of tokens."""

import pytest
from lab_client import CALL, CHAT, ask, captured, lab, named

from companion.lab.completion import CALL_TAGS, END_ID, Cut, cut
from companion.lab.tokens import decode, encode

WIRE = [c for c in captured("wire")["captures"] if c.get("raw_completion")]
# With a grammar, a model may spell a text with other tokens than the tokenizer would.
SPELLED_BY_GRAMMAR = {"json_schema_plus_tools_auto"}


@pytest.mark.parametrize(
    "capture",
    named(
        c
        for c in WIRE
        if c["response"]["choices"][0]["token_ids"]
        and c["response"]["choices"][0]["finish_reason"] != "length"
        and c["name"] not in SPELLED_BY_GRAMMAR
    ),
)
def test_tokens_of_a_completion_are_the_captured_ones(capture: dict) -> None:
    choice = capture["response"]["choices"][0]
    plain = CALL_TAGS if capture["request"].get("tool_choice", "auto") not in ("auto", "none") else ()
    made = cut(capture["raw_completion"][0], 4096, plain=plain)
    assert made.ids == choice["token_ids"]
    assert len(made.ids) == capture["response"]["usage"]["completion_tokens"]


@pytest.mark.parametrize("limit", range(1, 30))
def test_limit_really_cuts(limit: int) -> None:
    text = "曼谷的天气是晴天, and 😀 is a smile."
    ids = encode(text)
    made = cut(text, limit)
    if limit > len(ids):
        assert made == Cut(text, [*ids, END_ID], "stop")
    else:
        assert made.ids == ids[:limit]
        assert made.finish_reason == "length"
        assert made.text == decode(ids[:limit]).rstrip("\ufffd")


@pytest.mark.parametrize(
    ("stops", "text", "reason"),
    [
        (["5"], "1 2 3 4 ", "5"),
        (["4 5", "2"], "1 ", "2"),
        (["3 4", "3 "], "1 2 ", "3 "),
        (["9"], "1 2 3 4 5", None),
        (["1"], "", "1"),
        ([], "1 2 3 4 5", None),
    ],
)
def test_the_stop_string_that_is_complete_first_ends_the_text(stops: list[str], text: str, reason: str | None) -> None:
    made = cut("1 2 3 4 5", 100, stops)
    assert (made.text, made.finish_reason, made.stop_reason) == (text, "stop", reason)
    assert (made.ids[-1] == END_ID) == (reason is None)


def test_tokens_up_to_a_stop_string_are_counted_and_no_more() -> None:
    made = cut("Hello world, hello moon", 100, ["wor"])
    assert (made.text, decode(made.ids)) == ("Hello ", "Hello world")


def test_limit_before_a_stop_string_wins() -> None:
    assert cut("1 2 3 4 5", 2, ["5"]).finish_reason == "length"


def test_stop_string_of_several_bytes_a_character() -> None:
    made = cut("曼谷，晴天。明天多云。", 100, ["。"])
    assert made.text == "曼谷，晴天"
    assert decode(made.ids).startswith("曼谷，晴天。")


def test_nothing_follows_the_end_token() -> None:
    assert cut("Yes.<|im_end|>\n<|im_start|>user\nMore", 100).text == "Yes."


def test_empty_answer_is_one_token() -> None:
    assert cut("", 10) == Cut("", [END_ID], "stop")


def test_cut_call_is_content() -> None:
    choice = ask(CALL, max_tokens=12, tool_choice="required", return_token_ids=True)["choices"][0]
    captured_choice = next(c for c in WIRE if c["name"] == "length_cut")["response"]["choices"][0]
    assert choice == captured_choice


def test_limit_of_the_context_cuts_too() -> None:
    messages = [{"role": "user", "content": "word " * 4070}]
    answer = lab("one two three " * 20).post(CHAT, json={"messages": messages}).json()
    assert answer["usage"]["total_tokens"] == 4096
    assert answer["choices"][0]["finish_reason"] == "length"
