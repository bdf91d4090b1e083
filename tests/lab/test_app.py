"""The lab as its clients meet it: shapes as captured, the journal, faults, many clients at once, and ChatOpenAI."""

import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
import uvicorn
from lab_client import ADD, CALL, CHAT, ONE_PLUS_ONE, TWO_CALLS, ask, captured, lab, named, said, without_ids
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from pydantic import BaseModel, SecretStr

from companion.lab.app import MODEL, create_app
from companion.lab.faults import Faults
from companion.lab.journal import Journal

WIRE = [c for c in captured("wire")["captures"] if c.get("raw_completion")]
RUNS = [
    {"name": f"{name}-{n}", **call}
    for name, run in captured("agent-runs")["runs"].items()
    for n, call in enumerate(run["calls"])
]
LANGCHAIN = {name: calls[0] for name, calls in captured("langchain-requests")["cases"].items()}
ENDPOINTS = {case["name"]: case for case in captured("endpoints")["vllm_serve"]}
SERVED = [{"name": name, **call} for name, call in LANGCHAIN.items() if "response" in call and call["status"] == 200]


OPTIONAL = ("prompt_logprobs", "logprobs", "prompt_tokens_details")


def keys(value: Any) -> Any:
    """The keys of an answer, in order, all the way down to choices, messages and usage.

    Only one of the two captured servers was started with --enable-prompt-tokens-details.
    """
    if isinstance(value, dict):
        return {key: keys(each) for key, each in value.items() if key not in OPTIONAL}
    return [keys(each) for each in value] if isinstance(value, list) and value and isinstance(value[0], dict) else None


def in_order(value: Any) -> str:
    return json.dumps(keys(value))


@pytest.mark.parametrize("capture", named([*WIRE, *RUNS, *SERVED]))
def test_answer_is_the_captured_one(capture: dict) -> None:
    request = {key: value for key, value in capture["request"].items() if key != "structured_outputs"}
    raw = capture["raw_completion"]
    written = (raw if isinstance(raw, str) else raw[0]).removesuffix("<|im_end|>")
    ours, theirs = ask(written, request), capture["response"]
    assert without_ids(said(ours)) == without_ids(said(theirs))
    assert ours["choices"][0]["message"]["content"] == theirs["choices"][0]["message"]["content"]
    assert in_order(ours) == in_order(theirs)


@pytest.mark.parametrize("name", ["completions_raw_prompt", "completions_echo"])
def test_text_completion_is_the_captured_one(name: str) -> None:
    request, theirs = ENDPOINTS[name]["request"], ENDPOINTS[name]["response"]
    ours = lab("OK").post("/v1/completions", json=request).json()
    assert ours["choices"] == theirs["choices"]
    assert in_order(ours) == in_order(theirs)
    assert ours["usage"]["total_tokens"] == theirs["usage"]["total_tokens"]


@pytest.mark.parametrize("prompt", ["Hi", ["Hi", "Hi"], [13048]])
def test_text_completion_takes_texts_and_tokens(prompt: Any) -> None:
    answer = lab("Hello").post("/v1/completions", json={"prompt": prompt, "echo": True, "n": 2}).json()
    texts = [choice["text"] for choice in answer["choices"]]
    assert texts == ["HiHello"] * (4 if prompt == ["Hi", "Hi"] else 2)
    assert [choice["index"] for choice in answer["choices"]] == list(range(len(texts)))


def test_text_completion_is_short_unless_asked_for_more() -> None:
    answer = lab("one two three four " * 10).post("/v1/completions", json={"prompt": "Count"}).json()
    assert (answer["choices"][0]["finish_reason"], answer["usage"]["completion_tokens"]) == ("length", 16)


def test_model_list_has_the_captured_keys() -> None:
    answer = lab().get("/v1/models").json()
    assert in_order(answer) == in_order(ENDPOINTS["models"]["response"])
    assert (answer["data"][0]["id"], answer["data"][0]["max_model_len"]) == (MODEL, 4096)
    assert lab().get(f"/v1/models/{MODEL}").json() == answer["data"][0]


def test_health_and_version() -> None:
    assert (lab().get("/health").status_code, lab().get("/health").text) == (200, "")
    assert lab().get("/version").json() == ENDPOINTS["version"]["response"]


@pytest.mark.parametrize("path", ["/", "/v1", "/docs", "/v1/models/", "/v1/chat/completions/", "/v1/embeddings"])
def test_unknown_path(path: str) -> None:
    response = lab().post(path, json={})
    assert response.status_code in (404, 405)
    assert response.json() in ({"detail": "Not Found"}, {"detail": "Method Not Allowed"})


def test_no_page_of_another_origin_may_read_answers() -> None:
    response = lab().post(CHAT, json=ONE_PLUS_ONE, headers={"origin": "http://example.com"})
    assert not [name for name in response.headers if name.startswith("access-control")]


def test_journal_keeps_the_exchange() -> None:
    client = lab(CALL)
    answer = client.post(CHAT, json=ONE_PLUS_ONE | {"return_prompt_text": True}).json()
    (exchange,) = client.app.state.journal
    assert (exchange.path, exchange.status, exchange.completion) == (CHAT, 200, CALL)
    assert exchange.request == ONE_PLUS_ONE | {"return_prompt_text": True}
    assert exchange.response == answer
    assert exchange.prompt == answer["prompt_text"]


def test_journal_keeps_refusals() -> None:
    client = lab()
    client.post(CHAT, json=ONE_PLUS_ONE | {"n": 0})
    client.post(CHAT, content=b"{", headers={"content-type": "application/json"})
    wrong, broken = client.app.state.journal
    assert (wrong.status, wrong.request["n"], wrong.prompt) == (400, 0, None)
    assert (broken.status, broken.request) == (400, {})
    assert "JSON decode error" in broken.response["error"]["message"]


@pytest.mark.parametrize("path", [CHAT, "/search"])
def test_journal_keeps_no_key(path: str) -> None:
    client = lab()
    body = ONE_PLUS_ONE | {"query": "Oslo", "api_key": "tvly-secret"}
    client.post(path, json=body, headers={"authorization": "Bearer tvly-secret"})
    (exchange,) = client.app.state.journal
    assert "secret" not in repr(exchange)


def test_search_needs_a_key_and_answers_in_its_own_shape() -> None:
    client = lab()
    answer = client.post("/search", json={"query": "Oslo"}, headers={"authorization": "Bearer tvly-dev"})
    assert (answer.status_code, answer.json()["query"]) == (200, "Oslo")
    assert client.post("/search", json={"query": "Oslo"}).status_code == 401
    assert [exchange.status for exchange in client.app.state.journal] == [200, 401]


def test_faults_stand_before_the_answer_and_behind_the_model() -> None:
    faults = Faults()
    client = lab(CALL, faults=faults)
    with faults("unavailable"):
        assert client.post(CHAT, json=ONE_PLUS_ONE).status_code == 503
    with faults("malformed_json"):
        message = client.post(CHAT, json=ONE_PLUS_ONE).json()["choices"][0]["message"]
    assert message["content"] == CALL.replace("1}}", "1}")
    assert [exchange.status for exchange in client.app.state.journal] == [503, 200]
    assert "tool_calls" in client.post(CHAT, json=ONE_PLUS_ONE).json()["choices"][0]["message"]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """A lab on a free port of loopback, with the real reader."""
    listener = socket.create_server(("127.0.0.1", 0))
    real = uvicorn.Server(uvicorn.Config(create_app(Journal()), log_level="error", timeout_graceful_shutdown=0))
    thread = threading.Thread(target=real.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    real.should_exit = True
    thread.join(timeout=10)
    listener.close()


def test_many_clients_at_once_get_their_own_answers(server: str) -> None:
    def total(n: int) -> str:
        body = {"messages": [{"role": "user", "content": f"{n}+{n}"}], "tools": [ADD], "tool_choice": "required"}
        with httpx.Client(trust_env=False, timeout=30) as client:
            answers = [client.post(server + CHAT, json=body).json() for _ in range(3)]
        assert answers[0] == answers[1] == answers[2]
        return answers[0]["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"]

    with ThreadPoolExecutor(12) as pool:
        arguments = list(pool.map(total, range(24)))
    assert [json.loads(each) for each in arguments] == [{"a": n, "b": n} for n in range(24)]


def test_one_connection_serves_answers_refusals_and_streams(server: str) -> None:
    with httpx.Client(base_url=server, trust_env=False, timeout=30) as client:
        ports = set()
        for fields, status in (({}, 200), ({"n": 0}, 400), ({"stream": True}, 200), ({}, 200)):
            response = client.post(CHAT, json=ONE_PLUS_ONE | fields)
            assert response.status_code == status
            ports.add(response.extensions["network_stream"].get_extra_info("client_addr"))
        assert len(ports) == 1


def test_a_dropped_stream_harms_nobody(server: str) -> None:
    body = {"messages": [{"role": "user", "content": "Tell me about Oslo"}], "stream": True}
    with httpx.Client(base_url=server, trust_env=False, timeout=30) as client:
        for _ in range(20):
            with client.stream("POST", CHAT, json=body) as response:
                assert next(response.iter_lines()).startswith("data: ")
        assert client.get("/health").status_code == 200


def test_a_client_that_says_nothing_harms_nobody(server: str) -> None:
    host, port = server.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as silent:
        silent.sendall(b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n{")
        assert httpx.get(server + "/health", trust_env=False, timeout=10).status_code == 200


def test_a_client_that_leaves_is_no_crash(server: str, capsys: pytest.CaptureFixture[str]) -> None:
    host, port = server.removeprefix("http://").split(":")
    for _ in range(5):
        with socket.create_connection((host, int(port))) as leaving:
            leaving.sendall(b"POST /tokenize HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n{")
    assert httpx.get(server + "/health", trust_env=False, timeout=10).status_code == 200
    assert "Traceback" not in capsys.readouterr().err


@tool
def add(a: int, b: int) -> int:
    """add two int number"""
    return a + b


class Person(BaseModel):
    """A person."""

    name: str
    age: int


def model(server: str, **options: Any) -> ChatOpenAI:
    client = httpx.Client(trust_env=False, timeout=30)
    return ChatOpenAI(
        model=MODEL, base_url=f"{server}/v1", api_key=SecretStr("none"), temperature=0, http_client=client, **options
    )


@pytest.mark.parametrize(
    ("options", "calls"),
    [
        ({}, [{"a": 1, "b": 1}]),
        ({"tool_choice": "any"}, [{"a": 1, "b": 1}]),
        ({"tool_choice": "add"}, [{"a": 1, "b": 1}]),
        ({"tool_choice": "none"}, []),
        ({"strict": True}, [{"a": 1, "b": 1}]),
        ({"parallel_tool_calls": False}, [{"a": 1, "b": 1}]),
    ],
)
def test_chat_openai_binds_tools(server: str, options: dict, calls: list) -> None:
    bound = model(server).bind_tools([add], **options)
    answer = bound.invoke("1+1")
    assert isinstance(answer, AIMessage)
    assert [call["args"] for call in answer.tool_calls] == calls
    assert all(call["id"].startswith("chatcmpl-tool-") for call in answer.tool_calls)
    whole: AIMessageChunk | None = None
    for chunk in bound.stream("1+1"):
        whole = chunk if whole is None else whole + chunk
    assert whole is not None
    assert whole.tool_calls == answer.tool_calls


@pytest.mark.parametrize("method", ["json_schema", "function_calling"])
def test_chat_openai_gets_structured_output(server: str, method: str) -> None:
    structured = model(server).with_structured_output(Person, method=method)
    assert structured.invoke("Alice is 30 years old.") == Person(name="Alice", age=30)


def test_chat_openai_gets_json(server: str) -> None:
    structured = model(server).with_structured_output(None, method="json_mode")
    assert isinstance(structured.invoke("Return JSON with name and age: Alice is 30 years old."), dict)


def test_chat_openai_counts_tokens_as_the_server(server: str) -> None:
    answer = model(server, stream_usage=True).invoke("Hello")
    streamed = list(model(server, stream_usage=True).stream("Hello"))
    assert isinstance(answer, AIMessage)
    assert answer.usage_metadata is not None
    assert answer.usage_metadata["input_tokens"] == 9
    assert (
        sum(c.usage_metadata["total_tokens"] for c in streamed if c.usage_metadata)
        == answer.usage_metadata["total_tokens"]
    )


@pytest.mark.parametrize("case", named({"name": n, **c} for n, c in LANGCHAIN.items() if n != "error_unknown_model"))
def test_every_captured_langchain_body_is_answered(server: str, case: dict) -> None:
    response = httpx.post(server + CHAT, json=case["request"], trust_env=False, timeout=30)
    assert response.status_code == 200
    assert ("data: [DONE]" in response.text) == case["request"]["stream"]


def test_chat_openai_learns_that_a_model_is_unknown(server: str) -> None:
    import openai

    wrong = model(server).model_copy(update={"model_name": "nope"})
    with pytest.raises(openai.NotFoundError, match="The model `nope` does not exist"):
        wrong.invoke("hi")


def test_two_calls_reach_chat_openai_with_two_ids() -> None:
    calls = said(ask(TWO_CALLS))["tool_calls"]
    assert calls[0]["id"] != calls[1]["id"]
