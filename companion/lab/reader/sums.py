"""Arithmetic in digits or words: text in, trees out.

A tree is ("num", value), ("ref",) for "the result", or (operator, left, right). "then" and 再 close what stands to
their left: 三加四再乘以十 is (3+4)*10, three plus four times ten is 3+4*10.
Left out: variables, functions other than roots, and stories with more than one step.
"""

# ruff: noqa: E501 (a pattern or a table row is read as one line)

import re
from functools import lru_cache
from typing import Any

from companion.lab.reader.dates import ABSOLUTE, TIME
from companion.lab.reader.numbers import numbers, tidy

Node = tuple[Any, ...]
REF: Node = ("ref",)
TOKEN = re.compile(
    r"(?P<power>(?:raised\s+)?to\s+the\s+power\s+of|\*\*|\^|(?:raised\s+)?to\s+the\s+(?=\w+\s+power))|(?P<mul>multiplied\s+by|times|[*×x✕·](?=\s*[-(\d])|乘以|乘上|乘)"
    r"|(?P<div>divided\s+by|over|÷|/|除以)|(?P<rdiv>go(?:es)?\s+into)|(?P<rsub>less\s+than)|(?P<radd>more\s+than)|(?P<modulo>modulo|\bmod\b)"
    r"|(?P<pct>%|percent|per\s+cent)|(?P<half>half\s+(?:of\s+)?|(?:a|one)\s+third\s+of|(?:a|one)\s+quarter\s+of)"
    r"|(?P<post>squared|cubed|的一半|的(?P<fold>[一二两三四五六七八九十百\d]+)倍|的平方(?!根)|的立方|的平方根|(?:的)?(?P<nth>[一二两三四五六七八九十\d]+)次(?:方|幂))"
    r"|(?P<zpost>(?:的|之)(?:总和|和|积|乘积|差|商)|相加|相乘|相减|相除|加起来)"
    r"|(?P<pre>\b(?:split|share)(?=\s+\d)|\btake(?:\s+away)?(?=\s+\S+\s+(?:away\s+)?from\b)|\b(?:add|sum(?:\s+up)?|total|subtract|deduct|multiply|product|divide|quotient|difference|double|twice|triple|increase|decrease|average|mean|square\s+root|square|cube)\b|平均(?:数|值)?|(?<![的之])(?:求和))"
    r"|(?P<add>\bplus\b|\+|加上|加)|(?P<sub>\bminus\b|\bnegative\b|[-−–]|减去|减|负)|(?P<open>[(（])|(?P<close>[)）])"
    r"|(?P<then>\bthen\b|\bafter\s+that\b|\bafterwards\b|再|然后|接着|之后)|(?P<ref>\b(?:the|that|this)\s+(?:result|answer|sum|product|number|total|quotient|difference)\b(?!\s+(?:of|between))|\b(?:it|that|result)\b|结果|得数|它|上面的数)"
    r"|(?P<link>\band\b|,|，|、|和|与|跟|\bby\b|\bto\b|\bfrom\b|\bwith\b|\bof\b|\bbetween\b|\binto\b|\bamong\b)|(?P<of>的|把|将|用)"
    r"|(?P<stop>[.。?？!！;；:：\n](?!\d))"
    r"|(?P<noise>[A-Za-z']+|[\u4e00-\u9fff])",
    re.IGNORECASE,
)
QUIET = {
    "the", "a", "an", "numbers", "number", "integers", "together", "what", "what's", "is", "are", "how", "much",
    "does", "equal", "result", "please", "of", "value", "calculate", "compute", "can", "you", "tell", "me", "and",
    "up", "i'd", "like", "to", "know", "by", "evaluate", "work", "out", "away", "find", "get", "power",
}  # fmt: skip
VERBS = {
    "add": "+",
    "sum": "+",
    "sum up": "+",
    "total": "+",
    "subtract": "-",
    "deduct": "-",
    "multiply": "*",
    "product": "*",
}
VERBS |= {
    "take": "-",
    "split": "/",
    "share": "/",
    "take away": "-",
    "divide": "/",
    "quotient": "/",
    "difference": "-",
    "increase": "+",
    "decrease": "-",
    "求和": "+",
}
NOUNS = {
    "sum", "total", "product", "quotient", "difference", "average", "mean", "square root", "平均", "平均数", "平均值", "求和",
}  # fmt: skip
UNARY = {
    "double": ("*", 2),
    "twice": ("*", 2),
    "triple": ("*", 3),
    "square": ("**", 2),
    "cube": ("**", 3),
    "square root": ("**", 0.5),
}
INFIX = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "div": "/",
    "power": "**",
    "rsub": "rsub",
    "rdiv": "rdiv",
    "radd": "radd",
    "modulo": "%",
}
# What is said backwards: "8 less than 30" is 30 - 8.
SWAPPED = {"rsub": "-", "radd": "+", "rdiv": "/"}
BINDS = {"+": 1, "-": 1, "rsub": 1, "radd": 1, "rdiv": 2, "*": 2, "/": 2, "%": 2, "**": 3}
ZH_POST = {"和": "+", "加": "+", "来": "+", "积": "*", "乘": "*", "差": "-", "减": "-", "商": "/", "除": "/"}
STORY = (
    (r"shared?\s+(?:equally|among|between)|split|divided?\s+(?:equally|among)|平均分|平分", "/"),
    (
        r"\beach\b|\bevery\b|\bapiece\b|\d \w+ of \d|[\d一二三四五六七八九十百]个[\d一二三四五六七八九十百]|每(?!天几)|一.{1,2}(?:有|装|卖|要)\d|各有",
        "*",
    ),
    (r"\bleft\b|remain|gave\s+away|\bate\b|\blost\b|\bsold\b|\bspent\b|还剩|剩下|剩", "-"),
    (r"altogether|in\s+total|in\s+all|\bmore\b|combined|一共|总共|共有", "+"),
)
# What is counted, between a number and the operator after it: 3个苹果加5个苹果.
COUNTED = re.compile(
    r"(?<=\d)\s*[个只本块元支颗枚][^\d加减乘除，。,]{0,3}(?=[加减乘除])|(?<=\d)\s+(?!plus|minus|times|squared|cubed|percent|hundred|thousand|million|to\b|and\b|by\b)[a-z]+(?=\s+(?:plus|minus)\b)"
)
Token = tuple[str, Any]


def tokens(text: str) -> list[Token]:
    """The parts of a text that matter to arithmetic, in order."""
    blocked = [m.span() for m in ABSOLUTE.finditer(text)] + [m.span() for m in TIME.finditer(text) if m["h"]]
    found: list[tuple[int, Token]] = []
    values = [n for n in numbers(text) if not any(a <= n.start < b for a, b in blocked)]
    ends, position = {n.start: n for n in values}, 0
    while position < len(text):
        if number := ends.get(position):
            found.append((position, ("num", number.value)))
            position = number.end
            continue
        block = next((b for a, b in blocked if a <= position < b), None)
        match = None if block else TOKEN.match(text, position)
        if match:
            found.append((position, token_of(match)))
        position = block or (match.end() if match else position + 1)
    return [token for _, token in found if token[0] != "quiet"]


def token_of(match: re.Match[str]) -> Token:
    """One token: its kind and what it says."""
    kind, said = match.lastgroup or "", " ".join(match[0].lower().split())
    kind = "post" if kind in ("fold", "nth") else kind
    if kind == "noise":
        return ("quiet", said) if said in QUIET or said in "是等于多少几请帮我算一下计算呢吗了那么" else ("noise", said)
    if kind == "post":
        factor = numbers(match["fold"] or match["nth"] or "")
        if match["fold"] or match["nth"]:
            return "post", ("*" if match["fold"] else "**", factor[0].value if factor else 2)
        names = {"的一半": ("/", 2), "的平方根": ("**", 0.5), "cubed": ("**", 3), "的立方": ("**", 3)}
        return "post", names.get(said, ("**", 2))
    if kind == "half":
        return "unary", ("/", 2 if said.startswith("half") else 3 if "third" in said else 4)
    if kind == "pre" and said in UNARY:
        return "unary", UNARY[said]
    if kind == "zpost":
        return "zpost", ZH_POST[said[-1]]
    return (kind, INFIX.get(kind, said)) if kind in INFIX else (kind, said)


class Reader:
    """A descent over the tokens; where the text stops being arithmetic, a tree ends."""

    def __init__(self, parts: list[Token]) -> None:
        self.parts = parts
        self.at = 0

    def kind(self, ahead: int = 0) -> str:
        """The kind of the token here (or ahead), "" at the end."""
        return self.parts[self.at + ahead][0] if self.at + ahead < len(self.parts) else ""

    def take(self) -> Any:
        """The value of the token here; moves on."""
        self.at += 1
        return self.parts[self.at - 1][1]

    def trees(self) -> list[Node]:
        """Every tree in the text."""
        done: list[Node] = []
        tree: Node | None = None
        while self.at < len(self.parts):
            start, joined = self.at, self.continued(tree)
            if joined is not None:
                tree = joined
            elif (fresh := self.expression()) is not None:
                if tree is not None and refers(fresh):
                    tree = put(fresh, tree)
                else:
                    done += [tree] if tree is not None else []
                    tree = fresh
            if self.kind() == "noise" and tree is not None and tree[0] == "num" and self.kind(1) not in INFIX:
                tree = None  # a number of something else: 100 euros
            if self.at == start:
                self.at += 1
        return done + ([tree] if tree is not None else [])

    def continued(self, tree: Node | None) -> Node | None:
        """The tree with an operator that follows it, as in "..., then times 2"; None when none follows."""
        skip = 0
        while self.kind(skip) in ("then", "link", "of"):
            skip += 1
        if tree is None or self.kind(skip) not in (*INFIX, "post"):
            return None
        self.at += skip
        return self.climb(self.after(tree), 1)

    def expression(self, least: int = 1) -> Node | None:
        """An operand and the operators after it."""
        left = self.operand()
        return None if left is None else self.climb(left, least)

    def climb(self, left: Node, least: int) -> Node:
        """Precedence climbing."""
        while self.kind() in INFIX and BINDS[self.parts[self.at][1]] >= least:
            before = self.at
            operator = self.take()
            if self.kind() == "link":
                self.at += 1
            right = self.expression(BINDS[operator] + (operator != "**"))
            if right is None:
                self.at = before
                return left
            swapped = SWAPPED.get(operator)
            left = (swapped, right, left) if swapped else (operator, left, right)
        return left

    def operand(self) -> Node | None:
        """A number, brackets, "the result", or a spoken operation such as "the sum of 3 and 4"."""
        start = self.at
        while self.kind() in ("of",):
            self.at += 1
        match self.kind():
            case "num":
                return self.after(("num", self.take()))
            case "ref":
                self.take()
                return self.after(REF)
            case "sub":
                self.take()
                inner = self.operand()
                return (
                    ("num", -inner[1])
                    if inner and inner[0] == "num"
                    else ("-", ("num", 0), inner)
                    if inner
                    else back(self, start)
                )
            case "open":
                self.take()
                inner = self.expression()
                if self.kind() == "close":
                    self.take()
                return self.after(inner) if inner else back(self, start)
            case "unary":
                operator, by = self.take()
                while self.kind() in ("link", "of"):
                    self.at += 1
                return (operator, self.operand() or REF, ("num", by))
            case "pre":
                return self.spoken()
        return back(self, start)

    def after(self, node: Node) -> Node:
        """What follows an operand and belongs to it: squared, percent, 和...的积."""
        while True:
            if self.kind() == "post":
                operator, by = self.take()
                node = (operator, node, ("num", by))
            elif self.kind() == "pct":
                self.take()
                node = ("/", node, ("num", 100))
                if self.kind() == "link" and self.parts[self.at][1] == "of":
                    self.take()
                    whole = self.operand()
                    node = ("*", node, whole) if whole else node
            elif self.kind() == "of" and self.kind(1) == "num" and self.kind(2) == "pct":
                self.take()
                node = ("*", node, ("/", ("num", self.take()), ("num", self.take() and 100)))
            elif (listed := self.listed(node)) is not None:
                node = listed
            else:
                return node

    def listed(self, node: Node) -> Node | None:
        """`3和4的积`, `3、4、5相加`: a list of numbers closed by its operation."""
        ahead, values = 0, [node]
        while self.kind(ahead) == "link" and self.kind(ahead + 1) == "num":
            values.append(("num", self.parts[self.at + ahead + 1][1]))
            ahead += 2
        if len(values) < 2 or self.kind(ahead) != "zpost":
            return None
        self.at += ahead
        return chain(self.take(), values)

    def spoken(self) -> Node | None:
        """`add A and B`, `subtract A from B`, `the product of A and B`, `multiply by A`."""
        verb = self.take()
        values: list[Node] = []
        backwards = False
        while True:
            start = self.at
            while self.kind() == "of" or (self.kind() == "link" and self.joins(verb)):
                backwards |= bool(values) and self.parts[self.at][1] == "from"
                self.at += 1
            inner = self.kind() == "pre" and (self.parts[self.at][1] in NOUNS or not values)
            value = self.expression() if inner or self.kind() in ("num", "ref", "open", "sub", "unary") else None
            if value is None:
                self.at = start
                break
            values.append(value)
            if self.kind() == "noise":
                break
        if not values:
            return None
        if verb in ("average", "mean") or verb.startswith("平均"):
            return ("/", chain("+", values), ("num", len(values))) if len(values) > 1 else None
        values = [REF, *values] if len(values) == 1 else values[::-1] if backwards else values
        if verb == "add" and values[-1] == REF:
            values = values[::-1]
        return chain(VERBS[verb], values)

    def joins(self, verb: str) -> bool:
        """Does the link word here go on listing what `verb` works on? `by` ends a sum: "divide the sum of 1 and 2 by 3"."""
        return verb not in NOUNS or self.parts[self.at][1] not in ("by", "to", "from", "with")


def back(reader: Reader, start: int) -> Node | None:
    """Nothing here: the reader stands where it stood."""
    reader.at = start
    return None


def chain(operator: str, values: list[Node]) -> Node:
    """Left-associative tree of one operator."""
    tree = values[0]
    for value in values[1:]:
        tree = (operator, tree, value)
    return tree


def refers(node: Node) -> bool:
    """Does the tree wait for an earlier result?"""
    return node == REF or (node[0] != "num" and any(refers(part) for part in node[1:]))


def put(node: Node, value: Node) -> Node:
    """The tree with every "the result" replaced."""
    if node == REF:
        return value
    return node if node[0] == "num" else (node[0], put(node[1], value), put(node[2], value))


def find(text: str, previous: float | None = None) -> list[Node]:
    """Return every tree with at least one operation; "it" at the start means the previous result.

    >>> find("3加4再乘以10")
    [('*', ('+', ('num', 3), ('num', 4)), ('num', 10))]
    """
    return list(found(text, previous))


@lru_cache(maxsize=512)
def found(text: str, previous: float | None) -> tuple[Node, ...]:
    """The same, kept: one prompt asks for the sums of a sentence several times."""
    parts = tokens(COUNTED.sub(" ", text[:2000]))
    if not any(kind in (*INFIX, "pre", "post", "zpost", "unary", "pct") for kind, _ in parts):
        return tuple(story(text))
    known = [put(tree, ("num", previous)) if previous is not None else tree for tree in Reader(parts).trees()]
    if previous is not None and not any(tree[0] != "num" for tree in known):
        known = [put(t, ("num", previous)) for t in Reader([("ref", ""), *parts]).trees()]
    return tuple([tree for tree in known if tree[0] not in ("num", "ref") and not refers(tree)] or story(text))


def story(text: str) -> list[Node]:
    """A one-step story with two numbers: "3 boxes with 12 apples each"."""
    values = [("num", number.value) for number in numbers(text) if number.text != "一"]
    if len(values) != 2 or not re.search(
        r"how many|how much|in total|altogether|pay|cost|多少|几|一共", text, re.IGNORECASE
    ):
        return []
    operator = next((op for pattern, op in STORY if re.search(pattern, text, re.IGNORECASE)), None)
    return [(operator, *values)] if operator else []


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
    if left is None or right is None:
        return None
    try:
        match node[0]:
            case "+":
                result = left + right
            case "-":
                result = left - right
            case "*":
                result = left * right
            case "/":
                result = left / right
            case "%":
                result = left % right
            case _:
                result = left**right if abs(right) <= 100 else float("inf")
    except (ArithmeticError, ValueError):
        return None
    return tidy(float(result)) if isinstance(result, (int, float)) and abs(result) < 1e15 else None
