"""Which tool does a request ask for? Judged by what names, descriptions and parameter texts say.

A description counts more than a name and overrules it: a name is trusted only when the description is empty, says
nothing, or agrees. So `process` with an empty description is never called, `f1` with a good description is, and
`get_weather` without a description is. A real model is less literal: a 1.5B model called even vague tools.
"""

import re
from collections.abc import Collection
from functools import lru_cache

from companion.lab.reader import sums
from companion.lab.reader.clauses import opens
from companion.lab.reader.kinds import kind_of
from companion.lab.reader.tables import PATH, URL
from companion.lab.reader.text import CODE
from companion.lab.reader.turns import Tool
from companion.lab.reader.words import Word, keys, scan, spaced

THRESHOLD = 1.4
# Ideas that say little about what a tool is for.
FAINT = {
    "place", "city_name", "today", "tomorrow", "list", "next", "chat", "first", "high", "low", "business", "small",
    "large", "medium", "morning", "afternoon", "evening", "code", "read", "question", "weekday", "weekend", "live",
    "like", "name_of", "wrote", "built", "long", "free", "normal", "walk", "user", "status", "old_age", "positive",
    "negative", "location", "duration", "recommend", "deep", "height", "length_of", "image", "!set", "!create",
    "!switch", "express",
}  # fmt: skip
BLAND = {"math", "search", "convert", "list", "!create", "!set", "read", "web"}
# Deeds that may stand before the real one ("make a booking"), and deeds whose words mean other things as well.
MILD = {"!switch", "!set", "!create", "!submit", "!stop", "!play", "!send", "!buy"}
UNCLEAR = MILD - {"!create", "!switch"} | {"!reserve", "!return", "!close", "!update"}
# What a text is about without saying so, and the points for a tool that is about it too.
SIGNS = (
    ("email", 1.0, r"\w@\w"),
    ("currency", 0.0, r"[$€£¥]\s?\d"),
    ("wrote", 2.0, r"\bby (?:[A-Z]\w+ )+[A-Z]\w+"),
    ("!delete", 2.0, r"(?i)\b(?:take|strike|cross)\b.{1,40}\boff (?:my|the|our)\b"),
    ("!send", 2.0, r"\b(?:[Tt]ell|[Ll]et) (?!me\b|us\b)\w+ (?:that|to|know)\b|告诉(?!我)"),
)
FORMS = {"path": PATH, "url": URL, "destination": re.compile(r"(?i)\bfrom\b.+\bto\b|从.+[到去至飞]")}
WANTS = re.compile(
    r"(?i)\b(?:(?:i|we)(?:'d|'ll| would)|want|(?:can|could|may) (?:i|we)|(?<!do )(?<!should )(?:i|we) need)\b|我?想?要"
)
# What there is to choose from is asked, not the choice.
OFFERED = re.compile(r"(?i)\b(?:what|which)\b[^.?!]*\bcan (?:i|we)\b|[有还](?:哪些|什么)[^。]*(?:可以|能)")
COUNTED = re.compile(r"(?i)\W*(?:an?|one|two|three|four|five|six|\d+)\b|(?:给我)?来?[一两二三四五\d]+[杯份个碗张间]")
GETS = re.compile(r"(?i)\s*(?:get|list|show|find|search|return|look|check|the\b|how\b|查询|列出|获取|查看|搜索)")
EXAMPLES = re.compile(r"(?i)(?:such as|for example|e\.g\.|like|例如|比如|in the form|格式).*?(?=[.。]|$)")
# What no tool is needed for: talk about oneself, about the assistant, and writing that the model does by itself.
MOOD = re.compile(
    r"(?i)^\W*I(?:'m| am)? (?:(?:really|just|also|so|very) )*(?:love|like|hate|enjoy|adore|prefer|miss|think|feel|happy"
    r"|glad|tired|bored|sad|excited)\b|^\W*我[很真最特别非常也好]*(?:喜欢|爱|讨厌|觉得|开心|高兴|累|无聊)"
)
PERSONAL = re.compile(
    r"(?i)\b(?:my|your|i sa(?:id|y)|are you|do you (?:think|feel|like))\b|我[叫说]|你(?:是|叫|会|觉得|喜欢)"
)
WRITING = re.compile(
    r"(?i)\b(?:joke|poem|haiku|story|lyrics|limerick|riddle|rhyme|essay|slogan|toast|tagline)\b"
    r"|\bwrite (?:me |us )?(?:an?|one|two) (?:[\w-]+ ){0,3}(?:sentence|line|paragraph|greeting|wish|caption|speech)"
    r"|笑话|诗|故事|作文|歌词|谜语|绕口令|写[一两几]?[句首段篇副]"
)


@lru_cache(maxsize=512)
def weights(tool: Tool) -> dict[str, float]:
    """How much each idea belongs to a tool."""
    first, _, detail = EXAMPLES.sub("", tool.description[:600]).replace("。", ".").replace("\n", ".").partition(".")
    texts = [f"{spaced(p.name)} {p.description[:200]} {p.schema.get('enum', '')}" for p in tool.parameters]
    name, said, taken = keys(spaced(tool.name)), keys(first), keys("\n".join(texts))
    trust = 2.0 if not known(first) or name & said or not (name - FAINT) else 0.0
    bag: dict[str, float] = {}
    for ideas, weight in ((taken, 0.4), (keys(detail), 0.8), (said, 2.0), (name, trust)):
        for idea in ideas:
            bag[idea] = max(weight, bag.get(idea, 0)) + (0.5 if weight >= 2 and bag.get(idea, 0) >= 2 else 0)
    return {idea: weight * (0.3 if idea in FAINT else 1) for idea, weight in bag.items()}


def known(text: str) -> set[str]:
    """The ideas in a text that say what it is about."""
    return {key for word in scan(text) if word.known for key in word.keys} - FAINT - BLAND


@lru_cache(maxsize=512)
def deeds(tool: Tool) -> frozenset[str]:
    """What the tool changes in the world, by its name or the first words of its description."""
    name, opening = first_deed(spaced(tool.name)), first_deed(" ".join(tool.description[:200].split()[:6]))
    name -= {"!submit"} - opening if spaced(tool.name).endswith(" report") else set()  # a snow report
    gets = keys(spaced(tool.name)) & {"search", "list", "status", "convert"} or GETS.match(tool.description)
    if gets:
        return frozenset(name - {"!set"} if name - UNCLEAR else ())
    return frozenset((name | (opening if opening - UNCLEAR else set())) - {"!set"})


def first_deed(text: str) -> set[str]:
    """cancel booking: it cancels, it does not book. Only a mild first verb (add, make) lets the others speak."""
    words = scan(text)
    verbs = [{key for key in word.keys if key[0] == "!"} for word in words if word is words[0] or only_deeds(word)]
    verbs = [ideas for ideas in verbs if ideas]
    return set().union(*(verbs if verbs and verbs[0] & MILD else verbs[:1]))


def only_deeds(word: Word) -> bool:
    """Is the word a deed and nothing else? In `read file` the file is a thing, not a filing."""
    return bool(word.keys) and all(key[0] == "!" for key in word.keys)


def score(tool: Tool, words: tuple[Word, ...], text: str, signs: set[str]) -> float:
    """How well a tool answers a request: shared ideas, less for deeds that only one of the two names."""
    bag, acts = weights(tool), deeds(tool)
    total, seen = 0.0, set()
    for word in words:
        points, idea = max(((bag.get(key, 0.0), key) for key in word.keys if key not in seen), default=(0.0, ""))
        total += points
        seen |= {idea} if points else set()
    asked = signs | {key for word in words for key in word.keys}
    meant = implied(acts, asked, text)
    if acts and not acts & asked and not meant:
        total -= 2.2
    head = re.split(r"[:：\"“']", text, maxsplit=1)[0]
    spoken = [word for word in words if word.known and only_deeds(word) and word.start <= len(head)]
    strange = any(not {*word.keys} & (MILD | bag.keys()) for word in spoken)  # "cancel", to a tool that shows
    return total - (1.5 if strange and not meant and not OFFERED.search(text[:1500]) else 0)


def implied(acts: frozenset[str], asked: set[str], text: str) -> bool:
    """Is a deed asked for in other words: money sent, a message to an address, `one large latte`?"""
    wished = acts & {"!buy", "!reserve"} and (WANTS.search(text) or ("?" not in text and COUNTED.match(text)))
    paid = "!pay" in acts and {"!send", "currency"} <= asked
    mailed = "!send" in acts and "email" in asked
    reported = "!submit" in acts and "damage" in asked
    return bool(wished or paid or mailed or reported)


@lru_cache(maxsize=512)
def told(tool: Tool) -> str:
    """All that a tool's texts say."""
    parameters = (f"{spaced(p.name)} {p.description}" for p in tool.parameters)
    return " ".join([spaced(tool.name), tool.description, *parameters])


@lru_cache(maxsize=512)
def required(tool: Tool) -> frozenset[str]:
    """The kinds of value a tool cannot do without."""
    return frozenset(kind_of(p, tool) for p in tool.parameters if p.required)


def takes(tool: Tool, text: str, signs: Collection[str]) -> float:
    """Points for what the text holds and the tool has a place for: an author, an address, a code."""
    points = sum(gain for idea, gain, _ in SIGNS if idea in signs and idea in weights(tool))
    codes = CODE.findall(text) if "code" in required(tool) else []
    starts = [re.sub(r"[^A-Za-z].*", "", code) for code in codes]
    alike = any(re.search(rf"\b{s}-?\d", told(tool)) or (s and f" {s.lower()}" in told(tool)) for s in starts)
    return points + (1.0 if alike else 0.6 if codes else 0.0)


def holds(tool: Tool, text: str) -> bool:
    """Does the text hold a path, an address of the web or a way from A to B, as the tool wants it?"""
    return any(kind in required(tool) and form.search(text) for kind, form in FORMS.items())


def scanned(text: str) -> tuple[Word, ...]:
    """The words of a text, and the parts of compounds that the vocabulary does not know: billing-service."""
    words = scan(text)
    compounds = " ".join(word.text for word in words if "-" in word.text and not word.known)
    return words + scan(compounds.replace("-", " ")) if compounds else words


def ranked(tools: list[Tool], text: str) -> list[tuple[float, Tool]]:
    """Tools that a piece of text asks for, best first."""
    if not tools:
        return []
    if MOOD.match(text) and not re.search(r"[?？]|\b(?:please|can you|could you)\b|请|帮", text):
        return []
    words = scanned(text[:1500])
    signs = {idea for idea, _, sign in SIGNS if re.search(sign, text)}
    found = [(score(tool, words, text, signs) + takes(tool, text, signs), tool) for tool in tools]
    found = [(THRESHOLD if 0 <= points < THRESHOLD and holds(tool, text) else points, tool) for points, tool in found]
    good = [f for f in found if f[0] >= THRESHOLD]
    if OFFERED.search(text[:1500]) and any(not deeds(tool) for _, tool in good):
        good = [f for f in good if not deeds(f[1])]
    asked = {key for word in words if only_deeds(word) for key in word.keys}
    good.sort(key=lambda f: (-f[0], not deeds(f[1]) & asked, -sum(word.text in told(f[1]) for word in words)))
    if wish := WRITING.search(text):
        return [f for f in good if keys(wish[0]) & weights(f[1]).keys() - FAINT]
    return good or general(tools, text)


def general(tools: list[Tool], text: str) -> list[tuple[float, Tool]]:
    """A question of fact goes to a tool that searches the web or a body of documents, if there is one."""
    content = {key for word in scan(text) for key in word.keys} - FAINT - BLAND
    asks = opens(text) or not re.search(r"\b(?:I|I'm|we)\b|我", text)
    if not content or not asks or PERSONAL.search(text) or sums.find(text):
        return []
    return [(THRESHOLD, tool) for tool in tools if searches(tool)][:1]


@lru_cache(maxsize=512)
def searches(tool: Tool) -> bool:
    """Does a tool look things up on the web, in documents, or in nothing it names?"""
    ideas = keys(f"{spaced(tool.name)} {tool.description}")
    worded = any(p.required and p.schema.get("type") == "string" for p in tool.parameters)
    first = tool.description.split(".")[0]
    wide = "search" in keys(first) and not known(first) - {"search"}
    return worded and (wide or bool(ideas & {"web", "knowledge", "google", "wikipedia", "encyclopedia"}))
