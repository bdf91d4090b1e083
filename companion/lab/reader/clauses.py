"""One message, several wishes: where a request can be cut.

A cut is only an offer: a piece that asks for no tool of its own goes back to its neighbour.
"""

import re

from companion.lab.reader.phrases import VERBS
from companion.lab.reader.words import scan

OPENERS = {
    "what", "what's", "how", "who", "when", "where", "which", "is", "are", "will", "would", "can", "could", "does",
    "do", "did", "tell", "show", "give", "get", "check", "look", "let", "please", "should", "any",
}  # fmt: skip
QUOTE = re.compile(r"[\"“][^\"”\n]{1,300}[\"”]|(?<!\w)['‘][^'’\n]{1,300}['’](?!\w)")
# Inside quotation marks a full stop ends no sentence: it is put away while the text is cut.
HIDE = {ord(mark): 0xE000 + n for n, mark in enumerate(".?!;。？！；,，")}
SHOW = {code: chr(mark) for mark, code in HIDE.items()}
SENTENCE = re.compile(
    r"(?<=[?!;。？！；\n])\s*|(?<=[a-z\d)\"'][.])(?<!\bSt\.)(?<!\bMt\.)(?<!\bDr\.)(?<!\bMr\.)(?<!\bMs\.)(?<!\bMrs\.)(?<!\bNo\.)\s+(?=[A-Z\d])|(?<=[\u4e00-\u9fff])\.\s*"
)
JOINT = re.compile(
    r"(?:\s*[,，;]\s*|\s+)(?:and\s+then|and\s+also|and|then|also|plus|but|after\s+that)\s+|\s*,\s+(?=[a-z])",
    re.IGNORECASE,
)
ZH_JOINT = re.compile(
    r"[，,]\s*|(?<=[\u4e00-\u9fff\d])(?=然后|并且|顺便|同时帮|再帮|再查|再算|并(?:把|帮|查|告|提|发|取|设|预))"
)


def clauses(text: str) -> list[str]:
    """Return the pieces of a request, in order.

    >>> clauses("Turn on the fan and set a timer for 5 minutes.")
    ['Turn on the fan', 'set a timer for 5 minutes.']
    """
    pieces: list[str] = []
    for sentence in re.split(SENTENCE, QUOTE.sub(lambda quote: quote[0].translate(HIDE), text)):
        sentence = sentence.translate(SHOW)
        if re.search(r"[\u4e00-\u9fff]", sentence):
            pieces += [piece for piece in ZH_JOINT.split(sentence) if piece and piece.strip()]
        elif sentence.strip():
            pieces += joined(sentence)
    return pieces


def joined(sentence: str) -> list[str]:
    """An English sentence cut before each new command or question."""
    parts, start = [], 0
    for match in JOINT.finditer(sentence):
        if (
            opens(sentence[match.end() : match.end() + 40])
            and match.start() > start
            and not inside_quotes(sentence, match.start())
        ):
            parts.append(sentence[start : match.start()])
            start = match.end()
    return [*parts, sentence[start:]]


def opens(text: str) -> bool:
    """Does a command or a question begin here?"""
    first = next((word for word in scan(text) if word.text.lower() not in ("also", "then", "please")), None)
    if first is None or text[: first.start].strip(" ,"):
        return False
    return first.text.lower().split()[0] in OPENERS or any(key[0] == "!" or key in VERBS for key in first.keys)


def inside_quotes(text: str, at: int) -> bool:
    """Is this place between quotation marks?"""
    return text[:at].count('"') % 2 == 1 or text[:at].count("“") > text[:at].count("”")
