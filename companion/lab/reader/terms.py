"""The terms of arithmetic in a text, in digits, signs and words of both languages: the tokens that sums.py reads."""

import re
from typing import Any, NamedTuple

from companion.lab.reader.dates import ABSOLUTE, TIME
from companion.lab.reader.numbers import numbers


class Term(NamedTuple):
    """One token: its kind, what it stands for, the text itself, and where that stands."""

    kind: str
    value: Any
    said: str
    start: int
    end: int


# Kind, value (None: the word itself) and words, tried in this order at every place.
LEXICON: tuple[tuple[str, Any, str], ...] = (
    ("op", "**", r"(?:raised )?to the (?:power of\b|(?=\w+ power\b))|\*\*|\^"),
    ("op", "*", r"(?:multiplied by|(?<!many )times)\b|[*×x✕·](?=\s*[-(\d])|乘[以上]?"),
    ("op", "/", r"(?:divided by|over(?! \S+ (?:second|minute|hour|day|week|month|year)s?))\b|[÷/]|除以"),
    ("op", "into", r"go(?:es)? into\b"),
    ("op", "less", r"less than\b"),
    ("op", "more", r"more than\b"),
    ("op", "-", r"比(?=\s*[\d.零一二两三四五六七八九十百千万]+\s*[大多高长重贵])"),
    ("op", "less", r"比(?=\s*[\d.零一二两三四五六七八九十百千万]+\s*[小少低短轻])"),
    ("op", "%", r"mod(?:ulo)?\b"),
    ("unit", "%", r"%|per ?cent\b"),
    ("unit", "*", "倍"),
    ("unit", "**", "次[方幂]"),
    ("prefix", ("/", 2), r"half\b"),
    ("prefix", ("/", 3), r"(?:a|one) third\b"),
    ("prefix", ("/", 4), r"(?:a|one) quarter\b"),
    ("prefix", ("*", 2), r"(?:double|twice)\b"),
    ("prefix", ("*", 3), r"triple\b"),
    ("prefix", ("**", 0.5), r"square root\b"),
    ("prefix", ("**", 2), r"square\b"),
    ("prefix", ("**", 3), r"cube\b"),
    ("suffix", ("**", 0.5), "的平方根"),
    ("suffix", ("**", 2), r"squared\b|的平方"),
    ("suffix", ("**", 3), r"cubed\b|的立方"),
    ("suffix", ("/", 2), "的一半"),
    ("list", "+", "[的之]总?和|相加|加(?:起来|一下)"),
    ("list", "*", "[的之]乘?积|相乘|乘一下"),
    ("list", "-", "[的之]差|相减"),
    ("list", "/", "[的之]商|相除"),
    ("list", "%", "的?余数|[取求]余"),
    ("verb", "+", r"(?:add|sum up|increase)\b"),
    ("verb", "-", r"(?:subtract|deduct|decrease|take(?: away)?(?= \S+ (?:away )?from\b))\b"),
    ("verb", "*", r"multiply\b"),
    ("verb", "/", r"(?:divide|(?:split|share)(?= \d))\b"),
    ("noun", "+", r"(?:sum|total)\b|求和"),
    ("noun", "-", r"difference\b"),
    ("noun", "*", r"product\b"),
    ("noun", "/", r"quotient\b"),
    ("noun", "%", r"remainder\b"),
    ("noun", "mean", r"(?:average|mean)\b|平均[数值]?"),
    ("op", "+", r"plus\b|\+|加上?"),
    ("op", "-", r"(?:minus|negative)\b|[-−–]|减去?|负"),
    ("open", None, "[(（]"),
    ("close", None, "[)）]"),
    ("then", None, r"(?:then|after that|afterwards)\b|再|然后|接着|之后"),
    ("ref", None, r"(?:it|that|result)\b|结果|得数|它|上面的数"),
    ("link", None, r"(?:and|by|to|from|with|of|between|into|among)\b|[,，、和与跟]"),
    ("of", None, "[的把将用]"),
    ("stop", None, r"[.。?？!！;；:：\n](?!\d)"),
    ("noise", None, r"[A-Za-z']+|[\u4e00-\u9fff]"),
)
# "the sum" points back unless it says of what.
POINTER = (
    r"(?:the|that|this) (?:result|answer|sum|product|number|total|quotient|difference|rest)\b(?! (?:of|between)\b)"
)
TERM = re.compile("|".join(["(" + POINTER + ")", *(f"({words})" for _, _, words in LEXICON)]), re.IGNORECASE)
CODE = re.compile(r"(?<![\w-])[A-Z]{1,10}-\d[\w-]*")  # its dash is no minus
NARROW = {0xFEE0 + code: code for code in range(0x21, 0x7F)}  # full-width signs and digits
SLASHED = re.compile(r"\b\d{1,2}/\d{1,2}/\d{2,4}\b")
SAYING = """
the a an numbers number integers together what what's is are how much does equal please value about th st nd rd
calculate compute take can you tell me up i'd like know evaluate work out away find get power when if
"""
QUIET = {*SAYING.split(), *"是等于多少几请帮我算一下计呢吗了那么"}


def terms(text: str) -> list[Term]:
    """The terms of a text in order, without dates, times, codes and words that say nothing.

    >>> [(term.kind, term.value) for term in terms("3 plus four")]
    [('num', 3), ('op', '+'), ('num', 4)]
    """
    text = text.translate(NARROW)
    dates = [m.span() for pattern in (ABSOLUTE, SLASHED, CODE) for m in pattern.finditer(text)]
    dates += [m.span() for m in TIME.finditer(text) if m["h"]]
    skipped = {start: end for start, end in dates if end > start}
    counted = {number.start: number for number in numbers(text)}
    found: list[Term] = []
    at = 0
    while at < len(text):
        if at in skipped:
            at = skipped[at]
        elif number := counted.get(at):
            found.append(Term("num", number.value, number.text, at, number.end))
            at = number.end
        elif match := TERM.match(text, at):
            found.append(term(match))
            at = match.end()
        else:
            at += 1
    return [one for one in found if one.kind != "quiet"]


def term(match: re.Match[str]) -> Term:
    """One token of the lexicon."""
    said, place = match[0].lower(), (match.lastindex or 1) - 2
    kind, value = LEXICON[place][:2] if place >= 0 else ("ref", None)
    if kind == "noise" and said in QUIET:
        kind = "quiet"
    return Term(kind, said if value is None else value, said, *match.span())
