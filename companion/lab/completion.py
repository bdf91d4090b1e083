"""What a model wrote, up to the point where it had to stop: its own end, a stop string, or a limit on tokens."""

import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from companion.lab.tokens import CONTROL_IDS, encode, encoding

END = "<|im_end|>"
END_ID = CONTROL_IDS[END]
CALL_TAGS = ("<tool_call>", "</tool_call>")


@dataclass(frozen=True)
class Cut:
    """The text that was written. `ids` closes with the end token when the answer ended by itself."""

    text: str
    ids: list[int]
    finish_reason: str
    stop_reason: str | None = None


def cut(text: str, limit: int, stops: Sequence[str] = (), plain: Collection[str] = ()) -> Cut:
    """Return `text` up to its end token, the first stop string (left out, as in vLLM) or `limit` tokens.

    `plain` are control tokens to spell with ordinary pieces: that is how a grammar writes `<tool_call>`.

    >>> cut("1 2 3", limit=2)
    Cut(text='1 ', ids=[16, 220], finish_reason='length', stop_reason=None)
    """
    text = unicodedata.normalize("NFC", text.partition(END)[0])
    ids = encode(text, plain)
    end, stop = first_stop(text, stops)
    if stop is not None and (used := tokens_for(ids, len(text[:end].encode()))) <= limit:
        return Cut(text[: end - len(stop)], ids[:used], "stop", stop)
    if len(ids) >= limit:
        return Cut(text_of(ids[:limit]), ids[:limit], "length")
    return Cut(text, [*ids, END_ID], "stop")


def first_stop(text: str, stops: Sequence[str]) -> tuple[int, str | None]:
    """Where the stop string that is complete first ends, and which one it is; or the end of the text and None."""
    found: list[tuple[int, str | None]] = [(text.index(stop) + len(stop), stop) for stop in stops if stop in text]
    return min(found, key=lambda each: each[0], default=(len(text), None))


def tokens_for(ids: Sequence[int], size: int) -> int:
    """How many tokens it takes to write `size` bytes."""
    n = 0
    while size > 0:
        size -= len(encoding().decode_single_token_bytes(ids[n]))
        n += 1
    return n


def text_of(ids: Sequence[int]) -> str:
    """The text of tokens that may end inside a character; that half character is left out."""
    return encoding().decode_bytes(ids).decode("utf-8", "ignore")
