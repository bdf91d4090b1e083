"""What the prompt states: passages with their urls, a system text, what the user said before, search results.

A block of lines is one source: a url anywhere in it holds for all of it, a short first line is its title.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from companion.lab.reader import results
from companion.lab.reader.tables import URL
from companion.lab.reader.turns import Conversation
from companion.lab.reader.words import keys

KINDS = (
    r"sources?|passages?|documents?|doc|context|(?:search )?results?|参考资料|资料|来源|文档|上下文|搜索结果|背景|结果"
)
HEADER = re.compile(
    rf"^\W{{0,4}}(?:{KINDS})\W{{0,3}}[:：]?\s*$|^\s*(?:\[\d+\]|<(?:{KINDS})\b|#{{1,4}} |-{{3,}}$|(?:{KINDS}) ?\d+)",
    re.I,
)
MARK = re.compile(r"^\s*(?:\[\d+\]|[-*•]|\d+[.)]|#+)?\s*")
LABEL = re.compile(rf"^\W*(?:{KINDS}|url|link|网址|链接|content|内容|正文|title|标题|text)\s*\d*\s*[:：]\s*", re.I)
ASKED = re.compile(
    r"(?:^|\n)\W{0,3}(?:(?:my |user )?question|query|q|(?:用户)?问题|提问)\W{0,3}[:：]\s*(.+)", re.I | re.DOTALL
)
PREFIX = re.compile(
    rf"^\W*(?:using|based on|according to|from|given|with)\b[^,?]*\b(?:{KINDS}|text)\b[^,?]*,\s*"
    rf"|^\W*请?(?:根据|依据|基于)[^，,？]*(?:{KINDS}|内容)[^，,？]*[，,：:]\s*",
    re.I,
)
# How to answer is said to the model, it is no fact: "Answer only from the sources."
RULE = re.compile(
    r"^you are\b|^你(?:是|叫)|(?:根据|只用|仅|请|如果|不要|必须|务必)"
    r".*(?:资料|回答|来源|网址|结果|说明|上下文|提到|文档)"
    r"|\b(?:answer|reply|respond|use|cite|give|quote|say|tell|do not|don't|never|always|be (?:brief|concise|polite))\b"
    rf".*\b(?:{KINDS}|url|only|question|below|above|don't know|assistant|information|answer)\b",
    re.I,
)
END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"'\d(])|(?<=[。！？])|\n+")
# "Its height is ..." is about what the block began with.
POINTS_BACK = re.compile(r"(?:it|its|they|the|this|he|she)\b|[它其该这]", re.I)
NAMED = re.compile(r"\b(?:I am|I'm|[Uu]ser is|[Tt]his is) [A-Z]\w+|我是[\u4e00-\u9fff]{2,3}(?![\u4e00-\u9fff])")
BODY = ("content", "snippet", "text", "passage", "body")


@dataclass(frozen=True)
class Sentence:
    """One sentence: its url, the title it stands under, what it is about, and what its whole block is about."""

    text: str
    url: str
    title: frozenset[str]
    own: frozenset[str]
    block: frozenset[str]
    told_by: str


def question_of(text: str) -> str:
    """The question in a message, without passages, and without "using only these sources," before it.

    >>> question_of("Sources: ... \\n\\nQuestion: How tall is it?")
    'How tall is it?'
    """
    return PREFIX.sub("", asked_in(text))


def asked_in(text: str) -> str:
    """The question in a message that may also bring passages: what is marked as such, else the last that asks."""
    if match := list(ASKED.finditer(text)):
        return match[-1][1].strip().split("\n\n")[0]
    if len(text) < 300 and not URL.search(text):
        return text
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    asking = [found[1] for line in lines if len(line) < 300 and (found := re.match(r"(.*[?？])[^?？]{0,60}$", line))]
    if asking and (len(lines) > 2 or len(text) > 300):
        return asking[-1]
    return text


def sentences(text: str) -> list[str]:
    """Text cut into sentences; urls and decimals stay whole."""
    return [part.strip() for part in END.split(text) if part.strip()]


def last_of(question: str) -> str:
    """The sentence that asks, where statements stand before it."""
    last = sentences(question)[-1:]
    return last[0] if last and last[0].endswith(("?", "？")) else question


def passages(text: str, told_by: str = "") -> Iterator[Sentence]:
    """The sentences of a text that brings passages."""
    block: list[str] = []
    for line in [*text.splitlines(), ""]:
        another = URL.search(line) and len(URL.sub("", line)) > 40 and any(map(URL.search, block))
        if block and (not line.strip() or HEADER.match(line) or another):
            yield from block_of(block, told_by)
            block = []
        if line.strip():
            block.append(line)


def block_of(lines: list[str], told_by: str) -> list[Sentence]:
    """The sentences of one block."""
    lines = lines[1:] if len(lines) > 1 and HEADER.fullmatch(lines[0]) else lines
    url = match[0].rstrip(".,;") if (match := URL.search("\n".join(lines))) else ""
    bare = [URL.sub("", LABEL.sub("", MARK.sub("", line))).strip(" ()（）-—") for line in lines]
    if url and len(bare) == 1:  # `Title: text (url)`
        bare = bare[0].split(": ", 1)
    titled = bare[0] if len(bare[0]) < 90 and len(bare) > 1 and bare[0][-1:] not in ".。!！?？" else ""
    return cut(titled.strip(" :："), "\n".join(bare[bool(titled) :]), url, told_by)


def cut(title: str, body: str, url: str, told_by: str) -> list[Sentence]:
    """A source as sentences, without those that give orders: a passage is data."""
    texts = [text for text in sentences(body) if not HEADER.match(text) and not results.ORDERS.search(text)]
    block = frozenset(ideas(title + "\n" + "\n".join(texts)))
    found: list[Sentence] = []
    for text in texts:
        topic = title or (texts[0] if found and POINTS_BACK.match(text) else "")
        found.append(Sentence(text, url, frozenset(ideas(topic)), frozenset(ideas(text)), block, told_by))
    return found


def ideas(text: str) -> set[str]:
    """What a text is about, with its codes and years."""
    named = {"name_of"} if NAMED.search(text) else set()
    return keys(text) | codes(text) | named


def codes(text: str) -> set[str]:
    """Years, numbers and codes in a text."""
    return set(re.findall(r"(?a)\b\d+\b|\b[A-Z]+-?\d+\b", text))


def hits(data: Any) -> list[dict[str, Any]]:
    """Search results inside a tool result: [{title, url, content}, ...]."""
    rows = data.get("results") if isinstance(data, dict) else data
    rows = [rows] if isinstance(rows, dict) else rows if isinstance(rows, list) else []
    return [row for row in rows if isinstance(row, dict) and any(isinstance(row.get(key), str) for key in BODY)]


def found_by_tools(texts: list[str]) -> list[Sentence]:
    """The sentences that tools brought."""
    found: list[Sentence] = []
    for data in map(results.read, texts):
        rows = hits(data)
        for row in rows:
            body = next(row[key] for key in BODY if isinstance(row.get(key), str))
            url = next((str(row[key]) for key in ("url", "link", "source") if row.get(key)), "")
            found += cut(str(row.get("title") or ""), body, url, "tool")
        if not rows and isinstance(data, str):
            found += passages(data, "tool")
    return found


def told(talk: Conversation) -> list[Sentence]:
    """Everything the prompt states: system text, the user's statements, passages in the last message."""
    found: list[Sentence] = []
    for n, turn in enumerate(talk.turns[: talk.asked + 1]):
        text = turn.text if turn.role in ("system", "user") else ""
        if n == talk.asked:
            question = last_of(question_of(text))
            text = text.replace(question, "\n") if question != text else ""
        stated = passages(text, turn.role)
        found += [s for s in stated if not RULE.search(s.text) and not s.text.endswith(("?", "？"))]
        found += found_by_tools(turn.results)
    return found
