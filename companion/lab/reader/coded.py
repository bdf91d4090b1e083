"""Things with a standard code, by their names: currencies, languages, units of measurement (standards.txt)."""

import re
from functools import lru_cache

from companion.lab.reader.kinds import kind_of
from companion.lab.reader.text import Text
from companion.lab.reader.turns import Parameter, Tool
from companion.lab.reader.words import chinese, rows, spaced

Span = tuple[int, int, str]

TARGET = re.compile(r"\b(?:to|target|dest\w*|dst|into)\b|目标")
SOURCE = re.compile(r"\b(?:from|source|src|base|original)\b|原|源")
AIMED = re.compile(r"(?i)(?:\b(?:to|into|in|as|how many|how much)(?:\s+the)?|换成|成|为|多少|等于|合|换)\s*$")
ALSO = re.compile(r"\s*(?:,|and|or|和|、|以及)\s*(?:to|into|in)?\s*")
WANTS_CODE = re.compile(r"\bcode\b|代码|iso|\b(?:en|zh|fr|de)\b")


@lru_cache
def names(kind: str) -> dict[str, list[str]]:
    """The names of each code of a kind, the usual one first, the code itself last; of a language, the names alone."""
    table = [line.removeprefix(f"{kind} ").split(": ") for line in rows("standards.txt") if line.startswith(kind)]
    own = kind != "language"  # `is` and `no` are words
    return {code: [name.replace("_", " ") for name in listed.split()] + [code] * own for code, listed in table}


def spelled(name: str) -> str:
    """A pattern for a name, in the singular or the plural."""
    return re.escape(name) if chinese(name) else rf"(?<![A-Za-z]){re.escape(name)}(?:s|es)?(?![A-Za-z])"


@lru_cache
def pattern(kind: str) -> tuple[re.Pattern[str], dict[str, str]]:
    """A pattern for every name of a kind, and the code of each spelling."""
    codes = {
        name.lower() + end: code for code, listed in names(kind).items() for name in listed for end in ("", "s", "es")
    }
    longest = sorted({name for listed in names(kind).values() for name in listed}, key=len, reverse=True)
    return re.compile("|".join(map(spelled, longest)), re.IGNORECASE), codes


def coded(kind: str, parameter: Parameter, tool: Tool, text: Text) -> list[str]:
    """The currencies, languages or units a text names, as the parameter wants them written; takes their places."""
    finder, codes = pattern(kind)
    found: list[Span] = []
    for match in finder.finditer(text.text):
        code = codes.get(match[0].lower())  # None: İ passes for an i
        if code and text.free(*match.span()) and (kind != "unit" or is_unit(match)):
            found.append((*match.span(), written(kind, code, match[0], parameter, tool)))
    chosen = directed(parameter, found, text)
    if not chosen and sum(kind_of(p, tool) == kind for p in tool.parameters) < 2:
        chosen = found
    for start, end, _ in chosen:
        text.use(start, end)
    return [value for _, _, value in chosen]


def is_unit(match: re.Match[str]) -> bool:
    """A short code is a unit after a number or after "to": 5 m, but not "in" or "I'm"."""
    short = len(match[0]) <= 2 and not chinese(match[0])
    return not short or (
        match[0].lower() != "in" and re.search(r"\d\s*$|\b(?:in|to)\s+$", match.string[: match.start()]) is not None
    )


def written(kind: str, code: str, said: str, parameter: Parameter, tool: Tool) -> str:
    """A currency as its code; a language as its name, or its code where the description wants one; a unit as the
    descriptions write it, else as the user did."""
    if kind == "currency" or (kind == "language" and WANTS_CODE.search(parameter.description)):
        return code
    if kind == "language":
        return said if chinese(said) else names(kind)[code][0]
    known = f"{parameter.description} {tool.description}"
    matches = (re.search(spelled(name), known) for name in names(kind)[code])
    return next((match[0] for match in matches if match), said)


def directed(parameter: Parameter, spans: list[Span], text: Text) -> list[Span]:
    """Of several things, those a `from` or `to` parameter means; the target is said after to, into, in or 换成."""
    name = f"{spaced(parameter.name)} {parameter.description.lower()}"
    aimed: list[Span] = []
    for span in spans:
        linked = aimed and ALSO.fullmatch(text.text[aimed[-1][1] : span[0]])
        if linked or AIMED.search(text.text[: span[0]]):
            aimed.append(span)
    if SOURCE.search(name):
        return [span for span in spans if span not in aimed][:1] or (spans[:1] if len(spans) > 1 else [])
    if TARGET.search(name):
        return aimed or (spans[-1:] if len(spans) > 1 else [])
    return spans
