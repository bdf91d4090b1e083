"""Thought, content and calls of a completion, over HTTP: the field cases, where real servers and clients stumble."""

import json

import pytest
from lab_client import CALL, ask, assembled, captured, field_cases, lab, named, said, stream, without_ids

from companion.lab.calls import read, split_thought, usable
from companion.lab.parser import Parsed, ToolCall

PARSER = [case for case in captured("parser")["cases"] if "server_nonstream" in case]
# Arguments that are no object never reach a client of the lab.
OTHER_ARGUMENTS = {"arguments_as_json_string": '{"a": 1, "b": 1}', "arguments_null": "{}"}


def tool(name: str, *required: str) -> dict:
    parameters = {"type": "object", "properties": {key: {} for key in required}, "required": list(required)}
    return {"type": "function", "function": {"name": name, "parameters": parameters}}


FIELD_TOOLS = [tool("get_weather", "city"), tool("current_time"), tool("f", "x"), tool("g", "y")]
BODY = {"messages": [{"role": "user", "content": "?"}], "tools": FIELD_TOOLS}


def completions() -> list:
    """Each completion of each case, with what is to come of it."""
    found = []
    for case in field_cases("completion_text"):
        inputs = case["input"] if isinstance(case["input"], list) else [case["input"]]
        expected = case["expect"].get("variants", [case["expect"]] * len(inputs))
        for n, (text, expect) in enumerate(zip(inputs, expected, strict=True)):
            found.append(pytest.param(text, expect, id=f"{case['id']}-{n}"))
    return found


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(("written", "expect"), completions())
def test_field_case(written: str | dict, expect: dict, streamed: bool) -> None:
    text = written["text"] if isinstance(written, dict) else written
    cut = {"max_tokens": 20} if isinstance(written, dict) and written["stopped_by"] == "max_tokens" else {}
    summary = assembled(stream(text, BODY, **cut)) if streamed else said(ask(text, BODY, **cut))
    calls = [[call["name"], json.loads(call["arguments"])] for call in summary["tool_calls"]]
    same_text = expect.get("content") == "<same text as input>"
    if "any_of" in expect:
        expect = expect["any_of"][1]
        same_text = True
    assert calls == expect.get("tool_calls", [])
    assert all(isinstance(arguments, dict) for _, arguments in calls)
    if same_text:
        assert summary["content"] == text
    elif "content" in expect:
        assert summary["content"] == expect["content"]
    if "finish_reason" in expect:
        assert summary["finish_reason"] == expect["finish_reason"]


@pytest.mark.parametrize("case", named(PARSER, "id"))
def test_answer_is_that_of_the_captured_server(case: dict) -> None:
    answer = ask(case["completion_text"])
    expected = case["server_nonstream"]
    for call in expected["tool_calls"]:
        call["arguments"] = OTHER_ARGUMENTS.get(case["id"], call["arguments"])
    content = answer["choices"][0]["message"]["content"]
    assert without_ids(said(answer)) | {"content": content} == expected


@pytest.mark.parametrize(
    ("written", "arguments"),
    [
        ("{}", "{}"),
        ("null", "{}"),
        ('""', "{}"),
        ('"{}"', "{}"),
        ('"{\\"a\\": 1}"', '{"a": 1}'),
        ('"null"', "{}"),
    ],
)
def test_arguments_are_always_an_object(written: str, arguments: str) -> None:
    assert usable(ToolCall("f", written)) == ToolCall("f", arguments)


@pytest.mark.parametrize("written", ["null", '""', '"null"'])
def test_nothing_is_no_argument_for_a_tool_that_needs_one(written: str) -> None:
    text = f'<tool_call>{{"name": "f", "arguments": {written}}}</tool_call>'
    assert read(text, [tool("f", "city")]) == Parsed(text)
    assert read(text, [tool("f")]) == Parsed(None, [ToolCall("f", "{}")])


@pytest.mark.parametrize(
    "written",
    [
        *("[1]", "1", "true", '"Seoul"', '"[1]"', '"\\"{}\\""', '{"a": "\\ud83d"}'),
        *('{"a": NaN}', '{"a": 1e999}', '"{\\"a\\": -Infinity}"'),
    ],
)
def test_arguments_that_are_no_object_make_the_completion_text(written: str) -> None:
    text = f'<tool_call>{{"name": "f", "arguments": {written}}}</tool_call>'
    assert read(text, [tool("f")]) == Parsed(text)


def test_one_unusable_call_makes_everything_text() -> None:
    text = CALL + '<tool_call>{"name": "f", "arguments": [1]}</tool_call>'
    assert read(text, []) == Parsed(text)


@pytest.mark.parametrize(
    ("block", "tools", "called"),
    [
        ('{"name": "now"}', [tool("now")], True),
        ('{"name": "now"}', [tool("now", "zone")], False),
        ('{"name": "now"}', [], False),
        ('{"name": "now", "parameters": {"zone": "UTC"}}', [tool("now")], False),
        ('{"name": ["now"]}', [tool("now")], False),
    ],
)
def test_a_bare_name_is_a_call_only_where_nothing_can_be_missing(block: str, tools: list, called: bool) -> None:
    text = f"<tool_call>\n{block}\n</tool_call>"
    assert read(text, tools) == (Parsed(None, [ToolCall("now", "{}")]) if called else Parsed(text))


@pytest.mark.parametrize(
    ("completion", "thought", "text"),
    [
        ("2", None, "2"),
        ("<think>\nEasy.\n</think>\n\n2", "Easy.", "2"),
        ("<think>\n\n</think>\n\n2", "", "2"),
        ("Easy.</think>2", "Easy.", "2"),
        ("<think>never closed", "never closed", ""),
        ("<think>call\n" + CALL, "call", CALL),
        ("<think>maybe " + CALL + " no</think>2", "maybe " + CALL + " no", "2"),
        (CALL + " </think>", None, CALL + " </think>"),
        ("The tag <think> opens and </think> closes.", None, "The tag <think> opens and </think> closes."),
        ("Hm. <think>maybe " + CALL + "</think>2", "Hm. maybe " + CALL, "2"),
        ("<think>a</think>\n<think>maybe " + CALL + "</think>2", "a\nmaybe " + CALL, "2"),
        (CALL + "<think>done " + CALL + "</think>2", None, CALL + "<think>done " + CALL + "</think>2"),
    ],
)
def test_thought(completion: str, thought: str | None, text: str) -> None:
    assert split_thought(completion) == (thought, text)


def test_thought_is_reasoning_and_never_content() -> None:
    message = ask("<think>\nEasy.\n</think>\n\n2")["choices"][0]["message"]
    assert (message["reasoning"], message["content"]) == ("Easy.", "2")


def test_two_equal_calls_have_two_ids_and_the_same_ones_on_every_run() -> None:
    first, second = (said(ask(CALL + CALL))["tool_calls"] for _ in range(2))
    assert first == second
    assert len({call["id"] for call in first}) == 2
    assert all(call["id"].removeprefix("chatcmpl-tool-").isalnum() and len(call["id"]) == 30 for call in first)


def test_the_same_call_in_a_later_turn_has_another_id() -> None:
    call = ask(CALL)["choices"][0]["message"]["tool_calls"][0]
    messages = [
        {"role": "user", "content": "1+1"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": call["id"], "content": "2"},
    ]
    assert said(ask(CALL, messages=messages))["tool_calls"][0]["id"] != call["id"]


def test_choices_do_not_share_ids() -> None:
    answer = ask(CALL, n=3)
    assert len({choice["message"]["tool_calls"][0]["id"] for choice in answer["choices"]}) == 3
    assert answer["usage"]["completion_tokens"] == 3 * ask(CALL)["usage"]["completion_tokens"]


def test_client_can_run_what_it_gets() -> None:
    assert lab(CALL).post("/v1/chat/completions", json=BODY).json()["choices"][0]["finish_reason"] == "tool_calls"
