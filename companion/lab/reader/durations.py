"""Lengths of time in a text: half an hour, an hour and twenty minutes, 一个半小时.

Left out: days and longer, which tools count rather than measure.
"""

import re

from companion.lab.reader.numbers import DIGITS, numbers

SECONDS = {"hour": 3600, "quarter": 900, "minute": 60, "second": 1}
LENGTH = re.compile(
    r"(?P<hour>hours?\b|hrs?\b|(?<=\d)\s?h\b|小时|钟头)|(?P<quarter>刻钟)"
    rf"|(?P<minute>minutes?\b|mins?\b|分钟|(?<=[\d{''.join(DIGITS)}十])分(?![之店馆公数析享类配]))"
    r"|(?P<second>seconds?\b|secs?\b|秒钟?)",
    re.IGNORECASE,
)
SHARES = {"three": 0.75, "quarter": 0.25, "half": 0.5, "one": 1.0}
SHARE = re.compile(
    r"(?:(?P<three>\bthree[\s-]quarters)|(?P<quarter>\b(?:a\s+|one\s+)?quarter)|(?P<half>\bhalf|半个?)|(?P<one>\b(?=an?\s)))"
    r"(?:\s*\b(?:of\s+)?an?)?\s*$",
    re.IGNORECASE,
)
AND_HALF = re.compile(r"(?:\s+and\s+a\s+half|个?半|个|)[\s-]*$", re.IGNORECASE)
MORE = re.compile(r"\s+and\s+a\s+(?P<half>half)|\s+and\s+a\s+(?P<quarter>quarter)|(?P<zh>半)", re.IGNORECASE)
JOINED = re.compile(r"[\s,]*(?:and\b)?\s*[零又]?", re.IGNORECASE)


def duration(text: str) -> tuple[float, int, int] | None:
    """Seconds of the first length of time in a text, with its place.

    >>> duration("for an hour and a half")[0]
    5400.0
    """
    total, start, end = 0.0, -1, -1
    for match in LENGTH.finditer(text):
        value, here = amount(text, match.start())
        if value is None:
            continue
        if end >= 0 and not JOINED.fullmatch(text[end:here]):
            break
        more = MORE.match(text, match.end())
        value += (0.25 if more["quarter"] else 0.5) if more else 0
        start = here if start < 0 else start
        total, end = total + value * SECONDS[match.lastgroup or ""], more.end() if more else match.end()
    return (total, start, end) if start >= 0 else None


def amount(text: str, end: int) -> tuple[float | None, int]:
    """How many units are said right before a unit word, and where that begins."""
    halved = AND_HALF.search(text[:end])
    number = next((n for n in numbers(text) if halved and n.end == halved.start()), None)
    if number and halved:
        return number.value + ("half" in halved[0] or "半" in halved[0]) / 2, number.start
    share = SHARE.search(text[:end])
    return (SHARES[share.lastgroup or ""], share.start()) if share else (None, end)
