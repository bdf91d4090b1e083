"""Words and what they are about: a small bilingual vocabulary of everyday requests.

`scan` cuts a text into words; each carries keys: the ideas it can stand for, or its own stem where the vocabulary
does not know it. `rain` and 下雨 both carry `weather`, so a Chinese question finds an English tool. Chinese that
the vocabulary does not know is kept as one run, its keys are its pairs of characters.
Left out: grammar, and any word nobody says to an assistant.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from companion.lab.reader.vocabulary import IDEAS, STOP


@dataclass(frozen=True)
class Word:
    """A word where it stands: `keys` are its ideas, empty for words that carry none."""

    text: str
    start: int
    end: int
    keys: tuple[str, ...]
    known: bool


def stem(word: str) -> str:
    """The stem of an English word: rough, but the same on both sides.

    >>> stem("prices"), stem("pricing"), stem("stopped")
    ('pric', 'pric', 'stop')
    """
    word = word.lower().replace("’", "'").removesuffix("'s")
    for end, least in (("ing", 6), ("ied", 5), ("ed", 5), ("ies", 5)):
        if word.endswith(end) and len(word) >= least:
            word = word[: -len(end)] + ("y" if end[0] == "i" and end != "ing" else "")
            word = word[:-1] if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz" else word
            break
    else:
        if word.endswith(("sses", "xes", "ches", "shes")):
            word = word[:-2]
        elif word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
            word = word[:-1]
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def load() -> tuple[dict[str, tuple[str, ...]], set[str]]:
    """The vocabulary by word (English by stem), and the stop words."""
    ideas: dict[str, tuple[str, ...]] = {}
    stems: dict[str, tuple[str, ...]] = {}
    for line in IDEAS.strip().splitlines():
        idea, _, words = line.partition(": ")
        for word in words.split():
            word = word.replace("_", " ").removeprefix("~")
            ideas[word] = tuple(dict.fromkeys((*ideas.get(word, ()), idea)))
            if " " not in word:
                stems[stem(word)] = tuple(dict.fromkeys((*stems.get(stem(word), ()), idea)))
    ideas = {**stems, **ideas}
    return ideas, {word.replace("_", " ") for word in STOP.split()}


VOCABULARY, STOPPED = load()
# Words marked ~ are kinds of the thing they stand under, and so can be values: lemonade is a drink to order.
KINDS = {word.removeprefix("~").replace("_", " ") for word in IDEAS.split() if word[0] == "~"}
CJK = "\u4e00-\u9fff"
WORD = re.compile(rf"[A-Za-zÀ-ɏ]+(?:[-'’][A-Za-zÀ-ɏ]+)*|[{CJK}℃℉]")


def openings() -> dict[str, list[str]]:
    """Phrases and Chinese words by what they begin with (a word, a character), the longest first."""
    found: dict[str, list[str]] = {}
    for word in sorted({*VOCABULARY, *STOPPED}, key=len, reverse=True):
        first = WORD.match(word)
        if first and (" " in word or not word.isascii()):
            found.setdefault(first[0], []).append(word)
    return found


OPENINGS = openings()


@lru_cache(maxsize=2048)
def scan(text: str) -> tuple[Word, ...]:
    """Cut a text into words; digits and punctuation are left to others."""
    words: list[Word] = []
    low, at = text.lower().replace("’", "'"), 0
    if len(low) != len(text):  # a letter whose lower case is longer
        low = text
    while match := WORD.search(text, at):
        start, latin = match.start(), match[0][0] < "\u2000"
        longer = OPENINGS.get(low[start : match.end()], ())
        known = next(
            (
                word
                for word in longer
                if low.startswith(word, start)
                and not (latin and low[start + len(word) : start + len(word) + 1].isalpha())
            ),
            "",
        )
        at = start + len(known) if known else match.end()
        if known or latin:
            words.append(english(text[start:at], start, at))
        else:
            words.append(unknown(text, start, at, words))
    return tuple(words)


def unknown(text: str, start: int, end: int, words: list[Word]) -> Word:
    """A character no word begins with; it joins the unknown characters right before it."""
    last = words[-1] if words else None
    if last and last.end == start and not last.known and not last.text.isascii() and last.text[0] > "\u2000":
        start = words.pop().start
    found = text[start:end]
    return Word(found, start, end, tuple(found[i : i + 2] for i in range(len(found) - 1)), False)


def english(found: str, start: int, end: int) -> Word:
    """A word of the vocabulary, a stop word, or an unknown English word with its stem for a key."""
    return Word(found, start, end, *meaning(found.lower()))


@lru_cache(maxsize=8192)
def meaning(word: str) -> tuple[tuple[str, ...], bool]:
    """The keys of a word, and whether the vocabulary or the stop words know it."""
    low = word.replace("’", "'")
    ideas = VOCABULARY.get(low) or (() if low in STOPPED else VOCABULARY.get(stem(low)))
    if ideas:
        return ideas, True
    return ((), True) if low in STOPPED else ((stem(low),), False)


def keys(text: str) -> set[str]:
    """Every idea in a text."""
    return {key for word in scan(text) for key in word.keys}


def chinese(text: str) -> bool:
    """Is this text written in Chinese?"""
    return re.search(f"[{CJK}]", text) is not None


def spaced(name: str) -> str:
    """A name from code as words: from_currency, fromCurrency -> from currency."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|[_\-.]+", " ", name).lower().strip()
