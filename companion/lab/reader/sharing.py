"""Phrases shared out among the parameters that take words: places, people, titles, messages, things."""

# ruff: noqa: E501 (a pattern or a table row is read as one line)

import re
from typing import Any

from companion.lab.reader.kinds import about, kind_of
from companion.lab.reader.looks import codes
from companion.lab.reader.phrases import Phrase, Text, phrases, quotes
from companion.lab.reader.tables import CALLED, MESSAGE, POINTER, PREFER, ROUTE
from companion.lab.reader.turns import Parameter, Tool
from companion.lab.reader.words import keys, spaced, stem

# Tried in this order: the easier to recognise, the earlier.
ORDER = [
    "path", "email", "url", "phone", "street", "listed", "enum", "datetime", "date", "time", "duration", "currency",
    "unit", "language", "code", "boolean", "origin", "destination", "address", "person", "place", "message", "title",
    "query", "item", "expression", "array", "integer", "number", "object",
]  # fmt: skip


DANGLING = re.compile(r"(?i)[,，]\s*(?:due|by|deadline|priority|urgency|with|优先级|截止|紧急程度)[是为高]?\W*$")
CLAUSE = re.compile(
    r"[:：](?!\d|//)\s*(?P<v>[^\n]+)|\b(?:ticket|issue|bug|report|incident|complaint)\s+(?:that|about|for|because|saying)\s+(?P<w>.+)"
)


def named(tool: Tool, kinds: dict[str, str], text: Text, values: dict[str, list[Any]], ideas: set[str]) -> None:
    """Share out codes, quotations, messages and phrases among the parameters that take words."""
    wanted = [
        p
        for p in tool.parameters
        if p.name not in values and (kinds[p.name] in PREFER or kinds[p.name] == "expression")
    ]
    for parameter in sorted(wanted, key=lambda p: ORDER.index(kinds[p.name])):
        if kinds[parameter.name] == "code" and (found := codes(parameter, tool, text, ideas)):
            values[parameter.name] = found
    route(wanted, kinds, text, values)
    for parameter in wanted:
        if parameter.name not in values and (labelled := after_label(parameter, text)):
            values[parameter.name] = labelled
    for parameter in wanted:
        if (
            parameter.name not in values
            and kinds[parameter.name] in ("message", "title", "query", "item")
            and (found := said(kinds[parameter.name], parameter, text, tool))
        ):
            values[parameter.name] = found
    for moment in (*text.dates, *text.times):
        if text.free(moment.start, moment.end):
            text.use(moment.start, moment.end)
    share([p for p in wanted if p.name not in values], kinds, text, values, ideas)


def after_label(parameter: Parameter, text: Text) -> list[str]:
    """`title: Lunch`, `room = B2`: the user names the parameter."""
    label = re.escape(spaced(parameter.name)).replace(r"\ ", r"[\s_]")
    match = re.search(
        rf"(?:(?<![\w]){label}\s*(?:[:：=]|是|为|\bis\b(?=\s+['\"“A-Z0-9]))|\b(?:with|and) (?:the |a )?{label}(?: of)?\s|[,，] {label} (?=(?-i:[A-Z“])))\s*((?:(?!\s+and\s+(?:say|tell|write|(?:with |the |a )*(?:body|text|message)))[^,，;；。\n?!])+)",
        text.text,
        re.IGNORECASE,
    )
    if not match or not text.free(*match.span(1)):
        return []
    text.use(*match.span())
    return [match[1].strip().strip("\"'“”.")]


def route(wanted: list[Parameter], kinds: dict[str, str], text: Text, values: dict[str, list[Any]]) -> None:
    """From A to B, 从A到B."""
    start = next((p for p in wanted if kinds[p.name] == "origin"), None)
    end = next((p for p in wanted if kinds[p.name] == "destination"), None)
    if not start or not end:
        return
    for pattern in ROUTE:
        for match in pattern.finditer(text.text):
            if text.free(*match.span("a")) and text.free(*match.span("b")):
                for parameter, group in ((start, "a"), (end, "b")):
                    value = re.sub(
                        r"^(?:the|my|请问|查一下|帮我查|查询|我想|我要|今天|明天)\s*",
                        "",
                        match[group].strip(),
                        flags=re.IGNORECASE,
                    )
                    values[parameter.name] = [re.sub(r"^.*(?:从|由)", "", value)]
                    text.use(*match.span(group))
                return


def said(kind: str, parameter: Parameter, text: Text, tool: Tool) -> list[str]:
    """Words given as such: in quotation marks, after "called", after "saying" or "remind me to"."""
    quoted = quotes(text)
    if quoted:
        several = sum(kind_of(p, tool) in ("message", "title", "query", "item") for p in tool.parameters) > 1
        for phrase in quoted[:1] if several else quoted:
            text.use(phrase.start, phrase.end)
        return [value for phrase in (quoted[:1] if several else quoted) for value in phrase.values]
    if (
        kind in ("title", "item", "message")
        and (match := CALLED.search(text.text))
        and text.free(*match.span("v" if match["v"] else "z"))
    ):
        text.use(*match.span())
        return [(match["v"] or match["z"]).strip()]
    if kind in ("message", "title") and (kind == "message" or "!remind" in about(tool)):
        return message(text)
    return clause(text) if kind == "title" and about(tool) & {"!create", "!submit"} else []


def clause(text: Text) -> list[str]:
    """What stands after a colon, or after "a ticket about"."""
    match = CLAUSE.search(text.text)
    span = match.span(match.lastgroup or 0) if match else (0, 0)
    value = clean(DANGLING.sub("", clean(text.rest(*span)))) if match else ""
    text.use(*span)
    return [value] if value else []


def message(text: Text) -> list[str]:
    """The words after "saying", "remind me to", 提醒我 and the like, without the parts already taken."""
    for pattern in MESSAGE:
        match = re.search(pattern, text.text, re.IGNORECASE | re.DOTALL)
        if match and (value := clean(text.rest(*match.span("v")))) and not POINTER.fullmatch(value):
            text.use(*match.span("v"))
            return [value]
    return []


def clean(value: str) -> str:
    """A message without dangling prepositions and punctuation."""
    value = re.sub(r"(?:\s+(?:at|on|in|for|by|to|please|this))+[\s.!?]*$", "", value.strip(), flags=re.IGNORECASE)
    value = re.sub(r"^(?:to|that|at|on|要|去|在|，)\s*(?=\S)", "", value, flags=re.IGNORECASE)
    return value.strip(" .,;。，！!?？\"'“”")


def share(
    wanted: list[Parameter], kinds: dict[str, str], text: Text, values: dict[str, list[Any]], ideas: set[str]
) -> None:
    """Give each parameter the phrase that suits it best."""
    while wanted:
        found = [*phrases(text, ideas)]
        ranked = [
            (suits(p, kinds[p.name], phrase, text, len(found)), p.required, -wanted.index(p), -n, p, phrase)
            for p in wanted
            for n, phrase in enumerate(found)
        ]
        ranked = [r for r in ranked if r[0] > 0 and (r[1] or r[0] >= 2)]
        if not ranked:
            return
        *_, parameter, phrase = max(ranked, key=lambda r: r[:4])
        if kinds[parameter.name] == "query":
            values[parameter.name] = [topic(phrase, found, text)]
            return
        own = re.match(rf"\s+{re.escape(spaced(parameter.name).split()[-1])}s?\b", text.text[phrase.end :])
        tail = own[0] if own and phrase.values[-1].islower() and len(phrase.values) == 1 else ""
        values[parameter.name] = [neat(value + tail, kinds[parameter.name]) for value in phrase.values]
        text.use(phrase.start, phrase.end)
        wanted = [p for p in wanted if p is not parameter]


def suits(parameter: Parameter, kind: str, phrase: Phrase, text: Text, total: int) -> float:
    """How well a phrase suits a parameter of words; 0 or less: not at all."""
    score = 1.0
    name = keys(spaced(parameter.name)) | {stem(w) for w in spaced(parameter.name).split()}
    if phrase.cues & name:
        score += 3
    before = text.text[max(0, phrase.start - 20) : phrase.start].lower()
    if any(re.search(rf"\b{re.escape(w)}s?\s+(?:of\s+|in\s+)?$", before) for w in spaced(parameter.name).split()):
        score += 2
    if re.search(r"room|line|gate|seat|table|platform|shelf|房间|会议室|线路", parameter.name + parameter.description):
        score += 2 * bool(re.search(r"\d", phrase.values[0]))
    if "room" in spaced(parameter.name) and "house_room" in keys(phrase.values[0]):
        score += 3
    wishes = PREFER.get(kind, ())
    score += (2 - 0.2 * wishes.index(phrase.before)) if phrase.before in wishes else -0.5
    if (kind == "code" and score < 4) or (kind == "place" and phrase.values[0].lower() in ("home", "work", "my place")):
        return 0
    if re.fullmatch(r"[\d.]+", phrase.values[0]) and kind not in ("code", "item"):
        return 0
    if kind in ("place", "person", "origin", "destination", "address"):
        sure = phrase.capital or phrase.before in wishes or (total == 1 and len(text.text.split()) <= 4)
        score = score + phrase.capital if sure else 0
        if kind in ("origin", "destination") and phrase.before and phrase.before not in wishes:
            score -= 1.5
        if kind == "person" and not phrase.capital:
            score -= 1
    return score


def neat(value: str, kind: str) -> str:
    """A place or person written the way names are written."""
    small = kind in ("place", "origin", "destination", "person") and value.islower() and value.isascii()
    return " ".join(part.capitalize() for part in value.split()) if small else value


def topic(phrase: Phrase, found: list[Phrase], text: Text) -> str:
    """What to search for: everything that is left of the question, from the first phrase to the last."""
    parts = [value for other in found for value in other.values if other.start >= min(phrase.start, found[0].start)]
    if any(other.before == "about" for other in found):
        parts = [text.text[other.start : other.end] for other in found if other.before == "about"]
    for other in found:
        text.use(other.start, other.end)
    return " ".join(dict.fromkeys(parts))
