"""A model server seen from outside: what is kept of its answers, and how its list of models is read."""

import asyncio
import json

import httpx2
import pytest

from companion import journal
from companion.endpoint import choose_model, exchange_of, http_clients, keep, keep_async, models

BODY = {"messages": [{"role": "user", "content": "Hi"}], "model": "m"}
REPLY = {"choices": [{"message": {"content": "Hello"}}], "prompt_text": "<|im_start|>user\nHi<|im_end|>\n"}


def serve(reply, kind="application/json"):
    def answer(request):
        return httpx2.Response(200, content=reply, headers={"content-type": kind})

    return httpx2.MockTransport(answer)


def test_a_remote_answer_is_kept_with_its_prompt_and_without_its_key():
    journal.clear()
    with httpx2.Client(transport=serve(json.dumps(REPLY).encode()), event_hooks={"response": [keep]}) as client:
        headers = {"Authorization": "Bearer sk-very-secret"}
        client.post("https://api.example.org/deep/v1/chat/completions", json=BODY, headers=headers)
    (kept,) = journal.chats()
    assert (kept.request, kept.status, kept.response, kept.prompt) == (BODY, 200, REPLY, REPLY["prompt_text"])
    assert "secret" not in repr(kept)


def test_an_asynchronous_answer_is_kept_too():
    async def call():
        hooks = {"response": [keep_async]}
        async with httpx2.AsyncClient(transport=serve(json.dumps(REPLY).encode()), event_hooks=hooks) as client:
            await client.post("https://api.example.org/v1/chat/completions", json=BODY)

    journal.clear()
    asyncio.run(call())
    assert journal.chats()[0].response == REPLY


def test_a_stream_is_passed_on_unread():
    journal.clear()
    stream = serve(b"data: [DONE]\n\n", "text/event-stream")
    client = httpx2.Client(transport=stream, event_hooks={"response": [keep]})
    with client, client.stream("POST", "https://api.example.org/v1/chat/completions", json=BODY) as reply:
        assert list(reply.iter_lines()) == ["data: [DONE]", ""]
    assert len(journal) == 0


def test_an_answer_that_is_not_json_is_kept_as_empty():
    journal.clear()
    with httpx2.Client(transport=serve(b"<html>"), event_hooks={"response": [keep]}) as client:
        client.post("https://api.example.org/v1/chat/completions", content=b"x")
    assert (journal[0].request, journal[0].response) == ({}, {})


def test_only_remote_clients_read_proxies_and_only_those_of_other_servers_keep_answers(lab_url):
    urls = (lab_url + "/v1", "http://127.0.0.1:1/v1", "https://api.example.org/v1")
    own, local, remote = (http_clients(url)[0] for url in urls)
    assert (own.trust_env, local.trust_env, remote.trust_env) == (False, False, True)
    assert [client.event_hooks["response"] for client in (own, local, remote)] == [[], [keep], [keep]]


def test_models_of_the_lab(lab_url):
    offered = models(lab_url + "/v1", "EMPTY")
    assert offered == {"qwen3-stand-in": "companion"}
    assert choose_model(lab_url + "/v1", offered, None) == "qwen3-stand-in"


def test_nobody_there():
    with pytest.raises(ConnectionError, match="Is the server up"):
        models("http://127.0.0.1:9/v1", "EMPTY")


@pytest.fixture
def answering(monkeypatch):
    """Let every server answer the question for its models with this."""

    def answer(status=200, **given):
        transport = httpx2.MockTransport(lambda request: httpx2.Response(status, **given))
        make = httpx2.Client
        monkeypatch.setattr(httpx2, "Client", lambda **options: make(transport=transport))

    return answer


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"status": 307, "headers": {"location": "https://x.org/v1/models"}}, ValueError, "on to https://x.org/v1 "),
        ({"status": 401}, PermissionError, "refuses the key"),
        ({"status": 503}, ConnectionError, "not ready.*may still be loading"),
        ({"text": "<html>Log in</html>"}, ValueError, "no list of models"),
        ({"json": {"models": [{"name": "m"}]}}, ValueError, "no list of models"),
        ({"text": ""}, ValueError, "no list of models"),
    ],
)
def test_an_answer_that_is_no_list_of_models_is_told_from_the_others(answering, given, error, words):
    answering(**given)
    with pytest.raises(error, match=words):
        models("https://api.example.org/v1", "k")


@pytest.mark.parametrize(
    ("given", "offered"),
    [
        ({"json": [{"id": "m"}]}, {"m": "None"}),
        ({"json": {"data": None}}, {}),
        ({"status": 404}, {}),
        ({"status": 429}, {}),
    ],
)
def test_lists_of_other_shapes_and_servers_without_one(answering, given, offered):
    answering(**given)
    assert models("https://api.example.org/api/paas/v4", "k") == offered


def test_a_proxy_is_named_as_what_may_be_in_the_way(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://user:secret@127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    with pytest.raises(ConnectionError, match=r"A proxy is set for it.*add 192\.168\.1\.5 to NO_PROXY") as caught:
        models("http://192.168.1.5:8000/v1", "k")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("wanted", ["qwen3", "qwen3:latest", "gemini-x", "models/gemini-x", "a/b:free"])
def test_short_names_of_hosted_models_are_taken(wanted):
    assert choose_model("https://x.org/v1", ["qwen3:latest", "models/gemini-x", "a/b"], wanted) == wanted


def test_what_a_vllm_gives_back_becomes_prompt_and_completion(lab_url):
    body = {"messages": [{"role": "user", "content": "Hello"}], "return_prompt_text": True, "return_token_ids": True}
    with httpx2.Client(trust_env=False) as client:
        reply = client.post(f"{lab_url}/v1/chat/completions", json=body)
    inside = journal.chats()[-1]
    outside = exchange_of(reply.request, 200, reply.content)
    assert (outside.prompt, outside.completion) == (inside.prompt, inside.completion)
    assert exchange_of(reply.request, 200, b'{"choices": []}').completion is None
