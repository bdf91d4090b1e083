"""An answer as server-sent events, chunk by chunk as vLLM sends it.

The answer is known before its first chunk leaves, so the chunks of an answer add up to the answer that is not
streamed, and a refused request is plain JSON. (vLLM parses while the model writes: a malformed call reaches its
clients half read. Only white space before a call differs here too: it is streamed, and null when not streamed.)
"""

import codecs
import json
from collections.abc import Iterator
from typing import Any

from companion.lab.chat import Reply
from companion.lab.checks import MODEL
from companion.lab.response import CREATED, FINGERPRINT, usage
from companion.lab.tokens import encoding

Delta = dict[str, Any]


def events(reply: Reply) -> Iterator[str]:
    """The lines on the wire, `[DONE]` last."""
    for chunk in chunks(reply):
        yield f"data: {json.dumps(chunk, ensure_ascii=False, separators=(',', ':'))}\n\n"
    yield "data: [DONE]\n\n"


def chunks(reply: Reply) -> Iterator[dict[str, Any]]:
    """Every chunk: the role, the thought, the content token by token, the calls, the end; usage if asked for."""
    request = reply.request
    options = request.stream_options
    with_usage = bool(options and options.include_usage)
    total = len(reply.cut.ids) * (request.n or 1)
    first = {
        "prompt_token_ids": reply.prompt_ids if request.return_token_ids else None,
        "prompt_text": reply.prompt if request.return_prompt_text else None,
    }
    for index in range(request.n or 1):
        yield chunk(reply, [part(index, {"role": "assistant", "content": ""})]) | (first if index == 0 else {})
        for delta, ids in deltas(reply, index):
            reasons = {} if delta else {"finish_reason": reply.finish_reason, "stop_reason": reply.cut.stop_reason}
            token_ids = {"token_ids": ids if request.return_token_ids else None}
            last = {} if delta or with_usage else {"system_fingerprint": FINGERPRINT}
            yield chunk(reply, [part(index, delta) | reasons | token_ids]) | last
    if with_usage:
        counted = without_nulls(usage(len(reply.prompt_ids), total))
        yield chunk(reply, []) | {"usage": counted, "system_fingerprint": FINGERPRINT}


def chunk(reply: Reply, choices: list[dict[str, Any]]) -> dict[str, Any]:
    head = {"id": reply.id, "object": "chat.completion.chunk", "created": CREATED, "model": MODEL}
    return head | {"choices": choices}


def part(index: int, delta: Delta) -> dict[str, Any]:
    return {"index": index, "delta": delta, "logprobs": None, "finish_reason": None}


def deltas(reply: Reply, choice: int) -> Iterator[tuple[Delta, list[int]]]:
    """What the message gains with each chunk, and the tokens read for it; the end brings nothing but tokens."""
    waiting: list[int] = []
    if reply.thought is not None:
        yield {"reasoning": reply.thought}, []
    for piece, token in content_pieces(reply):
        waiting.append(token)
        if piece:
            yield {"content": piece}, waiting
            waiting = []
    for n, call in enumerate(reply.parsed.tool_calls):
        head = {"id": reply.call_id(choice, n), "type": "function", "index": n, "function": {"name": call.name}}
        yield {"content": None, "tool_calls": [head]}, waiting[:-1]
        waiting = waiting[-1:]
        for piece, _ in spelled(encoding().encode(call.arguments, allowed_special="all")):
            if piece:
                yield {"content": None, "tool_calls": [{"index": n, "function": {"arguments": piece}}]}, []
    yield {}, waiting


def content_pieces(reply: Reply) -> Iterator[tuple[str, int]]:
    """Each token with the part of it that is content: not the thought, a call, a stop string or the end."""
    content = reply.parsed.content or ""
    at = len(reply.text) - len(reply.cut.text)
    for piece, token in spelled(reply.cut.ids):
        end = at + len(piece)
        yield content[max(at, 0) : max(end, 0)], token
        at = end


def spelled(ids: list[int]) -> Iterator[tuple[str, int]]:
    """Each token with the text it completes: half a character waits for its other half."""
    decoder = codecs.getincrementaldecoder("utf-8")("ignore")
    for token in ids:
        yield decoder.decode(encoding().decode_single_token_bytes(token)), token


def without_nulls(value: Any) -> Any:
    """The same object without the keys that are null: vLLM leaves them out of a usage chunk."""
    return {k: without_nulls(v) for k, v in value.items() if v is not None} if isinstance(value, dict) else value
