"""Numbers shared out among the parameters that take numbers, by the words around them."""

import re
from typing import Any

from companion.lab.reader.kinds import kind_of
from companion.lab.reader.numbers import Number, numbers
from companion.lab.reader.phrases import CODE, Text
from companion.lab.reader.tables import COUNTS, MEASURES
from companion.lab.reader.turns import Parameter, Tool
from companion.lab.reader.words import CJK, chinese, spaced, stem

PIECES = re.compile(r"^(?:quantity|qty|copies|count)$")
ONE = re.compile(r"(?i)\ban?\s+(?!lot|few|couple|bunch|dozen|meeting|order)[a-z]")


def count(tool: Tool, kinds: dict[str, str], text: Text, values: dict[str, list[Any]], measured: bool) -> None:
    """Share out the numbers: first those with a word next to them that fits, then the others in order."""
    wanted = [p for p in tool.parameters if kinds[p.name] in ("integer", "number", "duration") and p.name not in values]
    free = [n for n in numbers(text.text) if text.free(n.start, n.end) and not coded(text, n)]
    ranked = sorted(
        ((fit(p, n, text, tool), -n.start, p, n) for p in wanted for n in free),
        key=lambda r: (-r[0], -r[1], tool.parameters.index(r[2])),
    )
    taken: dict[int, str] = {}
    for score, _, parameter, number in ranked:
        strong = score >= 2
        if (measured and not strong) or score < (0 if parameter.required else 1):
            continue
        if taken.get(number.start) or (parameter.name in values and not strong):
            continue
        if parameter.name in values and (len(wanted) > 1 and score < 3):
            continue
        taken[number.start] = parameter.name
        text.use(number.start, number.end)
        values.setdefault(parameter.name, []).append(signed(number, text, parameter))
    for parameter in wanted:
        if (
            not measured
            and parameter.name not in values
            and PIECES.search(spaced(parameter.name))
            and ONE.search(text.text)
        ):
            values[parameter.name] = [1]  # a kettle is one kettle


def coded(text: Text, number: Number) -> bool:
    """Is the number a part of a code such as ORD-1042?"""
    return any(m.start() <= number.start < m.end() for m in CODE.finditer(text.text)) and not re.match(
        r"\d+(?:k|kg|km|cm|mm|g|m|l|ml|pm|am|c|f|x|th|st|nd|rd)\b", text.text[number.start :], re.IGNORECASE
    )


def signed(number: Number, text: Text, parameter: Parameter) -> int | float:
    """The number with its minus, whole if the schema wants whole numbers."""
    minus = re.search(r"(?:(?<![\w\d])[-−]|\bminus |\bnegative |零下|负)$", text.text[: number.start])
    value = -number.value if minus else number.value
    return int(value) if parameter.schema.get("type") == "integer" and value == int(value) else value


def fit(parameter: Parameter, number: Number, text: Text, tool: Tool) -> float:
    """How well the words around a number suit a parameter."""
    after = text.text[number.end : number.end + 24].lstrip(" -")
    before = text.text[max(0, number.start - 24) : number.start].lower()
    name, low = spaced(parameter.name), parameter.description.lower()
    own = set(re.findall(r"[a-z]+", name))
    unit = re.match(rf"%|°[cf]?|[A-Za-z]+(?:\s+[A-Za-z]+)?|[{CJK}]{{1,3}}", after)
    word = unit[0].lower() if unit else ""
    score = 0.0
    stems = {stem(w) for w in re.findall(r"[a-z]+", name + " " + low[:100])}
    if word and (
        {stem(w) for w in word.split()} & stems
        or (chinese(word) and any(part in low + unit_words(name) for part in {word, word[:1], word[:2]}))
    ):
        score += 3
    if any(re.search(rf"\b{re.escape(w)}s?\b\W*(?:(?:is|of|to|at|=|:|from)\W*)?$", before) for w in own) or (
        low[:6] and chinese(low) and any(low[i : i + 2] in before[-8:] for i in range(min(4, len(low) - 1)))
    ):
        score += 2
    score += measure(name + " " + low, word, before)
    if own & COUNTS and not re.match(r"%|°", word):
        score += 1.5 if word else 1
    others = {stem(w) for p in tool.parameters if p is not parameter for w in spaced(p.name).split()}
    if word and {stem(w) for w in word.split()[:1]} & others and score < 2:
        score -= 2
    return (
        score
        + (0.5 if parameter.required else 0)
        + (0.5 if sum(kind_of(p, tool) in ("integer", "number") for p in tool.parameters) == 1 else 0)
    )


def measure(name: str, word: str, before: str) -> float:
    """Points for a sign or unit that belongs to what the parameter measures; minus for one that belongs elsewhere."""
    points = 0.0
    for names, left, right in MEASURES:
        marked = bool(re.search(right, word)) * 2 + bool(re.search(left, before))
        if marked and re.search(names, name):
            points += marked
        elif (
            re.search(right, word) and points <= 0 and re.match(r"[%°$]|degree|percent|night|day|minute|天|晚|人", word)
        ):
            points -= 1
    return points


def unit_words(name: str) -> str:
    """Chinese measure words for an English parameter name."""
    return {
        "days": "天日",
        "nights": "晚",
        "people": "人位",
        "guests": "人位",
        "quantity": "个件份本杯只台张瓶",
        "copies": "份本",
        "tickets": "张",
        "seats": "张位",
        "hours": "小时",
        "minutes": "分钟",
    }.get(name, "")
