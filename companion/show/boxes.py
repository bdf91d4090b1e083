"""A text as the tokens a model reads, each in a box with its id."""

from textwrap import TextWrapper

from companion.lab.tokens import CONTROL_TOKENS, encode, encoding
from companion.show.view import Html, View, plural, tag

BOX = "border:1px solid #808080; border-radius:3px; padding:1px 3px; margin:1px; white-space:pre; font-family:monospace"
CONTROL = "; background-color:#e69f0040; font-weight:bold"
LEAD = str.maketrans({" ": "·", "\n": "⏎", "\t": "→"})


def tokens(text: str) -> View:
    """Return the tokens of a text (Qwen3's vocabulary) with their ids, and how many there are."""
    ids = encode(text)
    shown = [(piece(i), i) for i in ids]
    head = f"{plural(len(ids), 'token')}, {plural(len(text), 'character')}"
    boxes = (Html(tag("span", box(name), tag("sub", str(i)), style="white-space:nowrap") + " ") for name, i in shown)
    twin = "  ".join(f"{name} {i}".replace(" ", "\0") for name, i in shown)
    lines = TextWrapper(110, break_long_words=False, break_on_hyphens=False).wrap(twin)
    legend = "· is a space, ⏎ a line break, \\x… bytes of a character that is cut"
    return View(
        tag("div", tag("p", tag("b", head), f" ({legend})"), tag("p", *boxes, style="line-height:2.1")),
        "\n".join([head, *lines]).replace("\0", " "),
    )


def box(name: str) -> Html:
    """A token in its box; control tokens bold on a ground of their own."""
    return tag("code", name, style=BOX + CONTROL * (name in CONTROL_TOKENS))


def piece(token: int) -> str:
    r"""A token's text with its spaces made visible; bytes that are no whole character as `\xe5`.

    >>> piece(1879), piece(198)
    ('·world', '⏎')
    """
    raw = encoding().decode_single_token_bytes(token)
    try:
        return raw.decode().translate(LEAD)
    except UnicodeDecodeError:
        return repr(raw)[2:-1].translate(LEAD)
