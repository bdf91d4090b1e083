"""A piece of what the user said: its dates, codes and words, and which parts have found their place."""

import re
from datetime import date

from companion.lab.reader.dates import dates, times
from companion.lab.reader.words import CJK, Word, scan

CODE = re.compile(
    r"(?<![\w./-])(?<!\w@)(?:[A-Za-z]{1,10}[-#]?\d\w*(?:-\w+)*|[A-Za-z]+(?:-[A-Za-z0-9]+)*-\d\w*|\d+[A-Za-z]\w*|#\d+"
    r"|[A-Za-z]\w*_\w+(?:-\w+)*|\d+(?:\.\d+){2,}|\d{4,}-\d{3,}(?!-))(?![\w@])",
    re.ASCII,
)
AMOUNT = re.compile(r"(?i)\d+(?:st|nd|rd|th|am|pm|km|kg|cm|mm|ml|[kgmlcfx])")
PIECE = re.compile(rf"{CODE.pattern}|\d+(?:\.\d+)?", re.ASCII)
# What is counted follows: 三碗 in 三碗面, "cups of" in "3 cups of tea".
MEASURED = re.compile(
    rf"(?:\d+|[一二两三四五六七八九十]+)(?:公斤|千克|毫升|[份碗杯盘瓶盒袋件只台张条支双片串克斤本首部篇])(?=[{CJK}])"
    r"|(?<=\s)(?:pack|packet|box|bottle|cup|bowl|plate|jar|glass|pair|piece|bag|can|slice)(?:s|es)?\s+of\s"
)


class Text:
    """A piece of what the user said, with the parts marked that have already found their place."""

    def __init__(self, text: str, today: date | None = None) -> None:
        self.text = text
        self.today = today
        self.used: list[tuple[int, int]] = []
        self.dates = dates(text, today)
        self.times = times(text)

    def free(self, start: int, end: int) -> bool:
        """Is none of this taken?"""
        return all(end <= a or b <= start for a, b in self.used)

    def use(self, start: int, end: int) -> None:
        """Mark as taken."""
        self.used.append((start, end))

    def rest(self, start: int = 0, end: int | None = None) -> str:
        """What is left between two places, the taken parts cut out."""
        end = len(self.text) if end is None else end
        kept, at = [], start
        for a, b in sorted(self.used):
            if b > at and a < end:
                kept.append(self.text[at : max(at, a)])
                at = max(at, b)
        return re.sub(r"\s+", " ", "".join([*kept, self.text[at:end]])).strip()


def codes_in(text: str) -> list[re.Match[str]]:
    """The codes of a text; 30kg and 3pm are none."""
    return [match for match in CODE.finditer(text) if not AMOUNT.fullmatch(match[0])]


def pieces(text: str) -> list[Word]:
    """Words, codes and digits of a text in order; numbers of pieces are left out."""
    codes = [Word(match[0], *match.span(), ("#",), False) for match in PIECE.finditer(text)]
    for pattern in (MEASURED, PIECE):
        text = pattern.sub(lambda match: " " * len(match[0]), text)
    return sorted([*codes, *scan(text)], key=lambda word: word.start) if codes else [*scan(text)]
