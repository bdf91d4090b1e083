"""What the lab's tests share: captures of a real vLLM, and a lab in process whose model says what a test wants."""

import json
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from companion.lab.app import create_app
from companion.lab.journal import Journal

DATA = Path(__file__).parent.parent / "data"
CHAT = "/v1/chat/completions"
ADD = {
    "type": "function",
    "function": {
        "name": "add",
        "description": "add two int number",
        "parameters": {
            "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
            "required": ["a", "b"],
            "type": "object",
        },
    },
}
CALL = '<tool_call>\n{"name": "add", "arguments": {"a": 1, "b": 1}}\n</tool_call>'
TWO_CALLS = CALL + '\n<tool_call>\n{"name": "add", "arguments": {"a": 1, "b": 1}}\n</tool_call>'
ONE_PLUS_ONE = {"messages": [{"role": "user", "content": "1+1"}], "tools": [ADD]}


def tool(name: str, description: str, **parameters: Any) -> dict[str, Any]:
    """A tool whose parameters are all required; each is a schema, a type, or "type: description"."""
    properties = {
        key: dict(zip(("type", "description"), schema.split(": "), strict=False)) if isinstance(schema, str) else schema
        for key, schema in parameters.items()
    }
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": schema}}


def captured(name: str) -> Any:
    """A file of captures, as the lab would be asked: with the lab's model, and long texts written out."""
    text = (DATA / "ground-truth" / f"{name}.json").read_text(encoding="utf-8")
    text = text.replace("Qwen2.5-Coder-1.5B-Instruct", "qwen3-stand-in")
    return json.loads(text.replace(r"<\"word \" repeated 6000 times>", "word " * 6000))


def field_cases(kind: str) -> list[dict[str, Any]]:
    """What was met in the field, as `completion_text` or as `messages`."""
    lines = (DATA / "field-cases-model.jsonl").read_text(encoding="utf-8").splitlines()
    return [case for case in map(json.loads, lines) if case["input_kind"] == kind]


def named(cases: Iterable[dict[str, Any]], key: str = "name") -> list[Any]:
    """Cases as parameters of a test, under their own names."""
    return [pytest.param(case, id=case[key]) for case in cases]


def lab(completion: str = "ok", **options: Any) -> TestClient:
    """A lab whose model always writes `completion`."""

    def complete(prompt: str, schema: dict[str, Any] | None = None, *, force: Collection[str] = ()) -> str:
        return completion

    return TestClient(create_app(Journal(), complete=complete, **options))


def ask(completion: str, body: dict[str, Any] = ONE_PLUS_ONE, **fields: Any) -> dict[str, Any]:
    """The answer to a chat request, when the model writes `completion`."""
    response = lab(completion).post(CHAT, json=body | fields)
    assert response.status_code == 200, response.text
    return response.json()


def stream(completion: str, body: dict[str, Any] = ONE_PLUS_ONE, **fields: Any) -> list[dict[str, Any]]:
    """The chunks of the same answer."""
    response = lab(completion).post(CHAT, json=body | fields | {"stream": True})
    assert response.headers["content-type"].startswith("text/event-stream"), response.text
    return parsed(response.text.split("\n\n"))


def parsed(lines: Iterable[str]) -> list[dict[str, Any]]:
    """The chunks in lines of server-sent events, which end with [DONE]."""
    data = [line.removeprefix("data: ") for line in lines if line]
    assert data[-1] == "[DONE]"
    return [json.loads(line) for line in data[:-1]]


def assembled(chunks: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """What a client makes of the chunks: text joined, calls put together by index."""
    content, calls, finish = "", {}, None
    for choice in (choice for chunk in chunks for choice in chunk["choices"]):
        content += choice["delta"].get("content") or ""
        finish = choice["finish_reason"] or finish
        for piece in choice["delta"].get("tool_calls") or []:
            call = calls.setdefault(piece["index"], {"id": piece.get("id"), "name": "", "arguments": ""})
            call["name"] += piece["function"].get("name", "")
            call["arguments"] += piece["function"].get("arguments", "")
    return {"content": content, "tool_calls": list(calls.values()), "finish_reason": finish}


def said(answer: dict[str, Any]) -> dict[str, Any]:
    """The same summary of an answer that was not streamed."""
    choice = answer["choices"][0]
    calls = [{"id": call["id"], **call["function"]} for call in choice["message"].get("tool_calls", [])]
    content = choice["message"]["content"] or ""
    return {"content": content, "tool_calls": calls, "finish_reason": choice["finish_reason"]}


def without_ids(summary: dict[str, Any]) -> dict[str, Any]:
    """A summary that can be compared with a capture."""
    calls = [{"name": call["name"], "arguments": call["arguments"]} for call in summary["tool_calls"]]
    return summary | {"tool_calls": calls}
