"""What another server answers, put into the journal: whole, or streamed and put together again."""

import json
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any

import httpx2

from companion.lab.journal import Exchange, journal

Json = dict[str, Any]
GROWING = ("content", "reasoning", "reasoning_content", "arguments", "text", "token_ids")


def keep(response: httpx2.Response) -> None:
    """Put an answer into the journal; one that is streamed goes there when it ends."""
    if is_stream(response):
        response.stream = Overheard(response)
    else:
        response.read()
        journal.record(exchange_of(response, read_object(response.content)))


async def keep_async(response: httpx2.Response) -> None:
    """The same for asynchronous calls."""
    if is_stream(response):
        response.stream = Overheard(response)
    else:
        await response.aread()
        journal.record(exchange_of(response, read_object(response.content)))


def is_stream(response: httpx2.Response) -> bool:
    return "event-stream" in response.headers.get("content-type", "")


class Overheard(httpx2.SyncByteStream, httpx2.AsyncByteStream):
    """A streamed answer, passed on piece by piece. Closed early, it is kept as far as it was read."""

    def __init__(self, response: httpx2.Response) -> None:
        self.response, self.stream = response, response.stream
        self.heard: list[bytes] = []

    def __iter__(self) -> Iterator[bytes]:
        assert isinstance(self.stream, httpx2.SyncByteStream)
        for piece in self.stream:
            self.heard.append(piece)
            yield piece

    async def __aiter__(self) -> AsyncIterator[bytes]:
        assert isinstance(self.stream, httpx2.AsyncByteStream)
        async for piece in self.stream:
            self.heard.append(piece)
            yield piece

    def close(self) -> None:
        assert isinstance(self.stream, httpx2.SyncByteStream)
        self.stream.close()
        self.record()

    async def aclose(self) -> None:
        assert isinstance(self.stream, httpx2.AsyncByteStream)
        await self.stream.aclose()
        self.record()

    def record(self) -> None:
        """Write the journal, once. A stream that cannot be read is kept as an empty answer."""
        pieces, self.heard = b"".join(self.heard), []
        if pieces:
            given = self.response
            again = httpx2.Response(given.status_code, headers=given.headers, content=pieces, request=given.request)
            journal.record(exchange_of(given, put_together(again)))


def put_together(response: httpx2.Response) -> Json:
    """The answer that a stream adds up to; {} where its chunks have no shape we know."""
    try:
        return whole([read_object(event.data) for event in httpx2.EventSource(response)])
    except (httpx2.HTTPError, TypeError, AttributeError, LookupError, ValueError):
        return {}


def whole(chunks: list[Json]) -> Json:
    """The answer that chunks add up to, in the shape it has when it is not streamed.

    >>> whole([{"choices": [{"delta": {"content": word}}]} for word in ("Hel", "lo")])["choices"][0]["message"]
    {'content': 'Hello'}
    """
    answer: Json = {}
    choices: dict[int, Json] = {}
    for chunk in chunks:
        for part in chunk.pop("choices", None) or []:
            add(choices.setdefault(part.get("index", 0), {}), part)
        answer |= {key: value for key, value in chunk.items() if value is not None}
    made = [with_message(choice) for _, choice in sorted(choices.items())]
    return answer | {"object": str(answer.get("object", "")).removesuffix(".chunk"), "choices": made}


def add(before: Json, more: Json) -> None:
    """Put a chunk onto what came before: texts and token ids grow, objects are filled, null brings nothing."""
    for key, value in more.items():
        if isinstance(value, dict):
            add(before.setdefault(key, {}), value)
        elif key == "tool_calls":
            calls = before.setdefault(key, {})
            for call in value or []:
                add(calls.setdefault(call.get("index", 0), {}), call)
        elif key in GROWING and key in before:
            before[key] = before[key] + value if value else before[key]
        elif value is not None:
            before[key] = value


def with_message(choice: Json) -> Json:
    """A choice with its deltas as a message, the calls in their order; a text completion has none."""
    if "delta" not in choice:
        return choice
    message = {"content": None, **choice.pop("delta")}
    if calls := message.pop("tool_calls", {}):
        message["tool_calls"] = [{k: v for k, v in calls[n].items() if k != "index"} for n in sorted(calls)]
    return {**choice, "message": message}


def exchange_of(response: httpx2.Response, answer: Mapping[str, Any]) -> Exchange:
    """What is kept of a call: the bodies, and the texts where the server gave them back. No headers, no key."""
    return Exchange(
        path="/v1/" + response.request.url.path.rsplit("/v1/", 1)[-1].lstrip("/"),
        request=read_object(response.request.content),
        status=response.status_code,
        response=answer,
        prompt=answer.get("prompt_text"),
        completion=completion_of(answer),
    )


def completion_of(answer: Mapping[str, Any]) -> str | None:
    """The text the model wrote, decoded from its token ids; None where a server gave none, or not Qwen3's."""
    from companion.lab.tokens import decode

    try:
        is_qwen3 = decode(answer["prompt_token_ids"]) == answer["prompt_text"]
        return decode(answer["choices"][0]["token_ids"]).removesuffix("<|im_end|>") if is_qwen3 else None
    except (LookupError, TypeError, ValueError):
        return None


def read_object(content: bytes | str) -> Json:
    """A JSON object, or an empty one."""
    try:
        value = json.loads(content)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
