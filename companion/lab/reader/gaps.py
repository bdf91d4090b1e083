"""What a step still lacks, from other steps, from results, from earlier turns, or from a tool that can find it."""

import re

from companion.lab.reader.arguments import fill
from companion.lab.reader.calls import calls_of
from companion.lab.reader.choose import deeds
from companion.lab.reader.history import from_results, remembered
from companion.lab.reader.kinds import kind_of
from companion.lab.reader.steps import Step
from companion.lab.reader.text import Text
from companion.lab.reader.turns import Call, Conversation, Parameter, Tool
from companion.lab.reader.words import spaced

# What is said once is meant once; only a word that points back ("translate it") brings it again.
OWN = ("message", "query", "title", "integer", "number", "enum", "boolean")
SHARED = ("place", "code", "date", "person")
POINTS = re.compile(
    r"(?i)\b(?:it|its|that|this|them|those|these|there|same|one|he|him|her|she|the|my|and|also)\b"
    r"|它|这|那|该|他|她|同样|刚才|上面|此|还|再|也"
)
NEAR = re.compile(r"(?i)\b(?:my|here|me|latest|last|current|where i|near)\b|我|这里|附近|最近|最新|上一")


def complete(step: Step, steps: list[Step], talk: Conversation) -> None:
    """Fill required values from this request's other steps, from results, and from what was said before."""
    forget_names(step, talk)
    others = [other for other in steps if other is not step]
    again = any(other.tool is step.tool for other in others)
    for parameter in (p for p in step.tool.parameters if p.name in step.lacks()):
        kind = kind_of(parameter, step.tool)
        shared = [values for other in others for values in same_values(other, parameter, kind)]
        if shared and (kind not in OWN or (again and step.values)):
            step.values[parameter.name] = shared[0]
            continue
        found = from_results(parameter, kind, step.text, talk.done())
        if found is None and (kind not in OWN or POINTS.search(step.text)):
            found = remembered(parameter, kind, step.text, talk)
        if found is not None:
            step.values[parameter.name] = [found]


def same_values(other: Step, parameter: Parameter, kind: str) -> list[list[str]]:
    """The values of another step for a parameter that means the same thing."""
    alike = {p.name for p in other.tool.parameters if kind in SHARED and kind_of(p, other.tool) == kind}
    return [values for name, values in other.values.items() if name in {parameter.name, *alike}]


def forget_names(step: Step, talk: Conversation) -> None:
    """A name is no address and no id: where a tool can look that up, or just has, the name is not taken for one."""
    used = {str(value).lower() for call, _ in talk.done() for value in call.arguments.values()}
    for parameter in step.tool.parameters:
        value = str(step.values.get(parameter.name, [""])[0])
        kind = kind_of(parameter, step.tool)
        named = kind in ("address", "email") or (kind == "code" and value.lower() in used)
        if not value or "@" in value or not named:
            continue
        bare = Step(step.tool, {n: v for n, v in step.values.items() if n != parameter.name}, step.text)
        if from_results(parameter, kind, step.text, talk.done()) is not None or supply(bare, talk):
            del step.values[parameter.name]


def supply(step: Step, talk: Conversation) -> Call | None:
    """A call that can find out what is missing: a contact's address, the user's city, today's date."""
    made = {step.tool.name, *(call.name for call, _ in talk.done())}
    finders = [tool for tool in talk.tools if tool.name not in made and not deeds(tool)]
    for parameter in (p for p in step.tool.parameters if p.name in step.lacks()):
        for tool in (tool for tool in finders if tells(tool, parameter, step.tool)):
            bare = Step(tool, fill(tool, Text(step.text)), step.text)
            if not bare.lacks() and (bare.values or NEAR.search(step.text)):
                return calls_of(bare)[0]
    return None


def tells(tool: Tool, parameter: Parameter, asking: Tool) -> bool:
    """Does a tool say that it finds out what a parameter takes, without asking for it itself?"""
    kind = kind_of(parameter, asking)
    hints = {word for word in spaced(parameter.name).split() if len(word) > 2}
    hints |= {kind, {"address": "email", "place": "location"}.get(kind, kind)}
    said = f"{spaced(tool.name)} {tool.description}".lower()
    named = any(re.search(rf"\b{re.escape(hint)}s?\b", said) for hint in hints)
    return named and parameter.name not in {p.name for p in tool.parameters if p.required}
