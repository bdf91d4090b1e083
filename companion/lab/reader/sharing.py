"""Phrases shared out among the parameters that take words: places, people, titles, messages, things."""

import re
from typing import Any

from companion.lab.reader.kinds import about, kind_of
from companion.lab.reader.looks import codes
from companion.lab.reader.phrases import Phrase, phrases, quotes
from companion.lab.reader.tables import CALLED, MESSAGE, POINTER, PREFER, ROUTE
from companion.lab.reader.text import Text
from companion.lab.reader.turns import Parameter, Tool
from companion.lab.reader.words import keys, spaced

# Tried in this order: the easier to recognise, the earlier.
ORDER = [
    "path", "email", "url", "phone", "postcode", "street", "listed", "enum", "datetime", "date", "time", "duration",
    "currency", "unit", "language", "code", "boolean", "origin", "destination", "address", "person", "place", "message",
    "title", "query", "item", "expression", "array", "integer", "number", "object",
]  # fmt: skip
WORDED = ("message", "title", "query", "item")
NAMED = ("place", "person", "origin", "destination", "address")
DANGLING = re.compile(
    r"(?i)[,，]\s*(?:due|by|deadline|priority|urgency|with|优先级|截止|紧急程度)[是为高]?\W*$"
    r"|(?:\s+(?:at|on|in|for|by|to|please|this))+[\s.!?]*$"
)
CLAUSE = (
    r"[:：](?!\d|//)\s*(?P<v>[^\n]+)",
    r"\b(?:ticket|issue|bug|report|incident|complaint)\s+(?:that|about|for|because|saying)\s+(?P<v>.+)",
)
# What may stand between a parameter's name and its value, and where the value ends.
LABEL = (
    r"(?<!\w){label}\s*(?:[:：=]|[是为](?![谁什哪多])|\bis\b(?=\s+(?-i:['\"“A-Z0-9])))",
    r"\b(?:with|and) (?:the |a )?{label}(?: of)?\s",
    r"[,，] {label} (?=(?-i:[A-Z“]))",
)
VALUE = r"\s*((?:(?!\s+and\s+(?:say|tell|write|(?:with |the |a )*(?:body|text|message)))[^,，;；。\n?!])+)"
VISIT = re.compile(r"(?<=[\u4e00-\u9fff]{2})(?:玩|旅游|旅行|出差|度假|的话)$")
ID = re.compile(r"\b[A-Z]{2,}-\d{2,}")  # ORD-770 is no city
NUMBERED = re.compile(r"room|line|gate|seat|table|platform|shelf|房间|会议室|线路")


def named(tool: Tool, kinds: dict[str, str], text: Text, values: dict[str, list[Any]], ideas: set[str]) -> None:
    """Share out codes, quotations, messages and phrases among the parameters that take words."""
    worded = [p for p in tool.parameters if kinds[p.name] in (*PREFER, "expression") and p.name not in values]
    for parameter in worded:
        if kinds[parameter.name] == "code" and (found := codes(parameter, tool, text, ideas)):
            values[parameter.name] = found
    route(worded, kinds, text, values)
    for find in (labelled, said):
        for parameter in worded:
            if parameter.name not in values and (found := find(parameter, kinds[parameter.name], text, tool)):
                values[parameter.name] = found
    share([p for p in worded if p.name not in values], kinds, text, values, ideas)


def labelled(parameter: Parameter, kind: str, text: Text, tool: Tool) -> list[str]:
    """`title: Lunch`, `room = B2`: the user names the parameter."""
    told = re.split(r"[^\u4e00-\u9fff]", parameter.description)[0]
    parts = [part for n in range(2, len(told) + 1) for part in (told[:n], told[-n:])]  # 所在城市: 城市
    name = re.escape(spaced(parameter.name)).replace(r"\ ", r"[\s_]")
    label = f"(?:{'|'.join([name, *parts])})"
    match = re.search(f"(?:{'|'.join(LABEL)}){VALUE}".replace("{label}", label), text.text, re.IGNORECASE)
    if not match or not text.free(*match.span(1)):
        return []
    text.use(*match.span())
    return [match[1].strip().strip("\"'“”.")]


def route(wanted: list[Parameter], kinds: dict[str, str], text: Text, values: dict[str, list[Any]]) -> None:
    """From A to B, 从A到B."""
    ends = {kinds[p.name]: p.name for p in reversed(wanted)}
    if not {"origin", "destination"} <= ends.keys():
        return
    for match in (match for pattern in ROUTE for match in pattern.finditer(text.text)):
        if text.free(*match.span("a")) and text.free(*match.span("b")):
            for kind, group in (("origin", "a"), ("destination", "b")):
                value = re.sub(
                    r"(?i)^(?:the|my|请问|帮?我?查一?[下询]?|我[想要]|[今明]天)\s*|^.*[从由]|[坐乘搭][\u4e00-\u9fff]{1,3}$|(?:打车|开车|骑车|走路|步行)$",
                    "",
                    match[group].strip(),
                )
                values[ends[kind]] = [value]
                text.use(*match.span(group))
            return


def said(parameter: Parameter, kind: str, text: Text, tool: Tool) -> list[str]:
    """Words given as such: in quotation marks, after "called", after "saying" or "remind me to"."""
    if kind not in WORDED:
        return []
    several = sum(kind_of(p, tool) in WORDED for p in tool.parameters) > 1
    if quoted := quotes(text)[: 1 if several else None]:
        for phrase in quoted:
            text.use(phrase.start, phrase.end)
        return [value for phrase in quoted for value in phrase.values]
    match = CALLED.search(text.text)
    if kind != "query" and match and text.free(*match.span(match.lastgroup or 0)):
        text.use(*match.span())
        return [match[match.lastgroup or 0].strip()]
    if kind == "message" or (kind == "title" and "!remind" in about(tool)):
        return after(MESSAGE, text)
    return after(CLAUSE, text) if kind == "title" and about(tool) & {"!create", "!submit"} else []


def after(patterns: tuple[str, ...], text: Text) -> list[str]:
    """The words after "saying", "remind me to", 提醒我, a colon and the like, without the parts already taken."""
    for pattern in patterns:
        match = re.search(pattern, text.text, re.IGNORECASE | re.DOTALL)
        if match and (value := clean(text.rest(*match.span("v")))) and not POINTER.fullmatch(value):
            text.use(*match.span("v"))
            return [value]
    return []


def clean(value: str) -> str:
    """A message without dangling prepositions and punctuation."""
    return DANGLING.sub("", value.strip(" .,;。，！!?？\"'“”")).strip(" .,;。，！!?？\"'“”")


def share(
    wanted: list[Parameter], kinds: dict[str, str], text: Text, values: dict[str, list[Any]], ideas: set[str]
) -> None:
    """Give each parameter the phrase that suits it best."""
    while wanted:
        found = phrases(text, ideas)
        if "array" in kinds.values():  # a list is for the parameter that takes one
            found = [phrase for phrase in found if len(phrase.values) == 1]
        ranked = [
            (suits(p, kinds[p.name], phrase, text, len(found)), p.required, -wanted.index(p), -n, p, phrase)
            for p in wanted
            for n, phrase in enumerate(found)
        ]
        ranked = [r for r in ranked if r[0] > (0 if r[1] else 1.99)]
        if not ranked:
            return
        *_, parameter, phrase = max(ranked, key=lambda r: r[:4])
        if kinds[parameter.name] == "query":
            values[parameter.name] = [topic(found, text)]
            return
        own = re.match(
            rf"\s+{re.escape(spaced(parameter.name).split()[-1])}s?\b", text.text[phrase.end :]
        )  # front door
        tail = own[0] if own and phrase.values[-1].islower() else ""
        values[parameter.name] = [neat(value + tail, kinds[parameter.name]) for value in phrase.values]
        text.use(phrase.start, phrase.end)
        wanted = [p for p in wanted if p is not parameter]


def suits(parameter: Parameter, kind: str, phrase: Phrase, text: Text, total: int) -> float:
    """How well a phrase suits a parameter of words; 0 or less: not at all."""
    value, wishes, label = phrase.values[0], PREFER.get(kind, ()), spaced(parameter.name)
    score = 1.0
    score += 3 * bool(phrase.cues & keys(label))
    score += 2 * bool(NUMBERED.search(parameter.name + parameter.description) and re.search(r"\d", value))
    score += 3 * bool("room" in label and "house_room" in keys(value))
    score += (2 - 0.2 * wishes.index(phrase.before)) if phrase.before in wishes else -0.5
    if (kind == "code" and score < 4) or (kind == "place" and value.lower() in ("home", "work", "my place")):
        return 0
    if re.fullmatch(r"[\d.]+", value) and kind not in ("code", "item"):
        return 0
    if kind in NAMED:
        if ID.search(value):
            return 0
        sure = phrase.capital or phrase.before in wishes or (total == 1 and len(text.text.split()) <= 4)
        return score + phrase.capital if sure else 0
    return score


def neat(value: str, kind: str) -> str:
    """A place or person written the way names are written; what a person does is no part of the name."""
    if kind == "person" and value[:1].isupper():
        return re.sub(r"(?:\s+[a-z]+)+$", "", value)
    value = VISIT.sub("", value) if kind in NAMED else value
    return value.title() if kind in NAMED and value.islower() and value.isascii() else value


def topic(found: list[Phrase], text: Text) -> str:
    """What to search for: all that stands after "about", else every phrase of the question."""
    start = next((phrase.start for phrase in found if phrase.before == "about"), None)
    values = dict.fromkeys(value for phrase in found for value in phrase.values)
    value = " ".join(values) if start is None else text.rest(start, found[-1].end)
    for phrase in found:
        text.use(phrase.start, phrase.end)
    return value
