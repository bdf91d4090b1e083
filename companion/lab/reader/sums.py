"""Arithmetic in digits or words: text in, trees out.

A tree is ("num", value), ("ref", words) for a number that is not in the text, or (operator, left, right). The words
of a reference are empty for "the result", else what the number is called: "temperature in Cairo". "then" and 再 close
what stands to their left: 三加四再乘以十 is (3+4)*10, three plus four times ten is 3+4*10.
Left out: variables, functions other than roots, and stories with more than one step.
"""

import operator
import re
from collections.abc import Callable
from functools import lru_cache

from companion.lab.reader.descent import BINDS, Node, Reader, chain, names
from companion.lab.reader.numbers import Number, numbers, tidy

WORK: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "%": operator.mod,
    "**": operator.pow,
}
STORY = (
    (r"又\w{1,3}\d|加法", "+"),
    (r"shared?\s+(?:equally|among|between)|split|divided?\s+(?:equally|among)|平均分|平分", "/"),
    (r"\b(?:each|every|apiece)\b|\d \w+ of \d|\w个\w|每(?!天几)|一.{1,2}(?:有|装|卖|要)\d|各有", "*"),
    (r"\bleft\b|remain|gave\s+away|\bate\b|\blost\b|\bsold\b|\bspent\b|还剩|剩下|剩", "-"),
    (r"altogether|in\s+total|in\s+all|\bmore\b|combined|一共|总共|共有", "+"),
)
PRICED = re.compile(
    r"(?i)\b\w+ [a-z]+(?: [a-z]+)? (?:at|for|that cost) [$€£]?\d+(?:\.\d+)?(?: [a-z]+)? (?:each|apiece)\b"
    r"|[\d一二两三四五六七八九十]+[\u4e00-\u9fff][\d.]+(?:元|块钱?)(?:一[\u4e00-\u9fff])?的"
    r"|\b(?:one|an?|each|every) (?P<kind>[a-z]+) (?:costs?|holds?|has|contains?|seats?|carries|fits?|makes?|needs?)"
    r" [$€£]?\d+(?:\.\d+)?.{1,40}?\b\d+ (?P=kind)s\b"
    r"|每(?P<unit>[\u4e00-\u9fff])[\d.]+(?:元|块钱?)，.{0,2}[\d.一二两三四五六七八九十]+(?P=unit)"
    r"|[一每][\u4e00-\u9fff](?P<thing>[\u4e00-\u9fff]{1,3})[\d.]+(?:元|块钱?)，.{0,2}[\d一二两三四五六七八九十]+[\u4e00-\u9fff](?P=thing)"
)


COMPARED = re.compile(
    r"(?i)\b(?:by how much (?:is|are)|how much|how many)\b[^?]*\b(?:(?P<less>less|fewer|smaller|lower|shorter|younger)"
    r"|bigger|larger|greater|higher|taller|longer|older|heavier|more(?= (?:is|are)\b))"
    r"\b[^?]*\bthan\b"
)
REMAINDER = re.compile(r"(?i)\bremainder\b|余[数几多]")


def find(text: str) -> list[Node]:
    """Return every tree with an operation and all its numbers.

    >>> find("3加4再乘以10")
    [('*', ('+', ('num', 3), ('num', 4)), ('num', 10))]
    """
    return [tree for tree in trees(text) if not names(tree)]


@lru_cache(maxsize=512)
def trees(text: str) -> tuple[Node, ...]:
    """The trees of a text, also those that wait for a number; kept, as one prompt asks for them several times."""
    text = text[:2000]
    found = compared(text) or [tree for tree in Reader(text).trees() if tree[0] not in ("num", "ref")]
    if REMAINDER.search(text):  # what is left of a division
        found = [("%", *tree[1:]) if tree[0] == "/" else tree for tree in found]
    return tuple(found if any(not names(tree) for tree in found) else [*story(text), *found])


def compared(text: str) -> list[Node]:
    """How much two numbers differ: "by how much is 63 greater than 28", "how much less is 3 than 5"."""
    match, found = COMPARED.search(text), numbers(text)
    if not match or len(found) != 2:
        return []
    pair = [("num", number.value) for number in found]
    return [("-", *(pair[::-1] if match["less"] else pair))]


def story(text: str) -> list[Node]:
    """A story with one step, "3 boxes with 12 apples each", or with pieces and their prices to add up."""
    pairs = [numbers(pair[0])[-2:] for pair in PRICED.finditer(text)]
    if paid := [cost(*pair) for pair in pairs if len(pair) == 2]:
        return [chain("+", paid)]
    values = [("num", number.value) for number in numbers(text) if number.text != "一"]
    asks = r"how many|how much|in total|altogether|pay|cost|多少|几|一共"
    if len(values) != 2 or not re.search(asks, text, re.IGNORECASE):
        return []
    sign = next((sign for pattern, sign in STORY if re.search(pattern, text, re.IGNORECASE)), None)
    return [(sign, *values)] if sign else []


def cost(count: Number, price: Number) -> Node:
    """What some pieces come to: how many, times the price of one."""
    one = ("num", price.value)
    return one if count.value == 1 else ("*", ("num", count.value), one)


def written(node: Node, least: int = 0) -> str:
    """The tree as an expression, brackets only where needed.

    >>> written(("*", ("+", ("num", 3), ("num", 4)), ("num", 10)))
    '(3 + 4) * 10'
    """
    if node[0] == "num":
        return f"({node[1]})" if node[1] < 0 and least else str(node[1])
    binds = BINDS[node[0]]
    power = node[0] == "**"
    text = f"{written(node[1], binds + power)} {node[0]} {written(node[2], binds + (not power))}"
    return f"({text})" if binds < least else text


def value(node: Node) -> float | None:
    """What the tree comes to; None for a division by zero or a number too large to write."""
    if node[0] == "num":
        return float(node[1]) if abs(node[1]) < 1e15 else None
    left, right = value(node[1]), value(node[2])
    if left is None or right is None or (node[0] == "**" and abs(right) > 100):
        return None
    try:
        result = WORK[node[0]](left, right)
    except ArithmeticError:
        return None
    return tidy(result) if isinstance(result, float) and abs(result) < 1e15 else None
