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
KINDS = {word.removeprefix("~") for word in IDEAS.split() if word[0] == "~"}
CJK = "\u4e00-\u9fff"
PHRASES = sorted(
    (word for word in {*VOCABULARY, *STOPPED} if " " in word or re.match(f"[{CJK}℃℉]", word)), key=len, reverse=True
)
SCAN = re.compile(
    r"(?:(?<![A-Za-z])(?:" + "|".join(re.escape(word) for word in PHRASES if " " in word) + r")(?![A-Za-z]))"
    r"|(?:" + "|".join(word for word in PHRASES if " " not in word) + ")"
    rf"|(?P<en>[A-Za-zÀ-ɏ]+(?:[-'’][A-Za-zÀ-ɏ]+)*)|(?P<zh>[{CJK}])",
    re.IGNORECASE,
)


@lru_cache(maxsize=2048)
def scan(text: str) -> tuple[Word, ...]:
    """Cut a text into words; digits and punctuation are left to others."""
    words: list[Word] = []
    for match in SCAN.finditer(text):
        found, start, end = match[0], match.start(), match.end()
        if match["zh"]:
            if words and words[-1].end == start and not words[-1].known and re.match(f"[{CJK}]", words[-1].text):
                start, found = words[-1].start, words[-1].text + found
                words.pop()
            pairs = tuple(found[i : i + 2] for i in range(len(found) - 1))
            words.append(Word(found, start, end, pairs, False))
        else:
            words.append(english(found, start, end))
    return tuple(words)


def english(found: str, start: int, end: int) -> Word:
    """A word of the vocabulary, a stop word, or an unknown English word with its stem for a key."""
    return Word(found, start, end, *meaning(found.lower()))


@lru_cache(maxsize=8192)
def meaning(word: str) -> tuple[tuple[str, ...], bool]:
    """The keys of a word, and whether the vocabulary or the stop words know it."""
    low = word.replace("’", "'")
    ideas = VOCABULARY.get(low) or VOCABULARY.get(stem(low))
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
