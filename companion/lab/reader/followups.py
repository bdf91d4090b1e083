"""A question that leans on the questions before it, said in full: "And Tokyo?" after a question about Bangkok.

Left out: what a pronoun means when the question before has no name, and topics that were left long ago.
"""

import re
from functools import reduce

from companion.lab.reader.courtesy import idle
from companion.lab.reader.dates import DAYS, MONTHS
from companion.lab.reader.sources import question_of
from companion.lab.reader.turns import Conversation
from companion.lab.reader.words import keys, scan

OPENER = re.compile(
    r"^\W*(?:(?:and|or|but|so|then|what about|how about|no|sorry|actually|i meant?)\b\W*"
    r"|(?:那么?|还有|不是?)\W*)+|呢\W*$",
    re.I,
)
LEANING = re.compile(rf"{OPENER.pattern}|^\W*(?:on|in|at|for|with|from|to|by) (?:\S+(?: |$)){{1,3}}$", re.I)
WHOLE = re.compile(
    r"\b(?:what|how|when|where|who|why|which|is|are|was|were|do|does|did|can|could|will|would|should|please)\b"
    r"|什么|多少|几|哪|谁|怎么|吗|是",
    re.I,
)
POINTER = re.compile(
    r"\b(?:it|its|they|them|their|he|him|his|she|her)\b|(?<!is )(?<!are )\bthere\b(?! (?:is|are))|[它他她]|那[里儿]",
    re.I,
)
NAME = re.compile(r"(?<=[\w,] )\w*[A-Z][\w'-]*(?:(?: of| the| de)? [A-Z][\w'-]*)*|^\w*[A-Z][\w'-]*$")

THING = re.compile(
    r"\b(?:the|an?) (?:[\w-]+ ){0,2}?[\w-]+(?= (?:in|on|at|of|is|are|from|for|with|to|have|cost)\b|\W*$)"
)


def in_full(talk: Conversation) -> str:
    """The user's last question with what it leaves to those before it."""
    said = [question_of(turn.text) for turn in talk.turns[: talk.asked + 1] if turn.role == "user"]
    return reduce(completed, said, "")


def completed(earlier: str, question: str) -> str:
    """The question with the part of the earlier one that it leaves out.

    >>> completed("When is the best time to visit Bangkok?", "And Tokyo?")
    'When is the best time to visit Tokyo?'
    """
    rest = OPENER.sub("", question).strip(" ?？.。!！")
    names = names_in(rest)
    if idle(earlier):
        return question
    if rest and not WHOLE.search(rest) and (LEANING.search(question) or (names == [rest] and not idle(rest))):
        old = replaceable(rest, names, earlier)
        return earlier.replace(old, names[0]) if old else f"{earlier.rstrip(' ?？.。')} {rest}?"
    before = names_in(earlier) or THING.findall(earlier)
    if before and not names and (pointer := POINTER.search(question)):
        name = f"in {before[0]}" if pointer[0].lower() == "there" else before[0]
        return question[: pointer.start()] + name + question[pointer.end() :]
    return question


def replaceable(rest: str, names: list[str], earlier: str) -> str:
    """The name of the earlier question that a new one takes the place of: of the same kind, or after the same word."""
    same = [name for name in names_in(earlier) if names and dated(name) == dated(names[0])]
    alike = [name for name in same if keys(name) & keys(names[0])]
    placed = [name for name in same if rest != names[0] and rest.replace(names[0], name) in earlier]
    return next(iter([*alike, *placed, *same]), "")


def dated(name: str) -> bool:
    """Is the name that of a day or a month?"""
    return name.lower().rstrip("s") in (*DAYS, *MONTHS)


def names_in(text: str) -> list[str]:
    """Names: with capitals inside a sentence; in Chinese cities, and words that the vocabulary does not know."""
    unknown = [word.text for word in scan(text) if "city_name" in word.keys or len(word.keys) > 1 > word.known]
    return [*NAME.findall(text), *(word for word in unknown if not word.isascii())]
