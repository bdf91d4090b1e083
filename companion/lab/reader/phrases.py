"""The phrases of a request that could be values: "blue kettle" in "how much does the blue kettle cost?".

A phrase is a run of words between stop words, trimmed of the words the tool itself is about. Which value goes
where is decided in arguments.py.
"""

# ruff: noqa: E501 (a pattern or a table row is read as one line)

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import date

from companion.lab.reader.dates import dates, times
from companion.lab.reader.words import CJK, KINDS, Word, scan, stem

CODE = re.compile(
    r"(?<![\w@./-])(?:[A-Za-z]{1,10}[-_#]?\d[\w]*(?:-\w+)*|[A-Za-z]+(?:[-_][A-Za-z0-9]+)*[-_]\d\w*|\d+[A-Za-z]\w*|#\d+)(?![\w@])",
    re.ASCII,
)
DIGITS = re.compile(r"\d+(?:\.\d+)?")
PREPOSITIONS = {
    "in": "in", "at": "in", "near": "in", "inside": "in", "for": "for", "to": "to", "into": "to", "from": "from", "with": "with",
    "by": "by", "about": "about", "on": "on", "of": "of", "via": "via", "as": "as", "between": "from",
    "在": "in", "从": "from", "到": "to", "去": "to", "往": "to", "给": "to", "关于": "about", "有关": "about", "跟": "with", "和": "with", "与": "with",
    "把": "of", "向": "to", "用": "with",
}  # fmt: skip
LINKS = {"and", "or", "&", "和", "与", "跟", "或", "还有", "以及"}
INNER = {"of", "the", "in", "for", "to", "on", "at", "de", "and", "a", "的"}
ASKING = {
    "how many", "how much", "how much is", "how much does", "how long", "how far", "often", "what time", "几点", "还有多少",
}  # fmt: skip
ALWAYS = {
    "today", "tomorrow", "yesterday", "morning", "afternoon", "evening", "like", "question", "list", "live", "chat",
}  # fmt: skip
ABBREVIATED = {"St", "Mt", "Dr", "Mr", "Mrs", "Ms", "Ft"}
WEAK = set("上下里中后前时会能得地多最以为于及将做些张本条件份点吧号间家台部位次")
VERBS = {
    "convert", "search", "list", "track", "read", "calculate", "math", "status", "recommend", "define", "summary",
    "walk", "call_phone",
}  # fmt: skip
NOT_VALUES = re.compile(
    r"(?i)(?:(?:any|free|available|spare|empty|suitable|first|second|third|last|next|other|same|whole|cheapest|best|latest|newest|oldest|nearest|closest|earliest|fastest|largest|smallest|highest|lowest|top|result|one|ones|all|everything|something|anything|thing|stuff|here|there)s?\s*)+(?:rooms?|tables?|seats?|slots?)?"
    r"|周末|工作日|节假日|平时|(?:任意|随便|空闲|可用)的?(?:一间|一个)?(?:会议室|房间|座位)?|最(?:便宜|新|近|好|早|晚|快|大|高)|第[一二三四五]|刚才|结果|那里|这里|所在|家里|一个|全部"
)
LISTING = re.compile(
    r"(?:[,、]\s*(?:and|or|和)?|and|or|&|和|与|跟|或|还有|以及|及)\s*(?:also|then)?\s*(?:in|for|from|to|at|of|about)?\s*(?:the|a|an|some|my)?"
)
QUOTED = re.compile(
    r"[\"“”«»『』「」《》]([^\"“”«»『』「」《》]{1,400})[\"“”«»『』「」《》]|(?<!\w)['‘]([^'’\n]{2,400})['’](?!\w)"
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


class Text:
    """A piece of what the user said, with the parts marked that have already found their place."""

    def __init__(self, text: str, today: date | None = None) -> None:
        self.text = text
        self.today = today
        self.used: list[tuple[int, int]] = []
        self.dates = dates(text, today)
        self.times = times(text)

    def free(self, start: int, end: int) -> bool:
        """Is none of this taken?"""
        return all(end <= a or b <= start for a, b in self.used)

    def use(self, start: int, end: int) -> None:
        """Mark as taken."""
        self.used.append((start, end))

    def rest(self, start: int = 0, end: int | None = None) -> str:
        """What is left between two places, the taken parts cut out."""
        end = len(self.text) if end is None else end
        kept, at = [], start
        for a, b in sorted(self.used):
            if b > at and a < end:
                kept.append(self.text[at : max(at, a)])
                at = max(at, b)
        return re.sub(r"\s+", " ", "".join([*kept, self.text[at:end]])).strip()


def pieces(text: Text) -> list[Word]:
    """Words, codes and digits of a text in order."""
    taken: list[Word] = [Word(m[0], m.start(), m.end(), ("#",), False) for m in CODE.finditer(text.text)]
    spans = [(word.start, word.end) for word in taken]
    for match in DIGITS.finditer(text.text):
        if not any(a <= match.start() < b for a, b in spans):
            taken.append(Word(match[0], match.start(), match.end(), ("#",), False))
    words = [w for w in scan(text.text) if not any(a <= w.start < b or a < w.end <= b for a, b in spans)]
    return sorted(taken + words, key=lambda word: word.start)


def capital(word: Word) -> bool:
    """Does the word begin like a name?"""
    return word.text[:1].isupper() and word.text not in ("I", "I'm", "I'd", "I'll", "I've")


def phrases(text: Text, about: Collection[str]) -> list[Phrase]:
    """Every free phrase of the text; `about` are the ideas of the tool, trimmed from the edges."""
    runs: list[tuple[list[Word], str, str]] = []
    run: list[Word] = []
    before, previous, last_end = "", "", 0
    opened = True
    for word in [*pieces(text), Word("", len(text.text), len(text.text), (), True)]:
        gap = text.text[last_end : word.start]
        gap = gap.lstrip(".") if run and run[-1].text in ABBREVIATED else gap
        broken = re.search(r"[^\s\-'’&·]", gap) is not None or not text.free(word.start, word.end)
        inner = word.text.lower() in INNER and run and joins(word, run, text)
        stop = (
            (word.known and not word.keys and not inner)
            or word.text.lower() in ASKING
            or not word.text
            or not text.free(word.start, word.end)
        )
        splits = (
            bool(run)
            and len(word.text) > 1
            and re.match(f"[{CJK}]", word.text) is not None
            and word.known
            and any(k in about for k in word.keys)
        )
        if splits and not (broken or stop):
            runs.append((run, before, previous))
            run, before = [], ""
        if (broken or stop) and run:
            runs.append((run, before, previous))
            run = []
        if broken or not run:
            before = (
                previous if not re.search(r"[^\s]", gap.replace(",", "").replace("、", "")) or previous in LINKS else ""
            )
        if broken and re.search(r"[,，、]\s*$", gap) and not re.search(r"[.?!。？！:：]", gap):
            before = ","
        elif broken and gap.strip():
            before = ""
        if not stop:
            if not run:
                opened = (
                    not text.text[: word.start].strip(" ,")
                    or re.search(r"[.?!]\s*$", text.text[: word.start]) is not None
                )
            run.append(word)
            if opened and len(run) == 1 and word.keys and capital(word) and word.known and verbal(word):
                run = []
        previous, last_end = (word.text.lower() if stop else ""), word.end
    return grouped([phrase for run, before, _ in runs if (phrase := trimmed(run, before, text, about))], text)


def verbal(word: Word) -> bool:
    """Could the word be the command a sentence opens with?"""
    return any(key[0] == "!" or key in VERBS for key in word.keys)


def joins(word: Word, run: list[Word], text: Text) -> bool:
    """Does a small word belong to a name: Keepers of Vale, 蓝色的水壶?"""
    if word.text == "的":
        return True
    following = text.text[word.end :].lstrip()
    return (
        capital(run[-1])
        and word.text.lower() != "and"
        and re.match(r"(?:the |a )?[A-Z]", following) is not None
        and word.text.lower() in ("of", "the", "de")
    )


def trimmed(run: list[Word], before: str, text: Text, about: Collection[str]) -> Phrase | None:
    """The run without the tool's own words at its edges; None when nothing is left."""
    words = list(run)
    cues: set[str] = set()

    def own(word: Word, first: bool) -> bool:
        if (
            word.text == "的"
            or word.text in WEAK
            or word.text.lower() in INNER
            or (ALWAYS & {*word.keys} and not capital(word))
        ):
            return True
        if capital(word) and (word.start > 0 or len(words) > 1) and not (first and word.start == 0):
            return False
        if word.text.lower() in KINDS or stem(word.text) in KINDS:
            return False
        return (
            bool(word.keys) and word.keys != ("#",) and (any if word.known else all)(key in about for key in word.keys)
        )

    while words and (
        own(words[0], True)
        or (verbal(words[0]) and all(k[0] == "!" or k in VERBS for k in words[0].keys) and not capital(words[0]))
    ):
        cues |= set(words.pop(0).keys)
    while words and own(words[-1], False):
        if words[-1].text == "city" and len(words) > 1:
            break
        cues |= set(words.pop().keys)
    if not words:
        return None
    start = words[0].start
    if capital(words[0]) and text.text[:start].endswith(" The ") and text.free(start - 4, start):
        start -= 4
    value = text.text[start : words[-1].end].strip(" -'")
    if words[-1] is not run[-1]:
        value = re.sub(r"['’]s$", "", value)
    if NOT_VALUES.fullmatch(value) or re.fullmatch(f"[{CJK}]", value):
        return None
    is_name = any(capital(word) for word in words) or re.match(f"[{CJK}]", value) is not None
    return Phrase(
        [value],
        start,
        words[-1].end,
        PREPOSITIONS.get(before, before if before in (",", *LINKS) else ""),
        is_name,
        cues,
    )


def grouped(found: list[Phrase], text: Text) -> list[Phrase]:
    """Phrases that stand in a list become one phrase with several values."""
    groups: list[Phrase] = []
    for phrase in found:
        gap = text.text[groups[-1].end : phrase.start].strip().lower() if groups else ""
        if groups and LISTING.fullmatch(gap):
            groups[-1].values += phrase.values
            groups[-1].end = phrase.end
            groups[-1].cues |= phrase.cues
        else:
            groups.append(phrase)
    return groups


def quotes(text: Text) -> list[Phrase]:
    """What stands in quotation marks and is still free."""
    found = []
    for match in QUOTED.finditer(text.text):
        group = 1 if match[1] else 2
        if text.free(*match.span()):
            found.append(Phrase([match[group].strip()], match.start(), match.end(), "", True))
    return found
