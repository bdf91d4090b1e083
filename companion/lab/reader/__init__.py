"""The stand-in for the neural network: prompt text in, completion text out, by rules.

It is not a language model. It reads the prompt as text and nothing else, so what is not in the prompt it cannot
know; it is deterministic, quick, and works without a network. It chooses tools by what their texts say, fills
arguments from the user's words and from earlier turns, writes several calls when several things are asked for, asks
for what is missing, and answers from tool results, passages and earlier turns, or says that it does not know.

The road of a prompt: turns.py takes the text apart; plan.py decides what is still open, with clauses.py, choose.py
(which tool), arguments.py (which values) and sums.py (arithmetic); answer.py writes text; guided.py writes JSON.

Left out: knowledge of the world, free writing, anaphora beyond "it" and "the first one", languages other than
English and Chinese. It is more literal than a model: a tool whose texts say nothing is never called.
"""

import json
from collections.abc import Collection
from typing import Any

from companion.lab.reader.answer import after_tools, ask, cannot, without_tools
from companion.lab.reader.formats import keywords
from companion.lab.reader.guided import guided
from companion.lab.reader.minimal import minimal, valid
from companion.lab.reader.plan import forced, plan
from companion.lab.reader.turns import Call, Conversation, Parameter, Tool, read


def complete(prompt: str, schema: dict[str, Any] | None = None, *, force: Collection[str] = ()) -> str:
    """Return the completion for a prompt in Qwen3's chat format.

    `schema` asks for JSON that validates against it, `force` for a call to one of the named tools.
    """
    talk = read(prompt)
    if force:
        return (
            written([guessed(forced(talk, set(force)), talk)])
            if any(t.name in force for t in talk.tools)
            else written([Call(sorted(force)[0], {})])
        )
    if schema is not None:
        return guided(talk, schema)
    return answered(talk)


def answered(talk: Conversation) -> str:
    """Calls while something is open, else a question for what is missing, else text."""
    wish = plan(talk)
    done = talk.done()
    if wish.calls:
        return written([fitted(call, talk) for call in wish.calls])
    parts = [after_tools(talk, done)] if done else []
    if done and wish.beyond:
        parts.append(cannot(wish.beyond, talk.request))
    if wish.missing:
        parts.append(ask(wish.missing, talk.request))
    return "\n".join(parts) if parts else without_tools(talk)


def written(calls: list[Call]) -> str:
    """Calls as the Hermes format writes them."""
    bodies = [json.dumps({"name": call.name, "arguments": call.arguments}, ensure_ascii=False) for call in calls]
    return "\n".join(f"<tool_call>\n{body}\n</tool_call>" for body in bodies)


def tool_named(name: str, talk: Conversation) -> Tool:
    """The tool of a call; a call is only ever written for a tool that is there."""
    return next(tool for tool in talk.tools if tool.name == name)


def fitted(call: Call, talk: Conversation) -> Call:
    """The call without optional arguments that do not fit the tool's schema."""
    tool = tool_named(call.name, talk)
    keep = {
        p.name: call.arguments[p.name]
        for p in tool.parameters
        if p.name in call.arguments and (p.required or valid(call.arguments[p.name], p.schema, tool.schema))
    }
    return Call(call.name, keep)


def guessed(call: Call, talk: Conversation) -> Call:
    """The call with each missing or unfit required argument guessed, as a model bound by a grammar would."""
    tool = tool_named(call.name, talk)
    arguments = {}
    for parameter in tool.parameters:
        value = call.arguments.get(parameter.name)
        if parameter.name in call.arguments and valid(value, parameter.schema, tool.schema):
            arguments[parameter.name] = value
        elif parameter.required:
            arguments[parameter.name] = guess(parameter, talk, tool)
    return Call(call.name, arguments)


def guess(parameter: Parameter, talk: Conversation, tool: Tool) -> Any:
    """A value for an argument nobody named: the words of the request where any text will do."""
    words = keywords(talk.request)[:60] or "unknown"
    if "default" not in parameter.schema and valid(words, {"type": "string", **parameter.schema}, tool.schema):
        return words
    return parameter.schema.get("default", least(parameter.schema, tool.schema))


def least(schema: dict[str, Any], root: dict[str, Any]) -> Any:
    """The smallest value of a schema, null where there is none."""
    try:
        return minimal(schema, root)
    except ValueError:
        return None
