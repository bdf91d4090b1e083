"""Sums that are asked of tools: which tools can do them, which calls they need now, and what else the request says.

A sum with a number that is not in the text ("twice the temperature in Cairo") waits for the tool that brings it.
"""

import re
from functools import lru_cache
from typing import Any

from companion.lab.reader import results, sums
from companion.lab.reader.choose import deeds, ranked
from companion.lab.reader.clauses import clauses
from companion.lab.reader.descent import Node, names, put
from companion.lab.reader.kinds import kind_of
from companion.lab.reader.numbers import tidy
from companion.lab.reader.terms import terms
from companion.lab.reader.turns import Call, Conversation, Parameter, Tool, pairs
from companion.lab.reader.words import keys, scan, spaced

OPS = {"add_op": "+", "subtract_op": "-", "multiply_op": "*", "divide_op": "/", "power_op": "**", "modulo_op": "%"}
OPS |= {"sub": "-", "mul": "*", "div": "/", "pow": "**"}  # as programs write them
Answered = list[tuple[Call, str]]


def able(tool: Tool) -> bool:
    """Does the tool do sums?"""
    return bool(calculator(tool) or operators(tool))


def split(talk: Conversation, request: str) -> tuple[list[Node], str]:
    """The sums that the tools are asked to do, and what the request says besides."""
    others = [tool for tool in talk.tools if not able(tool)]
    if len(others) == len(talk.tools):
        return [], request
    rest = []
    for piece in clauses(request):
        found = [tree for tree in sums.trees(piece) if meant(tree, others)]
        best = ranked(others, piece) if found else []
        if best and (deeds(best[0][1]) or works(best[0][1])):  # `Add two mugs to my cart` is a deed, not a sum
            found, request = [], request.replace(piece, "; ")
        named = [name for tree in found for name in names(tree) if name]
        rest += named or [beside(piece) if found else piece]
    return [tree for tree in sums.trees(request) if meant(tree, others)], "\n".join(rest)


def works(tool: Tool) -> bool:
    """Does the tool take nothing but numbers, for more than the four operations: an average, a percentage?"""
    needed = [p.schema for p in tool.parameters if p.required]
    inner = [schema.get("items") if schema.get("type") == "array" else schema for schema in needed]
    return bool(needed) and all(isinstance(i, dict) and i.get("type") in ("integer", "number") for i in inner)


def meant(tree: Node, others: list[Tool]) -> bool:
    """Is it a sum: can the numbers that have only a name come from a tool?"""
    named = [name for name in names(tree) if name]
    return not named or any(ranked(others, name) for name in named)


@lru_cache(maxsize=512)
def beside(piece: str) -> str:
    """What an arithmetic piece says besides its sums; "" for a story in words.

    >>> beside("twice the temperature in Cairo")
    'the temperature in Cairo'
    """
    parts = [term for term in terms(piece) if term.kind not in ("link", "of", "stop")]
    if all(part.kind in ("num", "noise") for part in parts):
        return ""
    for part, after in reversed([*zip(parts, [*parts[1:], None], strict=True)]):
        measured = part.kind == "num" and after and after.kind == "noise"  # 100 euros
        piece = piece if part.kind == "noise" or measured else piece[: part.start] + piece[part.end :]
    return piece.strip()


def sum_calls(trees: list[Node], talk: Conversation, waiting: bool) -> list[Call]:
    """The calls that the sums need now; `waiting`: other calls have to bring their numbers first."""
    tools = [tool for tool in talk.tools if able(tool)]
    done = talk.done()
    calls: list[Call] = []
    for tree in trees:
        found = [] if waiting else names(tree)
        numbers = {name: number for name in found if (number := brought(name, talk, done)) is not None}
        tree = put(tree, {name: ("num", tidy(number)) for name, number in numbers.items()})
        if not names(tree):
            calls += [call for call in needed(tree, tools, done) if call not in calls]
    return calls


def needed(tree: Node, tools: list[Tool], done: Answered) -> list[Call]:
    """The calls of one sum: one for a calculator, else one for each operation whose numbers are known."""
    for tool in tools:
        if name := calculator(tool):
            text = sums.written(tree)
            made = [str(call.arguments.get(name)).replace(" ", "") for call, _ in done if call.name == tool.name]
            return [] if text.replace(" ", "") in made else [Call(tool.name, {name: text})]
    return by_operators(tree, tools, done)


def brought(name: str, talk: Conversation, done: Answered) -> float | None:
    """The number that a tool brought for a name; for "the result" also the last number of earlier turns."""
    adders = {tool.name for tool in talk.tools if able(tool)}
    now = [(call, result) for call, result in done if call.name not in adders]
    made = now or ([] if name else pairs(talk.turns[: talk.asked]))
    about = (name or talk.request).lower()
    found = [
        (sum(str(value).lower() in about for value in call.arguments.values()), n, number)
        for n, (call, result) in enumerate(made)
        if (number := number_about(result, about)) is not None
    ]
    return max(found)[2] if found else None


def number_about(result: str, about: str) -> float | None:
    """The number a result holds, or the one whose key is spoken of."""
    data = results.read(result)
    if (number := results.number_in(result)) is not None or not isinstance(data, dict):
        return number
    return next((results.number_in(str(data[key])) for key in data if keys(spaced(key)) & keys(about)), None)


def beyond(talk: Conversation, request: str) -> set[str]:
    """Operations in the request that none of the tools can do, where some tool does arithmetic."""
    offered = {op for tool in talk.tools for op in operators(tool)}
    if not offered or any(calculator(tool) for tool in talk.tools):
        return set()
    return {op for tree in sums.find(request) for op in operations(tree)} - offered


@lru_cache(maxsize=512)
def calculator(tool: Tool) -> str:
    """The name of the parameter that takes an expression, "" if the tool is no calculator."""
    texts = [p for p in tool.parameters if kind_of(p, tool) in ("expression", "item", "query", "message")]
    required = [p for p in texts if p.required] or texts
    said = f"{spaced(tool.name)} {tool.description[:200]}"
    return required[0].name if len(required) == 1 and "math" in keys(said) else ""


@lru_cache(maxsize=512)
def operators(tool: Tool) -> frozenset[str]:
    """The operations a tool with two numbers can do, by its labels, its name, or its description."""
    numeric = operands(tool)
    if len(numeric) != 2 or any(p.required and p not in numeric and "enum" not in p.schema for p in tool.parameters):
        return frozenset()
    described = {OPS[key] for word in scan(tool.description[:200]) for key in word.keys if key in OPS}
    named = {OPS[key] for key in keys(spaced(tool.name)) if key in OPS}
    agreed = named if named and (named & described or not described) else described
    return frozenset(operation_labels(tool).values() or agreed)


def operands(tool: Tool) -> list[Parameter]:
    """The parameters that take the numbers."""
    return [p for p in tool.parameters if p.schema.get("type") in ("integer", "number") and p.required]


def operation_labels(tool: Tool) -> dict[str, str]:
    """Labels of an enum that are operations: {"add": "+"}."""
    labels = [label for p in tool.parameters for label in p.schema.get("enum") or [] if isinstance(label, str)]
    signs = {label: OPS.get(key) for label in labels for key in keys(spaced(label))}
    signs |= {label: label for label in labels if label in OPS.values()}
    return {label: sign for label, sign in signs.items() if sign}


def by_operators(tree: Node, tools: list[Tool], done: Answered) -> list[Call]:
    """Calls that a tree needs now: none when all are answered, or when there is no tool for one of them."""
    left = list(done)
    opened: list[Call] = []

    def settle(node: Node) -> float | None:
        if node[0] == "num":
            return float(node[1])
        a, b = settle(node[1]), settle(node[2])
        if a is None or b is None:
            return None
        call = operation(next(tool for tool in tools if node[0] in operators(tool)), node[0], a, b)
        for made, result in left:
            if made.name == call.name and made.arguments == call.arguments:
                left.remove((made, result))
                return results.number_in(result)
        opened.append(call)
        return None

    if operations(tree) <= {op for tool in tools for op in operators(tool)}:
        settle(tree)
    return opened


def operations(tree: Node) -> set[str]:
    """The operations in a tree."""
    return set() if tree[0] in ("num", "ref") else {tree[0]} | operations(tree[1]) | operations(tree[2])


def operation(tool: Tool, op: str, a: float, b: float) -> Call:
    """A call of a two-number tool; `Subtract a from b` swaps the places."""
    first, second = (p.name for p in operands(tool))
    one, two = re.escape(first), re.escape(second)
    backwards = rf"(?i)subtract\w* {one}\b.* from {two}\b|divide\w* {two}\b.* by {one}\b"
    if re.search(backwards, tool.description):
        first, second = second, first
    arguments: dict[str, Any] = {first: tidy(a), second: tidy(b)}
    for label, sign in operation_labels(tool).items():
        arguments |= {p.name: label for p in tool.parameters if sign == op and label in (p.schema.get("enum") or ())}
    return Call(tool.name, {p.name: arguments[p.name] for p in tool.parameters if p.name in arguments})
