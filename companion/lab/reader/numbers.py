"""Numbers in a text, in digits and in words of both languages, each with its place.

Left out: fractions other than halves and quarters, Roman numerals, spoken digits ("one oh one").
"""

import re
from dataclasses import dataclass
from functools import lru_cache

ONES = "one two three four five six seven eight nine"
TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
SMALL: dict[str, float] = {word: value for value, word in enumerate(f"zero {ONES} {TEENS}".split())}
SMALL |= {word: value * 10 for value, word in enumerate(TENS.split(), 2)} | {"half": 0.5}
SCALES = {"hundred": 100, "dozen": 12, "thousand": 1000, "million": 10**6, "billion": 10**9, "k": 1000}
SCALES |= {"十": 10, "百": 100, "千": 1000, "万": 10**4, "亿": 10**8}
DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "俩": 2}

ONE = ONES.replace(" ", "|")
BELOW = rf"(?:(?:{TENS})(?:[\s-]+(?:{ONE}))?|{TEENS}|{ONE}|zero)\b".replace(" ", "|")  # below a hundred
SCALE = r"(?:hundred|thousand|million|billion|dozen)\b"
NUMBER = re.compile(
    r"(?:(?P<digits>(?<![A-Za-z0-9_.#])(?<![A-Za-z]-)\d+(?:,\d{3})*(?:\.\d+)?)(?!\w*[A-Za-z]\w*-?\d)"
    r"(?:\s*(?P<scale>thousand|million|billion|k\b|千(?!克|米|瓦)|万|亿))?"
    rf"|\b(?P<en>(?:{BELOW}|(?:half\s+)?an?(?=[\s-]+{SCALE})|(?=dozen))"
    rf"(?:[\s-]*{SCALE}(?:[\s-]+{BELOW}|\s+and\s+{BELOW}(?![\s-]+{SCALE}))?)*(?:\s+point(?:\s+(?:{ONE}|zero)\b)+)?)"
    r"|(?P<zh>[零〇一二两俩三四五六七八九十百千万亿]+(?:点[零〇一二三四五六七八九]+)?))(?=(?P<half>[度块]半)?)",
    re.IGNORECASE,
)
# Chinese numerals that are part of other words more often than numbers.
NOT_NUMBERS = re.compile(
    r"一(?:下|点(?![零一二三四五六七八九])|些|样|起|共|直|定|般|家|边|切|句|会儿|步|周内)|[下上某每哪再统唯]一|一张(?=[^，。]*桌)"
    r"|(?:第|星期|周|礼拜)[一二三四五六七八九十]+|万(?:一|圣|里)|十分(?!钟)|千万别|三亚|四川|九江|百度"
)


@dataclass(frozen=True)
class Number:
    """A number and where it stands."""

    value: int | float
    start: int
    end: int
    text: str


def tidy(value: float) -> int | float:
    """Whole numbers as int.

    >>> tidy(8.0), tidy(0.1 + 0.2)
    (8, 0.3)
    """
    value = round(value, 10) if abs(value) < 1e12 else value
    return int(value) if value == int(value) else value


@lru_cache(maxsize=512)
def numbers(text: str) -> tuple[Number, ...]:
    """Every number in a text, in order, unsigned: a minus is for the reader of sums to judge."""
    blocked = [match.span() for match in NOT_NUMBERS.finditer(text)]
    return tuple(
        Number(value, *match.span(), match[0])
        for match in NUMBER.finditer(text)
        if not (match["zh"] and any(a <= match.start() < b or a < match.end() <= b for a, b in blocked))
        and (value := value_of(match)) is not None
    )


def value_of(match: re.Match[str]) -> int | float | None:
    """The value of one match."""
    if match["en"]:
        return english(match["en"].lower())
    if match["zh"]:
        value = chinese(match["zh"])
    else:
        by = SCALES.get((match["scale"] or "").lower(), 1)
        value = tidy(float(match["digits"].replace(",", "")) * by) if len(match["digits"]) < 300 else None
    return value + 0.5 if value is not None and match["half"] else value


def english(text: str) -> int | float:
    """The value of number words.

    >>> english("two hundred and five"), english("half a dozen"), english("three point one four")
    (205, 6, 3.14)
    """
    whole, _, fraction = text.partition(" point ")
    total: float = 0
    part: float = 0
    for word in re.findall(r"[a-z]+", whole):
        if word in SMALL:
            part += SMALL[word]
        elif word in ("hundred", "dozen"):
            part = (part or 1) * SCALES[word]
        elif word in SCALES:
            total, part = total + (part or 1) * SCALES[word], 0
    digits = "".join(str(SMALL.get(word, "")) for word in fraction.split())
    return tidy(float(f"{total + part}.{digits}") if digits else total + part)


def chinese(text: str) -> int | float | None:
    """The value of a Chinese numeral; None for a scale with nothing to scale.

    >>> chinese("二十三"), chinese("一千零五"), chinese("三点五"), chinese("二零三一")
    (23, 1005, 3.5, 2031)
    """
    whole, _, fraction = text.partition("点")
    spelled = "".join(str(DIGITS[c]) for c in whole if c in DIGITS)
    value = int(spelled) if len(spelled) == len(whole) else scaled(whole)
    digits = "".join(str(DIGITS[c]) for c in fraction)
    return float(f"{value}.{digits}") if digits and value is not None else value


def scaled(text: str) -> int | None:
    """A numeral with 十, 百, 千, 万, 亿; None for a scale with nothing to scale."""
    total = section = digit = 0
    if text[0] in "百千万亿":
        return None
    for c in text:
        if c in DIGITS:
            digit = DIGITS[c]
        elif c in "十百千":
            section, digit = section + (digit or 1) * SCALES[c], 0
        else:
            total, section, digit = (total + section + digit) * SCALES[c], 0, 0
    return total + section + digit
