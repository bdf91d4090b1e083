import json

from show_samples import NASTY, refused, words

from companion import show
from companion.lab.journal import Exchange


def test_five_numbered_steps(run: list[Exchange]) -> None:
    headings = [line for line in str(show.exchange(run[0])).splitlines() if line[:1].isdigit()]
    assert headings == [
        "1 Request · POST /v1/chat/completions",
        "2 Prompt · the text the model reads, 9 tokens",
        "3 Completion · the text the model wrote, 1 token",
        "4 Parsed · 1 tool call",
        '5 Response · status 200, finish_reason "tool_calls"',
    ]
    assert all(heading in words(show.exchange(run[0])) for heading in headings)


def test_the_call_is_shown_as_written_as_parsed_and_as_sent(run: list[Exchange]) -> None:
    twin = str(show.exchange(run[0]))
    completion, rest = twin.split("3 Completion")[1].split("4 Parsed")
    parsed, response = rest.split("5 Response")
    assert '| {"name": "add", "arguments": {"a": 1, "b": 1}}' in completion
    assert 'call 1  add   {"a": 1, "b": 1}' in parsed
    assert r'"arguments": "{\"a\": 1, \"b\": 1}"' in response


def test_an_answer_without_a_call_is_content(run: list[Exchange]) -> None:
    twin = str(show.exchange(run[1], run[0]))
    assert "4 Parsed · no tool call: all of it is content" in twin
    assert "content        It is 2." in twin


def test_with_the_previous_exchange_only_new_prompt_lines_stand_out(run: list[Exchange]) -> None:
    prompt = str(show.exchange(run[1], run[0])).split("3 Completion")[0].split("2 Prompt")[1]
    assert "+ tool response | <tool_response>" in prompt
    assert "1+1" not in prompt


def test_long_json_is_folded_short_json_is_not(run: list[Exchange]) -> None:
    assert "<summary>request: " in show.exchange(run[0]).html
    assert "<summary>request: " not in show.exchange(refused()).html


def test_a_refused_request_says_why_there_is_no_prompt() -> None:
    twin = str(show.exchange(refused()))
    assert twin.count("none: the request was answered 400 before any text was made") == 3
    assert 'error: {"message": "no messages", "code": 400}' in twin


def test_words_of_others_are_escaped_in_every_step() -> None:
    call = "<tool_call>" + json.dumps({"name": NASTY, "arguments": {"a": NASTY}}) + "</tool_call>"
    message = {"message": {"content": NASTY}, "finish_reason": NASTY}
    for completion in (NASTY, NASTY + call):
        odd = Exchange(NASTY, {"model": NASTY}, 200, {"choices": [message]}, f"<|im_start|>{NASTY}", completion)
        view = show.exchange(odd, odd)
        assert "<script" not in view.html
        assert words(view).count("<script>alert") >= 6


def test_a_server_that_does_not_tell_its_texts_is_not_said_to_have_refused() -> None:
    answer = {"choices": [{"message": {"content": "hi"}, "finish_reason": "stop"}]}
    twin = str(show.exchange(Exchange("/v1/chat/completions", {}, 200, answer)))
    assert twin.count("this server does not tell; a vLLM does, asked for `return_prompt_text`") == 3
    assert "any text was made" not in twin
