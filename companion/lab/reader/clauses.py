"""One message, several wishes: where a request can be cut.

A cut is only an offer: a piece that asks for no tool of its own goes back to its neighbour.
"""

import re

from companion.lab.reader.phrases import QUOTED, verbal
from companion.lab.reader.words import scan

OPENERS = {
    "what", "what's", "how", "who", "when", "where", "which", "is", "are", "will", "would", "can", "could", "does",
    "do", "did", "tell", "show", "give", "get", "check", "look", "let", "please", "should", "any",
}  # fmt: skip
# The end of a sentence; a Chinese comma or link word; an English one, which cuts where a command or question follows.
CUT = re.compile(
    r"(?<=[?!;。？！；\n])\s*(?=\S)|(?-i:(?<=[a-z\d)\"'][.])(?<!\b[SMD][trs]\.)(?<!\bMrs\.)(?<!\bNo\.)\s+(?=[A-Z\d]))"
    r"|(?<=[\u4e00-\u9fff])[.,]\s*|，\s*|(?<=[\u4e00-\u9fff\d])(?=然后|并且|顺便|同时帮|再[帮查算]|并[把帮查告提发取设预])"
    r"|(?P<joint>(?:\s*[,;]\s*|\s+)(?:and\s+then|and\s+also|and|then|also|plus|but|after\s+that)\s+|\s*,\s+(?=[a-z]))",
    re.IGNORECASE,
)
# What stands between the parts of a list.
JOINT = re.compile(r"\s*[,，、]\s*(?:and\s+)?|\s+and\s+|和|以及")


def clauses(text: str) -> list[str]:
    """Return the pieces of a request, in order.

    >>> clauses("Turn on the fan and set a timer for 5 minutes.")
    ['Turn on the fan', 'set a timer for 5 minutes.']
    """
    quoted = [quote.span() for quote in QUOTED.finditer(text)]
    pieces, start = [], 0
    for cut in CUT.finditer(text):
        inside = any(begin < cut.start() < end for begin, end in quoted)
        if cut.start() > start and not inside and (not cut["joint"] or opens(text[cut.end() : cut.end() + 40])):
            pieces.append(text[start : cut.start()])
            start = cut.end()
    return [piece for piece in [*pieces, text[start:]] if piece.strip()]


def opens(text: str) -> bool:
    """Does a command or a question begin here?"""
    first = next((word for word in scan(text) if word.text.lower() not in ("also", "then", "please")), None)
    if first is None or text[: first.start].strip(" ,"):
        return False
    return first.text.lower().split()[0] in OPENERS or verbal(first)
