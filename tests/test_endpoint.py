"""A model server seen from outside: what is kept of its answers, and how its list of models is read."""

import asyncio
import json

import httpx2
import pytest

from companion import journal
from companion.endpoint import choose_model, http_clients, keep, keep_async, models

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


def test_only_remote_clients_read_proxies_and_keep_answers():
    local, remote = http_clients("http://127.0.0.1:1/v1")[0], http_clients("https://api.example.org/v1")[0]
    assert (local.trust_env, remote.trust_env) == (False, True)
    assert (local.event_hooks["response"], remote.event_hooks["response"]) == ([], [keep])


def test_models_of_the_lab(lab_url):
    assert models(lab_url + "/v1", "EMPTY") == ("qwen3-stand-in",)
    assert choose_model(lab_url + "/v1", "EMPTY", None) == "qwen3-stand-in"


def test_nobody_there():
    with pytest.raises(ConnectionError, match="Is the server up"):
        models("http://127.0.0.1:9/v1", "EMPTY")
