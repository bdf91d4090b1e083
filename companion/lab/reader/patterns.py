"""A text that fits a regular expression, written from the parts that Python's own parser finds in it.

Left out: look-around and back references; whoever asks checks the text.
"""

from collections.abc import Iterator
from itertools import chain
from re import _compiler as compiler  # type: ignore[attr-defined]
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as regex  # type: ignore[attr-defined]
from typing import Any

PLAIN = "a0A -_.~"


def fitting(pattern: str, least: int) -> Iterator[str]:
    """Texts for a pattern, the short ones first; about `least` characters at the end.

    >>> next(fitting(r"^[A-Z]{2}-\\d{3}$", 0))
    'AA-000'
    """
    try:
        parts = regex.parse(pattern)
        for repeats in range(0, least + 1, max(1, least // 20)):
            yield written(parts, repeats)
    except (ValueError, RecursionError, OverflowError, StopIteration, regex.error):
        return  # no pattern for Python: the caller has other texts to try


def written(parts: Any, repeats: int) -> str:
    """A text for parsed parts, in which what may be repeated is repeated so often."""
    text = ""
    for part in parts:
        kind, value = part
        if kind is op.LITERAL:
            text += chr(value)
        elif kind in (op.IN, op.ANY, op.NOT_LITERAL):
            text += character(part, parts.state)
        elif kind in (op.MAX_REPEAT, op.MIN_REPEAT):
            low, high, inner = value
            text += written(inner, repeats) * min(max(low, repeats), int(high))
        elif kind is op.SUBPATTERN:
            text += written(value[-1], repeats)
        elif kind is op.BRANCH:
            text += written(value[1][0], repeats)
    return text


def character(part: Any, state: Any) -> str:
    """The first character that fits one place of a pattern."""
    here = compiler.compile(regex.SubPattern(state, [part]))
    return next(letter for letter in chain(PLAIN, map(chr, range(0x10000))) if here.match(letter))
