"""Values that the last message only points at: "it", "there", "the cheapest", 这个."""

# ruff: noqa: E501 (a pattern or a table row is read as one line)

import re
from typing import Any

from companion.lab.reader import results
from companion.lab.reader.phrases import CODE
from companion.lab.reader.turns import Call, Conversation, Parameter, pairs
from companion.lab.reader.words import spaced

HOME = re.compile(
    r"\b(?:live in|lives in|living in|based in|located in|i am in|i'm in|i am from|i'm from|home (?:city|town) is|home is|moved to|city is|location is|staying in|trip to|travell?ing to)\s+((?:[A-Z][\w'-]*\s?){1,3})"
    r"|(?:住在|我在|位于|来自|家在|定居在?|所在城市[是为:：]?|搬到)([\u4e00-\u9fff]{2,6}?)(?=[，。,.！!？?\s了的]|$)"
)
PICKS = (
    (r"cheap|lowest|least expensive|最便宜|最低", ("price", "cost", "fare", "amount", "价格"), min),
    (r"most expensive|priciest|最贵", ("price", "cost", "fare", "价格"), max),
    (r"earliest|soonest|最早", ("time", "departure", "depart", "start", "date", "时间"), min),
    (r"latest|last|最晚|最新|最后", ("time", "departure", "depart", "start", "date", "时间"), max),
    (r"best|highest|top|最好|最高", ("rating", "score", "stars", "评分"), max),
    (r"fast|quick|short|最快|最短", ("duration", "minutes", "time", "distance"), min),
    (r"near|close|最近", ("distance", "km"), min),
    (r"large|big|最大", ("size", "capacity", "seats"), max),
)
ORDINALS = ((r"\bfirst\b|第一", 0), (r"\bsecond\b|第二", 1), (r"\bthird\b|第三", 2), (r"\blast\b|最后", -1))


def from_results(parameter: Parameter, kind: str, text: str, done: list[tuple[Call, str]]) -> Any:
    """The value of a parameter in the results of this request, the newest first; None if none fits."""
    for _, result in reversed(done):
        if results.failed(result):
            continue
        found = value_in(results.read(result), parameter, kind, text)
        if found is not None:
            return found
    return None


def value_in(data: Any, parameter: Parameter, kind: str, text: str) -> Any:
    """The part of a result that suits a parameter: the key of its name, a key of its kind, or the whole."""
    if (
        isinstance(data, dict)
        and len(lists := [v for v in data.values() if isinstance(v, list) and v]) == 1
        and key_of(data, parameter, kind) is None
    ):
        data = lists[0]
    if isinstance(data, list):
        data = pick(data, text) if data else None
    if isinstance(data, dict):
        key = key_of(data, parameter, kind)
        return suited(data[key], parameter) if key is not None else None
    if isinstance(data, (int, float)) and not isinstance(data, bool):
        return suited(data, parameter) if kind in ("integer", "number") else None
    return from_text(data, parameter, kind) if isinstance(data, str) else None


def from_text(data: str, parameter: Parameter, kind: str) -> Any:
    """A value out of a plain text result."""
    if kind in ("integer", "number"):
        number = results.number_in(data)
        return None if number is None else suited(number, parameter)
    patterns = {
        "code": CODE,
        "email": re.compile(r"[\w.+-]+@[\w.-]+\w"),
        "address": re.compile(r"[\w.+-]+@[\w.-]+\w"),
        "date": re.compile(r"\d{4}-\d\d-\d\d"),
    }
    if kind in patterns:
        match = patterns[kind].search(data)
        return match[0] if match else None
    return (
        results.safe(data)
        if len(data) < (2000 if kind in ("message", "query") else 60) and "\n" not in data.strip()
        else None
    )


def suited(value: Any, parameter: Parameter) -> Any:
    """The value in the parameter's type, None if it cannot be."""
    kind = parameter.schema.get("type")
    if kind in ("integer", "number"):
        number = results.number_in(str(value))
        return (
            None if number is None else int(number) if number == int(number) else number if kind == "number" else None
        )
    return str(value) if kind == "string" and not isinstance(value, (dict, list)) else value


def key_of(data: dict[str, Any], parameter: Parameter, kind: str) -> str | None:
    """The key that stands for a parameter: the same name, else one that ends alike, else `id` for an id."""
    name = spaced(parameter.name).split()
    keys = {key: spaced(key).split() for key in data if not isinstance(data[key], (dict, list))}
    for fits in (
        lambda k: k == name,
        lambda k: k[-1:] == name[-1:] and (len(k) == 1 or len(name) == 1 or k[-1] != "id"),
        lambda k: bool({*k} & {*name} - {"id", "name", "to", "from"}),
    ):
        if found := next((key for key, words in keys.items() if fits(words)), None):
            return found
    wanted = {
        "code": ("id", "code", "number"),
        "address": ("email",),
        "email": ("email",),
        "person": ("name",),
        "item": ("name", "title"),
        "title": ("title", "name"),
        "place": ("city", "location"),
        "number": ("price", "amount", "value", "result", "total"),
    }
    return next((key for key, words in keys.items() if words and words[-1] in wanted.get(kind, ())), None)


def pick(rows: list[Any], text: str) -> Any:
    """The row a superlative or an ordinal means, else the first."""
    for pattern, names, choose in PICKS:
        if re.search(pattern, text, re.IGNORECASE) and all(isinstance(row, dict) for row in rows):
            key = next((key for key in rows[0] if any(name in str(key).lower() for name in names)), None)
            if key and all(
                key in row and isinstance(row[key], type(rows[0][key])) and isinstance(row[key], (int, float, str))
                for row in rows
            ):
                return choose(rows, key=lambda row: row[key])
    place = next((n for pattern, n in ORDINALS if re.search(pattern, text, re.IGNORECASE)), 0)
    return rows[place] if -len(rows) <= place < len(rows) else rows[0]


def remembered(parameter: Parameter, kind: str, text: str, talk: Conversation) -> Any:
    """The value of a parameter in earlier turns: arguments of calls, results, then the texts themselves."""
    earlier = talk.turns[: talk.asked]
    made = pairs(earlier)
    for call, result in reversed(made):
        same = next((name for name in call.arguments if name == parameter.name), None)
        if same:
            return suited(call.arguments[same], parameter)
        if not results.failed(result) and (found := value_in(results.read(result), parameter, kind, text)) is not None:
            return found
        if (near := key_of(call.arguments, parameter, kind)) is not None:
            return suited(call.arguments[near], parameter)
    for turn in reversed(earlier):
        if kind == "code" and turn.role in ("user", "assistant") and (codes := CODE.findall(turn.text)):
            return codes[-1]
    return None


def home(talk: Conversation) -> str | None:
    """Where the user said to live or be, the newest statement first."""
    said = [turn.text for turn in talk.turns[: talk.asked] if turn.role == "user"]
    for text in reversed([talk.system, *said, talk.request]):
        if matches := list(HOME.finditer(text)):
            return (matches[-1][1] or matches[-1][2]).strip()
    return None
