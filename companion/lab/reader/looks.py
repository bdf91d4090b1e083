"""Values that can be told by their look: labels, dates, lengths of time, currencies, units, ids, on and off."""

import re
from typing import Any

from companion.lab.reader.durations import duration
from companion.lab.reader.kinds import kind_of
from companion.lab.reader.numbers import tidy
from companion.lab.reader.phrases import CODE, Text
from companion.lab.reader.tables import (
    CURRENCIES,
    EMAIL,
    EMPTY,
    LANGUAGES,
    NEGATED,
    OFF,
    ON,
    PATH,
    PHONE,
    STREET,
    SWITCHES,
    UNIT_NAMES,
    UNITS,
    URL,
)
from companion.lab.reader.turns import Parameter, Tool, resolved, tool_of
from companion.lab.reader.words import CJK, chinese, keys, scan, spaced, stem

ANY = tool_of("", "", {})


ANOTHER = re.compile(
    r"(?i)[\s,，]*(?:(?:and|plus|also|another|one|an?|for|timer|of|then|和|、|以及|再|一个|来|设|计时|定时)[\s,，]*)+"
)


def length_kind(parameter: Parameter, kind: str) -> str:
    """Numbers that count minutes or hours are lengths of time."""
    if kind == "array" and plain_list(parameter):
        return "listed"
    return "duration" if kind in ("integer", "number") and time_unit(parameter) else kind


def time_unit(parameter: Parameter) -> int:
    """Seconds in the unit a parameter counts, 0 when it is no length of time."""
    words = spaced(parameter.name) + " " + parameter.description.lower()
    for pattern, seconds in (
        (r"\bminutes?\b|\bmins?\b|分钟", 60),
        (r"\bseconds?\b|\bsecs?\b|秒", 1),
        (r"\bhours?\b|小时", 3600),
    ):
        if re.search(pattern, words):
            return seconds
    return 0


def singular(name: str) -> str:
    """cities -> city, emails -> email."""
    return re.sub(r"s$", "", re.sub(r"ies$", "y", name))


def plain_list(parameter: Parameter) -> bool:
    """Is it a list of values that are recognised by their look: enum labels, emails, dates?"""
    items = resolved(parameter.schema.get("items"), parameter.schema)
    inner = Parameter(singular(parameter.name), items, parameter.description, True)
    return not items.get("properties") and kind_of(inner, ANY) in ("enum", "email", "url", "phone", "date", "time")


def simple(kind: str, parameter: Parameter, tool: Tool, text: Text) -> list[Any]:
    """Values of a kind that can be told by its look."""
    match kind:
        case "email" | "url" | "phone" | "street" | "path":
            return looks({"email": EMAIL, "url": URL, "phone": PHONE, "street": STREET, "path": PATH}[kind], text)
        case "address":
            return looks(EMAIL, text)
        case "enum":
            return [label for label, _ in labels(parameter, tool, text)]
        case "boolean":
            return switch(parameter, text)
        case "duration":
            return length(parameter, text)
        case "date" | "time" | "datetime":
            return moments(kind, parameter, tool, text)
        case "currency":
            return currencies(parameter, text)
        case "language":
            return languages(parameter, tool, text)
        case "unit":
            return units(parameter, tool, text)
        case "listed":
            return listed_simple(parameter, tool, text)
    return []


def looks(pattern: re.Pattern[str], text: Text) -> list[str]:
    """All free matches, taken."""
    found = [match for match in pattern.finditer(text.text) if text.free(*match.span())]
    for match in found:
        text.use(*match.span())
    return [match[0].rstrip(".,") for match in found]


def labels(parameter: Parameter, tool: Tool, text: Text) -> list[tuple[Any, int]]:
    """The labels of an enum that the text names, with their places, in order."""
    options = parameter.schema.get("enum") or [parameter.schema.get("const")]
    found: list[tuple[Any, int, int]] = []
    for label in options:
        for pattern in aliases(label, f"{parameter.description}\n{tool.description}"):
            if match := next((m for m in pattern.finditer(text.text) if text.free(*m.span())), None):
                found.append((label, *match.span()))
                break
    found = found or by_ideas(options, text)
    found = [
        f
        for f in found
        if not any(g is not f and g[1] <= f[1] and f[2] <= g[2] and g[2] - g[1] > f[2] - f[1] for g in found)
    ]
    found.sort(key=lambda f: f[1])
    if len(found) > 1 and re.search(r"\b(?:from|to|source|target)\b", spaced(parameter.name)):
        chosen = directed(parameter, [(start, end, label) for label, start, end in found], text)
        return [f[:2] for f in found if f[0] in chosen]
    own = re.escape(spaced(parameter.name))
    for _, start, end in found:
        before = re.search(rf"(?i)[,，]?\s*(?:\bwith\s+)?(?:\ban?\s+)?\b{own}\s*(?:[:=]|\bis)?\s*$", text.text[:start])
        after = re.match(rf"(?i)\s+{own}\b", text.text[end:])
        text.use(before.start() if before else start, end + after.end() if after else end)
    return [(label, start) for label, start, _ in found]


def aliases(label: Any, description: str) -> list[re.Pattern[str]]:
    """The label as people write it, and what the description says it means: `celsius 为摄氏度`, `今天（today）`."""
    name = str(label)
    words = [re.escape(spaced(name)).replace(r"\ ", r"[\s_-]?")]
    if name in CURRENCIES:
        words.append(CURRENCIES[name])
    bare = re.escape(name)
    for match in re.finditer(
        rf"(?<![A-Za-z]){bare}['\"”]?\s*(?:[（(=:：]|为|是|表示|means?|for)\s*([^，,;；、。.()（）\n'\"]+)", description
    ):
        words.append(re.escape(match[1].strip()))
    for match in re.finditer(rf"([\w\u4e00-\u9fff]+)\s*[（(]\s*['\"]?{bare}['\"]?\s*[）)]", description):
        words.append(re.escape(re.sub(r"^.*[或和是]", "", match[1])))
    return [
        re.compile(w if re.match(rf"\\?[{CJK}]", w) else rf"(?<![A-Za-z0-9]){w}(?:s|es)?(?![A-Za-z0-9])", re.IGNORECASE)
        for w in words
        if w
    ]


def by_ideas(options: list[Any], text: Text) -> list[tuple[Any, int, int]]:
    """Labels whose idea the text carries, when no other label shares that idea."""
    ideas = {str(label): keys(spaced(str(label))) for label in options}
    found = []
    for label in options:
        own = {k for k in ideas[str(label)] if sum(k in other for other in ideas.values()) == 1}
        word = next((w for w in scan(text.text) if own & set(w.keys) and text.free(w.start, w.end)), None)
        if word:
            found.append((label, word.start, word.end))
    return found


def switch(parameter: Parameter, text: Text) -> list[bool]:
    """True or false: on and off, or the parameter's own word with or without a "no" before it."""
    name = spaced(parameter.name)
    if parameter.name.lower() in SWITCHES or re.search(
        r"\b(?:on|off)\b|打开|开启|true\b.*false", parameter.description.lower()
    ):
        off, on = OFF.search(text.text), ON.search(text.text)
        if off or on:
            text.use(*(off or on).span())  # type: ignore[union-attr]
            return [not off]
    own = keys(name) | {stem(w) for w in re.findall(r"[a-z]{3,}", name)}
    own |= keys(parameter.description[:80]) if chinese(text.text) and chinese(parameter.description) else set()
    own -= EMPTY
    core = re.sub(r"是否|需要|可选|[要，。（(].*", "", parameter.description)
    if len(core) > 1 and chinese(core) and core in text.text:
        return [affirmed(text, text.text.index(core), text.text.index(core) + len(core))]
    for word in scan(text.text):
        for part in re.finditer(r"[\w]+", word.text) if word.known or word.text.isascii() else ():
            if own & {*word.keys, stem(part[0])}:
                return [affirmed(text, word.start, word.end)]
        if not word.known and (key := next((key for key in word.keys if key in own), "")) in word.text and key:
            return [affirmed(text, text.text.index(key, word.start), word.end)]
    return []


def affirmed(text: Text, start: int, end: int) -> bool:
    """Is the thing said at this place wanted, not ruled out? Takes the place."""
    text.use(start, end)
    return not NEGATED.search(text.text[max(0, start - 24) : start])


def length(parameter: Parameter, text: Text) -> list[int | float]:
    """A length of time in the parameter's unit."""
    found = duration(text.text)
    if not found or not text.free(found[1], found[2]):
        return []
    text.use(found[1], found[2])
    before = re.search(r"(?:\d+\s*(?:,|and|、|和)\s*)+$", text.text[: found[1]])  # 5 and 10 minutes
    last = re.match(r"[\d.]+", text.text[found[1] :])
    each = found[0] / float(last[0]) if before and last and float(last[0]) else 0
    seconds = [*(int(n) * each for n in re.findall(r"\d+", before[0])), found[0]] if before and each else [found[0]]
    if before and each:
        text.use(*before.span())
    while more := duration(text.text[found[2] :]):
        if not ANOTHER.fullmatch(text.text[found[2] : found[2] + more[1]]):
            break
        found = (more[0], found[2] + more[1], found[2] + more[2])
        text.use(found[1], found[2])
        seconds.append(more[0])
    return [tidy(round(amount / time_unit(parameter), 6)) for amount in seconds]


def moments(kind: str, parameter: Parameter, tool: Tool, text: Text) -> list[str]:
    """Dates or times as the parameter wants them; a day nobody can date stays as the user's word."""
    days = [m for m in text.dates if text.free(m.start, m.end)]
    clock = [m for m in text.times if text.free(m.start, m.end)]
    if kind == "datetime":
        if days and clock and days[0].exact:
            text.use(days[0].start, days[0].end)
            text.use(clock[0].start, clock[0].end)
            space = " " if re.search(r"dd hh", parameter.description.lower()) else "T"
            seconds = (
                ":00"
                if re.search(r":ss|:00\b", parameter.description.lower()) or parameter.schema.get("format")
                else ""
            )
            return [f"{days[0].value}{space}{clock[0].value}{seconds}"]
        return []
    found = clock if kind == "time" else days
    strict = parameter.schema.get("format") or re.search(
        r"iso|yyyy|\d{4}-\d\d", (parameter.description + tool.description).lower()
    )
    found = [m for m in found if m.exact or not strict]
    siblings = [p for p in tool.parameters if kind_of(p, tool) == kind]
    found = found[:1] if len(siblings) > 1 else found
    for moment in found:
        text.use(moment.start, moment.end)
    return [m.value for m in found]


def currencies(parameter: Parameter, text: Text) -> list[str]:
    """Currency codes; `from` and `to` by the words before them."""
    spans = [
        (m.start(), m.end(), code) for code, p in CURRENCIES.items() for m in re.finditer(p, text.text, re.IGNORECASE)
    ]
    spans = [s for s in spans if not any(o[0] <= s[0] and s[1] <= o[1] and o[1] - o[0] > s[1] - s[0] for o in spans)]
    return directed(parameter, sorted({s for s in spans if text.free(s[0], s[1])}), text)


def directed(parameter: Parameter, spans: list[tuple[int, int, str]], text: Text) -> list[str]:
    """Of two things, the one a `from` or `to` parameter means; the target is said after to/into/in or 换成."""
    if not spans:
        return []
    name = spaced(parameter.name) + " " + parameter.description.lower()
    target = re.search(r"\b(?:to|target|dest\w*|into)\b|目标", name) is not None
    source = re.search(r"\b(?:from|source|base|original)\b|原|源", name) is not None
    aimed = [
        s
        for s in spans
        if re.search(
            r"(?:\b(?:to|into|in|as|how many|how much)(?:\s+the)?|换成|成|为|多少|等于|合|换)\s*$",
            text.text[: s[0]],
            re.IGNORECASE,
        )
    ]
    aimed += [
        s
        for s in spans
        if s not in aimed
        and any(re.fullmatch(r"\s*(?:,|and|or|和|、|以及)\s*(?:to|into|in)?\s*", text.text[a[1] : s[0]]) for a in aimed)
    ]
    rest = [s for s in spans if s not in aimed]
    if target and not source:
        pick = aimed or (spans[-1:] if len(spans) > 1 else [])
    elif source:
        pick = rest[:1] or (spans[:1] if len(spans) > 1 else [])
    else:
        pick = spans
    for start, end, _ in pick:
        text.use(start, end)
    return [value for _, _, value in pick]


def languages(parameter: Parameter, tool: Tool, text: Text) -> list[str]:
    """Languages, as names or as codes if the description wants codes."""
    coded = re.search(r"\bcode\b|代码|iso|['\"(]?\b(?:en|zh|fr|de)\b['\")]?", parameter.description) is not None
    found = []
    for name, (code, others) in LANGUAGES.items():
        if match := re.search(rf"\b{name}\b|{others}", text.text, re.IGNORECASE):
            value = code if coded else match[0] if chinese(match[0]) else name
            found.append((match.start(), match.end(), value))
    found = [f for f in found if text.free(f[0], f[1])]
    return (
        directed(parameter, sorted(found), text)
        if len([p for p in tool.parameters if kind_of(p, tool) == "language"]) > 1
        else directed_one(found, text)
    )


def directed_one(found: list[tuple[int, int, str]], text: Text) -> list[str]:
    """The only thing of its kind; with several, all."""
    for start, end, _ in found:
        text.use(start, end)
    return [value for _, _, value in sorted(found)]


def units(parameter: Parameter, tool: Tool, text: Text) -> list[str]:
    """Units, written as the descriptions write them, else as the user did."""
    known = parameter.description + " " + tool.description
    spans = []
    for short, pattern in UNITS.items():
        for match in re.finditer(rf"(?<![A-Za-z])(?:{pattern}|{short})(?![A-Za-z])", text.text, re.IGNORECASE):
            name = next(
                (n for n in (*UNIT_NAMES.get(short, ()), short) if re.search(rf"(?<![A-Za-z]){n}(?![A-Za-z])", known)),
                None,
            )
            if (
                len(match[0]) > 2
                or chinese(match[0])
                or (re.search(r"\d\s*$|\b(?:in|to)\s+$", text.text[: match.start()]) and match[0].lower() != "in")
            ):
                spans.append((match.start(), match.end(), name or match[0]))
    spans = [s for s in spans if not any(o[0] <= s[0] and s[1] <= o[1] and o[1] - o[0] > s[1] - s[0] for o in spans)]
    return directed(parameter, sorted({s for s in spans if text.free(s[0], s[1])}), text)


def listed_simple(parameter: Parameter, tool: Tool, text: Text) -> list[Any]:
    """A list of enum labels, emails or dates."""
    items = resolved(parameter.schema.get("items"), parameter.schema)
    inner = Parameter(singular(parameter.name), items, parameter.description, parameter.required)
    found = simple(kind_of(inner, tool), inner, tool, text)
    return [found] if found else []


def codes(parameter: Parameter, tool: Tool, text: Text, ideas: set[str]) -> list[str]:
    """Ids: codes with a digit, else a bare number, else a word in capitals."""
    matches = [
        m
        for m in CODE.finditer(text.text)
        if text.free(*m.span()) and not re.fullmatch(r"(?i)\d+(?:st|nd|rd|th|am|pm|km|kg|k|c|f|x|cm)", m[0])
    ]
    example = re.search(r"\b([A-Z]{1,6})-?\d", parameter.description + " " + tool.description)
    if example and any(m[0].upper().startswith(example[1]) for m in matches):
        matches = [m for m in matches if m[0].upper().startswith(example[1])]
    if not matches:
        matches = [
            m
            for m in re.finditer(
                r"(?<![\w.-])\d{1,14}(?![\w.]*\d)(?!\s*(?:%|°|minutes|hours|days|people|点|分|个|天|人))", text.text
            )
            if text.free(*m.span())
        ]
    if not matches:
        matches = [
            m
            for m in re.finditer(r"(?<![\w])[A-Z]{2,6}(?![\w])", text.text)
            if text.free(*m.span()) and m[0] not in ("OK", "AM", "PM", "TV")
        ]
    siblings = sum(kind_of(p, tool) == "code" for p in tool.parameters)
    matches = matches[:1] if siblings > 1 else matches
    for match in matches:
        text.use(*match.span())
    return [match[0].lstrip("#") for match in matches]
