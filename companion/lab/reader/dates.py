"""Dates and times of day in a text, as ISO text. A relative day needs a "today" somewhere in the prompt.

Left out: calendars other than ours, time zones, "in three months".
"""

import re
from dataclasses import dataclass
from datetime import date, timedelta

from companion.lab.reader.numbers import BELOW, NUMBER, value_of

MONTHS = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
]  # fmt: skip
DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
OFFSETS = dict.fromkeys(("today", "tonight", "今天", "今日", "今晚", "今早"), 0)
OFFSETS |= dict.fromkeys(("tomorrow", "明天", "明日", "明晚", "明早"), 1)
OFFSETS |= {"yesterday": -1, "昨天": -1, "day after tomorrow": 2, "后天": 2, "大后天": 3}
PAST = {"half": 30, "半": 30, "quarter": 15, "一刻": 15, "三刻": 45}
LATE = {"afternoon", "evening", "night", "tonight", "下午", "傍晚", "晚上", "今晚", "明晚", "夜里"}

MONTH = "|".join(f"{month[:3]}(?:{month[3:]})?" for month in MONTHS) + "|sept"
ZH_NUMBER = r"[零〇一二两三四五六七八九十\d]{1,4}"
ORDINAL = r"\d{1,2})(?:st|nd|rd|th)?"
YEAR = r"\d{4})"
# Groups that mean the same thing differ in a final digit: `fields` takes it off.
ABSOLUTE = re.compile(
    r"(?<![A-Za-z0-9_-])(?P<y1>\d{4})[-/.](?P<m1>\d{1,2})[-/.](?P<d1>\d{1,2})(?!\d)"
    r"|(?<![\w.])(?P<d5>\d{1,2})\.(?P<m5>\d{1,2})\.(?P<y5>\d{4})(?!\d)"
    rf"|(?:(?P<y2>[零〇一二三四五六七八九\d]{{4}})年)?(?P<m2>{ZH_NUMBER})月(?P<d2>{ZH_NUMBER})[日号]?"
    rf"|\b(?P<month1>{MONTH})\.?\s+(?:the\s+)?(?P<d3>{ORDINAL}\b(?:,?\s+(?P<y3>{YEAR})?"
    rf"|\b(?P<d4>{ORDINAL}(?:\s+of)?\s+(?P<month2>{MONTH})\b\.?(?:,?\s+(?P<y4>{YEAR})?",
    re.IGNORECASE,
)
RELATIVE = re.compile(
    rf"(?:\bthe\s+)?(?P<word1>\bday\s+after\s+tomorrow\b|\b(?:today|tonight|tomorrow|yesterday)\b|大后天|后天|[今明][天日早晚]|昨天)"
    r"|\bin\s+(?P<n1>\w+)\s+(?P<unit1>day|week)s?\b|\b(?P<n2>\w+)\s+(?P<unit2>day|week)s?\s+from\s+(?:now|today)\b"
    rf"|(?P<n3>{ZH_NUMBER})个?(?P<unit3>天|周|星期)[之以]?后"
    rf"|\b(?:(?:next|this|on|coming)\s+)?(?P<day1>{'|'.join(DAYS)})\b"
    r"|(?P<week>下下?个?|这个?|本)?(?:周|星期|礼拜)(?P<day2>[一二三四五六日天])",
    re.IGNORECASE,
)
TODAY = re.compile(r"(?i)(?:today|current date|date today|date is|今天|今日|当前日期|现在)(?:'s date)?[^.\n。]{0,40}")
HOUR = r"(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
DAYTIME = r"\s+(?:in\s+the|at)\s+(?P<part1>morning|afternoon|evening|night)\b|(?=\s+(?P<part2>tonight)\b)"
TIME = re.compile(
    r"(?:(?<![\d:.-])(?P<h>\d{1,2})(?:[:：]|\.(?=\d\d\s*[ap]\.?m\b))(?P<m1>\d{2})(?::\d{2})?|\b(?P<noon>noon|midday|midnight)\b"
    rf"|\b(?P<past1>half|quarter|{BELOW}|\d{{1,2}})(?:\s+minutes)?\s+(?P<to>past|(?<=quarter\s)to)\s+(?P<h2>{HOUR})\b"
    rf"|(?:\b(?P<part3>tonight|afternoon|evening)\s+)?\bat\s+(?P<h3>{HOUR})(?![\w:]|[.,]\d)(?=[\s.,?!]|$)"
    rf"(?!\s+(?:degrees|percent|%|past|{BELOW}))"
    rf"|\b(?P<h4>{HOUR})\s+(?P<m2>fifteen|thirty|forty[\s-]five)\b"
    rf"|\b(?P<h5>{HOUR})(?=\s*(?:[ap]\.?m\b|o'clock|in\s+the\s+(?:morn|after|even)|at\s+night)))"
    rf"(?:\s*o'clock)?(?:\s*(?P<ap>[ap])\.?m\b\.?)?(?:{DAYTIME})?"
    rf"|(?P<part4>凌晨|清晨|早上|上午|中午|下午|傍晚|晚上|夜里|[今明][早晚]|早晨)?(?P<h6>{ZH_NUMBER})[点时]"
    rf"(?:(?P<past2>半|[一三]刻)|(?P<m3>{ZH_NUMBER})(?![个位人零一二三四五六七八九十\d])分?)?(?!几|间)",
    re.IGNORECASE,
)
RANGE = re.compile(r"\s*(?:to|till|until|[-–~到至])\s*")


@dataclass(frozen=True)
class Moment:
    """A date or time: `value` in ISO form, or the words themselves when no date of today is known."""

    value: str
    start: int
    end: int
    exact: bool = True


def fields(match: re.Match[str]) -> dict[str, str]:
    """What a match says, by the names of its groups without their final digits."""
    return {name.rstrip("123456789"): said.lower() for name, said in match.groupdict().items() if said}


def small(text: str | None) -> int | None:
    """A small number in digits or words."""
    match = NUMBER.fullmatch(text or "")
    value = value_of(match) if match else 1 if text in ("a", "an") else None
    return int(value) if value is not None else None


def today_in(text: str) -> date | None:
    """The date that a prompt calls today.

    >>> today_in("Today is Wednesday, 2031-06-04.")
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
        day = relative(fields(match), today) if today else None
        value = day.isoformat() if day else re.sub(r"(?i)^(?:on|the|next|this)\s+", "", match[0]).lower()
        found.append(Moment(value, *match.span(), day is not None))
    return sorted(found, key=lambda moment: moment.start)


def absolute(text: str, today: date | None) -> list[Moment]:
    """Dates with a month and a day; a missing year is today's, or the words stay as they are."""
    found = []
    for match in ABSOLUTE.finditer(text):
        part = fields(match)
        named = [number for number, name in enumerate(MONTHS, 1) if name.startswith(part.get("month", "none")[:3])]
        year = small(part.get("y")) or (today.year if today else None)
        month, day = named[0] if named else small(part.get("m")), small(part["d"])
        try:
            found.append(Moment(date(year or 0, month or 0, day or 0).isoformat(), *match.span()))
        except (ValueError, OverflowError):  # no such day, or no year
            if month and day and month <= 12 and day <= 31 and not year:
                found.append(Moment(match[0], *match.span(), False))
    return found


def relative(part: dict[str, str], today: date) -> date | None:
    """The day a relative word means, counted from today; a weekday is the next one to come."""
    if "word" in part:
        days = OFFSETS.get(" ".join(part["word"].split()))
        return None if days is None else today + timedelta(days=days)
    if "n" in part:
        count = small(part["n"])
        days = (count or 0) * (1 if part["unit"] in ("day", "天") else 7)
        return today + timedelta(days=days) if count is not None and days < 10**5 else None
    weekday = DAYS.index(part["day"]) if part["day"] in DAYS else min("一二三四五六日天".find(part["day"]), 6)
    if part.get("week", "").startswith("下"):
        return today + timedelta(days=7 - today.weekday() + weekday)
    return today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1)


def times(text: str) -> list[Moment]:
    """Every time of day in a text, as HH:MM.

    >>> [moment.value for moment in times("from 3pm to 16:30, or at half past seven in the evening")]
    ['15:00', '16:30', '19:30']
    """
    found: list[Moment] = []
    for match in TIME.finditer(text):
        part = fields(match)
        hour, minute = clock(part)
        if found and part.keys().isdisjoint(("ap", "part")) and RANGE.fullmatch(text[found[-1].end : match.start()]):
            hour += 12 * (hour < int(found[-1].value[:2]) <= hour + 12)  # 下午两点到四点
        if 0 <= hour < 24 and minute < 60:
            first = max(match.start(), *(match.end(day) for day in ("part3", "part4") if match[day] in OFFSETS), 0)
            found.append(Moment(f"{hour:02}:{minute:02}", first, match.end()))
    return found


def clock(part: dict[str, str]) -> tuple[int, int]:
    """Hour and minute on the 24-hour clock."""
    if noon := part.get("noon"):
        return (0 if noon == "midnight" else 12), 0
    hour, past = small(part["h"]) or 0, part.get("past")
    minute = small(part.get("m")) or PAST.get(past or "") or small(past) or 0
    if part.get("to") == "to":
        hour, minute = hour - 1, 60 - minute
    if hour < 12 and (part.get("ap") == "p" or part.get("part") in LATE):
        hour += 12
    return (0 if part.get("ap") == "a" and hour == 12 else hour), minute
