"""Values that the last message only points at: "it", "there", "the cheapest", 这个, or that the system text states."""

import re
from collections.abc import Callable
from typing import Any

from companion.lab.reader import results
from companion.lab.reader.tables import EMAIL
from companion.lab.reader.text import CODE
from companion.lab.reader.turns import Call, Conversation, Parameter, pairs
from companion.lab.reader.words import spaced

HOME = re.compile(
    r"\b(?:(?:live|lives|living|based|located|i am|i'm|user is) (?:in|from)|(?:home(?: city| town)?|city|location) is"
    r"|(?:city|home|location):|moved to|staying in|trip to|travell?ing to)\s+(?-i:((?:[A-Z][\w'-]*\s?){1,3}))"
    r"|(?:住在|我在|位于|来自|家在|定居在?|所在城市[是为:：]?|搬到)([\u4e00-\u9fff]{2,6}?)(?=[，。,.！!？?\s了的]|$)",
    re.IGNORECASE,
)
# Superlatives: what they compare, and which end they mean.
PICKS: tuple[tuple[str, tuple[str, ...], Callable[..., Any]], ...] = (
    (r"cheap|lowest|least expensive|最便宜|最低", ("price", "cost", "fare", "amount", "价格"), min),
    (r"most expensive|priciest|最贵", ("price", "cost", "fare", "价格"), max),
    (r"earliest|soonest|最早", ("time", "depart", "start", "date", "时间"), min),
    (r"latest|last|最晚|最新|最后", ("time", "depart", "start", "date", "时间"), max),
    (r"best|highest|top|最好|最高", ("rating", "score", "stars", "评分"), max),
    (r"fast|quick|short|最快|最短", ("duration", "minutes", "time", "distance"), min),
    (r"near|close|最近", ("distance", "km"), min),
    (r"large|big|最大", ("size", "capacity", "seats"), max),
)
ORDINALS = ((r"\bfirst\b|第一", 0), (r"\bsecond\b|第二", 1), (r"\bthird\b|第三", 2), (r"\blast\b|最后", -1))
PATTERNS = {"code": CODE, "email": EMAIL, "address": EMAIL, "date": re.compile(r"\d{4}-\d\d-\d\d")}
# The names under which results give what a parameter of a kind wants.
KEYS = {
    "code": ("id", "code", "number"), "address": ("email",), "email": ("email",), "person": ("name",),
    "item": ("name", "title"), "title": ("title", "name"), "place": ("city", "location"),
    "number": ("price", "amount", "value", "result", "total"),
}  # fmt: skip


def from_results(parameter: Parameter, kind: str, text: str, done: list[tuple[Call, str]]) -> Any:
    """The value of a parameter in the results of this request, the newest first; None if none fits."""
    good = (results.read(result) for _, result in reversed(done) if not results.failed(result))
    return next((found for data in good if (found := value_in(data, parameter, kind, text)) is not None), None)


def value_in(data: Any, parameter: Parameter, kind: str, text: str) -> Any:
    """The part of a result that suits a parameter: the key of its name, a key of its kind, or the whole."""
    if isinstance(data, dict) and key_of(data, parameter, kind) is None:
        lists = [value for value in data.values() if isinstance(value, list) and value]
        data = lists[0] if len(lists) == 1 else data
    if isinstance(data, list):
        data = pick(data, text) if data else None
    if isinstance(data, dict):
        key = key_of(data, parameter, kind)
        return None if key is None else suited(data[key], parameter)
    if kind in ("integer", "number"):
        return suited(data, parameter)
    return from_text(data, kind) if isinstance(data, str) else None


def from_text(data: str, kind: str) -> Any:
    """A value out of a plain text result: what looks like one, or all of a short text."""
    if kind in PATTERNS:
        match = PATTERNS[kind].search(data)
        return match[0] if match else None
    short = len(data) < (2000 if kind in ("message", "query") else 60) and "\n" not in data.strip()
    return results.safe(data) if short else None


def suited(value: Any, parameter: Parameter) -> Any:
    """The value in the parameter's type, None if it cannot be."""
    kind = parameter.schema.get("type")
    if kind in ("integer", "number"):
        number = None if isinstance(value, bool) else results.number_in(str(value))
        whole = number is not None and number == int(number)
        return int(number) if number is not None and whole else number if kind == "number" else None
    return str(value) if kind == "string" and not isinstance(value, (dict, list)) else value


def key_of(data: dict[str, Any], parameter: Parameter, kind: str) -> str | None:
    """The key that stands for a parameter: the same name, else one that ends alike, else `id` for an id."""
    name = spaced(parameter.name).split()
    words = {key: spaced(key).split() for key in data if not isinstance(data[key], (dict, list))}
    fits: tuple[Callable[[list[str]], bool], ...] = (
        lambda key: key == name,
        lambda key: key[-1:] == name[-1:] and (len(key) == 1 or len(name) == 1 or key[-1] != "id"),
        lambda key: key[-1:] != [] and key[-1] in KEYS.get(kind, ()),
    )
    return next((key for fit in fits for key in words if fit(words[key])), None)


def pick(rows: list[Any], text: str) -> Any:
    """The row a superlative or an ordinal means, else the first."""
    for pattern, names, choose in PICKS if all(isinstance(row, dict) for row in rows) else ():
        if re.search(pattern, text, re.IGNORECASE):
            key = next((key for key in rows[0] if any(name in str(key).lower() for name in names)), None)
            if key and len({type(row.get(key)) for row in rows}) == 1 and isinstance(rows[0][key], (int, float, str)):
                return choose(rows, key=lambda row: row[key])
    place = next((n for pattern, n in ORDINALS if re.search(pattern, text, re.IGNORECASE)), 0)
    return rows[place] if place < len(rows) else rows[0]


def remembered(parameter: Parameter, kind: str, text: str, talk: Conversation) -> Any:
    """The value of a parameter in earlier turns: arguments of calls, results, then the texts themselves."""
    earlier = talk.turns[: talk.asked]
    for call, result in reversed(pairs(earlier)):
        if parameter.name in call.arguments:
            return suited(call.arguments[parameter.name], parameter)
        if (found := from_results(parameter, kind, text, [(call, result)])) is not None:
            return found
    if kind == "code":
        return next((codes[-1] for turn in reversed(earlier) if (codes := codes_of(turn.text, parameter))), None)
    return home(talk) if kind == "place" else None


def codes_of(text: str, parameter: Parameter) -> list[str]:
    """The codes in a text, also bare numbers that the text calls by the parameter's name: order number 88213."""
    name = re.escape(spaced(parameter.name).split()[0])
    labelled = re.findall(rf"(?i)\b{name}\b[^\d.;\n]{{0,20}}\b(\d{{3,}})\b", text)
    return [*labelled, *CODE.findall(text)]


def home(talk: Conversation) -> str | None:
    """Where the user said to live or be, the newest statement first."""
    said = [turn.text for turn in talk.turns[: talk.asked + 1] if turn.role == "user"]
    for text in reversed([talk.system, *said]):
        if matches := list(HOME.finditer(text)):
            return (matches[-1][1] or matches[-1][2]).strip()
    return None
