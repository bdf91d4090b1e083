"""A prompt in colour: who speaks, line by line, and what is new since the last prompt.

Left out: other models' templates. A tag counts wherever it stands, also in words a user typed, because that is what
the model sees.
"""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from typing import NamedTuple

from companion.lab.tokens import CONTROL_TOKENS
from companion.show.view import LEFT, Html, View, details, plural, pre, tag

COLOURS = {
    "system": "808080",
    "tools": "9467bd",
    "user": "0072b2",
    "assistant": "009e73",
    "thought": "808000",
    "tool call": "e69f00",
    "tool response": "d55e00",
}
NAMES = {"<tools>": "tools", "<tool_call>": "tool call", "<think>": "thought", "<tool_response>": "tool response"}
BLOCKS = {
    "system": re.compile(r"((?<=\n)<tools>\n.*?</tools>\n?)", re.DOTALL),
    "user": re.compile(r"(<tool_response>.*?(?:</tool_response>(?:<\|im_end\|>)?\n?|$))", re.DOTALL),
    "assistant": re.compile(
        r"(<tool_call>.*?(?:</tool_call>(?:<\|im_end\|>)?\n?|$)|<think>.*?(?:</think>\n*|$))", re.DOTALL
    ),
}
TABLE = "width:100%; table-layout:fixed; border-collapse:collapse"
CLEAR = "background-color:transparent"
CONTROL = re.compile("(" + "|".join(map(re.escape, CONTROL_TOKENS)) + ")")
MARKS = {"+": "new", "-": "gone"}


class Line(NamedTuple):
    """A line of a prompt, or the part of one, and whose it is."""

    label: str
    text: str


Marked = tuple[str, Sequence[Line]]


def prompt(text: str, *, against: str | None = None) -> View:
    """Return the prompt with a name and a colour for each part.

    What `against` did not have yet is marked new, the rest is folded (left out of the text twin).
    """
    if against is None:
        return view([(" ", lines(text))])
    return view([part for part in changes(lines(against), lines(text)) if part[0] != "-"], fold=True)


def diff(before: str, after: str) -> View:
    """Return only what changed from one prompt to the next: new and gone lines, the rest counted."""
    return view(list(changes(lines(before), lines(after))), fold=True)


def lines(text: str) -> list[Line]:
    """The prompt line by line, each with its label.

    >>> lines("<|im_start|>user\\nhi<|im_end|>\\n")[1]
    Line(label='user', text='hi<|im_end|>\\n')
    """
    if text is None:
        raise ValueError("There is no prompt: the request was refused, was a search, or its server does not tell.")
    turns = re.split(r"(?=<\|im_start\|>)", text)
    return [line for turn in turns for line in turn_lines(turn)]


def turn_lines(turn: str, role: str = "text") -> Iterator[Line]:
    """One turn; a turn that does not say whose it is belongs to `role`."""
    named = re.match(r"<\|im_start\|>(\w+)", turn)
    role = named[1] if named else role
    parts = BLOCKS[role].split(turn) if role in BLOCKS else [turn]
    for i, part in enumerate(parts):
        label = next(name for opening, name in NAMES.items() if part.startswith(opening)) if i % 2 else role
        yield from (Line(label, line) for line in re.findall(r"[^\n]*\n|[^\n]+", part))


def changes(before: Sequence[Line], after: Sequence[Line]) -> Iterator[Marked]:
    """Both prompts in one: runs of lines marked same (" "), gone ("-") or new ("+")."""
    for kind, b1, b2, a1, a2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            yield " ", after[a1:a2]
            continue
        if b1 < b2:
            yield "-", before[b1:b2]
        if a1 < a2:
            yield "+", after[a1:a2]


def view(marked: Sequence[Marked], fold: bool = False) -> View:
    """Runs of lines as a picture; `fold` hides the unchanged ones."""
    rows = [folded(run) if fold and mark == " " else "".join(html_rows(mark, run)) for mark, run in marked]
    twin = [count(run) if fold and mark == " " else "\n".join(text_rows(mark, run)) for mark, run in marked]
    body = tag("tbody", *(Html(row) for row in rows))
    return View(tag("table", body, style=TABLE), "\n".join(twin))


def html_rows(mark: str, run: Sequence[Line]) -> Iterator[Html]:
    """A table row for each label in a run of lines."""
    for label, group in groupby(run, key=lambda line: line.label):
        colour = COLOURS.get(label, "808080")
        style = f"{LEFT}; background-color:#{colour}{'40' if mark == '+' else '20'}"
        note = (Html("<br>"), tag("small", f"{mark} {MARKS[mark]}")) if mark in MARKS else ()
        name = tag("th", label, *note, scope="row", style=f"{style}; border-left:6px solid #{colour}; width:8em")
        yield tag("tr", name, tag("td", shown("".join(line.text for line in group), mark), style=style), style=CLEAR)


def shown(text: str, mark: str) -> Html:
    """Text with its control tokens in bold; struck out when it is gone."""
    parts = [tag("b", part) if i % 2 else part for i, part in enumerate(CONTROL.split(text.removesuffix("\n")))]
    return pre(tag("del", *parts)) if mark == "-" else pre(*parts)


def folded(run: Sequence[Line]) -> Html:
    """An unchanged run behind one line."""
    inner = tag("table", tag("tbody", *html_rows(" ", run)), style=TABLE)
    block = details(f"{plural(len(run), 'line')} as before", inner)
    return tag(
        "tr", tag("th", "before", scope="row", style=f"{LEFT}; width:8em"), tag("td", block, style=LEFT), style=CLEAR
    )


def text_rows(mark: str, run: Sequence[Line]) -> Iterator[str]:
    """Lines with mark and label in a margin: `+ user          | hi<|im_end|>`."""
    for label, group in groupby(run, key=lambda line: line.label):
        for i, line in enumerate(group):
            yield f"{mark} {'' if i else label:<13} | {line.text.removesuffix(chr(10))}".rstrip()


def count(run: Sequence[Line]) -> str:
    """An unchanged run in the text twin."""
    return f"  {'':<13} | ({plural(len(run), 'line')} as before)"
