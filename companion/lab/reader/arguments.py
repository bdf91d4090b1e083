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
from companion.lab.reader.looks import length_kind, simple, singular
from companion.lab.reader.numbers import numbers
from companion.lab.reader.phrases import Text, phrases
from companion.lab.reader.sharing import ORDER, named
from companion.lab.reader.tables import PREFER
from companion.lab.reader.turns import Parameter, Tool, resolved, tool_of

Values = dict[str, list[Any]]


def fill(tool: Tool, text: Text, besides: Collection[str] = (), depth: int = 0) -> Values:
    """Return what the text says for each parameter; parameters it says nothing about are left out.

    `besides` are ideas of other tools that share the text.
    """
    values: Values = {}
    ideas = about(tool) | set(besides)
    kinds = {p.name: length_kind(p, kind_of(p, tool)) for p in tool.parameters}
    for parameter in sorted(tool.parameters, key=lambda p: ORDER.index(kinds[p.name])):
        kind = kinds[parameter.name]
        if (kind in PREFER and kind != "address") or kind in ("integer", "number", "object") or kind == "array":
            continue
        if found := simple(kind, parameter, tool, text):
            values[parameter.name] = found
    for span in [(m.start, m.end) for m in (*text.dates, *text.times)]:
        if text.free(*span) and not any(kind in ("message",) for kind in kinds.values()):
            text.use(*span)
    for parameter in tool.parameters:
        if kinds[parameter.name] == "object" and (found := nested(parameter, "object", tool, text, depth)):
            values[parameter.name] = found
    count(tool, kinds, text, values, measured=True)
    named(tool, kinds, text, values, ideas)
    count(tool, kinds, text, values, measured=False)
    for parameter in tool.parameters:
        if parameter.name not in values and (found := nested(parameter, kinds[parameter.name], tool, text, depth)):
            values[parameter.name] = found
    return values


def nested(parameter: Parameter, kind: str, tool: Tool, text: Text, depth: int) -> list[Any]:
    """Lists and objects out of what is left."""
    if depth > 3:  # a schema may hold itself
        return []
    if kind == "object":
        inner = tool_of(f"{tool.name} {parameter.name}", parameter.description, rooted(parameter.schema, tool))
        return (
            [one]
            if (one := {k: v[0] for k, v in fill(inner, text, depth=depth + 1).items()}) and complete(inner, one)
            else []
        )
    if kind != "array":
        return []
    items = resolved(parameter.schema.get("items"), tool.schema)
    if items.get("properties"):
        found = rows(parameter, items, tool, text, depth)
    elif items.get("type") in ("integer", "number"):
        free = [n for n in numbers(text.text) if text.free(n.start, n.end)]
        found = [signed(n, text, Parameter("", items, "", True)) for n in free]
    else:
        one_of = Parameter(singular(parameter.name), items, parameter.description, True)
        inner = tool_of(
            tool.name,
            tool.description,
            {
                "properties": {one_of.name: {**items, "description": parameter.description}},
                "required": [one_of.name],
            },
        )
        found = fill(inner, text, about(tool), depth + 1).get(one_of.name, [])
        if kind_of(inner.parameters[0], inner) in ("place", "person"):  # every name, also those outside one list
            found += [value for phrase in phrases(text, about(tool)) if phrase.capital for value in phrase.values]
            found.sort(key=text.text.find)
    return [found] if found else []


def rooted(schema: dict[str, Any], tool: Tool) -> dict[str, Any]:
    """A part of a schema that can still follow the references of the whole."""
    return {**schema, "$defs": tool.schema.get("$defs", {}), "definitions": tool.schema.get("definitions", {})}


def complete(tool: Tool, arguments: dict[str, Any]) -> bool:
    """Is every required argument there?"""
    return all(p.name in arguments for p in tool.parameters if p.required)


def rows(parameter: Parameter, items: dict[str, Any], tool: Tool, text: Text, depth: int) -> list[Any]:
    """A list of objects: each part of the enumeration that fills one."""
    inner = tool_of(parameter.name, parameter.description, rooted(items, tool))
    found = []
    for part in re.split(r"[,，、;；\n]|(?<!\d)[:：](?!\d)|\.\s|\band\b|和|以及|还有|跟", text.rest()):
        part = re.sub(r"(?i)^\W*(?:please\s+)?(?:order|deliver|buy|send|add|get|bring)\s+(?:me\s+|us\s+)?", "", part)
        part = re.sub(r"(?<=[\d一二两三四五六七八九十])[份杯件只台张瓶碗盒袋条](?=[\u4e00-\u9fff])", " ", part)
        one = {k: v[0] for k, v in fill(inner, Text(part, text.today), depth=depth + 1).items()}
        if one and complete(inner, one):
            found.append(one)
    return found
