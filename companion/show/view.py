"""What every picture here is made of: HTML for notebooks and a plain-text twin for everything else.

`tag` escapes every string that is not `Html` already, so nothing unescaped can slip in. GitHub drops `style`, an
untrusted notebook drops CSS variables: colours are see-through hex values over the theme's own background and text
colour, and no meaning hangs on them. Data stands in `<pre>` or `<code>`, where `$` is not taken for a formula.
"""

import json
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import zip_longest
from typing import Any

LEFT = "text-align:left; vertical-align:top; padding:.3em .6em"
# An untrusted notebook knows no `anywhere`, and JupyterLab breaks every word of its own accord.
WRAP = (
    "white-space:pre-wrap; word-break:normal; overflow-wrap:break-word; overflow-wrap:anywhere; font-family:monospace;"
    " line-height:1.35; margin:0; padding:0; background-color:transparent"
)
LETTER = 0.62  # em, of a monospace font; an untrusted notebook knows no `ch`


@dataclass(frozen=True, repr=False)
class View:
    """Something to look at: a notebook shows `html`; `str()` and `repr()` give `text`, its twin."""

    html: str
    text: str

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """The two forms, without half characters: a notebook breaks off at one."""
        shown = {"text/html": self.html, "text/plain": self.text}
        return {kind: text.encode(errors="replace").decode() for kind, text in shown.items()}


class Html(str):
    """A string that is HTML already."""

    __slots__ = ()


def tag(name: str, *children: str, **attributes: str) -> Html:
    """Return an element; plain strings and attribute values are escaped.

    >>> tag("b", "<script>", title='"')
    '<b title="&quot;">&lt;script&gt;</b>'
    """
    inner = "".join(child if isinstance(child, Html) else escape(child) for child in children)
    given = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items())
    return Html(f"<{name}{given}>{inner}</{name}>")


def pre(*children: str, style: str = "") -> Html:
    """Text as it is, wrapped; a first newline is doubled because HTML swallows one."""
    first = ["\n"] if children and children[0].startswith("\n") else []
    return tag("pre", *first, *children, style=WRAP + style)


def details(summary: str, *children: str, shown: bool = False) -> Html:
    """A block that folds."""
    opened = {"open": ""} if shown else {}
    return tag("details", tag("summary", summary), *children, **opened)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Html:
    """A table whose cells keep their line breaks; a word of up to 28 letters is not broken, however narrow the page."""
    top = tag("tr", *(tag("th", cell, scope="col", style=LEFT) for cell in head))
    body = (
        tag("tr", *(tag("td", pre(cell, style=f"; min-width:{longest_word(cell):g}em"), style=LEFT) for cell in row))
        for row in rows
    )
    return tag("table", tag("thead", top), tag("tbody", *body), style="table-layout:auto")  # JupyterLab's is "fixed"


def longest_word(text: str) -> float:
    """How wide a text's longest word is, in em, 28 letters at most; Chinese may be broken anywhere."""
    letters = min(max((len(word) for word in text.split() if word.isascii()), default=2), 28)
    return round(letters * LETTER, 1)


def tabular(head: Sequence[str], rows: Iterable[Sequence[str]]) -> View:
    """A table in both forms."""
    rows = list(rows)
    return View(table(head, rows), columns(head, rows))


def columns(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """The same table as text; a cell with line breaks takes several lines."""
    split = ([cell.split("\n") for cell in row] for row in [head, *rows])
    lines = [line for row in split for line in zip_longest(*row, fillvalue="")]
    widths = [max(map(width, column)) for column in zip(*lines, strict=True)]
    padded = ([cell + " " * (room - width(cell)) for cell, room in zip(line, widths, strict=True)] for line in lines)
    return "\n".join("  ".join(line).rstrip() for line in padded)


def width(text: str) -> int:
    """Columns on a terminal: Chinese characters take two.

    >>> width("ab"), width("天气")
    (2, 4)
    """
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def plural(count: int, noun: str) -> str:
    """`1 line`, `2 lines`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def indented(text: str, by: str = "  ") -> str:
    """Every line moved right, empty ones left empty."""
    return "\n".join(f"{by}{line}".rstrip() for line in text.splitlines())


def as_json(value: Any) -> str:
    """JSON for people: indented, Chinese left as it is."""
    return json.dumps(value, ensure_ascii=False, indent=2, default=str)


def folded_json(value: Any, name: str) -> Html:
    """Indented JSON, folded away when it is long."""
    text = as_json(value)
    count = text.count("\n") + 1
    return pre(text) if count <= 12 else details(f"{name}: {count} lines of JSON", pre(text))


def brief_json(value: Mapping[str, Any]) -> str:
    """One line for each key, long values cut: JSON for the text twin."""
    lines = (f"{key}: {json.dumps(item, ensure_ascii=False, default=str)}" for key, item in value.items())
    return "\n".join(shortened(line, 300) for line in lines)


def shortened(line: str, limit: int) -> str:
    """The line, cut when long."""
    return line if len(line) <= limit else f"{line[:limit]}… ({len(line)} characters)"
