"""Words and what they are about: a small bilingual vocabulary of everyday requests (vocabulary.txt).

`scan` cuts a text into words; each carries keys: the ideas it can stand for, or its own stem where the vocabulary
does not know it. `rain` and 下雨 both carry `weather`, so a Chinese question finds an English tool. Chinese that
the vocabulary does not know is kept as one run, its keys are its pairs of characters.
Left out: grammar, and any word nobody says to an assistant.
"""

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

CJK = "\u4e00-\u9fff"
CHINESE = re.compile(f"[{CJK}]")
WORD = re.compile(rf"[A-Za-zÀ-ɏ]+(?:[-'’][A-Za-zÀ-ɏ]+)*|[{CJK}℃℉]")
HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|[_\-.]+")

IDEAS: dict[str, list[str]] = defaultdict(list)  # by word; a stop word has none
STEMS: dict[str, list[str]] = defaultdict(list)  # by the stem of an English word
KINDS: set[str] = set()  # words marked ~: kinds of the thing they stand under, and so can be values
OPENINGS: dict[str, list[str]] = defaultdict(list)  # phrases and Chinese words by their first word or character


@dataclass(frozen=True)
class Word:
    """A word where it stands: `keys` are its ideas, empty for words that carry none."""

    text: str
    start: int
    end: int
    keys: tuple[str, ...]
    known: bool


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """The stem of an English word: rough, but the same on both sides.

    >>> stem("prices"), stem("pricing"), stem("stopped")
    ('pric', 'pric', 'stop')
    """
    word = word.lower().replace("’", "'").removesuffix("'s")
    if word.endswith(("sses", "xes", "ches", "shes")):
        word = word[:-2]
    elif word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        word = word[:-1]
    for end, least, instead in (("ing", 6, ""), ("ied", 5, "y"), ("ed", 5, "")):
        if word.endswith(end) and len(word) >= least:
            word = word[: -len(end)] + instead
            word = word[:-1] if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz" else word
            break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def rows(name: str) -> list[str]:
    """The lines of a data file that lies beside this one, without comments."""
    lines = Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and line[0] != "#"]


def learn(line: str) -> None:
    """Take in one line of the vocabulary."""
    idea, _, words = line.partition(": ")
    for marked in words.split():
        word = marked.removeprefix("~").replace("_", " ")
        IDEAS[word] += [idea] * (idea != "-")
        if marked[0] == "~":
            KINDS.add(word)
        if idea != "-" and " " not in word and word.isascii():
            STEMS[stem(word)] += [idea] * (idea not in STEMS[stem(word)])


for line in rows("vocabulary.txt"):
    learn(line)
for entry in sorted(IDEAS, key=len, reverse=True):
    if (" " in entry or not entry.isascii()) and (first := WORD.match(entry)):
        OPENINGS[first[0]].append(entry)


@lru_cache(maxsize=2048)
def scan(text: str) -> tuple[Word, ...]:
    """Cut a text into words; digits and punctuation are left to others."""
    words: list[Word] = []
    low, at = text.lower().replace("’", "'"), 0
    low = low if len(low) == len(text) else text  # a letter whose lower case is longer
    while match := WORD.search(text, at):
        start, at = match.span()
        latin = not CHINESE.match(match[0])
        if known := longest(low, start, at, latin):
            at = start + len(known)
        elif not latin and words and words[-1].end == start and not words[-1].known and CHINESE.match(words[-1].text):
            start = words.pop().start  # an unknown character joins the unknown ones before it
        words.append(Word(text[start:at], start, at, *meaning(low[start:at], latin or bool(known))))
    return tuple(words)


def longest(low: str, start: int, end: int, latin: bool) -> str:
    """The longest entry of the vocabulary that stands here, among phrases and Chinese words."""
    for entry in OPENINGS.get(low[start:end], ()):
        if low.startswith(entry, start) and not (latin and low[start + len(entry) :][:1].isalpha()):
            return entry
    return ""


@lru_cache(maxsize=8192)
def meaning(low: str, worded: bool = True) -> tuple[tuple[str, ...], bool]:
    """The keys of a word, and whether the vocabulary knows it; a run of unknown characters has its pairs for keys."""
    if not worded:
        return tuple(low[i : i + 2] for i in range(len(low) - 1)), False
    ideas = IDEAS.get(low, STEMS.get(stem(low)))
    return ((stem(low),), False) if ideas is None else (tuple(ideas), True)


def keys(text: str) -> set[str]:
    """Every idea in a text."""
    return {key for word in scan(text) for key in word.keys}


def chinese(text: str) -> bool:
    """Is this text written in Chinese?"""
    return CHINESE.search(text) is not None


@lru_cache(maxsize=4096)
def spaced(name: str) -> str:
    """A name from code as words: from_currency, fromCurrency -> from currency."""
    return HUMP.sub(" ", name).lower().strip()
