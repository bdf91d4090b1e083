"""Ten thousand wrong or odd requests, the same ones on every run: always JSON, never a 500, never a crash.

The requests are valid bodies with pieces replaced, removed, doubled or nested, sometimes bytes that are no JSON. The
application runs in process, so that an exception inside it fails the test by itself.
"""

import asyncio
import copy
import json
import random
from typing import Any

import httpx
import pytest
from lab_client import ADD, CALL, CHAT, ONE_PLUS_ONE

from companion.lab.app import create_app, stand_in
from companion.lab.journal import Journal

REQUESTS = 10_000
BATCHES = 4
SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
    "required": ["name"],
}
HISTORY = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": [{"type": "text", "text": "1+1"}]},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "add", "arguments": '{"a": 1, "b": 1}'}}],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "2"},
]
FULL = {
    "model": "qwen3-stand-in",
    "messages": HISTORY,
    "tools": [ADD],
    "tool_choice": "auto",
    "parallel_tool_calls": True,
    "temperature": 0,
    "max_tokens": 50,
    "stop": ["\n\n"],
    "n": 1,
    "stream_options": {"include_usage": True},
    "stream": True,
    "chat_template_kwargs": {"enable_thinking": False},
    "return_token_ids": True,
}
GUIDED = {
    "messages": [{"role": "user", "content": "Alice is 30."}],
    "response_format": {"type": "json_schema", "json_schema": {"name": "P", "schema": SCHEMA}},
}
NAMED = {"type": "function", "function": {"name": "add"}}
VALID: list[tuple[str, dict[str, Any]]] = [
    (CHAT, ONE_PLUS_ONE),
    (CHAT, FULL),
    (CHAT, GUIDED),
    (CHAT, ONE_PLUS_ONE | {"tool_choice": NAMED, "stream": True}),
    (CHAT, ONE_PLUS_ONE | {"tool_choice": "required", "max_completion_tokens": 9}),
    (f"{CHAT}/render", FULL),
    ("/v1/completions", {"prompt": "Hi", "max_tokens": 5, "echo": True, "stop": "x", "n": 2}),
    ("/tokenize", {"prompt": "Hi 曼谷", "return_token_strs": True}),
    ("/tokenize", {"messages": HISTORY, "tools": [ADD], "add_generation_prompt": True}),
    ("/detokenize", {"tokens": [9707, 151645]}),
    ("/search", {"query": "Oslo", "max_results": 3, "include_domains": ["example.org"]}),
]
ODD: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    1,
    2**31,
    2**63,
    -(2**64),
    10**300,
    1e-320,
    1.5,
    1e308,
    "",
    "x",
    "\0",
    "auto",
    "none",
    "required",
    "null",
    "曼谷 😀",
    "<|im_end|>\n<|im_start|>system\n",
    CALL,
    "<tool_call>",
    "</tools>",
    "<think>",
    "</think>",
    "{",
    "[" * 60,
    "e\u0301" * 20,
    " " * 300,
    "9" * 400,
    [],
    {},
    [[]],
    [None],
    [{}],
    {"": None},
    {"type": "text"},
    {"type": "object", "properties": {"a": {"$ref": "#/properties/a"}}},
    {"$ref": "#"},
    {"anyOf": []},
    {"type": ["string", "null"], "enum": []},
    {"properties": {"a": None}},
    {"type": "array", "items": {"type": "integer"}, "minItems": 10**6},
    {"type": "string", "pattern": "(a+)+$", "minLength": 50},
    {"role": "user", "content": "hi"},
    {"role": "assistant"},
    {"name": "f", "arguments": 5},
]
KEYS = [
    "type",
    "name",
    "role",
    "content",
    "function",
    "arguments",
    "parameters",
    "required",
    "properties",
    "n",
    "",
    "é",
]
COMPLETIONS = [
    "",
    "ok",
    CALL,
    CALL[:40],
    "\n" + CALL + CALL,
    "<think>" + CALL,
    "<tool_call>\n{}\n</tool_call>",
    '<tool_call>{"name": "f", "arguments": "\\ud800"}</tool_call>',
    '<tool_call>{"name": "\\ud800", "arguments": {}}</tool_call>',
    "曼谷" * 30,
    "\ufffd\0",
]


def containers(value: Any) -> list[Any]:
    """Every list and object in a body that has something to change."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    found = [value] if isinstance(value, dict | list) and value else []
    return found + [each for child in inside for each in containers(child)]


def mutate(body: dict[str, Any], chance: random.Random) -> None:
    """Change one place of a body."""
    target = chance.choice(containers(body) or [body])
    key = chance.choice(list(target)) if isinstance(target, dict) and target else 0
    key = chance.randrange(len(target)) if isinstance(target, list) else key
    odd = copy.deepcopy(chance.choice(ODD))
    match chance.randrange(6):
        case 0 | 1 | 2 if target:
            target[key] = odd
        case 3 if target:
            target[key] = [target[key]] * chance.choice([1, 2, 60])
        case 4 if target:
            del target[key]
        case _ if isinstance(target, dict):
            target[chance.choice([*KEYS, *FULL])] = odd
        case _:
            target.append(odd)


def spoil(content: bytes, chance: random.Random) -> bytes:
    """Bytes that are most likely no JSON any more."""
    at = chance.randrange(len(content) + 1)
    noise = chance.choice([b"", b"\xff", b"{", b"NaN", b"\\ud800", b"1e999", b"]", b"[" * 2000, chance.randbytes(4)])
    return content[:at] + noise + content[at + chance.randrange(3) :]


def request(chance: random.Random) -> tuple[str, bytes]:
    """One request: a path and the bytes of its body."""
    path, valid = chance.choice(VALID)
    body = copy.deepcopy(valid)
    for _ in range(chance.choice([1, 1, 1, 2, 3, 6])):
        mutate(body, chance)
    content = json.dumps(body).encode()
    return path, spoil(content, chance) if chance.random() < 0.1 else content


def check(path: str, content: bytes, response: httpx.Response) -> None:
    """An answer is a 200 or a 4xx, and JSON or a whole stream of it."""
    sent = f"{path} {content[:600]!r}"
    assert response.status_code == 200 or 400 <= response.status_code < 500, sent
    if response.headers["content-type"].startswith("text/event-stream"):
        lines = [line.removeprefix("data: ") for line in response.text.split("\n\n") if line]
        assert lines.pop() == "[DONE]", sent
        assert all(isinstance(json.loads(line), dict) for line in lines), sent
        return
    answer = response.json()
    if response.status_code != 200 and path != "/search":
        assert list(answer["error"]) == ["message", "type", "param", "code"], sent
        assert answer["error"]["code"] == response.status_code, sent
        assert answer["error"]["message"], sent


async def run(seed: int, complete: Any = None) -> dict[int, int]:
    """Send a batch; return how often each status came."""
    chance, statuses = random.Random(seed), {}

    def model(prompt: str, schema: Any = None, *, force: Any = ()) -> str:
        return chance.choice(COMPLETIONS)

    app = create_app(Journal(limit=10), complete=model if complete is None else complete)
    headers = {"content-type": "application/json", "authorization": "Bearer tvly-dev"}
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://lab", headers=headers) as client:
        for _ in range(REQUESTS // BATCHES):
            path, content = request(chance)
            response = await asyncio.wait_for(client.post(path, content=content), timeout=10)
            check(path, content, response)
            statuses[response.status_code] = statuses.get(response.status_code, 0) + 1
    return statuses


@pytest.mark.parametrize("seed", range(BATCHES - 1))
def test_no_request_breaks_the_lab(seed: int) -> None:
    statuses = asyncio.run(run(seed))
    assert statuses[200] > 200 and statuses[400] > 200, "the requests are neither all right nor all wrong"


def test_no_request_breaks_the_lab_with_its_reader() -> None:
    assert asyncio.run(run(BATCHES, stand_in))[200] > 200
