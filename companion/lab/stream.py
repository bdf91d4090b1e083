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
from companion.lab.request import StreamOptions
from companion.lab.response import CREATED, FINGERPRINT, reasons, shown_prompt, usage
from companion.lab.tokens import encoding

Delta = dict[str, Any]
LINE_ENDS = str.maketrans({char: f"\\u{ord(char):04x}" for char in "\u0085\u2028\u2029"})


def events(reply: Reply) -> Iterator[str]:
    """The lines on the wire, `[DONE]` last. What some clients take for the end of a line is escaped."""
    for chunk in chunks(reply):
        line = json.dumps(chunk, ensure_ascii=False, separators=(",", ":"))
        yield f"data: {line.translate(LINE_ENDS)}\n\n"
    yield "data: [DONE]\n\n"


def chunks(reply: Reply) -> Iterator[dict[str, Any]]:
    """Every chunk: the role, the thought, the content token by token, the calls, the end; usage if asked for."""
    request, choices = reply.request, range(reply.request.n or 1)
    options = request.stream_options or StreamOptions()
    written = 0
    for index in choices:
        start = part(index, {"role": "assistant", "content": ""})
        yield chunk(reply, start, written) | (shown_prompt(reply) if index == 0 else {})
        for delta, ids in deltas(reply, index):
            written += len(ids)
            token_ids = {"token_ids": ids if request.return_token_ids else None}
            ended = {} if delta else reasons(reply)
            last = {} if delta or options.include_usage else {"system_fingerprint": FINGERPRINT}
            yield chunk(reply, part(index, delta) | ended | token_ids, written) | last
    if options.include_usage:
        counted = without_nulls(usage(len(reply.prompt_ids), len(reply.cut.ids) * len(choices)))
        yield chunk(reply) | {"usage": counted, "system_fingerprint": FINGERPRINT}


def chunk(reply: Reply, choice: dict[str, Any] | None = None, written: int = 0) -> dict[str, Any]:
    """One event: nothing but the head and a choice, unless usage is to be counted all the way."""
    head = {"id": reply.id, "object": "chat.completion.chunk", "created": CREATED, "model": MODEL}
    made = head | {"choices": [choice] if choice else []}
    options = reply.request.stream_options
    if options and options.include_usage and options.continuous_usage_stats:
        made["usage"] = without_nulls(usage(len(reply.prompt_ids), written))
    return made


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
