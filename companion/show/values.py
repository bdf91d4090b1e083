"""Any value of a state in a few words that are the same on every run: no ids of runs, no addresses."""

import re
from collections.abc import Mapping
from typing import Any

from langchain_core.messages import BaseMessage

from companion.show.view import shortened


def brief(value: Any) -> str:
    """Return one line for a value, cut when long.

    >>> brief({"n": 1, "log": ["a"]})
    "{n: 1, log: ['a']}"
    """
    return shortened(worded(value).replace("\n", "⏎"), 160)


def worded(value: Any) -> str:
    """A value in words."""
    match value:
        case BaseMessage():
            calls = "; ".join(map(written, tool_calls(value)))
            return f"{value.type}: {value.text}" + (f" [calls {calls}]" if calls else "")
        case Mapping():
            return "{" + ", ".join(f"{key}: {worded(item)}" for key, item in value.items()) + "}"
        case set() | frozenset():
            return "{" + ", ".join(sorted(map(worded, value))) + "}"
        case list() | tuple():
            return "[" + ", ".join(map(worded, value)) + "]"
        case _:
            return re.sub(r" at 0x[0-9a-fA-F]+", "", repr(value))


def tool_calls(message: BaseMessage) -> list[Any]:
    """The calls of a message, the ones that cannot be read too."""
    return [*getattr(message, "tool_calls", []), *getattr(message, "invalid_tool_calls", [])]


def written(call: Any) -> str:
    """A call as in Python, `add(a=1, b='x')`; arguments that could not be read stay as they are."""
    name, args = call["name"], call["args"]
    named = ", ".join(f"{key}={value!r}" for key, value in args.items()) if isinstance(args, Mapping) else repr(args)
    return f"{name}({named})"
