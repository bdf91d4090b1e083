"""Dates and times in a text, as ISO text. A relative day needs a "today" somewhere in the prompt.

Left out: calendars other than ours, time zones, "in three weeks".
"""

# ruff: noqa: E501 (a pattern or a table row is read as one line)

import re
from dataclasses import dataclass
from datetime import date, timedelta

from companion.lab.reader.numbers import NUMBER, numbers, value_of

MONTHS = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
]  # fmt: skip
DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
MONTH = r"(?P<month>" + "|".join(f"{m[:3]}(?:{m[3:]})?" for m in MONTHS) + r"|sept)\.?"
ZH_NUMBER = r"[零〇一二三四五六七八九十\d]{1,4}"
ABSOLUTE = re.compile(
    r"(?<![A-Za-z0-9_-])(?P<y1>\d{4})[-/.](?P<m1>\d{1,2})[-/.](?P<d1>\d{1,2})(?![\d])"
    rf"|(?:(?P<y2>[零〇一二三四五六七八九\d]{{4}})年)?(?P<m2>{ZH_NUMBER})月(?P<d2>{ZH_NUMBER})[日号]?"
    rf"|\b{MONTH}\s+(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(?P<y3>\d{{4}}))?"
    rf"|\b(?P<d4>\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?\s+{MONTH.replace('month', 'month4')}(?![a-z])(?:,?\s+(?P<y4>\d{{4}}))?",
    re.IGNORECASE,
)
RELATIVE = re.compile(
    r"\b(?P<en>the\s+day\s+after\s+tomorrow|day\s+after\s+tomorrow|today|tonight|tomorrow|yesterday)\b"
    r"|(?P<zh>大后天|后天|明天|明日|今天|今日|今晚|明晚|昨天)"
    rf"|\bin\s+(?P<n>\w+)\s+days?\b|(?P<zn>{ZH_NUMBER}|两)天后"
    rf"|\b(?:(?P<next>next|this|on|coming)\s+)?(?P<day>{'|'.join(DAYS)})\b"
    r"|(?P<zweek>下下?个?|这个?|本)?(?:周|星期|礼拜)(?P<zday>[一二三四五六日天])",
    re.IGNORECASE,
)
OFFSETS = {"today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1, "今天": 0, "今日": 0, "今晚": 0, "明天": 1}
OFFSETS |= {"明日": 1, "明晚": 1, "后天": 2, "大后天": 3, "昨天": -1}
TODAY = re.compile(
    r"(?:today|current date|date today|date is|今天|今日|当前日期|现在)(?:'s date)?[^.\n。]{0,24}", re.IGNORECASE
)
TIME = re.compile(
    r"(?<![\d:.-])(?P<h>\d{1,2})[:：](?P<m>\d{2})(?::\d{2})?\s*(?P<ap>[ap]\.?m\b\.?)?"
    r"|\b(?P<h2>\d{1,2})\s*(?P<ap2>[ap]\.?m\b\.?)|\b(?P<word>noon|midday|midnight)\b"
    r"|\b(?:(?P<half>half)\s+past|(?P<quarter>quarter)\s+(?P<qdir>past|to))\s+(?P<h4>\w+)"
    r"|\bat\s+(?P<h5>\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?![\w:])\s*(?:o'clock)?(?:\s+in\s+the\s+(?P<part>morning|afternoon|evening))?(?=[\s.,?!]|$)(?!\s+(?:degrees|percent|%))"
    rf"|(?P<zpart>凌晨|早上|上午|中午|下午|傍晚|晚上|今晚|明晚|早晨)?(?P<h3>{ZH_NUMBER}|两)[点时](?:(?P<zhalf>半)|(?P<zq>[一三])刻|(?P<m3>{ZH_NUMBER})(?![个位人零一二三四五六七八九十\d])分?)?(?!几|间)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Moment:
    """A date or time: `value` in ISO form, or the words themselves when no date of today is known."""

    value: str
    start: int
    end: int
    exact: bool = True


def small(text: str) -> int | None:
    """A small number in digits or words."""
    match = NUMBER.fullmatch(text)
    value = value_of(match) if match else None
    return int(value) if value is not None else None


def iso(year: int, month: int, day: int) -> str | None:
    """The ISO date, None for a day that does not exist."""
    try:
        return date(year, month, day).isoformat()
    except (ValueError, OverflowError):
        return None


def today_in(text: str) -> date | None:
    """The date that a prompt calls today.

    >>> today_in("Today is 2031-06-04.")
    datetime.date(2031, 6, 4)
    """
    for match in TODAY.finditer(text):
        if found := [moment for moment in absolute(match[0], None) if moment.exact]:
            return date.fromisoformat(found[0].value)
    return None


def dates(text: str, today: date | None) -> list[Moment]:
    """Every date in a text, in order."""
    found = absolute(text, today)
    for match in RELATIVE.finditer(text):
        if any(m.start <= match.start() < m.end for m in found):
            continue
        day = relative(match, today)
        value = day.isoformat() if day else re.sub(r"(?i)^(?:on|the|next|this)\s+", "", match[0]).lower()
        found.append(Moment(value, match.start(), match.end(), day is not None))
    return sorted(found, key=lambda moment: moment.start)


def absolute(text: str, today: date | None) -> list[Moment]:
    """Dates with a month and a day; a missing year is today's, or the words stay as they are."""
    found = []
    for match in ABSOLUTE.finditer(text):
        part = match.groupdict()
        name = (part["month"] or part["month4"] or "").lower()[:3]
        month = next((i + 1 for i, m in enumerate(MONTHS) if m[:3] == name), None) if name else None
        year = small(part["y1"] or part["y2"] or part["y3"] or part["y4"] or "") or (today.year if today else None)
        month = month or small(part["m1"] or part["m2"] or "")
        day = small(part["d1"] or part["d2"] or part["d3"] or part["d4"] or "")
        value = iso(year, month, day) if year and month and day else None
        if value or (month and day and month <= 12 and day <= 31):
            found.append(Moment(value or match[0], match.start(), match.end(), value is not None))
    return found


def relative(match: re.Match[str], today: date | None) -> date | None:
    """The day a relative word means, counted from today; a weekday is the next one to come."""
    if today is None:
        return None
    if match["n"] or match["zn"]:
        days = small(match["n"] or match["zn"])
        return today + timedelta(days=days) if days is not None and days < 10**5 else None
    if match["day"] or match["zday"]:
        weekday = DAYS.index(match["day"].lower()) if match["day"] else min("一二三四五六日天".index(match["zday"]), 6)
        if match["zweek"] and match["zweek"].startswith("下"):
            return today + timedelta(days=7 - today.weekday() + weekday)
        return today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1)
    if match["en"] and "after" in match["en"].lower():
        return today + timedelta(days=2)
    return today + timedelta(days=OFFSETS[(match["en"] or match["zh"]).lower()])


def times(text: str) -> list[Moment]:
    """Every time of day in a text, as HH:MM.

    >>> [moment.value for moment in times("from 3pm to 16:30")]
    ['15:00', '16:30']
    """
    found = []
    for match in TIME.finditer(text):
        clock = hour_minute(match)
        if clock and clock[0] < 24 and clock[1] < 60:
            found.append(Moment(f"{clock[0]:02}:{clock[1]:02}", match.start(), match.end()))
    return found


def hour_minute(match: re.Match[str]) -> tuple[int, int] | None:
    """Hour and minute of a match on the 24-hour clock."""
    part = match.groupdict()
    if part["word"]:
        return (0 if part["word"].lower() == "midnight" else 12), 0
    hour = small(part["h"] or part["h2"] or part["h3"] or part["h4"] or part["h5"] or "")
    if hour is None:
        return None
    minute = small(part["m"] or part["m3"] or "") or 0
    if part["half"] or part["zhalf"]:
        minute = 30
    if part["quarter"]:
        hour, minute = (hour, 15) if part["qdir"].lower() == "past" else (hour - 1, 45)
    if part["zq"]:
        minute = 15 if part["zq"] == "一" else 45
    half = (part["ap"] or part["ap2"] or "").lower()[:1]
    late = (
        half == "p"
        or part["part"] in ("afternoon", "evening")
        or part["zpart"] in ("下午", "傍晚", "晚上", "今晚", "明晚")
    )
    if late and hour < 12:
        hour += 12
    return (0 if half == "a" and hour == 12 else hour), minute


def duration(text: str) -> tuple[float, int, int] | None:
    """Seconds of the first length of time in a text, with its place.

    >>> duration("for an hour and a half")[0]
    5400.0
    """
    amounts = {n.end: n for n in numbers(text)}
    total, start, end = 0.0, -1, -1
    for match in LENGTH.finditer(text):
        before = text[: match.start()].rstrip(" -个")
        halved = AND_HALF.search(before)
        number = amounts.get(halved.start() if halved else len(before))
        word = None if number else PART.search(before)
        share = next((value for value, name in enumerate(("quarter", "half", "three"), 1) if word and word[name]), 4)
        value = share / 4 if word else number.value + bool(halved) / 2 if number else None
        if value is None:
            continue
        here = word.start() if word else number.start if number else 0
        if end >= 0 and not re.fullmatch(r"[\s,]*(?:and\b)?\s*[零又]?", text[end:here]):
            break
        if start < 0:
            start = here
        unit = next(UNIT_SECONDS[name] for name, found in match.groupdict().items() if found)
        total, end = total + value * unit, match.end()
        if more := re.match(r"\s+and\s+a\s+(?:half|(quarter))|半", text[end:]):
            total, end = total + unit / (4 if more[1] else 2), end + more.end()
    return (total, start, end) if start >= 0 else None


UNIT_SECONDS = {"hour": 3600, "quarter": 900, "minute": 60, "second": 1}
AND_HALF = re.compile(r"\s+and\s+a\s+half$|个?半$", re.IGNORECASE)
PART = re.compile(
    r"(?:(?P<quarter>\b(?:a\s+|one\s+)?quarter(?:\s+of\s+an?)?)|(?P<half>\bhalf(?:\s+(?:of\s+)?an?)?|半)|(?P<three>\bthree[\s-]quarters\s+of\s+an?)|\ban?)$",
    re.IGNORECASE,
)
LENGTH = re.compile(
    r"(?P<hour>hours?\b|hrs?\b|小时|钟头)|(?P<quarter>刻钟)|(?P<minute>minutes?\b|mins?\b|分钟|(?<=\d)分(?!之|店|馆))|(?P<second>seconds?\b|secs?\b|秒钟?)",
    re.IGNORECASE,
)
