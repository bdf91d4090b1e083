"""Every wrong request gets the status and JSON error that a real vLLM gave; where none is known, a clear 4xx."""

import json
from typing import Any

import pytest
from lab_client import ADD, CHAT, ONE_PLUS_ONE, captured, lab, named
from starlette.testclient import TestClient

from companion.lab.app import create_app
from companion.lab.journal import Journal

ERRORS = captured("errors")
# vLLM lists every branch of its unions; the lab lists one. Templates in a request are refused before they are read.
OTHER_WORDS = {
    "user_content_null",
    "assistant_tool_call_arguments_dict",
    "bad_chat_template",
    "raise_exception_template",
}
# Needs no flag in the lab.
NO_FLAG_NEEDED = {"render_disabled"}


def send(client: Any, case: dict) -> Any:
    request = case["request"]
    content = request if isinstance(request, str) else json.dumps(request)
    headers = {"content-type": "application/json"}
    return client.request(
        case["method"], case["path"], content=content if request is not None else None, headers=headers
    )


@pytest.mark.parametrize("case", named(ERRORS["with_tool_flags"]))
def test_captured_request(case: dict) -> None:
    response = send(lab(), case)
    assert response.status_code == case["status"]
    if case["status"] == 200:
        return
    expected, got = case["response"], response.json()
    if case["name"] in OTHER_WORDS:
        assert (got["error"]["type"], got["error"]["code"]) == (expected["error"]["type"], expected["error"]["code"])
        assert list(got["error"]) == list(expected["error"])
    else:
        assert got == expected


@pytest.mark.parametrize(
    "case", named(c for c in ERRORS["server_started_without_tool_flags"] if c["name"] not in NO_FLAG_NEEDED)
)
def test_captured_request_to_a_server_without_tool_flags(case: dict) -> None:
    response = send(lab(tool_parsing=False), case)
    assert response.status_code == case["status"]
    if case["status"] != 200:
        assert response.json() == case["response"]


@pytest.mark.parametrize("choice", [{}, {"function": {}}, {"function": 5}, {"function": {"name": "sub"}}])
def test_a_wrong_choice_is_told_by_a_server_without_tool_flags_too(choice: dict) -> None:
    response = lab(tool_parsing=False).post(CHAT, json=ONE_PLUS_ONE | {"tool_choice": choice})
    assert (response.status_code, response.json()) == (
        400,
        lab().post(CHAT, json=ONE_PLUS_ONE | {"tool_choice": choice}).json(),
    )


def test_null_content_names_the_message() -> None:
    body = {"messages": [{"role": "user", "content": "hi"}, {"role": "user", "content": None}]}
    error = lab().post(CHAT, json=body).json()["error"]
    assert error["param"] == "body.messages.1.content"
    assert error["message"].startswith(
        "1 validation error:\n  {'type': 'string_type', 'loc': 'body.messages.1.content'"
    )


REFUSED = {
    "n_many": ({"n": 17}, "n must be at most 16"),
    "temperature_negative": ({"temperature": -1}, "temperature must be non-negative"),
    "temperature_infinite": ({"temperature": "inf"}, "finite"),
    "top_p_0": ({"top_p": 0}, "top_p must be in (0, 1]"),
    "top_k": ({"top_k": -2}, "top_k must be"),
    "min_p": ({"min_p": 2}, "min_p must be in [0, 1]"),
    "presence_penalty": ({"presence_penalty": 3}, "presence_penalty must be in [-2, 2]"),
    "repetition_penalty": ({"repetition_penalty": 0}, "greater than zero"),
    "stop_empty": ({"stop": ""}, "empty string"),
    "stop_list_empty": ({"stop": ["a", ""]}, "empty string"),
    "completion_tokens_too_big": ({"max_completion_tokens": 5000}, "max_completion_tokens=5000 cannot be greater"),
    "stream_options_alone": ({"stream_options": {"include_usage": True}}, "stream=True"),
    "logprobs": ({"logprobs": True}, "no token probabilities"),
    "top_logprobs": ({"top_logprobs": 2}, "no token probabilities"),
    "prompt_logprobs": ({"prompt_logprobs": 0}, "no token probabilities"),
    "grammar": ({"structured_outputs": {"grammar": "root ::= x"}}, "response_format"),
    "unknown_tool": ({"tool_choice": {"type": "function", "function": {"name": "sub"}}}, "does not match any"),
    "choice_no_function": ({"tool_choice": {"type": "function"}}, "Correct usage"),
    "choice_no_name": ({"tool_choice": {"type": "function", "function": {}}}, "Expected field `name`"),
    "choice_list": ({"tool_choice": ["add"]}, "Invalid value for `tool_choice`"),
    "response_format_type": ({"response_format": {"type": "xml"}}, "json_schema"),
    "schema_no_object": ({"response_format": {"type": "json_schema", "json_schema": {"schema": 5}}}, "dictionary"),
    "schema_bad_keyword": (
        {"response_format": {"type": "json_schema", "json_schema": {"schema": {"required": "a"}}}},
        "Grammar error",
    ),
    "role_missing": ({"messages": [{"content": "x"}]}, "body.messages.0.role"),
    "role_number": ({"messages": [{"role": 1, "content": "x"}]}, "body.messages.0.role"),
    "content_number": ({"messages": [{"role": "user", "content": 5}]}, "body.messages.0.content"),
    "content_object": ({"messages": [{"role": "user", "content": {"a": 1}}]}, "body.messages.0.content"),
    "part_without_type": ({"messages": [{"role": "user", "content": [{"text": "x"}]}]}, "body.messages.0.content.0"),
    "part_text_number": ({"messages": [{"role": "tool", "content": [{"type": "text", "text": 1}]}]}, "content.0.text"),
    "part_audio": ({"messages": [{"role": "user", "content": [{"type": "input_audio"}]}]}, "input_audio"),
    "tool_calls_text": ({"messages": [{"role": "assistant", "tool_calls": "add"}]}, "tool_calls"),
    "tool_call_no_name": (
        {"messages": [{"role": "assistant", "tool_calls": [{"function": {"arguments": "{}"}}]}]},
        "body.messages.0.tool_calls.0.function.name",
    ),
    "tools_text": ({"tools": "add"}, "body.tools"),
    "tool_name_number": ({"tools": [{"function": {"name": 5}}]}, "body.tools.0.function.name"),
    "parameters_list": ({"tools": [{"function": {"name": "f", "parameters": []}}]}, "body.tools.0.function.parameters"),
    "messages_missing": ({"messages": None}, "body.messages"),
    "seed_huge": ({"seed": 2**70}, "body.seed"),
}


@pytest.mark.parametrize(("fields", "says"), REFUSED.values(), ids=REFUSED)
def test_refusal_says_what_is_wrong(fields: dict, says: str) -> None:
    response = lab().post(CHAT, json=ONE_PLUS_ONE | fields)
    error = response.json()["error"]
    assert response.status_code == error["code"] == 400
    assert says in error["message"]


@pytest.mark.parametrize("fields", [fields for name, (fields, _) in REFUSED.items() if name != "stream_options_alone"])
def test_refusal_comes_before_a_stream_begins(fields: dict) -> None:
    response = lab().post(CHAT, json=ONE_PLUS_ONE | fields | {"stream": True})
    assert (response.status_code, response.json().keys()) == (400, {"error"})


BYTES = {
    "not_json": (b'{"messages": [', 400, "JSON decode error"),
    "nan": (b'{"temperature": NaN}', 400, "NaN is not a JSON number"),
    "infinity": (b'{"temperature": -Infinity}', 400, "-Infinity is not a JSON number"),
    "overflow": (b'{"temperature": 1e999}', 400, "1e999 is not a JSON number"),
    "deep": (b"[" * 200_000, 400, "JSON decode error"),
    "deep_closed": (b'{"a":' + b"[" * 500 + b"]" * 500 + b"}", 400, "levels deep"),
    "latin_1": ('{"a": "é"}'.encode("latin-1"), 400, "JSON decode error"),
    "half_a_character": (b'{"messages": [{"role": "user", "content": "\\ud83d"}]}', 400, "surrogate"),
    "huge_integer": (b'{"max_tokens": ' + b"9" * 5000 + b"}", 400, "JSON decode error"),
    "number": (b"5", 400, "valid dictionary"),
    "text": (b'"hi"', 400, "valid dictionary"),
    "null": (b"null", 400, "Field required"),
    "blank": (b"  ", 400, "Field required"),
    "too_big": (b'{"a": "' + b"x" * 5_000_000 + b'"}', 413, "at most 4194304"),
}
POSTS = (CHAT, f"{CHAT}/render", "/v1/completions", "/tokenize", "/detokenize")


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize(("content", "status", "says"), BYTES.values(), ids=BYTES)
def test_bytes_that_are_no_request(path: str, content: bytes, status: int, says: str) -> None:
    response = lab().post(path, content=content, headers={"content-type": "application/json"})
    assert response.status_code == status
    assert list(response.json()["error"]) == ["message", "type", "param", "code"]
    assert says in response.json()["error"]["message"]


def test_search_refuses_in_the_words_of_its_own_client() -> None:
    response = lab().post("/search", content=b"{", headers={"content-type": "application/json"})
    assert response.status_code == 400
    assert "JSON decode error" in response.json()["detail"]["error"]


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_other_content_types_are_refused(content_type: str) -> None:
    response = lab().post(CHAT, content=json.dumps(ONE_PLUS_ONE), headers={"content-type": content_type})
    assert response.status_code == 400
    assert "application/json" in response.json()["error"]["message"]


def test_prompt_and_answer_must_fit_together() -> None:
    messages = [{"role": "user", "content": "word " * 4000}]
    assert lab().post(CHAT, json={"messages": messages}).status_code == 200
    error = lab().post(CHAT, json={"messages": messages, "max_tokens": 200}).json()["error"]
    assert error["param"] == "input_tokens"
    assert "you requested 200 output tokens and your prompt contains at least 4009 input tokens" in error["message"]


def test_very_long_prompt_is_refused_without_counting_it() -> None:
    error = lab().post(CHAT, json={"messages": [{"role": "user", "content": "word " * 500_000}]}).json()["error"]
    assert "at least 4097 input tokens" in error["message"]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({"prompt": "Hi", "stream": True}, "streams chat"),
        ({"prompt": "Hi", "logprobs": 0}, "probabilities"),
        ({"prompt": "Hi", "suffix": "x"}, "suffix"),
        ({"prompt": ""}, "non-empty"),
        ({"prompt": []}, "non-empty"),
        ({"prompt": ["x"] * 17}, "at most 16 prompts"),
        ({"prompt": [10**9]}, "not in the vocabulary"),
        ({"prompt": {"a": 1}}, "body.prompt"),
        ({}, "body.prompt"),
    ],
)
def test_text_completion_refuses(body: dict, says: str) -> None:
    response = lab().post("/v1/completions", json=body)
    assert response.status_code == 400
    assert says in response.json()["error"]["message"]


@pytest.mark.parametrize("character", [" ", "a", "曼", "\n"])
def test_a_text_of_one_endless_word_is_answered(character: str) -> None:
    text = character * 1_000_000
    assert lab().post("/tokenize", json={"prompt": text}).status_code in (200, 400)
    error = lab().post(CHAT, json={"messages": [{"role": "user", "content": text}]}).json()["error"]
    assert "at least 4097 input tokens" in error["message"]


@pytest.mark.parametrize("tokens", [[-1], [151669], ["x"], "x", None])
def test_detokenize_refuses(tokens: Any) -> None:
    assert lab().post("/detokenize", json={"tokens": tokens}).status_code == 400


def test_a_crash_is_a_json_error() -> None:
    """The last resort works; test_fuzz shows that no request gets there."""

    def complete(prompt: str, schema: dict | None = None, *, force: Any = ()) -> str:
        raise ZeroDivisionError

    client = TestClient(create_app(Journal(), complete=complete), raise_server_exceptions=False)
    response = client.post(CHAT, json=ONE_PLUS_ONE)
    assert (response.status_code, response.json()["error"]["type"]) == (500, "InternalServerError")


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"self": {"$ref": "#"}}, "required": ["self"]},
        {"type": "object", "properties": {"name": False}, "required": ["name"]},
    ],
    ids=["contains_itself", "allows_nothing"],
)
def test_schema_that_no_answer_fits(schema: dict) -> None:
    client = TestClient(create_app(Journal()))
    asked = {"type": "json_schema", "json_schema": {"name": "x", "schema": schema}}
    response = client.post(CHAT, json={"messages": ONE_PLUS_ONE["messages"], "response_format": asked})
    assert response.status_code == 400
    assert "no answer that fits" in response.json()["error"]["message"]


def test_unknown_model_of_the_list() -> None:
    assert lab().get("/v1/models/gpt-4").json()["error"]["type"] == "NotFoundError"


def test_tools_of_any_name_are_taken() -> None:
    tool = {"function": {"name": "查 天气", "parameters": {"type": "object", "required": ["城市"]}}}
    assert lab().post(CHAT, json={"messages": ONE_PLUS_ONE["messages"], "tools": [tool, ADD]}).status_code == 200


@pytest.mark.parametrize(("arguments", "status"), [('{"a": "\\ud83d"}', 400), ("[" * 100_000, 200), ("1" * 5000, 200)])
def test_arguments_of_an_earlier_call_that_cannot_be_written_down(arguments: str, status: int) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "add", "arguments": arguments}}
    answered = {"role": "assistant", "content": None, "tool_calls": [call]}
    response = lab().post(CHAT, json={"messages": [*ONE_PLUS_ONE["messages"], answered]})
    assert response.status_code == status
    if status == 400:
        assert response.json()["error"]["param"] == "body.messages.1.tool_calls.0.function.arguments"
