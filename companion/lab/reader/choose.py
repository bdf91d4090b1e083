"""Which tool does a request ask for? Judged by what names, descriptions and parameter texts say.

A description counts more than a name and overrules it: a name is trusted only when the description is empty, says
nothing, or agrees. So `process` with an empty description is never called, `f1` with a good description is, and
`get_weather` without a description is. A real model is less literal: a 1.5B model called even vague tools.
"""

# ruff: noqa: E501 (a pattern or a table row is read as one line)

import re
from functools import lru_cache

from companion.lab.reader import sums
from companion.lab.reader.kinds import kind_of
from companion.lab.reader.phrases import CODE
from companion.lab.reader.turns import Tool
from companion.lab.reader.words import Word, keys, scan, spaced

THRESHOLD = 1.4
FAINT = {
    "place", "city_name", "today", "tomorrow", "list", "next", "chat", "first", "high", "low", "business", "small",
    "large", "medium", "morning", "afternoon", "evening", "code", "read", "question", "weekday", "weekend", "live",
    "like", "name_of", "wrote", "built", "long", "free", "normal", "walk", "user", "status", "old_age", "positive",
    "negative", "location", "duration", "recommend", "deep", "height", "length_of", "image", "!set", "!create",
    "!switch", "express",
}  # fmt: skip
BLAND = {"math", "search", "convert", "list", "!create", "!set", "read", "web"}
MILD = {"!switch", "!set", "!create", "!submit", "!stop", "!play", "!send", "!buy"}
WISHES = {"i'd like", "i'll", "i would like", "want", "can i", "i'd", "我要", "我想要", "想要"}
ORDERING = re.compile(
    r"(?i)\W*(?:just |only )?(?:an?|one|two|three|four|\d+) .*\bplease\b|\W*(?:给我)?来?(?:[一两二三]|\d+)?[杯份个碗]"
)
WRITING = re.compile(r"(?i)\b(?:write|drop|shoot|reply|tell|let)\b|写|回复|告诉")
MONEY = re.compile(
    r"(?i)\b(?:send|give|wire)\b.*(?:[$€£¥]\s?\d|\d[\d.,]*\s*(?:dollars?|euros?|pounds?|yuan|usd|eur|gbp))|[给向].*\d[\d.]*(?:元|块|美元|欧元)"
)
SEARCH = re.compile(
    r"\b(?:web|internet|online|google|wikipedia|encyclop\w+|knowledge|documents?|documentation|docs|handbook|manual|faq|polic(?:y|ies)|wiki|articles?)\b"
    r"|互联网|网络|网上|联网|网页|上网|知识库|文档|手册|资料|百科|制度",
    re.IGNORECASE,
)
FACT = re.compile(
    r"\b(?:who|when|where|which|what|why|how|latest|recent|is|are|does|did|search|look up|find|tell me about)\b|谁|何时|什么|哪|多少|多高|多大|多长|多久|为什么|怎么|几|最新|介绍|是否|吗|搜|查",
    re.IGNORECASE,
)
CHAT = re.compile(
    r"^[^\w\"“「『《]*(?:hi|hello|hey|good (?:morning|afternoon|evening|night)|thanks?|thank you|bye|goodbye|ok(?:ay)?|great|nice|cool|how are you|what's up|who are you|what can you do|what are you|nice to meet you|never ?mind|sorry"
    r"|你好|您好|早上好|下午好|晚上好|晚安|嗨|谢谢|多谢|再见|拜拜|你是谁|你叫什么|你能做什么|你会什么|不客气|没事了|辛苦了|好的|太好了)",
    re.IGNORECASE,
)
PERSONAL = re.compile(
    r"(?i)\b(?:joke|poem|story|song|my name|i said|i say|your name|are you|do you (?:think|feel|like))\b|笑话|诗|我叫|你(?:是|叫|会|觉得|喜欢)"
)
STATEMENT = re.compile(
    r"^\W*I(?:'m| am)? (?:really |just |also |so |very )*(?:love|like|hate|enjoy|adore|prefer|miss|think|feel|happy|glad|tired|bored|sad|excited)\b|^\W*我(?:很|真|最|特别|非常|也|好)*(?:喜欢|爱|讨厌|觉得|开心|高兴|累|无聊)",
    re.IGNORECASE,
)
CREATIVE = re.compile(
    r"\b(?:joke|poem|haiku|story|song lyrics|limerick|riddle|rhyme|essay)\b|笑话|写.{0,12}(?P<w>诗|故事|文章|作文|歌词)|一首诗|讲.{0,6}故事|谜语|绕口令|\bwhat does .+ mean\b|\bwhat is (?:a|an) \w+\?|\bhow (?:is|are|does|do) \w+ (?:form|work|made|formed)\b|\bwhy (?:is|are|do|does)\b|为什么|\bwho (?:invented|discovered|wrote|painted|composed|was)\b|谁(?:发明|发现|写|画)了?",
    re.IGNORECASE,
)


@lru_cache(maxsize=512)
def weights(tool: Tool) -> dict[str, float]:
    """How much each idea belongs to a tool."""
    summary = re.sub(
        r"(?i)(?:such as|for example|e\.g\.|like|例如|比如|in the form|格式).*?(?=[.。]|$)", "", tool.description[:600]
    )
    first, *more = re.split(r"[.。\n]\s*", summary, maxsplit=1)
    name, said = keys(spaced(tool.name)), keys(first)
    detail = keys(" ".join(more))
    known = {key for word in scan(first) if word.known for key in word.keys} - FAINT - BLAND
    trust = 2.0 if not known or name & said or not (name - FAINT) else 0.0
    bag: dict[str, float] = {}
    for ideas, weight in ((parameter_ideas(tool), 0.4), (detail, 0.8), (said, 2.0), (name, trust)):
        for idea in ideas:
            bag[idea] = max(weight, bag.get(idea, 0)) + (0.5 if idea in bag and weight >= 2 and bag[idea] >= 2 else 0)
    return {idea: weight * (0.3 if idea in FAINT else 1) for idea, weight in bag.items()}


def parameter_ideas(tool: Tool) -> set[str]:
    """The ideas in the texts and labels of the parameters."""
    parts = [
        f"{spaced(p.name)} {p.description[:200]} {' '.join(map(str, p.schema.get('enum') or []))}"
        for p in tool.parameters
    ]
    return keys(" \n".join(parts))


@lru_cache(maxsize=512)
def deeds(tool: Tool) -> frozenset[str]:
    """What the tool changes in the world, by its name or the first words of its description."""
    name, opening = first_deed(spaced(tool.name)), first_deed(" ".join(tool.description[:200].split()[:6]))
    asks = keys(spaced(tool.name)) & {"search", "list", "status", "convert"} or re.match(
        r"(?i)\s*(?:get|list|show|find|search|return|look|check|the\b|how\b|查询|列出|获取|查看|搜索)", tool.description
    )
    if asks and not strong(name):
        return frozenset()
    return frozenset((name | (opening if strong(opening) and not asks else set())) - {"!set"})


def first_deed(text: str) -> set[str]:
    """cancel booking: it cancels, it does not book. Only a bland first verb (add, make) lets the others speak."""
    verbs = [{key for key in word.keys if key[0] == "!"} for word in scan(text)]
    verbs = [ideas for ideas in verbs if ideas]
    return set().union(*(verbs if verbs and verbs[0] & MILD else verbs[:1]))


def strong(ideas: set[str]) -> bool:
    """Is there a deed among the ideas that is not just a word with another meaning?"""
    return (
        bool(
            ideas
            - {
                "!reserve",
                "!create",
                "!set",
                "!return",
                "!close",
                "!submit",
                "!send",
                "!stop",
                "!buy",
                "!update",
                "!play",
            }
        )
        or "!create" in ideas
    )


def score(tool: Tool, words: tuple[Word, ...], text: str = "") -> float:
    """How well a tool answers a request: shared ideas, less for deeds that only one of the two names."""
    bag = weights(tool)
    total, seen = 0.0, set()
    for word in words:
        best = max(
            (
                (bag.get(key, 0.0) * (1 if word.known or len(key) > 2 else 0.5), key)
                for key in word.keys
                if key not in seen
            ),
            default=(0.0, ""),
        )
        if best[0]:
            seen.add(best[1])
            total += best[0]
    asked = {key for word in words for key in word.keys}
    acts = deeds(tool)
    if "!pay" in acts and MONEY.search(text):
        words = tuple(word for word in words if word.keys != ("!send",))
        asked.add("!pay")
    if "!send" in acts and "@" in text and WRITING.search(text):
        asked.add("!send")
    wishes = "!buy" in acts and (any(word.text.lower() in WISHES for word in words) or ORDERING.match(text))
    if acts and not acts & asked and not wishes:
        total -= 2.2
    quoted = re.search(r"[:：\"“']", text)
    lone = [
        w
        for w in words
        if w.known
        and not (quoted and w.start > quoted.start())
        and w.keys
        and all(k[0] == "!" and k not in MILD for k in w.keys)
        and not any(k in bag for k in w.keys)
    ]
    return total - (1.5 if lone else 0)


def shape(tool: Tool, text: str) -> float:
    """Points for things in the text that the tool has a place for: an id, a way from A to B."""
    kinds = {kind_of(p, tool) for p in tool.parameters if p.required}
    points = 0.0
    if "code" in kinds and (codes := CODE.findall(text)):
        example = re.search(r"\b([A-Z]{1,6})-?\d", tool.description + " ".join(p.description for p in tool.parameters))
        begun = [re.match("[a-z]*", code.lower())[0] for code in codes]  # type: ignore[index]
        names = [word for p in tool.parameters for word in spaced(p.name).split()]
        points += (
            1.0
            if (example and any(code.upper().startswith(example[1]) for code in codes))
            or any(len(b) > 2 and name.startswith(b) for b in begun for name in names)
            else 0.6
        )
    if kinds >= {"origin", "destination"} and re.search(
        r"(?i)\bfrom\b.+\bto\b|\bbetween\b.+\band\b|从.+[到去至飞]", text
    ):
        points += 1.0
    points += 1.0 if kinds & {"address", "email"} and "@" in text else 0.0
    if re.search(r"\bby (?:[A-Z]\w+ )+[A-Z]\w+", text) and "wrote" in keys(tool.description) | parameter_ideas(tool):
        points += 2.0
    return points


def ranked(tools: list[Tool], text: str) -> list[tuple[float, Tool]]:
    """Tools that a piece of text asks for, best first."""
    words = scan(text[:1500])
    if STATEMENT.match(text) and not re.search(r"[?？]|\b(?:please|can you|could you)\b|请|帮", text):
        return []
    if CHAT.match(text) and len(text) < 40 and not re.search(r"[,，.。!！?？].*\w", text):
        return []
    found = [(score(tool, words, text) + shape(tool, text), tool) for tool in tools]
    if creative := CREATIVE.search(text):
        wish = keys(creative["w"] or creative[0])
        found = [
            (points if wish & set(weights(tool)) - FAINT or SEARCH.search(tool.description) else 0.0, tool)
            for points, tool in found
        ]
    good = sorted((f for f in found if f[0] >= THRESHOLD), key=lambda f: -f[0])
    return good or general(tools, text)


def general(tools: list[Tool], text: str) -> list[tuple[float, Tool]]:
    """A question of fact goes to a tool that searches the web or a body of documents, if there is one."""
    content = {key for word in scan(text) for key in word.keys} - FAINT - BLAND
    if not content or PERSONAL.search(text) or sums.find(text):
        return []
    fits = [
        t
        for t in tools
        if SEARCH.search(t.description) and keys(spaced(t.name) + " " + t.description) & {"search", "web", "knowledge"}
    ]
    return [
        (THRESHOLD, tool)
        for tool in fits
        if any(p.required and p.schema.get("type") == "string" for p in tool.parameters)
    ][:1]
