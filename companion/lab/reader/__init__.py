"""The stand-in for the neural network: prompt text in, completion text out, by rules.

It is not a language model. It reads the prompt as text and nothing else, so what is not in the prompt it cannot
know; it is deterministic, quick, and works without a network. It chooses tools by what their texts say, fills
arguments from the user's words and from earlier turns, writes several calls when several things are asked for, asks
for what is missing, and answers from tool results, passages and earlier turns, or says that it does not know.

The road of a prompt: turns.py takes the text apart; plan.py decides what is still open, with steps.py (which tools,
by clauses.py and choose.py, with which values, by arguments.py), gaps.py (what a step lacks) and arithmetic.py (sums
that tools do); answer.py writes text; guided.py writes JSON.

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

    `schema` asks for JSON that validates against it, `force` for calls to the named tools, one at least.
    """
    talk = read(prompt)
    if force:
        known = {tool.name for tool in talk.tools}.intersection(force)
        calls = [fitted(call, talk, guessing=True) for call in forced(talk, known)] if known else [Call(min(force), {})]
        return written(calls)
    return answered(talk) if schema is None else guided(talk, schema)


def answered(talk: Conversation) -> str:
    """Calls while something is open, else a question for what is missing, else text."""
    wish = plan(talk)
    if wish.calls:
        return written([fitted(call, talk) for call in wish.calls])
    done = talk.done()
    parts = [after_tools(talk, done)] if done else []
    parts += [cannot(wish.beyond, talk.request)] if done and wish.beyond else []
    parts += [ask(wish.missing, talk.request)] if wish.missing else []
    return "\n".join(parts) if parts else without_tools(talk)


def written(calls: list[Call]) -> str:
    """Calls as the Hermes format writes them."""
    bodies = [json.dumps({"name": call.name, "arguments": call.arguments}, ensure_ascii=False) for call in calls]
    return "\n".join(f"<tool_call>\n{body}\n</tool_call>" for body in bodies)


def fitted(call: Call, talk: Conversation, guessing: bool = False) -> Call:
    """The call without optional arguments that do not fit the tool's schema.

    `guessing`, as a model bound by a grammar would: each missing or unfit required argument is made up.
    """
    tool = next(tool for tool in talk.tools if tool.name == call.name)
    arguments = {}
    for parameter in tool.parameters:
        given = parameter.name in call.arguments
        value = call.arguments.get(parameter.name)
        if given and ((parameter.required and not guessing) or valid(value, parameter.schema, tool.schema)):
            arguments[parameter.name] = value
        elif parameter.required and guessing:
            arguments[parameter.name] = guess(parameter, talk, tool)
    return Call(call.name, arguments)


def guess(parameter: Parameter, talk: Conversation, tool: Tool) -> Any:
    """A value for an argument nobody named: words of the request where any text will do, else the least there is."""
    words = keywords(talk.request)[:60] or "unknown"
    if "default" in parameter.schema:
        return parameter.schema["default"]
    if valid(words, {"type": "string", **parameter.schema}, tool.schema):
        return words
    try:
        return minimal(parameter.schema, tool.schema)
    except ValueError:
        return None
