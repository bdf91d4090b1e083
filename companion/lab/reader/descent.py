"""A descent over the terms of arithmetic: terms in, trees out (sums.py says what a tree is)."""

from collections.abc import Mapping
from typing import Any

from companion.lab.reader.terms import terms

Node = tuple[Any, ...]
REF: Node = ("ref", "")
# What is said backwards: "8 less than 30" is 30 - 8.
SWAPPED = {"less": "-", "more": "+", "into": "/"}
BINDS = {"+": 1, "-": 1, "less": 1, "more": 1, "into": 2, "*": 2, "/": 2, "%": 2, "**": 3}


class Reader:
    """Reads a text from term to term; where the text stops being arithmetic, a tree ends."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.parts = terms(text)[:150]  # no tree grows deeper than the stack
        self.at = 0

    def kind(self, ahead: int = 0) -> str:
        """The kind of the term here (or ahead), "" at the end."""
        return self.parts[self.at + ahead].kind if self.at + ahead < len(self.parts) else ""

    def take(self) -> Any:
        """The value of the term here; moves on."""
        self.at += 1
        return self.parts[self.at - 1].value

    def is_link(self, *words: str) -> bool:
        """Does one of these little words stand here?"""
        return self.kind() == "link" and self.parts[self.at].value in words

    def portion(self) -> bool:
        """Does 的两倍, 的15% or 的三次方 stand here?"""
        return self.kind() == "of" and self.kind(1) == "num" and self.kind(2) == "unit"

    def name(self) -> str:
        """The words here that are no arithmetic: what a number is called."""
        start = self.at
        while self.kind() == "noise" or (self.at > start and self.is_link("of") and self.kind(1) == "noise"):
            self.at += 1
        return self.text[self.parts[start].start : self.parts[self.at - 1].end] if self.at > start else ""

    def trees(self) -> list[Node]:
        """Every tree in the text; one that goes on from "the result" is grown onto the tree before it."""
        done: list[Node] = []
        while self.at < len(self.parts):
            start, subject = self.at, self.name()
            while self.kind() in ("then", "link", "of") and not self.portion():
                self.at += 1
            if self.kind() == "list":  # 3和4的积
                sign = self.take()
                done = [chain(sign, done)] if done else []
                continue
            tree = self.continued(subject, done) or self.expression()
            alone = tree and self.at and tree[0] == "/" and self.parts[self.at - 1].kind == "unit"  # 4 percent
            if tree is not None and not alone:
                done = [*done[:-1], put(tree, {"": done[-1]})] if done and "" in names(tree) else [*done, tree]
            if self.kind() == "noise" and done and done[-1][0] == "num" and self.kind(1) != "op":
                done.pop()  # a number of something else: 100 euros
            self.at += self.at == start
        return done

    def continued(self, subject: str, done: list[Node]) -> Node | None:
        """`..., times 2`, 的一半: what goes on from the result, or from the words before it."""
        attached = self.kind(1) == "num" and self.parts[self.at].end == self.parts[self.at + 1].start  # -9 and ...
        lone = self.kind(1) == "num" and self.kind(2) not in ("op", "suffix", "unit") and not attached
        signed = self.kind() == "op" and self.parts[self.at].value == "-" and not done and not lone  # -7 + 12
        if signed or not (self.kind() in ("op", "suffix") or self.portion()):
            return None
        return self.climb(self.after(REF if done else ("ref", subject)), 1)

    def expression(self, least: int = 1, named: bool = False) -> Node | None:
        """An operand and the operators after it; `named` operands may be words."""
        left = self.operand(named)
        return None if left is None else self.climb(left, least)

    def climb(self, left: Node, least: int) -> Node:
        """Precedence climbing."""
        while self.kind() == "op" and BINDS[self.parts[self.at].value] >= least:
            before, sign = self.at, self.take()
            right = self.expression(BINDS[sign] + (sign != "**"), named=True)
            if right is None:
                self.at = before
                break
            left = (SWAPPED[sign], right, left) if sign in SWAPPED else (sign, left, right)
        return left

    def operand(self, named: bool) -> Node | None:
        """A number, brackets, "the result", or a spoken operation such as "the sum of 3 and 4"."""
        start, kind = self.at, self.kind()
        if kind in ("prefix", "verb", "noun"):
            return self.spoken()
        if kind == "noise":
            name = self.name()
            if named and self.kind() not in ("verb", "prefix"):
                return self.after(("ref", name))
            self.at = start
            return None
        value = self.take() if kind else None
        if kind == "num":
            return self.after(self.counted(("num", value)))
        if kind == "ref":
            return self.after(REF)
        inner = self.expression() if kind == "open" else self.operand(named) if (kind, value) == ("op", "-") else None
        if inner is None:
            self.at = start
            return None
        if kind == "op":
            return ("num", -inner[1]) if inner[0] == "num" else ("-", ("num", 0), inner)
        self.at += self.kind() == "close"
        return self.after(inner)

    def counted(self, node: Node) -> Node:
        """A number, past what it counts when an operator in words follows: 3个苹果加5个苹果."""
        ahead = 0
        while self.kind(ahead) == "noise":
            ahead += 1
        if self.kind(ahead) == "op" and self.parts[self.at + ahead].said.isalpha():
            self.at += ahead
        return node

    def after(self, node: Node) -> Node:
        """What follows an operand and belongs to it: squared, percent, 的两倍."""
        while self.kind() in ("suffix", "unit") or self.portion():
            if self.kind() == "suffix":
                sign, by = self.take()
                node = (sign, node, ("num", by))
            elif self.kind() == "of":
                self.at += 1
                by, unit = ("num", self.take()), self.take()
                node = ("*", node, ("/", by, ("num", 100))) if unit == "%" else (unit, node, by)
            elif self.take() == "%":
                node = ("/", node, ("num", 100))
                if self.is_link("of"):
                    self.at += 1
                    node = ("*", node, self.operand(named=True) or REF)
        return node

    def spoken(self) -> Node | None:
        """`add A and B`, `subtract A from B`, `the product of A and B`, `multiply by A`, `double A`."""
        kind, sign = self.kind(), self.take()
        values: list[Node] = []
        backwards = False
        # "divide the sum of 1 and 2 by 3": the sum ends before "by".
        ends = ("by", "to", "from", "with") if kind == "noun" else ()
        while True:
            start = self.at
            while self.kind() in ("of", "link") and not self.is_link(*ends):
                backwards |= bool(values) and self.is_link("from")
                self.at += 1
            ended = self.kind() in ("verb", "prefix") if len(values) < 2 else self.kind() in ("verb", "prefix", "ref")
            value = None if values and ended else self.expression(named=True)
            if value is None:
                self.at = start
                break
            values.append(value)
            if kind == "prefix" or self.kind() == "noise":
                break
        if kind == "prefix":
            return (sign[0], values[0] if values else REF, ("num", sign[1]))
        return combined(sign, values[::-1] if backwards else values)


def combined(sign: str, values: list[Node]) -> Node | None:
    """The tree of a spoken operation; with one value the other is "the result"."""
    if sign == "mean":
        return ("/", chain("+", values), ("num", len(values))) if len(values) > 1 else None
    values = [REF, *values] if len(values) == 1 and (sign, values[0][0]) != ("%", "/") else values
    turned = sign == "+" and values and values[0][0] != "ref" == values[-1][0]  # "add 10 to the result"
    return chain(sign, values[::-1] if turned else values) if values else None


def chain(sign: str, values: list[Node]) -> Node:
    """Left-associative tree of one operator; the remainder of a division is no division."""
    tree = values[0]
    if sign == "%" and len(values) == 1 and tree[0] == "/":
        return (sign, *tree[1:])
    for value in values[1:]:
        tree = (sign, tree, value)
    return tree


def names(node: Node) -> list[str]:
    """The references in a tree."""
    if node[0] == "ref":
        return [node[1]]
    return [] if node[0] == "num" else names(node[1]) + names(node[2])


def put(node: Node, values: Mapping[str, Node]) -> Node:
    """The tree with the references replaced that have a value."""
    if node[0] == "ref":
        return values.get(node[1], node)
    return node if node[0] == "num" else (node[0], put(node[1], values), put(node[2], values))
