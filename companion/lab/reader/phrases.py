"""The phrases of a request that could be values: "blue kettle" in "how much does the blue kettle cost?".

A phrase is a run of words between stop words, trimmed of the words the tool itself is about. Which value goes
where is decided in arguments.py.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from companion.lab.reader.people import SURNAMES
from companion.lab.reader.text import MEASURED, Text, pieces
from companion.lab.reader.words import CHINESE, KINDS, Word, stem

PREPOSITIONS = {
    word: words.split()[0]
    for words in (
        "in at near inside 在", "to into 到 去 往 给 向", "from between 从", "for", "with 跟 和 与 用",
        "about 关于 有关", "of 把", "by", "on", "via", "as",
    )
    for word in words.split()
}  # fmt: skip
ASKING = {
    "how many", "how much", "how much is", "how much does", "how long", "how far", "often", "what time", "几点",
    "还有多少",
}  # fmt: skip
ALWAYS = {
    "today", "tomorrow", "yesterday", "morning", "afternoon", "evening", "like", "question", "list", "live", "chat",
}  # fmt: skip
ABBREVIATED = {"St", "Mt", "Dr", "Mr", "Mrs", "Ms", "Ft"}
WEAK = set("的上下里中后前时会能得地多最以为于及将做些张本条件份点吧号间家台部位次")
PARTICLES = {"of", "the", "de", "del", "la", "da", "van", "von", "der", "di", "bin", "al"}  # Keepers of Vale
VERBS = {
    "convert", "search", "list", "track", "read", "calculate", "math", "status", "recommend", "define", "summary",
    "walk", "call_phone",
}  # fmt: skip
NOT_VALUES = re.compile(
    r"(?i)(?:(?:any|free|available|spare|empty|suitable|first|second|third|last|next|previous|other|same|whole|cheapest|best|latest"
    r"|newest|oldest|nearest|closest|earliest|fastest|largest|smallest|highest|lowest|top|result|one|ones|all|everything"
    r"|something|anything|thing|stuff|here|there|outside|outdoors)s?\s*)+"
    r"|周末|工作日|节假日|平时|(?:任意|随便|空闲|可用)的?(?:一间|一个)?(?:会议室|房间|座位)?"
    r"|最(?:便宜|新|近|好|早|晚|快|大|高)|第[一二三四五]|[上下]一?[班趟]|刚才|结果|[那这](?:里|边)|外[面边]|[室户屋窗]外|附近|所在|家里|一个|全部"
)
TITLED = re.compile(rf"[{SURNAMES}](?:医生|老师|教授|经理|师傅|律师)$")
LISTING = re.compile(
    r"(?:[,、]\s*(?:and|or|和)?|and|or|&|和|与|跟|或|还有|以及|及)\s*"
    r"(?:in|for|from|to|at|of|about)?\s*(?:the|a|an|some|my)?"
)
TIN = re.compile(r"\s*(?:[?.,!]|$|(?:in|on|at|for|to|from|with|is|are|costs?)\b)")  # a watering can
QUOTED = re.compile(
    r"[\"“”«»『』「」《》]([^\"“”«»『』「」《》]{1,400})[\"“”«»『』「」《》]"
    r"|(?<!\w)['‘]((?:[^'’\n]|(?<=\w)['’](?=\w)){2,400})['’](?!\w)"
)


@dataclass
class Phrase:
    """Values said in one place (a list when they stand in a list), with the preposition before them."""

    values: list[str]
    start: int
    end: int
    before: str = ""
    capital: bool = False
    cues: set[str] = field(default_factory=set)


def capital(word: Word) -> bool:
    """Does the word begin like a name, or is it a user's name?"""
    name = word.text[:1].isupper() and word.text not in ("I", "I'm", "I'd", "I'll", "I've")
    return name or "_" in word.text


def verbal(word: Word) -> bool:
    """Could the word be the command a sentence opens with?"""
    return any(key[0] == "!" or key in VERBS for key in word.keys)


def phrases(text: Text, about: Collection[str]) -> list[Phrase]:
    """Every free phrase of the text; `about` are the ideas of the tool, trimmed from the edges."""
    return grouped([p for run, before in runs(text, about) if (p := trimmed(run, before, text, about))], text)


def runs(text: Text, about: Collection[str]) -> Iterator[tuple[list[Word], str]]:
    """Runs of words that carry ideas, each with the stop word before it."""
    run: list[Word] = []
    before, previous, end = "", "", 0
    for word in [*pieces(text.text), Word("", len(text.text), len(text.text), (), True)]:
        gap = text.text[end : word.start]
        gap = gap.lstrip(".") if run and run[-1].text in ABBREVIATED else gap
        free = text.free(word.start, word.end)
        broken = re.search(r"[^\s\-'’&·]", gap) is not None or not free
        stop = not free or stops(word, run, text.text)
        splits = (
            len(word.text) > 1
            and word.known
            and word.text not in KINDS
            and CHINESE.match(word.text)
            and any(k in about for k in word.keys)
            and not TITLED.search(text.text[: word.end])
        )
        if run and (broken or stop or splits):
            yield run, before
            run = []
        if broken or (not run and not splits):
            before = "" if broken and gap.strip() else previous
        if not stop and (run or not commands(word, text.text)):
            run.append(word)
        previous, end = word.text.lower() if stop else "", word.end


def stops(word: Word, run: list[Word], text: str) -> bool:
    """Does a phrase end before this word? A small word may belong to a name: Keepers of Vale, 蓝色的水壶."""
    low = word.text.lower()
    if low == "的" and run:
        return False
    if low in PARTICLES and run and capital(run[-1]) and re.match(r"\s*(?:the |a )?[A-Z]", text[word.end :]):
        return False
    if low == "can" and run and TIN.match(text, word.end):
        return False
    degree = re.search(r"(?i)\bhow $", text[: word.start])  # how full
    return (word.known and not word.keys) or low in ASKING or low in PREPOSITIONS or degree is not None


def commands(word: Word, text: str) -> bool:
    """Is it the capitalised command a sentence opens with?"""
    opens = re.search(r"(?:^|[.?!])\s*$|^[\s,]*$", text[: word.start]) is not None
    return opens and word.known and capital(word) and verbal(word)


def own(word: Word, about: Collection[str]) -> bool:
    """Does the word belong to the question, not to the value?"""
    if word.text in WEAK or (ALWAYS & {*word.keys} and not (capital(word) and word.start)):
        return True
    if capital(word) and word.start > 0:
        return False
    if "=" + stem(word.text) in about:
        return True
    if word.text.lower() in KINDS or stem(word.text) in KINDS:
        return False
    return word.keys not in ((), ("#",)) and (any if word.known else all)(key in about for key in word.keys)


def trimmed(run: list[Word], before: str, text: Text, about: Collection[str]) -> Phrase | None:
    """The run without the tool's own words at its edges; None when nothing is left."""
    words = list(run)
    cues: set[str] = set()
    while words and (own(words[0], about) or commanding(words[0])):
        cues |= set(words.pop(0).keys)
    while words and own(words[-1], about) and not TITLED.search(text.text[: words[-1].end]):
        cues |= set(words.pop().keys)
    if not words:
        return None
    if len(words) > 1 and words == run and predicate(words, text.text):
        words.pop()
    start = words[0].start
    if capital(words[0]) and text.text[:start].endswith(" The ") and text.free(start - 4, start):
        start -= 4
    value = text.text[start : words[-1].end].strip(" -'")
    value = re.sub(r"['’]s$", "", value) if words[-1] is not run[-1] else value
    counted = any(match.end() == start for match in MEASURED.finditer(text.text))
    if NOT_VALUES.fullmatch(value) or (len(value) == 1 and CHINESE.match(value) and not counted):
        return None
    named = any(capital(word) for word in words) or CHINESE.match(value) is not None
    before = PREPOSITIONS.get(before, "")
    return Phrase([value], start, words[-1].end, before, named, cues)


def predicate(words: list[Word], text: str) -> bool:
    """Is the last word what the rest does or is: "does ICE 578 leave", "Is Krakow clean"?"""
    before, last = text[: words[0].start], words[-1].text
    does = re.search(r"(?i)\b(?:do|does|did|will)\s+(?:(?:the|my|our|an?)\s+)?$", before) and not last.endswith("s")
    being = re.match(r"(?i)\W*(?:is|are|was|were)\b", text) and capital(words[0])
    listed = re.match(r"(?i)\s*(?:,|and\b|or\b)", text[words[-1].end :])
    return last.isascii() and last.islower() and bool(does or being) and not listed


def commanding(word: Word) -> bool:
    """Is it a verb and nothing else?"""
    return bool(word.keys) and all(key[0] == "!" or key in VERBS for key in word.keys) and not capital(word)


def grouped(found: list[Phrase], text: Text) -> list[Phrase]:
    """Phrases that stand in a list become one phrase with several values."""
    groups: list[Phrase] = []
    for phrase in found:
        gap = text.text[groups[-1].end : phrase.start].strip().lower() if groups else ""
        state = gap == "," and re.fullmatch(r"[A-Z]{2,3}", phrase.values[0])
        if state and groups[-1].values[-1].istitle():  # Dallas, TX
            groups[-1].values[-1] += f", {phrase.values[0]}"
            groups[-1].end = phrase.end
        elif groups and LISTING.fullmatch(gap):
            groups[-1].values += phrase.values
            groups[-1].end = phrase.end
            groups[-1].cues |= phrase.cues
        else:
            groups.append(phrase)
    return groups


def quotes(text: Text) -> list[Phrase]:
    """What stands in quotation marks and is still free."""
    return [
        Phrase([(match[1] or match[2]).strip()], *match.span(), "", True)
        for match in QUOTED.finditer(text.text)
        if text.free(*match.span())
    ]
