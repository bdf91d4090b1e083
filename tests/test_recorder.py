"""What is kept of another server's answers, whole and streamed. The other server is a lab that does not know us."""

import asyncio
import gzip
import json
from unittest.mock import ANY

import httpx2
import pytest

from companion import chat_model, journal, show
from companion.recorder import exchange_of, keep, keep_async, read_object

STREAM = "text/event-stream"
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


def test_an_answer_that_is_not_json_is_kept_as_empty():
    journal.clear()
    with httpx2.Client(transport=serve(b"<html>"), event_hooks={"response": [keep]}) as client:
        client.post("https://api.example.org/v1/chat/completions", content=b"x")
    assert (journal[0].request, journal[0].response) == ({}, {})


def test_what_a_vllm_gives_back_becomes_prompt_and_completion(lab_url):
    body = {"messages": [{"role": "user", "content": "Hello"}], "return_prompt_text": True, "return_token_ids": True}
    with httpx2.Client(trust_env=False) as client:
        reply = client.post(f"{lab_url}/v1/chat/completions", json=body)
    inside = journal.chats()[-1]
    outside = exchange_of(reply, read_object(reply.content))
    assert (outside.prompt, outside.completion) == (inside.prompt, inside.completion)
    assert exchange_of(reply, {"choices": []}).completion is None


ADD = {
    "name": "add",
    "description": "Add two numbers.",
    "parameters": {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}},
}
ADD["parameters"]["required"] = ["a", "b"]
ASKED = {
    "text": {"messages": [{"role": "user", "content": "你好"}]},
    "two calls": {"messages": [{"role": "user", "content": "Add 1 and 2, and add 3 and 4."}]},
    "two choices": {"messages": [{"role": "user", "content": "1+1"}], "n": 2},
    "guided": {"messages": [{"role": "user", "content": "1+1"}], "tool_choice": "required"},
}


@pytest.fixture(params=ASKED)
def both_ways(lab_url, request):
    """An answer that was not streamed, and the exchange kept of the same answer as a stream."""
    tools = [{"type": "function", "function": ADD}]
    body = {"tools": tools, "return_prompt_text": True, "return_token_ids": True, **ASKED[request.param]}
    streamed = body | {"stream": True, "stream_options": {"include_usage": True}}
    with httpx2.Client(trust_env=False) as client:
        whole = client.post(f"{lab_url}/v1/chat/completions", json=body).json()
    with httpx2.Client(trust_env=False, event_hooks={"response": [keep]}) as client:
        client.post(f"{lab_url}/v1/chat/completions", json=streamed)
    return whole, journal[-1]


def test_a_stream_is_kept_as_the_answer_it_adds_up_to(both_ways):
    whole, kept = both_ways
    assert kept.request["stream"] is True
    assert (kept.prompt, kept.response["object"]) == (whole["prompt_text"], "chat.completion")
    assert kept.response["usage"].items() <= {**whole["usage"], "prompt_tokens_details": ANY}.items()
    for ours, theirs in zip(kept.response["choices"], whole["choices"], strict=True):
        message = {key: theirs["message"][key] for key in ("role", "tool_calls") if key in theirs["message"]}
        assert ours["message"] == {**message, "content": theirs["message"]["content"] or ""}
        assert [ours[key] for key in ("index", "finish_reason", "token_ids")] == [
            theirs[key] for key in ("index", "finish_reason", "token_ids")
        ]


def test_a_streamed_completion_text_is_kept_too(lab_url):
    with httpx2.Client(trust_env=False, event_hooks={"response": [keep]}) as client:
        body = {"messages": [{"role": "user", "content": "Hello"}], "stream": True}
        client.post(
            f"{lab_url}/v1/chat/completions", json=body | {"return_prompt_text": True, "return_token_ids": True}
        )
    inside, outside = list(journal)[-2:]
    assert (outside.prompt, outside.completion) == (inside.prompt, inside.completion)


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        (b"data: [DONE]\n\n", []),
        (b"data: not json\n\ndata: [1]\n\n", []),
        (b'data: {"choices": 3}\n\n', None),
        (b'data: {"choices": [{"delta": {"tool_calls": [null]}}]}\n\n', None),
        (b'data: {"choices": [{"text": "a"}]}\n\ndata: {"choices": [{"text": "b"}]}\n\n', [{"text": "ab"}]),
    ],
)
def test_a_stream_passes_unchanged_whatever_it_says(sent, kept):
    journal.clear()
    client = httpx2.Client(transport=serve(iter([sent]), STREAM), event_hooks={"response": [keep]})
    with client, client.stream("POST", "https://api.example.org/v1/chat/completions", json=BODY) as reply:
        assert b"".join(reply.iter_bytes()) == sent
    assert [each.response.get("choices") for each in journal] == [kept]


def test_a_compressed_stream_is_read_too():
    def answer(request):
        content = gzip.compress(b'data: {"choices": [{"delta": {"content": "Hi"}}]}\n\n')
        headers = {"content-type": STREAM, "content-encoding": "gzip"}
        return httpx2.Response(200, content=iter([content]), headers=headers)

    journal.clear()
    with httpx2.Client(transport=httpx2.MockTransport(answer), event_hooks={"response": [keep]}) as client:
        client.post("https://api.example.org/v1/chat/completions", json=BODY)
    assert journal[0].response["choices"][0]["message"]["content"] == "Hi"


def test_a_stream_left_early_is_kept_as_far_as_it_was_read():
    def answer(request):
        lines = (b'data: {"choices": [{"delta": {"content": "%d"}}]}\n\n' % n for n in range(9))
        return httpx2.Response(200, content=lines, headers={"content-type": STREAM})

    journal.clear()
    with httpx2.Client(transport=httpx2.MockTransport(answer), event_hooks={"response": [keep]}) as client:
        with client.stream("POST", "https://api.example.org/v1/chat/completions", json=BODY) as reply:
            pieces = reply.iter_raw()
            next(pieces), next(pieces)
        assert journal[0].response["choices"][0]["message"] == {"content": "01"}


def test_a_chat_model_that_streams_another_server_leaves_what_lesson_3_draws(lab_url, monkeypatch):
    monkeypatch.setattr(journal, "writers", set())  # as if it were another machine's
    model = chat_model(base_url=f"{lab_url}/v1").bind_tools([{"type": "function", "function": ADD}])
    for chunks in (list(model.stream("1+1")), asyncio.run(collected(model.astream("1+1")))):
        kept = list(journal)[-1]
        assert sum(chunks[1:], chunks[0]).tool_calls[0]["args"] == {"a": 1, "b": 1}
        assert kept.prompt and kept.completion and "<tool_call>" in kept.completion
        assert "add" in show.exchange(kept).text


async def collected(chunks):
    return [chunk async for chunk in chunks]
