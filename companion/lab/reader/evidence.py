"""The sentence that answers a question, among those the prompt states.

It carries most of what the question is about, above all its rarest words; and where a figure is asked for, it has a
figure of that kind. Left out: facts spread over several sentences, and reasoning about them.
"""

import operator
import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from companion.lab.reader.figures import measured
from companion.lab.reader.numbers import BELOW
from companion.lab.reader.phrases import ASKING
from companion.lab.reader.sources import Sentence, codes
from companion.lab.reader.words import keys, scan, stem

ENOUGH = 0.55
VAGUE = {
    "today", "place", "list", "question", "time", "chat", "code", "read", "next", "high", "long",
    "knowledge", "search", "web", "positive", "convert", "status", "free", "unit", "name_of",
}  # fmt: skip

CLAUSE = re.compile(r"[，；]\s*|[,;]\s+")
WHO = re.compile(
    r"(?i)([\u4e00-\u9fff]{2})是谁|谁是([\u4e00-\u9fff]{2})|\bwho(?:'s| is) (?:the |its |your )?([a-z]\w+)"
)
OPPOSED = {"open": "clos", "clos": "open", "arriv": "leav", "leav": "arriv", "开门": "关门", "关门": "开门"}


@dataclass(frozen=True)
class Part:
    """A word of a question: the ideas it can stand for, how it is written, and how much it says."""

    ideas: frozenset[str]
    written: str
    weight: float


@dataclass(frozen=True)
class Question:
    """A question taken apart: its words, what figure it asks for, and the names in it."""

    parts: list[Part]
    measured: re.Pattern[str] | None
    names: set[str]
    pairs: list[tuple[Part, Part]]
    counted: str
    text: str


def best(question: str, found: list[Sentence]) -> Sentence | None:
    """The sentence that answers the question, None when none carries enough of it."""
    asked = taken_apart(question, found)
    touched = {key for part in asked.parts for key in part.ideas}
    near = [(fitness(asked, s), -n, s) for n, s in enumerate(found) if touched & (s.own | s.title)]
    points, _, sentence = max(near, default=(0.0, 0, None))
    return sentence if points >= ENOUGH else None


def narrowed(question: str, sentence: Sentence) -> str:
    """The one clause that answers, where the sentence gives figures of several things; else the whole sentence.

    "An adult pays 45, a child 20." has two: a child's ticket is asked for.
    """
    asked = taken_apart(question, [sentence])
    said = sentence.text.lower()
    parts = [part for part in asked.parts if carried(part, sentence, said)]
    clauses = CLAUSE.split(sentence.text.rstrip("。."))
    fitting = [c for c in clauses if asked.measured and asked.measured.search(c) and re.search(r"\d", c)]
    own = [c for c in fitting if all(within(part, c, said) for part in parts)]
    return own[0] + sentence.text[-1] if len(fitting) > 1 and len(own) == 1 else sentence.text


def within(part: Part, clause: str, sentence: str) -> bool:
    """Does a clause speak of a word of the question, and say it where the sentence does?"""
    return bool(part.ideas & keys(clause)) and (part.written in clause.lower() or part.written not in sentence)


def taken_apart(question: str, found: list[Sentence]) -> Question:
    """The question, weighed against what there is to answer it: a word that few sentences carry says more."""
    count = Counter(key for s in found for key in s.own | s.title)
    asks, pattern = measured(question)
    counted = re.search(r"how many (\w+)", question.lower())
    names = {key for match in re.finditer(r"(?<=\w )[A-Z][a-z]+", question) for key in keys(match[0])}
    rest = question.replace(asks, " ") if asks else question
    asking = frozenset(keys(asks))  # "How much is it?" asks for a price
    said = parts(rest, count) or [(asking, asks)] * bool(asking)
    weighed = [Part(ideas, written, weight(ideas, count)) for ideas, written in said]
    pairs = [(a, b) for a, b in pairwise(weighed) if re.search(rf"{a.written}\w* {b.written}", rest.lower())]
    thing = stem(counted[1]) if counted else ""
    return Question(weighed, pattern, names, pairs, thing, question)


def weight(ideas: frozenset[str], count: Counter[str]) -> float:
    """How much a word of the question says: rare words most, words for doing and asking little."""
    light = ideas & VAGUE or any(idea[0] == "!" for idea in ideas)
    return (1.15 / (1 + min(count[idea] for idea in ideas)) + 0.15) * (0.25 if light else 1.0)


def parts(question: str, count: Counter[str]) -> list[tuple[frozenset[str], str]]:
    """What a question is about, word by word: the ideas it can stand for, and how it is written."""
    found = [(frozenset({code}), code) for code in codes(question)]
    for word in scan(question):
        if word.known and word.text.lower() not in ASKING and word.keys:
            found.append((frozenset(word.keys), stem(word.text)))
        elif not word.known:  # of the pairs of Chinese characters some straddle two words
            there = [key for key in word.keys if count[key]] or word.keys
            found += [(frozenset({key}), key) for key in there]
    return found


def fitness(asked: Question, sentence: Sentence) -> float:
    """The share of the question that a sentence carries; a fitting figure counts for it, lost names against it."""
    text = sentence.text.lower()
    hit = [carried(part, sentence, text) for part in asked.parts]
    weights = [part.weight for part in asked.parts]
    points: float = sum(map(operator.mul, weights, hit)) / sum(weights)
    if asked.measured:
        points += 0.35 if asked.measured.search(sentence.text) else -0.5
    elif asked.counted and asked.counted in text:
        points += 0.35 if re.search(rf"(?:\d|\b{BELOW})[ -](?:\w+[ -]){{0,2}}{asked.counted}", text) else -0.5
    if not any(part.ideas & sentence.own for part in asked.parts if not part.written.isdigit()):
        points -= 0.5
    points -= another(asked, sentence, text)
    lost = asked.names - sentence.own - sentence.title
    return points - (0.3 * len(lost) / len(asked.names) if asked.names else 0.0)


def carried(part: Part, sentence: Sentence, text: str) -> float:
    """How well a sentence carries a word: the word itself, its title's word, or another word for the same."""
    if part.ideas & sentence.own and part.written in text:
        return 1.0
    return 0.95 if part.ideas & sentence.title else 0.85 if part.ideas & sentence.own else 0.0


def another(asked: Question, sentence: Sentence, text: str) -> bool:
    """Is the sentence about another thing of the kind, a day ticket where a monthly ticket is asked for?"""
    if (role := WHO.search(asked.text)) and not keys(role[role.lastindex or 0]) & (sentence.own | sentence.title):
        return True
    if any(part.written not in text and OPPOSED.get(part.written, text + "?") in text for part in asked.parts):
        return True
    for one, thing in asked.pairs:
        if not one.ideas & VAGUE and thing.ideas & sentence.own and not carried(one, sentence, text):
            before = re.findall(rf"([a-z]+) {thing.written}", text)
            if before and all(map(keys, before)):
                return True
    return False
