"""What a parameter is asking for, judged by its type, its name and its description."""

import re
from functools import lru_cache

from companion.lab.reader.turns import Parameter, Tool
from companion.lab.reader.words import keys, rows, scan, spaced, stem

FORMATS = {
    "date": "date", "date-time": "datetime", "time": "time", "email": "email", "idn-email": "email", "uri": "url",
}  # fmt: skip
# How a description writes a moment down.
WRITTEN = (
    ("datetime", re.compile(r"t\d\d:\d\d|hh:mm.*yyyy|yyyy.*hh:mm")),
    ("date", re.compile(r"yyyy|\d{4}-\d\d-\d\d")),
    ("time", re.compile(r"hh:mm|\d\d:\d\d")),
)
ENDPOINTS = {
    "to": "destination", "end": "destination", "target": "destination", "from": "origin", "start": "origin",
    "source": "origin", "src": "origin", "dst": "destination", "recipient": "person", "receiver": "person",
    "user": "person", "customer": "person",
}  # fmt: skip
MOMENT = re.compile(r"(?:the )?(?:date|day|time)\b|.{0,8}(?:日期|时间)")
LABEL = 12  # characters: as short as a name
# What lies between two endpoints, by the tool's own words.
BETWEEN = (
    ("person", r"(?:send|transfer|pay|wire|lend) money|转账|汇款"),
    ("currency", r"currenc|money|exchange rate|货币|汇率"),
    ("language", r"translat|翻译"),
    ("unit", r"\bunits?\b|单位|kilomet|celsius"),
    ("person", r"message|send|call|transfer|pay|发送|转账|消息|短信"),
)


@lru_cache
def patterns() -> list[tuple[str, re.Pattern[str]]]:
    """Each kind with the words for it, in the order to try them."""
    table = [line.split(" / ") for line in rows("kinds.txt")]
    return [(kind, re.compile(rf"\b(?:{english})\b|{zh}")) for kind, english, zh in table]


@lru_cache(maxsize=1024)
def by_words(said: str) -> str:
    """The first kind whose words are said, "" for none."""
    return next((kind for kind, pattern in patterns() if pattern.search(said)), "")


@lru_cache(maxsize=1024)
def kind_of(parameter: Parameter, tool: Tool) -> str:
    """The kind of value a parameter takes.

    A type is a kind of its own; strings are told apart by format, then name, then description.
    """
    schema = parameter.schema
    if isinstance(schema.get("enum"), list) or "const" in schema:
        return "enum"
    kind = schema.get("type")
    kind = next((k for k in kind if k != "null"), "string") if isinstance(kind, list) and kind else kind
    if kind in ("boolean", "integer", "number", "array", "object"):
        return str(kind)
    form = schema.get("format")
    return FORMATS.get(str(form)) or string_kind(spaced(parameter.name), parameter.description.lower(), tool)


def string_kind(name: str, description: str, tool: Tool) -> str:
    """The kind of a string parameter."""
    kind, told = by_words(name), by_words(description[:120])
    if kind in ("time", "date") and told == "datetime":
        return "datetime"
    if kind in ("time", "date", "") or name in ENDPOINTS:
        told = next((form for form, pattern in WRITTEN if pattern.search(description)), told)
        kind = told if kind and told in ("datetime", "date", "time") else kind
    if name in ENDPOINTS:
        return told if told not in ("", "message", "query") else endpoint(name, tool)
    if kind in ("origin", "destination", "place", "person") and told in (
        "email",
        "code",
        "language",
        "currency",
        "unit",
    ):
        return told
    if kind in ("origin", "destination") and MOMENT.match(description):  # arrival: date of arrival
        return told
    inner = by_words(name.split(" ", 1)[-1])
    if kind in ("origin", "destination") and inner in ("currency", "language", "unit", "date", "time"):
        return inner
    return kind or (told if told not in ("message", "query", "time", "title") else "") or "item"


def endpoint(name: str, tool: Tool) -> str:
    """`to` and `from` mean a place, a person, a currency or a unit: the tool's own words decide."""
    about = f"{spaced(tool.name)} {tool.description.lower()}"
    if name in ("to", "from", "recipient") and re.search(r"e-?mail|邮件", about):
        return "address"
    kind = ENDPOINTS[name]
    return kind if kind == "person" else next((k for k, pattern in BETWEEN if re.search(pattern, about)), kind)


@lru_cache(maxsize=512)
def about(tool: Tool) -> frozenset[str]:
    """The ideas a tool's own words carry, and after "=" the words themselves: they are hardly ever its values."""
    names = [spaced(name) for name in (tool.name, *(p.name for p in tool.parameters))]
    labels = [p.description for p in tool.parameters if len(p.description) <= LABEL]
    literal = {"=" + stem(word.text) for word in scan(" \n".join([spaced(tool.name), *labels]))}
    return frozenset(keys(" \n".join(names)) | keys(tool.description[:600]) | literal)
