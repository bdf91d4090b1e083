"""Numbers shared out among the parameters that take numbers, by the words around them."""

import re
from typing import Any

from companion.lab.reader.coded import names, pattern
from companion.lab.reader.kinds import kind_of
from companion.lab.reader.numbers import Number, numbers
from companion.lab.reader.tables import COUNTS, MEASURES
from companion.lab.reader.text import Text, codes_in
from companion.lab.reader.turns import Parameter, Tool
from companion.lab.reader.words import CJK, chinese, spaced, stem

NUMERIC = ("integer", "number", "duration")
ONE = re.compile(r"(?i)\ban?\s+(?!lot|few|couple|bunch|dozen|meeting|order)[a-z]")
MINUS = re.compile(r"(?i)(?:(?<![\w\d])[-−]|\bminus |\bnegative |零下|负)$")
UNIT = re.compile(rf"[\s-]*(%|°[cf]?|[A-Za-z]+(?:\s+[A-Za-z]+)?|[{CJK}]{{1,3}}|)")


def count(tool: Tool, kinds: dict[str, str], text: Text, values: dict[str, list[Any]], measured: bool) -> None:
    """Share out the numbers: first those with a word next to them that fits, then the others in order."""
    wanted = [p for p in tool.parameters if kinds[p.name] in NUMERIC and p.name not in values]
    codes = codes_in(text.text)
    free = [
        n
        for n in numbers(text.text)
        if text.free(n.start, n.end) and not any(m.start() <= n.start < m.end() for m in codes)
    ]
    pairs = [(fit(p, n, text.text, tool), p, n) for p in wanted for n in free]
    taken: set[int] = set()
    for score, parameter, number in sorted(pairs, key=lambda r: (-r[0], r[2].start, tool.parameters.index(r[1]))):
        if parameter.name in values:
            need = 3.0 if len(wanted) > 1 else 2.0
        else:
            need = 2.0 if measured else 0.0 if parameter.required else 1.0
        if number.start not in taken and score >= need:
            taken.add(number.start)
            text.use(number.start, number.end)
            values.setdefault(parameter.name, []).append(signed(number, text, parameter))
    for parameter in wanted:
        pieces = spaced(parameter.name) in ("quantity", "qty", "copies", "count")
        if pieces and not measured and ONE.search(text.text):  # a kettle is one kettle
            values.setdefault(parameter.name, [1])


def signed(number: Number, text: Text, parameter: Parameter) -> int | float:
    """The number with its minus, whole if the schema wants whole numbers."""
    value = -number.value if MINUS.search(text.text[: number.start]) else number.value
    return int(value) if parameter.schema.get("type") == "integer" and value == int(value) else value


def fit(parameter: Parameter, number: Number, text: str, tool: Tool) -> float:
    """How well the words around a number suit a parameter."""
    before = text[max(0, number.start - 24) : number.start].lower()
    unit = UNIT.match(text[: number.end + 24], number.end)
    word = unit[1].lower() if unit else ""
    name, told = spaced(parameter.name), parameter.description.lower()
    others = {stem(w) for p in tool.parameters if p is not parameter for w in spaced(p.name).split()}
    own = stem(word.split()[0]) not in others if word else False
    score = 3.0 * (own and follows(word, name, told)) + 2.0 * precedes(before, name, told)
    score += measure(f"{name} {told}", word, before)
    if not COUNTS.isdisjoint(name.split()) and word[:1] not in ("%", "°"):
        score += 1.5 if word else 1
    alone = sum(kind_of(p, tool) in ("integer", "number") for p in tool.parameters) == 1
    return score + 0.5 * parameter.required + 0.5 * alone


def follows(word: str, name: str, told: str) -> bool:
    """Is the word after a number one of the parameter's own?"""
    if counts_in(word, name, told):
        return True
    if chinese(word):
        return any(part in told for part in (word, word[:1], word[:2]))
    return not {stem(w) for w in word.split()}.isdisjoint(map(stem, re.findall(r"[a-z]+", f"{name} {told[:100]}")))


def counts_in(unit: str, name: str, told: str) -> bool:
    """Is it the unit a parameter counts in: 厘米 for height_cm?"""
    finder, codes = pattern("unit")
    match = finder.match(unit)
    listed = names("unit").get(codes.get(match[0], ""), []) if match else []
    return any(known in name.split() or (len(known) > 2 and known in told) for known in listed)


def precedes(before: str, name: str, told: str) -> bool:
    """Do the words before a number name the parameter: "age is 30", 年龄30?"""
    if chinese(told[:6]) and any(told[i : i + 2] in before[-8:] for i in range(min(4, len(told) - 1))):
        return True
    own = "|".join(re.findall(r"[a-z]+", name))
    return re.search(rf"\b(?:{own})s?\b\W*(?:(?:is|of|to|at|=|:|from)\W*)?$", before) is not None if own else False


def measure(name: str, word: str, before: str) -> float:
    """Points for a sign or unit that belongs to what the parameter measures."""
    points = 0.0
    for measured, left, right in MEASURES:
        marked = bool(re.search(right, word)) * 2 + bool(re.search(left, before))
        if marked and re.search(rf"(?<![a-z])(?:{measured})", name):
            points += marked
    return points
