"""Numbers in a text, in digits and in words of both languages, each with its place.

Left out: fractions other than halves and quarters, Roman numerals, spoken digits ("one oh one").
"""

import re
from dataclasses import dataclass
from functools import lru_cache

ONES = dict(
    zip(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ],
        range(20),
        strict=True,
    )
)
TENS = dict(
    zip(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], range(20, 100, 10), strict=True
    ),
    fourty=40,
)
SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
DIGITS = dict(zip("零一二三四五六七八九", range(10), strict=True)) | {"〇": 0, "两": 2, "俩": 2}
ZH_SCALES = {"十": 10, "百": 100, "千": 1000}
WORD = "|".join(sorted((*ONES, *TENS, *SCALES), key=len, reverse=True))
AND = r"(?:(?<=hundred )and\s+|(?<=thousand )and\s+|(?<=million )and\s+)?"
FIRST = "|".join(sorted((*ONES, *TENS), key=len, reverse=True))

NUMBER = re.compile(
    r"(?P<digits>(?<![A-Za-z0-9_.#])(?<![A-Za-z]-)\d+(?:,\d{3})*(?:\.\d+)?(?![\w]*[A-Za-z]\w*-?\d)(?P<scale>\s*(?:thousand|million|billion|k\b|千(?!克|米|瓦)|万|亿))?)"
    rf"|\b(?P<en>(?:(?:{FIRST}|an?(?=[\s-](?:hundred|thousand|million)))(?:[\s-]+{AND}(?:{WORD}))*)(?:\s+point(?:\s+(?:{FIRST}))+)?|(?:half\s+)?a\s+dozen|dozen)\b"
    r"|(?P<zh>[零〇一二两俩三四五六七八九十百千万亿]+(?:点[零〇一二三四五六七八九]+)?)",
    re.IGNORECASE,
)
# Chinese numerals that are part of other words more often than numbers.
NOT_NUMBERS = re.compile(
    r"一(?:下|点(?![零一二三四五六七八九])|些|样|起|共|直|定|般|家|边|切|句|会儿|步|周内)|第[一二三四五六七八九十]+|(?:星期|周|礼拜)[一二三四五六七八九]|万(?:一|圣)|十分(?!钟)|一张(?=[^，。]*桌)|千万别|三亚|四川|九江|百度|下一|上一|某一|每一|哪一|再一|统一|唯一|万里"
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
    found = []
    for match in NUMBER.finditer(text):
        if match["zh"] and any(a <= match.start() < b or a < match.end() <= b for a, b in blocked):
            continue
        value = value_of(match)
        if value is not None:
            half = re.match(r"[度块]半", text[match.end() :])
            found.append(Number(value + 0.5 if half else value, match.start(), match.end(), match[0]))
    return tuple(found)


def value_of(match: re.Match[str]) -> int | float | None:
    """The value of one match."""
    if match["digits"]:
        scale = (match["scale"] or "").strip().lower()
        digits = match["digits"][: len(match["digits"]) - len(match["scale"] or "")]
        by = {"k": 1000, "千": 1000, "万": 10**4, "亿": 10**8, **SCALES}.get(scale, 1)
        return tidy(float(digits.replace(",", "")) * by) if len(digits) < 300 else None
    return english(match["en"].lower()) if match["en"] else chinese(match["zh"])


def english(text: str) -> int | float:
    """The value of number words.

    >>> english("two hundred and five"), english("three point one four")
    (205, 3.14)
    """
    if "dozen" in text:
        return 6 if text.startswith("half") else 12
    whole, _, fraction = text.partition(" point ")
    total = part = 0
    for word in re.findall(r"[a-z]+", whole):
        if word in ONES or word in TENS:
            part += ONES.get(word) or TENS.get(word, 0)
        elif word == "hundred":
            part = (part or 1) * 100
        elif word in SCALES:
            total, part = total + (part or 1) * SCALES[word], 0
    digits = "".join(str(ONES.get(word, TENS.get(word, ""))) for word in fraction.split())
    return tidy(float(f"{total + part}.{digits}")) if digits else total + part


def chinese(text: str) -> int | float | None:
    """The value of a Chinese numeral.

    >>> chinese("二十三"), chinese("一千零五"), chinese("三点五"), chinese("二零三一")
    (23, 1005, 3.5, 2031)
    """
    whole, _, fraction = text.partition("点")
    if len(whole) > 1 and all(c in DIGITS for c in whole):
        value: int | None = int("".join(str(DIGITS[c]) for c in whole))
    else:
        value = scaled(whole)
    digits = "".join(str(DIGITS[c]) for c in fraction)
    return value if value is None or not digits else float(f"{value}.{digits}")


def scaled(text: str) -> int | None:
    """A numeral with 十, 百, 千, 万, 亿; None for a scale with nothing to scale."""
    total = section = digit = 0
    if text[0] in "百千万亿":
        return None
    for c in text:
        if c in DIGITS:
            digit = DIGITS[c]
        elif c in ZH_SCALES:
            section, digit = section + (digit or 1) * ZH_SCALES[c], 0
        else:
            total, section, digit = (total + section + digit) * (10**4 if c == "万" else 10**8), 0, 0
    return total + section + digit
