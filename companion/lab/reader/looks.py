"""Values that can be told by their look: addresses, dates, lengths of time, ids, yes and no."""

import re
from typing import Any

from companion.lab.reader.coded import coded
from companion.lab.reader.durations import SECONDS, UNIT, Duration, durations
from companion.lab.reader.kinds import kind_of
from companion.lab.reader.numbers import tidy
from companion.lab.reader.options import labels
from companion.lab.reader.tables import EMAIL, NEGATED, OFF, ON, PATH, PHONE, POSTCODE, STREET, SWITCHES, URL
from companion.lab.reader.text import Text, codes_in
from companion.lab.reader.turns import Parameter, Tool, resolved, tool_of
from companion.lab.reader.words import chinese, keys, scan, spaced, stem

ANY = tool_of("", "", {})
LOOKS = {
    "email": EMAIL,
    "address": EMAIL,
    "url": URL,
    "phone": PHONE,
    "postcode": POSTCODE,
    "street": STREET,
    "path": PATH,
}
GLOSS = re.compile(r"[(（](?!true|false|optional|default|yes|no|是|否)([^)），,]{4,24})[)）]", re.I)  # (double-sided)
ANOTHER = re.compile(
    r"(?i)[\s,，]*(?:(?:and|or|plus|also|another|one|an?|for|timer|of|then|和|、|以及|再|一个|来|设|计时|定时)[\s,，]*)+"
)
RATE = re.compile(r"\b(?:per|an?|each|every)\s+$|每$")
BARE_CODES = (
    re.compile(r"(?<![\w.-])[A-Z]{1,3} \d{2,6}(?!\w)"),
    re.compile(
        r"(?<![\w.-])(?:\d{3,}-)?\d{1,14}(?![\w.]*\d)(?!\s*(?:%|°|minutes|hours|days|people|点|分|个|天|人))", re.A
    ),
    re.compile(r"(?<!\w)(?!OK\b|AM\b|PM\b|TV\b)[A-Z]{2,6}(?!\w)"),
)


def length_kind(parameter: Parameter, kind: str) -> str:
    """Numbers that count minutes or days are lengths of time; lists of labels, emails or dates are told by look."""
    if kind == "array" and plain_list(parameter):
        return "listed"
    return "duration" if kind in ("integer", "number") and time_unit(parameter) else kind


def time_unit(parameter: Parameter) -> int:
    """Seconds in the unit a parameter counts, 0 when it is no length of time."""
    for words in (spaced(parameter.name), parameter.description.lower()):
        for match in UNIT.finditer(words):
            if match[0] not in ("day", "week") and not RATE.search(words[: match.start()]):
                return SECONDS[match.lastgroup or ""]
    return 0


def singular(name: str) -> str:
    """cities -> city, emails -> email."""
    return re.sub(r"s$", "", re.sub(r"ies$", "y", name))


def item_of(parameter: Parameter) -> Parameter:
    """One thing of a list, as a parameter of its own."""
    items = resolved(parameter.schema.get("items"), parameter.schema)
    return Parameter(singular(parameter.name), items, parameter.description, True)


def plain_list(parameter: Parameter) -> bool:
    """Is it a list of values that are recognised by their look?"""
    one = item_of(parameter)
    return not one.schema.get("properties") and kind_of(one, ANY) in ("enum", "email", "url", "phone", "date", "time")


def simple(kind: str, parameter: Parameter, tool: Tool, text: Text) -> list[Any]:
    """Values of a kind that can be told by its look; takes their places."""
    match kind:
        case "email" | "address" | "url" | "phone" | "postcode" | "street" | "path":
            return [found.rstrip(".,") for found in taken(LOOKS[kind], text)]
        case "enum":
            return labels(parameter, tool, text)
        case "boolean":
            return switch(parameter, text)
        case "duration":
            return length(parameter, text)
        case "date" | "time":
            return moments(kind, parameter, tool, text)
        case "datetime":
            return datetime(parameter, text)
        case "currency" | "language" | "unit":
            return coded(kind, parameter, tool, text)
        case "listed":
            one = item_of(parameter)
            found = simple(kind_of(one, tool), one, tool, text)
            return [found] if found else []
    return []


def taken(pattern: re.Pattern[str], text: Text) -> list[str]:
    """All free matches, taken."""
    found = [match for match in pattern.finditer(text.text) if text.free(*match.span())]
    for match in found:
        text.use(*match.span())
    return [match[0] for match in found]


def switch(parameter: Parameter, text: Text) -> list[bool]:
    """True or false: on and off, or the parameter's own word with or without a "no" before it."""
    switches = re.search(r"\b(?:on|off)\b|打开|开启|true\b.*false", parameter.description.lower())
    if (switches or parameter.name.lower() in SWITCHES) and (found := OFF.search(text.text) or ON.search(text.text)):
        text.use(*found.span())
        return [found.re is ON]
    if place := mention(parameter, text.text):
        text.use(*place)
        return [not NEGATED.search(text.text[max(0, place[0] - 24) : place[0]])]
    return []


def mention(parameter: Parameter, text: str) -> tuple[int, int] | None:
    """Where a text says what a parameter of yes or no is about."""
    core = re.sub(r"是否|需?要|可选|[，。（(].*", "", parameter.description)
    names = [re.escape(core)] * chinese(core) + [rf"\b{re.escape(spaced(parameter.name))}\b"]
    names += [re.escape(gloss) for gloss in GLOSS.findall(parameter.description)]
    if match := re.search("|".join(names), text, re.IGNORECASE):
        return match.span()
    own = keys(spaced(parameter.name))
    for word in scan(text):
        said = {*word.keys, *map(stem, re.findall(r"\w+", word.text))}
        stems = [(key, one) for key in own for one in said if min(len(key), len(one)) > 3]  # admin: administrator
        if own & said or any(key.startswith(one) or one.startswith(key) for key, one in stems):
            return word.start, word.end
    return None


def length(parameter: Parameter, text: Text) -> list[int | float]:
    """Lengths of time in the parameter's unit: the first, and those that follow it in a list."""
    found: list[Duration] = []
    for one in durations(text.text):
        if text.free(one.start, one.end) and (not found or ANOTHER.fullmatch(text.text[found[-1].end : one.start])):
            text.use(one.start, one.end)
            found.append(one)
    return [tidy(round(one.seconds / time_unit(parameter), 6)) for one in found]


def moments(kind: str, parameter: Parameter, tool: Tool, text: Text) -> list[str]:
    """Dates or times as the parameter wants them; a day nobody can date stays as the user's word."""
    strict = parameter.schema.get("format") or re.search(
        r"iso|yyyy|\d{4}-\d\d", (parameter.description + tool.description).lower()
    )
    found = [
        moment
        for moment in (text.times if kind == "time" else text.dates)
        if text.free(moment.start, moment.end) and (moment.exact or not strict)
    ]
    if sum(kind_of(p, tool) == kind for p in tool.parameters) > 1:
        found = found[:1]
    for moment in found:
        text.use(moment.start, moment.end)
    return [moment.value for moment in found]


def datetime(parameter: Parameter, text: Text) -> list[str]:
    """The first day with the first time, where both are said and the day can be dated."""
    day = next((m for m in text.dates if text.free(m.start, m.end)), None)
    clock = next((m for m in text.times if text.free(m.start, m.end)), None)
    if not day or not clock or not day.exact:
        return []
    text.use(day.start, day.end)
    text.use(clock.start, clock.end)
    wanted = parameter.description.lower()
    seconds = ":00" if re.search(r":ss|:00\b", wanted) or parameter.schema.get("format") else ""
    return [f"{day.value}{' ' if 'dd hh' in wanted else 'T'}{clock.value}{seconds}"]


def codes(parameter: Parameter, tool: Tool, text: Text, ideas: set[str]) -> list[str]:
    """Ids: codes with a digit, else letters and a number, a bare number, a word in capitals."""
    found = [match for match in codes_in(text.text) if text.free(*match.span())]
    example = re.search(r"\b([A-Z]{1,6})-?\d", parameter.description + " " + tool.description)
    found = [m for m in found if example and m[0].upper().startswith(example[1])] or found
    for pattern in BARE_CODES:
        found = found or [m for m in pattern.finditer(text.text) if text.free(*m.span())]
    if sum(kind_of(p, tool) == "code" for p in tool.parameters) > 1:
        found = found[:1]
    for match in found:
        text.use(*match.span())
    return [match[0].lstrip("#") for match in found]
