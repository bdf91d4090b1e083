"""Lengths of time in a text: half an hour, an hour and twenty minutes, two weeks, 一个半小时.

Left out: months and years, which have no one length.
"""

import re
from typing import NamedTuple

from companion.lab.reader.numbers import DIGITS, numbers

SECONDS = {"week": 604800, "day": 86400, "hour": 3600, "quarter": 900, "minute": 60, "second": 1}
UNIT = re.compile(
    rf"(?P<week>weeks?\b|星期(?![一二三四五六日天几])|周(?![一二三四五六日末边围几])|礼拜)|(?P<day>days?\b|天(?!气|空))"
    r"|(?P<hour>hours?\b|hrs?\b|(?<=\d)\s?h\b|小时|钟头)|(?P<quarter>刻钟)"
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
ELLIPTIC = re.compile(r"\s*(?:,|and|or|、|和)\s*")


class Duration(NamedTuple):
    """A length of time and where it stands."""

    seconds: float
    start: int
    end: int


def durations(text: str) -> list[Duration]:
    """Every length of time in a text, in order.

    >>> [found.seconds for found in durations("for an hour and a half, then 5 and 10 minutes")]
    [5400.0, 300.0, 600.0]
    """
    found: list[Duration] = []
    last = 0
    for match in UNIT.finditer(text):
        unit = SECONDS[match.lastgroup or ""]
        value, start = amount(text, match.start())
        if value is None:
            continue
        more = MORE.match(text, match.end())
        value += (0.25 if more["quarter"] else 0.5) if more else 0
        one = Duration(value * unit, start, more.end() if more else match.end())
        if unit < last and JOINED.fullmatch(text[found[-1].end : start]):
            larger = found.pop()
            one = Duration(larger.seconds + one.seconds, larger.start, one.end)
        else:
            found += elliptic(text, start, unit)
        found.append(one)
        last = unit
    return found


def amount(text: str, end: int) -> tuple[float | None, int]:
    """How many units are said right before a unit word, and where that begins."""
    halved = AND_HALF.search(text[:end])
    number = next((n for n in numbers(text) if halved and n.end == halved.start()), None)
    if number and halved:
        return number.value + ("half" in halved[0] or "半" in halved[0]) / 2, number.start
    share = SHARE.search(text[:end])
    return (SHARES[share.lastgroup or ""], share.start()) if share else (None, end)


def elliptic(text: str, start: int, unit: int) -> list[Duration]:
    """Numbers that share the unit of the one after them: the 5 of "5 and 10 minutes"."""
    before: list[Duration] = []
    for number in reversed(numbers(text[:start])):
        if ELLIPTIC.fullmatch(text[number.end : start]):
            start = number.start
            before.insert(0, Duration(float(number.value * unit), start, number.end))
    return before
