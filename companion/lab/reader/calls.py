"""The calls of a step: one for each value that was asked for, without those that are answered already."""

import json
from typing import Any

from companion.lab.reader.arguments import Values, fill
from companion.lab.reader.clauses import JOINT
from companion.lab.reader.kinds import kind_of
from companion.lab.reader.steps import Step
from companion.lab.reader.text import Text
from companion.lab.reader.turns import Call


def calls_of(step: Step) -> list[Call]:
    """A call for each value; parameters with as many values as each other go together."""
    if split := rows(step):
        return [call for row in split for call in calls_of(Step(step.tool, row, ""))]
    count = max((len(values) for values in step.values.values()), default=1)
    calls: list[Call] = []
    for i in range(count):
        given = {p.name: step.values[p.name] for p in step.tool.parameters if step.values.get(p.name)}
        arguments = {name: values[min(i, len(values) - 1)] for name, values in given.items()}
        if arguments not in [call.arguments for call in calls]:
            calls.append(Call(step.tool.name, arguments))
    return calls


def rows(step: Step) -> list[Values]:
    """`3 large pizzas and 2 small salads`: the values part by part, [] when the parts do not each make a whole."""
    uneven = len({len(values) for values in step.values.values()}) > 1
    needed = {p.name for p in step.tool.parameters if p.required}
    worded = any(kind_of(p, step.tool) == "message" for p in step.tool.parameters)
    if not uneven and (len(needed) < 2 or worded):
        return []
    parts = [fill(step.tool, Text(part)) for part in JOINT.split(step.text) if part.strip()]
    several = {name for name, values in step.values.items() if len(values) > 1} if uneven else needed
    if len(parts) < 2 or not all(several <= part.keys() for part in parts):
        return []
    common = {name: values for name, values in step.values.items() if len(values) == 1}
    found: list[Values] = [{**common, **part} for part in parts]
    return found if not any(Step(step.tool, row, "").lacks() for row in found) else []


def struck(left: list[tuple[Call, str]], call: Call, by_name: bool = False) -> bool:
    """Take a matching answered call from the list: the same arguments, or just the same tool."""
    for made in left:
        if made[0].name == call.name and (by_name or plain(made[0].arguments) == plain(call.arguments)):
            left.remove(made)
            return True
    return False


def plain(arguments: dict[str, Any]) -> str:
    """Arguments for comparison: case does not count."""
    return json.dumps(arguments, sort_keys=True, ensure_ascii=False, default=str).lower()
