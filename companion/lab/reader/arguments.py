"""A tool's arguments out of the user's words.

Every parameter has a kind (kinds.py); kinds that are easy to recognise take their part of the text first, and what
is left over is shared out among the rest. Each parameter gets a list of values: more than one means that the user
asked for several things at once.
Left out: values that must be worked out ("the cheaper one"), and spelling mistakes.
"""

import re
from collections.abc import Collection
from typing import Any

from companion.lab.reader.amounts import count, signed
from companion.lab.reader.kinds import about, kind_of
from companion.lab.reader.looks import item_of, length_kind, simple
from companion.lab.reader.numbers import numbers
from companion.lab.reader.phrases import phrases
from companion.lab.reader.sharing import ORDER, named
from companion.lab.reader.text import Text
from companion.lab.reader.turns import Parameter, Schema, Tool, resolved, tool_of

Values = dict[str, list[Any]]

PARTS = re.compile(r"[,，、;；\n]|(?<!\d)[:：]|[:：](?!\d)|\.\s|\band\b|和|以及|还有|跟")
DEEPEST = 3  # a schema may hold itself


def fill(tool: Tool, text: Text, besides: Collection[str] = (), depth: int = 0) -> Values:
    """Return what the text says for each parameter; parameters it says nothing about are left out.

    `besides` are ideas of other tools that share the text.
    """
    values: Values = {}
    kinds = {p.name: length_kind(p, kind_of(p, tool)) for p in tool.parameters}
    for parameter in sorted(tool.parameters, key=lambda p: ORDER.index(kinds[p.name])):
        if found := simple(kinds[parameter.name], parameter, tool, text):
            values[parameter.name] = found
    if "message" not in kinds.values():
        for moment in (*text.dates, *text.times):
            text.use(moment.start, moment.end)
    deeper("object", tool, kinds, text, values, depth)
    count(tool, kinds, text, values, measured=True)
    named(tool, kinds, text, values, {*about(tool), *besides})
    count(tool, kinds, text, values, measured=False)
    deeper("array", tool, kinds, text, values, depth)
    return values


def deeper(kind: str, tool: Tool, kinds: dict[str, str], text: Text, values: Values, depth: int) -> None:
    """Fill the objects or the lists among the parameters."""
    read = nested if kind == "object" else listed
    for parameter in tool.parameters:
        if kinds[parameter.name] == kind and depth <= DEEPEST and (found := read(parameter, tool, text, depth)):
            values[parameter.name] = found


def rooted(schema: Schema, tool: Tool) -> Schema:
    """A part of a schema that can still follow the references of the whole."""
    return {**schema, "$defs": tool.schema.get("$defs", {}), "definitions": tool.schema.get("definitions", {})}


def whole(tool: Tool, text: Text, depth: int) -> dict[str, Any]:
    """The first value of each parameter, {} when a required one is missing."""
    one = {name: values[0] for name, values in fill(tool, text, depth=depth + 1).items()}
    return one if all(p.name in one for p in tool.parameters if p.required) else {}


def nested(parameter: Parameter, tool: Tool, text: Text, depth: int) -> list[Any]:
    """An object, filled like a tool of its own."""
    schema = rooted(parameter.schema, tool)
    one = whole(tool_of(f"{tool.name} {parameter.name}", parameter.description, schema), text, depth)
    return [one] if one else []


def listed(parameter: Parameter, tool: Tool, text: Text, depth: int) -> list[Any]:
    """A list out of what is left: objects, numbers or words."""
    items = resolved(parameter.schema.get("items"), tool.schema)
    if items.get("properties"):
        inner = tool_of(parameter.name, parameter.description, rooted(items, tool))
        found: list[Any] = [
            one for part in PARTS.split(text.rest()) if (one := whole(inner, Text(part, text.today), depth))
        ]
    elif items.get("type") in ("integer", "number"):
        free = [n for n in numbers(text.text) if text.free(n.start, n.end)]
        found = [signed(n, text, Parameter("", items, "", True)) for n in free]
    else:
        found = words(parameter, items, tool, text, depth)
    return [found] if found else []


def words(parameter: Parameter, items: Schema, tool: Tool, text: Text, depth: int) -> list[Any]:
    """A list of words; of places and people every name counts, also those outside one enumeration."""
    name = item_of(parameter).name
    schema = {"properties": {name: {**items, "description": parameter.description}}, "required": [name]}
    inner = tool_of(tool.name, tool.description, schema)
    found = fill(inner, text, about(tool), depth + 1).get(name, [])
    if kind_of(inner.parameters[0], inner) in ("place", "person"):
        found += [value for phrase in phrases(text, about(tool)) if phrase.capital for value in phrase.values]
        found.sort(key=text.text.find)
    return found
