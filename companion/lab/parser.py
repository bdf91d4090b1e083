"""Completion text in, content and tool calls out: the Hermes rule, as vLLM's parser applies it.

The rule: everything between `<tool_call>` and `</tool_call>` (or the end) is one JSON object with `name` and
`arguments`. Text before the first tag is content, text after it is dropped. If any one block cannot be read,
there is no call at all and the whole completion is content. What vLLM does case by case stands in
tests/data/parser.json.

One difference, on purpose: vLLM streams a call while it is still being written, so half-parsed arguments of a
malformed call reach the client. `Stream` here holds calls back until the completion is whole, and so gives the
same content and calls as `parse`, wherever the text was cut.
"""

import json
import re
from dataclasses import dataclass, field

OPEN = "<tool_call>"
BLOCK = re.compile(r"<tool_call>(.*?)</tool_call>|<tool_call>(.*)", re.DOTALL)


@dataclass(frozen=True)
class ToolCall:
    """A call as written by the model: `arguments` is JSON text, not yet read or checked."""

    name: str
    arguments: str


@dataclass(frozen=True)
class Parsed:
    """What a completion says: `content` is None where only calls were written."""

    content: str | None
    tool_calls: list[ToolCall] = field(default_factory=list)


def parse(completion: str) -> Parsed:
    """Return content and tool calls of a whole completion.

    >>> parse('<tool_call>{"name": "add", "arguments": {"a":1}}</tool_call>').tool_calls
    [ToolCall(name='add', arguments='{"a": 1}')]
    """
    if OPEN not in completion:
        return Parsed(completion)
    try:
        calls = [read_call(whole or rest) for whole, rest in BLOCK.findall(completion)]
    except (ValueError, KeyError, TypeError, RecursionError):
        return Parsed(completion)
    return Parsed(completion[: completion.index(OPEN)] or None, calls)


def read_call(block: str) -> ToolCall:
    """One block as a call. Raises ValueError, KeyError or TypeError for anything but {"name", "arguments"}."""
    call = json.loads(block)
    if not isinstance(call["name"], str):
        raise TypeError("the name of a tool is text")
    return ToolCall(call["name"], json.dumps(call["arguments"], ensure_ascii=False))


class Stream:
    """The same rule for text that arrives in pieces: `feed` gives content that is safe to show, `finish` the rest."""

    def __init__(self) -> None:
        self.text = ""
        self.shown = 0

    def feed(self, piece: str) -> str:
        """Take a piece, return the content that can be shown now (may be empty)."""
        self.text += piece
        safe = self.text.find(OPEN)
        if safe < 0:
            safe = len(self.text) - possible_tag(self.text)
        ready = self.text[self.shown : safe]
        self.shown = max(self.shown, safe)
        return ready

    def finish(self) -> Parsed:
        """Return what `feed` has not shown yet: the calls, or the held-back text if they cannot be read."""
        parsed = parse(self.text)
        return Parsed((parsed.content or "")[self.shown :] or None, parsed.tool_calls)


def possible_tag(text: str) -> int:
    """How many characters at the end could be the beginning of a tag."""
    return next(n for n in range(min(len(OPEN), len(text)), -1, -1) if OPEN.startswith(text[len(text) - n :]))
