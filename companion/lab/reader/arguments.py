"""A tool's arguments out of the user's words.

Every parameter has a kind (kinds.py); kinds that are easy to recognise take their part of the text first, and what
is left over is shared out among the rest. Each parameter gets a list of values: more than one means that the user
asked for several things at once.
Left out: values that must be worked out ("the cheaper one"), and spelling mistakes.
"""

import re
from collections.abc import Collection
from typing import Any

from companion.lab.reader.dates import duration
from companion.lab.reader.kinds import kind_of
from companion.lab.reader.numbers import Number, numbers
from companion.lab.reader.phrases import CODE, Phrase, Text, phrases, quotes
from companion.lab.reader.turns import Parameter, Tool, resolved, tool_of
from companion.lab.reader.words import CJK, chinese, keys, scan, spaced, stem

Values = dict[str, list[Any]]
ORDER = [
    "email",
    "url",
    "phone",
    "street",
    "listed",
    "enum",
    "datetime",
    "date",
    "time",
    "duration",
    "currency",
    "unit",
    "language",
    "code",
    "boolean",
    "origin",
    "destination",
    "address",
    "person",
    "place",
    "message",
    "title",
    "query",
    "item",
    "expression",
    "array",
    "integer",
    "number",
    "object",
]
EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
URL = re.compile(r"https?://[^\s，。、<>\"'）)]+")
STREET = re.compile(
    r"\b\d+[A-Za-z]?\s+(?:[A-Z][\w'.]*\s+){1,3}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Drive|Square|Way|Boulevard|Blvd|Court|Place|Row)\b\.?|\b[A-Z]\w+(?:strasse|straße|gatan|weg)\s+\d+"
    r"|(?:[\u4e00-\u9fff]{2,4}[市区])?[\u4e00-\u9fff]{2,4}?(?:路|街|大道|巷)\d+号(?:[\u4e00-\u9fff\d]*[室楼栋])?"
)
PHONE = re.compile(r"\+?\d[\d\s()-]{5,}\d")
CURRENCIES = {
    "USD": r"\bUSD\b|US dollars?|(?<!\w )\bdollars?\b|\$|美元|美金", "EUR": r"\bEUR\b|\beuros?\b|€|欧元", "GBP": r"\bGBP\b|pounds?(?: sterling)?|£|英镑",
    "JPY": r"\bJPY\b|\byens?\b|日元|日圆", "CNY": r"\bCNY\b|\bRMB\b|\byuan\b|人民币|¥", "CHF": r"\bCHF\b|swiss francs?|瑞士法郎|瑞郎", "KRW": r"\bKRW\b|\bwon\b|韩元|韩币",
    "INR": r"\bINR\b|rupees?|卢比", "AUD": r"\bAUD\b|australian dollars?|澳元", "CAD": r"\bCAD\b|canadian dollars?|加元", "HKD": r"\bHKD\b|hong kong dollars?|港币|港元",
    "THB": r"\bTHB\b|\bbaht\b|泰铢", "SEK": r"\bSEK\b|swedish kron(?:a|or)", "NOK": r"\bNOK\b|norwegian kroner?", "RUB": r"\bRUB\b|rou?bles?|卢布", "SGD": r"\bSGD\b|新加坡元|新币",
    "MXN": r"\bMXN\b|pesos?|比索", "BRL": r"\bBRL\b|\breais\b|\breal\b", "DKK": r"\bDKK\b|danish kroner?", "PLN": r"\bPLN\b|zloty", "TRY": r"\bTRY\b|lira", "NZD": r"\bNZD\b|new zealand dollars?", "TWD": r"\bTWD\b|台币",
}  # fmt: skip
LANGUAGES = {
    "English": ("en", "英语|英文"), "Chinese": ("zh", "中文|汉语|mandarin"), "French": ("fr", "法语|法文"), "German": ("de", "德语|德文"), "Spanish": ("es", "西班牙语|西语"),
    "Japanese": ("ja", "日语|日文"), "Korean": ("ko", "韩语|韩文"), "Italian": ("it", "意大利语"), "Portuguese": ("pt", "葡萄牙语"), "Russian": ("ru", "俄语|俄文"),
    "Arabic": ("ar", "阿拉伯语"), "Dutch": ("nl", "荷兰语"), "Swedish": ("sv", "瑞典语"), "Thai": ("th", "泰语"), "Greek": ("el", "希腊语"), "Polish": ("pl", "波兰语"), "Turkish": ("tr", "土耳其语"), "Hindi": ("hi", "印地语"), "Vietnamese": ("vi", "越南语"), "Finnish": ("fi", "芬兰语"),
}  # fmt: skip
UNITS = {
    "km": r"kilomet(?:er|re)s?|km|公里|千米", "mi": r"miles?|英里", "m": r"(?<!kilo)(?<!centi)met(?:er|re)s?|米", "cm": r"centimet(?:er|re)s?|cm|厘米", "ft": r"feet|foot|ft|英尺", "in": r"inch(?:es)?|英寸",
    "kg": r"kilograms?|kilos?|kg|公斤|千克", "g": r"(?<!kilo)grams?|克", "lb": r"pounds?|lbs?|磅", "oz": r"ounces?|oz|盎司", "l": r"lit(?:er|re)s?|升", "gal": r"gallons?|加仑",
    "celsius": r"celsius|centigrade|°c|摄氏度?", "fahrenheit": r"fahrenheit|°f|华氏度?", "yd": r"yards?|码", "mm": r"millimet(?:er|re)s?|mm|毫米", "ml": r"millilit(?:er|re)s?|ml|毫升", "kmh": r"km/h|kph", "mph": r"mph",
}  # fmt: skip
UNIT_NAMES = {"km": ("kilometers", "kilometer", "kilometre"), "mi": ("miles", "mile"), "m": ("meters", "meter", "metre"), "cm": ("centimeters", "centimeter"), "ft": ("feet", "foot"), "in": ("inches", "inch"), "kg": ("kilograms", "kilogram"), "g": ("grams", "gram"), "lb": ("pounds", "lbs", "pound"), "oz": ("ounces", "ounce"), "l": ("liters", "liter", "litre"), "gal": ("gallons", "gallon"), "celsius": ("C",), "fahrenheit": ("F",)}  # fmt: skip
OFF = re.compile(
    r"\b(?:off|disable[sd]?|deactivate|false|close[sd]?|unlock(?:ed)?|mute|inactive)\b|关|停用|禁用|解锁|关闭|别开",
    re.IGNORECASE,
)
ON = re.compile(
    r"\b(?:on|enable[sd]?|activate|true|open|lock(?:ed)?|unmute|active)\b|打开|开启|启用|锁|开(?!会|始)", re.IGNORECASE
)
SWITCHES = {
    "on",
    "off",
    "enabled",
    "enable",
    "state",
    "power",
    "is_on",
    "active",
    "open",
    "locked",
    "is_open",
    "turn_on",
    "status",
    "switch",
    "on_off",
    "turned_on",
    "lock",
}
NEGATED = re.compile(
    r"(?:\b(?:no|without|not|don't|doesn't|excluding|except|non|never|isn't)\b[\w\s-]{0,14}|[不无没别免勿][\u4e00-\u9fff]{0,3})$",
    re.IGNORECASE,
)
MESSAGE = (
    r"(?:saying|that says|which says|(?:with|and)\s+(?:the\s+)?(?:text|message|body|content|note)|says?|reads?|to say)\s*(?:that\s+)?[:：]?\s*(?P<v>.+)",
    r"[:：](?!\d|//)\s*(?P<v>[^\n]+)",
    r"\b(?:remind|tell|ask|notify|inform)\s+(?:me|us|him|her|them|\w+)\s+(?:to|about|that)\s+(?P<v>.+)",
    r"\b(?:note|reminder|task|todo|memo|message)\s+(?:that|to|about|for)\s+(?P<v>.+)",
    r"(?:说|内容是|内容为|写着|正文是|告诉(?:他|她|他们)|留言)[:：]?\s*(?P<v>[^。！？\n]+)",
    r"提醒我?(?:一下)?(?:要|去)?(?P<v>[^。！？\n]+)",
    r"(?:记一下|记下|记录|备忘|记住)[:：，]?\s*(?P<v>[^。！？\n]+)",
    r"\b(?:add|put|write|note)\s+(?:down\s+)?(?P<v>.+?)\s+(?:to|on|in|into)\s+(?:my|the)\b",
    r"(?:把|将)?[“\"]?(?P<v>[^，。]+?)[”\"]?(?:翻译成|译成|翻成|翻译为|加到|加入|添加到|用\w*怎么说)",
    r"\btranslate\s+(?P<v>.+?)\s+(?:into|to|from|in)\b",
    r"\bhow\s+do\s+(?:you|i)\s+say\s+(?P<v>.+?)\s+in\b",
)
POINTER = re.compile(
    r"(?i)(?:this|that|it|them|these|those|something|the following|the text|this text|这|它|这个|这段|这句话|这段话|这个句子|下面)\s*(?:text|sentence|message|word|phrase)?"
)
CALLED = re.compile(r"\b(?:called|named|titled|entitled|labell?ed|with the title|title)\s*[:：]?\s+(?P<v>[^,.;?!]+?)(?=\s+(?:on|at|for|by|to|in|with)\b|[,.;?!]|$)|(?:名为|叫做?|标题是|标题为|题为|名字叫)[:：]?(?P<z>[^，。！？]+)", re.IGNORECASE)  # fmt: skip
COUNTS = {
    "quantity",
    "count",
    "number",
    "amount",
    "copies",
    "num",
    "n",
    "limit",
    "max",
    "results",
    "top",
    "qty",
    "total",
    "size",
    "k",
}
PREFER = {
    "place": ("in", "for", "of", "to", "from", "on"), "origin": ("from",), "destination": ("to",), "person": ("to", "for", "with", "by", "of"), "address": ("to",),
    "query": ("about", "for", "on", "of"), "message": ("",), "title": ("", "of"), "item": ("", "of", "for", "in"), "code": ("", "for", "of"),
}  # fmt: skip


ANY = tool_of("", "", {})


def about(tool: Tool) -> set[str]:
    """The ideas a tool's own words carry: the words for them are hardly ever its values."""
    return (
        keys(spaced(tool.name))
        | keys(tool.description[:600])
        | {k for p in tool.parameters for k in keys(spaced(p.name))}
    )


def fill(tool: Tool, text: Text, besides: Collection[str] = (), depth: int = 0) -> Values:
    """Return what the text says for each parameter; parameters it says nothing about are left out.

    `besides` are ideas of other tools that share the text.
    """
    values: Values = {}
    ideas = about(tool) | set(besides)
    kinds = {p.name: length_kind(p, kind_of(p, tool)) for p in tool.parameters}
    for parameter in sorted(tool.parameters, key=lambda p: ORDER.index(kinds[p.name])):
        kind = kinds[parameter.name]
        if (kind in PREFER and kind != "address") or kind in ("integer", "number", "object") or kind == "array":
            continue
        if found := simple(kind, parameter, tool, text):
            values[parameter.name] = found
    for span in [(m.start, m.end) for m in (*text.dates, *text.times)]:
        if text.free(*span) and not any(kind in ("message",) for kind in kinds.values()):
            text.use(*span)
    count(tool, kinds, text, values, measured=True)
    named(tool, kinds, text, values, ideas)
    count(tool, kinds, text, values, measured=False)
    for parameter in tool.parameters:
        if parameter.name not in values and (found := nested(parameter, kinds[parameter.name], tool, text, depth)):
            values[parameter.name] = found
    return values


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


def plain_list(parameter: Parameter) -> bool:
    """Is it a list of values that are recognised by their look: enum labels, emails, dates?"""
    items = resolved(parameter.schema.get("items"), parameter.schema)
    inner = Parameter(re.sub(r"s$", "", parameter.name), items, parameter.description, True)
    return not items.get("properties") and kind_of(inner, ANY) in ("enum", "email", "url", "phone", "date", "time")


def simple(kind: str, parameter: Parameter, tool: Tool, text: Text) -> list[Any]:
    """Values of a kind that can be told by its look."""
    match kind:
        case "email" | "url" | "phone" | "street":
            return looks({"email": EMAIL, "url": URL, "phone": PHONE, "street": STREET}[kind], text)
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
    for _, start, end in found:
        text.use(start, end)
    return [(label, start) for label, start, _ in sorted(found, key=lambda f: f[1])]


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
    own = keys(name) - {"today", "all"} | {stem(w) for w in re.findall(r"[a-z]{3,}", name)} - {
        "with",
        "includ",
        "has",
        "need",
        "is",
        "want",
        "tru",
    }
    own |= (
        {key for key in keys(parameter.description[:80]) if chinese(text.text) or not chinese(parameter.description)}
        if not own
        else set()
    )
    word = next(
        (w for w in scan(text.text) if own & ({*w.keys} | {stem(part) for part in re.split(r"\W", w.text)})), None
    )
    if word is None:
        return []
    text.use(word.start, word.end)
    return [not NEGATED.search(text.text[max(0, word.start - 24) : word.start])]


def length(parameter: Parameter, text: Text) -> list[int | float]:
    """A length of time in the parameter's unit."""
    found = duration(text.text)
    if not found or not text.free(found[1], found[2]):
        return []
    text.use(found[1], found[2])
    amount = round(found[0] / time_unit(parameter), 6)
    return [int(amount) if amount == int(amount) else amount]


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
    inner = Parameter(re.sub(r"s$", "", parameter.name), items, parameter.description, parameter.required)
    found = simple(kind_of(inner, tool), inner, tool, text)
    return [found] if found else []


def count(tool: Tool, kinds: dict[str, str], text: Text, values: Values, measured: bool) -> None:
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
        if parameter.name in values and (len([p for p in wanted]) > 1 and score < 3):
            continue
        taken[number.start] = parameter.name
        text.use(number.start, number.end)
        values.setdefault(parameter.name, []).append(signed(number, text, parameter))


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


MEASURES = (
    (r"price|amount|budget|cost|money|fee|payment|salary|income|金额|价格|预算", r"[$€£¥]\s*$", r"^(?:dollar|euro|usd|eur|yuan|pound|yen|元|块|美元|欧元|英镑|人民币|gbp|jpy|cny|日元)"),
    (r"temp|degree|温度|thermostat", r"(?:to|at|到|成|为)\s*$", r"^(?:°|degree|度|c\b|f\b|celsius|摄氏|华氏)"),
    (r"percent|volume|brightness|level|亮度|音量|百分|rate|discount|tip", r"(?:to|at|到|成|为)\s*$", r"^(?:%|percent|per cent)"),
    (r"people|guest|party|seat|person|adult|passenger|attendee|ticket|人数|几人|人|位|张", r"(?:table for|for|party of)\s*$", r"^(?:people|person|guest|adult|seat|ticket|passenger|of us|人|位|个人|名|张)"),
    (r"night|day|晚|天数|天", r"$^", r"^(?:night|day|晚|天)"),
    (r"quantity|count|copies|qty|数量|份数|几", r"(?:buy|order|add|买|要|订|点|加)\s*$", r"^(?:x\b|个|件|份|本|杯|只|台|支|瓶|张|盒|双|条)"),
    (r"limit|max|top|results|n\b|条数|num", r"(?:top|first|last|latest|前|最近|最新)\s*$", r"^(?:result|item|book|hit|entr|article|headline|条|个|篇|本)"),
    (r"weight|kg|体重", r"$^", r"^(?:kg|kilo|公斤|千克|lb|pound)"), (r"height|cm|身高", r"$^", r"^(?:cm|centim|厘米|m\b|metre|meter|米)"),
    (r"age|年龄", r"(?:age|aged)\s*$", r"^(?:year|岁)"), (r"rating|star|score|评分|分数", r"$^", r"^(?:star|point|星|分|out)"), (r"dice|sides", r"d\s*$", r"^(?:-?sided|面|dice)"),
)  # fmt: skip


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


def named(tool: Tool, kinds: dict[str, str], text: Text, values: Values, ideas: set[str]) -> None:
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
        rf"(?:(?<![\w]){label}\s*(?:[:：=]|是|为|\bis\b(?=\s+['\"“A-Z0-9]))|\bwith (?:the |a )?{label}(?: of)?\s)\s*([^,，;；。\n?!]+)",
        text.text,
        re.IGNORECASE,
    )
    if not match or not text.free(*match.span(1)):
        return []
    text.use(*match.span())
    return [match[1].strip().strip("\"'“”.")]


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


ROUTE = (
    re.compile(r"\bfrom\s+(?P<a>.+?)\s+(?:to|for|into)\s+(?P<b>.+?)(?=\s+(?:on|at|by|for|in|with|via|please|tomorrow|today|next|this|and|cost|take|leaving|departing|arriv\w+)\b|\s+\d|[,.;?!]|$)", re.IGNORECASE),
    re.compile(r"\bto\s+(?P<b>.+?)\s+from\s+(?P<a>.+?)(?=\s+(?:on|at|by|for|in|with|via|please|tomorrow|today|next)\b|\s+\d|[,.;?!]|$)", re.IGNORECASE),
    re.compile(r"\bbetween\s+(?P<a>.+?)\s+and\s+(?P<b>.+?)(?=\s+(?:on|at|by|for|in|with)\b|[,.;?!]|$)", re.IGNORECASE),
    re.compile(r"(?:从|由)?(?P<a>[\u4e00-\u9fff]{2,8}?)(?:飞往|飞到|开往|前往|去往|到|至|去|飞)(?P<b>[\u4e00-\u9fff]{2,8}?)(?=的|要|需要|多|有|怎|坐|打|开|票|航班|机票|高铁|火车|最|距离|[，。？！\d]|$)"),
)  # fmt: skip


def route(wanted: list[Parameter], kinds: dict[str, str], text: Text, values: Values) -> None:
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
    return []


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


def share(wanted: list[Parameter], kinds: dict[str, str], text: Text, values: Values, ideas: set[str]) -> None:
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


def nested(parameter: Parameter, kind: str, tool: Tool, text: Text, depth: int) -> list[Any]:
    """Lists and objects out of what is left."""
    if depth > 3:  # a schema may hold itself
        return []
    if kind == "object":
        inner = tool_of(f"{tool.name} {parameter.name}", parameter.description, rooted(parameter.schema, tool))
        return (
            [one]
            if (one := {k: v[0] for k, v in fill(inner, text, depth=depth + 1).items()}) and complete(inner, one)
            else []
        )
    if kind != "array":
        return []
    items = resolved(parameter.schema.get("items"), tool.schema)
    if items.get("properties"):
        found = rows(parameter, items, tool, text, depth)
    elif items.get("type") in ("integer", "number"):
        free = [n for n in numbers(text.text) if text.free(n.start, n.end)]
        found = [signed(n, text, Parameter("", items, "", True)) for n in free]
    else:
        singular = Parameter(re.sub(r"s$", "", parameter.name), items, parameter.description, True)
        inner = tool_of(
            tool.name,
            tool.description,
            {
                "properties": {singular.name: {**items, "description": parameter.description}},
                "required": [singular.name],
            },
        )
        found = fill(inner, text, about(tool), depth + 1).get(singular.name, [])
    return [found] if found else []


def rooted(schema: dict[str, Any], tool: Tool) -> dict[str, Any]:
    """A part of a schema that can still follow the references of the whole."""
    return {**schema, "$defs": tool.schema.get("$defs", {}), "definitions": tool.schema.get("definitions", {})}


def complete(tool: Tool, arguments: dict[str, Any]) -> bool:
    """Is every required argument there?"""
    return all(p.name in arguments for p in tool.parameters if p.required)


def rows(parameter: Parameter, items: dict[str, Any], tool: Tool, text: Text, depth: int) -> list[Any]:
    """A list of objects: each part of the enumeration that fills one."""
    inner = tool_of(parameter.name, parameter.description, rooted(items, tool))
    found = []
    for part in re.split(r"[,，、;；\n]|(?<!\d)[:：](?!\d)|\.\s|\band\b|和|以及|还有|跟", text.rest()):
        one = {k: v[0] for k, v in fill(inner, Text(part, text.today), depth=depth + 1).items()}
        if one and complete(inner, one):
            found.append(one)
    return found
