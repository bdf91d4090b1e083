"""From a completion to the parts of an answer: thought, content, calls that a client can run.

`parser.parse` is vLLM's rule to the letter. Two things differ here on purpose; real servers have trouble with both:

- Arguments always reach the client as the JSON text of an object. vLLM passes on whatever stood there, and
  ChatOpenAI then raises. Here JSON inside a string is unwrapped once; null, "" and a call with nothing but a name
  become {} if the tool needs no argument; anything else, NaN too, is no call: the text is content.
- A thought (`<think>...</think>`) goes to `reasoning`, as with vLLM's `--reasoning-parser qwen3`, and a call that is
  only considered in it is not run, wherever it stands. A thought that is never closed ends where a call begins.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from companion.lab.parser import BLOCK, OPEN, Parsed, ToolCall, parse


def split_thought(completion: str) -> tuple[str | None, str]:
    """Return the thought, or None, and the text after it.

    >>> split_thought("<think>\\nEasy.\\n</think>\\n\\n2")
    ('Easy.', '2')
    """
    before, closed, after = completion.partition("</think>")
    head, opened, inside = before.partition("<think>")
    considered = opened and closed and OPEN in inside and OPEN not in head
    if not considered and (head.strip() if opened else not closed or OPEN in before):
        return None, completion
    if not closed:
        inside, tag, call = inside.partition(OPEN)
        after = tag + call
    thought, text = (head + inside).strip().strip("\n"), after.lstrip("\n")
    if not text.startswith("<think>"):
        return thought, text
    more, text = split_thought(text)
    return f"{thought}\n{more}", text


def read(text: str, tools: Sequence[Mapping[str, Any]]) -> Parsed:
    """Return content and usable calls; the whole text is content where a call cannot be used."""
    needy = {tool["function"]["name"]: needs_arguments(tool) for tool in tools}
    parsed = parse(text)
    if not parsed.tool_calls:
        parsed = parse(BLOCK.sub(lambda block: filled(block, needy), text))
    try:
        calls = [usable(call, needy.get(call.name, False)) for call in parsed.tool_calls]
    except (ValueError, RecursionError):
        return Parsed(text)
    return Parsed(parsed.content, calls) if calls else Parsed(text)


def needs_arguments(tool: Mapping[str, Any]) -> bool:
    """Whether a tool's schema has a required field."""
    return bool((tool["function"].get("parameters") or {}).get("required"))


def filled(block: re.Match[str], needy: Mapping[str, bool]) -> str:
    """A block with empty arguments where it has only the name of a tool that needs none; else as it was."""
    try:
        call = json.loads(block[1] or block[2] or "")
    except (ValueError, RecursionError):
        return block[0]
    if isinstance(call, dict) and list(call) == ["name"] and needy.get(str(call["name"])) is False:
        return f"{OPEN}{json.dumps(call | {'arguments': {}}, ensure_ascii=False)}</tool_call>"
    return block[0]


def usable(call: ToolCall, needs_arguments: bool = False) -> ToolCall:
    """The call with an object as arguments. Raises ValueError without one, and for NaN or half a surrogate pair.

    >>> usable(ToolCall("f", '"{\\\\"a\\\\": 1}"'))
    ToolCall(name='f', arguments='{"a": 1}')
    """
    arguments = json.loads(call.arguments)
    if isinstance(arguments, str):
        arguments = json.loads(arguments or "null")
    if arguments is None and not needs_arguments:
        arguments = {}
    if not isinstance(arguments, dict):
        raise ValueError("arguments are an object")
    text = json.dumps(arguments, ensure_ascii=False, allow_nan=False)
    (call.name + text).encode()
    return ToolCall(call.name, text)
