"""The way from messages to a prompt: what clients send in odd forms; and what the model is told about the answer."""

import json
from typing import Any

import pytest
from lab_client import ADD, CALL, CHAT, ONE_PLUS_ONE, TWO_CALLS, ask, field_cases, lab, named, said
from starlette.testclient import TestClient

from companion.lab.app import create_app
from companion.lab.journal import Journal

SCHEMA = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
FORMAT = {"type": "json_schema", "json_schema": {"name": "Person", "schema": SCHEMA, "strict": True}}


def prompt_for(messages: list[dict], **fields: Any) -> str:
    response = lab().post(CHAT, json={"messages": messages, "return_prompt_text": True, **fields})
    assert response.status_code == 200, response.text
    return response.json()["prompt_text"]


@pytest.mark.parametrize("case", named(field_cases("messages"), "id"))
def test_field_case(case: dict) -> None:
    inputs, expect = case["input"], case["expect"]
    prompts = [prompt_for(messages) for messages in (inputs if isinstance(inputs[0], list) else [inputs])]
    for prompt in prompts:
        assert expect.get("prompt_contains", "") in prompt
        assert expect.get("prompt_not_contains", "\0") not in prompt
        places = [prompt.index(text) for text in expect.get("prompt_order", [])]
        assert places == sorted(places)
    assert len({prompts[i] for i in expect.get("prompts_equal", [0])}) == 1


def results(*ids: str | None) -> list[dict]:
    """A question, two calls a and b, and results that name `ids`."""
    calls = [{"id": i, "type": "function", "function": {"name": "f", "arguments": "{}"}} for i in ("a", "b")]
    said_ = {"role": "assistant", "content": None, "tool_calls": calls}
    tool = [{"role": "tool", "content": f"value {n}"} | ({"tool_call_id": i} if i else {}) for n, i in enumerate(ids)]
    return [{"role": "user", "content": "?"}, said_, *tool]


@pytest.mark.parametrize(
    ("ids", "order"),
    [
        (("a", "b"), [0, 1]),
        (("b", "a"), [1, 0]),
        (("b",), [0]),
        (("b", "x"), [0, 1]),
        (("b", "b"), [0, 1]),
        (("b", None), [0, 1]),
    ],
)
def test_results_that_name_their_calls_are_put_in_order_and_others_stay(ids: tuple, order: list[int]) -> None:
    prompt = prompt_for(results(*ids))
    places = [prompt.index(f"value {n}") for n in order]
    assert places == sorted(places)


def test_results_of_two_turns_do_not_mix() -> None:
    prompt = prompt_for(results("b", "a") + results("b", "a"))
    assert prompt.count("value 1\n</tool_response>\n<tool_response>\nvalue 0") == 2


def test_developer_is_a_system_message() -> None:
    system, developer = (
        prompt_for([{"role": role, "content": "Be brief."}, {"role": "user", "content": "hi"}])
        for role in ("system", "developer")
    )
    assert system == developer
    assert "Be brief." in system


def test_call_in_the_history_is_not_encoded_twice() -> None:
    (case,) = [case for case in field_cases("messages") if case["id"] == "FR-A11"]
    assert "\\" not in prompt_for(case["input"])


class Model:
    """Stands in for the reader and keeps what it was asked."""

    def __init__(self, completion: str) -> None:
        self.completion, self.asked = completion, {}

    def __call__(self, prompt: str, schema: dict | None = None, *, force: Any = ()) -> str:
        self.asked = {"prompt": prompt, "schema": schema, "force": list(force)}
        return self.completion


def told(completion: str = "ok", **fields: Any) -> dict:
    """What the model is asked for a request."""
    model = Model(completion)
    response = TestClient(create_app(Journal(), complete=model)).post(CHAT, json=ONE_PLUS_ONE | fields)
    assert response.status_code == 200, response.text
    return model.asked


NAMED = {"type": "function", "function": {"name": "add"}}
OTHER = {"type": "function", "function": {"name": "sub"}}


@pytest.mark.parametrize(
    ("fields", "schema", "force"),
    [
        ({}, None, []),
        ({"tool_choice": "auto"}, None, []),
        ({"tool_choice": "none"}, None, []),
        ({"tool_choice": "required", "tools": [ADD, OTHER]}, None, ["add", "sub"]),
        ({"tool_choice": NAMED, "tools": [ADD, OTHER]}, None, ["add"]),
        ({"response_format": FORMAT}, SCHEMA, []),
        ({"response_format": {"type": "json_object"}}, {"type": "object"}, []),
        ({"response_format": {"type": "text"}}, None, []),
        ({"response_format": FORMAT, "tool_choice": "required"}, None, ["add"]),
        ({"response_format": FORMAT, "tool_choice": "none"}, SCHEMA, []),
        ({"structured_outputs": {"json": SCHEMA}}, SCHEMA, []),
    ],
)
def test_the_model_is_told_the_schema_or_the_tools_to_call(fields: dict, schema: dict | None, force: list) -> None:
    asked = told(**fields)
    assert (asked["schema"], asked["force"]) == (schema, force)


def test_the_model_sees_the_prompt_and_nothing_else() -> None:
    assert told()["prompt"] == prompt_for(**ONE_PLUS_ONE)


def test_a_choice_is_answered_bare() -> None:
    fields = {"messages": [{"role": "user", "content": "Even?"}], "structured_outputs": {"choice": ["yes", "no"]}}
    assert said(ask('"yes"', fields))["content"] == "yes"


def test_json_is_not_parsed_for_calls() -> None:
    text = json.dumps({"name": CALL})
    assert said(ask(text, response_format=FORMAT)) == {"content": text, "tool_calls": [], "finish_reason": "stop"}


def test_forced_tags_are_spelled_with_ordinary_tokens() -> None:
    special, plain = (
        ask(CALL, tool_choice=choice, return_token_ids=True)["choices"][0]["token_ids"]
        for choice in ("auto", "required")
    )
    assert special[0] == 151657
    assert plain[:3] == [27, 14172, 13429]


@pytest.mark.parametrize(
    ("fields", "calls", "reason"),
    [
        ({}, 2, "tool_calls"),
        ({"parallel_tool_calls": False}, 1, "tool_calls"),
        ({"tool_choice": "required"}, 2, "tool_calls"),
        ({"tool_choice": "required", "parallel_tool_calls": False}, 1, "tool_calls"),
        ({"tool_choice": NAMED}, 1, "stop"),
        ({"tool_choice": "none"}, 0, "stop"),
    ],
)
def test_how_many_calls_and_how_it_ends(fields: dict, calls: int, reason: str) -> None:
    summary = said(ask(TWO_CALLS, **fields))
    assert (len(summary["tool_calls"]), summary["finish_reason"]) == (calls, reason)


@pytest.mark.parametrize(
    ("completion", "fields", "content"),
    [
        (CALL, {}, None),
        ("\n\n" + CALL, {}, None),
        ("Let me see.\n" + CALL, {}, "Let me see.\n"),
        (CALL, {"tool_choice": "required"}, ""),
        (CALL, {"tool_choice": NAMED}, ""),
        (CALL, {"tool_choice": "none"}, CALL),
        ("", {}, ""),
    ],
)
def test_content_is_null_or_empty_or_text(completion: str, fields: dict, content: str | None) -> None:
    message = ask(completion, **fields)["choices"][0]["message"]
    assert message["content"] == content
    assert ("tool_calls" in message) == (content != completion)


def test_same_request_same_bytes() -> None:
    first, second = (lab(TWO_CALLS).post(CHAT, json=ONE_PLUS_ONE).content for _ in range(2))
    assert first == second
