"""The grammar that vLLM builds for a forced or strict tool call: what /v1/chat/completions/render shows.

The lab's reader needs none, it is told the names. Worth seeing all the same: a forced call fixes the tag and the name
of the tool, its arguments may be any JSON unless the tool says `strict`.
"""

from typing import Any

from companion.lab.request import Chat, Tool


def structural_tag(request: Chat) -> dict[str, Any] | None:
    """The grammar of a request's tool calls, or None where the model may write what it likes."""
    tools = request.tools or []
    if request.choice == "auto":
        strict = [tool for tool in tools if tool.function.strict]
        return triggered(strict) if strict and request.schema_of_answer is None else None
    chosen = [tool for tool in tools if tool.function.name in request.forced]
    if not chosen:
        return None
    repeat = {"separator": "", "at_least_one": True, "stop_after_first": request.one_call}
    return {"type": "structural_tag", "format": {"type": "tags_with_separator", "tags": tags(chosen), **repeat}}


def triggered(tools: list[Tool]) -> dict[str, Any]:
    """Free text, until `<tool_call>` is written."""
    return {
        "type": "structural_tag",
        "format": {
            "type": "triggered_tags",
            "triggers": ["<tool_call>"],
            "tags": tags(tools),
            "at_least_one": False,
            "stop_after_first": False,
            "excludes": [],
        },
    }


def tags(tools: list[Tool]) -> list[dict[str, Any]]:
    """Two spellings of each call: with line breaks inside the tag, and without."""
    return [tag(tool, newline) for tool in tools for newline in ("\n", "")]


def tag(tool: Tool, newline: str) -> dict[str, Any]:
    schema = tool.function.parameters if tool.function.strict else True
    content: dict[str, Any] = {
        "type": "json_schema",
        "json_schema": schema,
        "style": "json",
        "any_order": False,
        "max_whitespace_cnt": None,
        "excludes": [],
    }
    begin = f'<tool_call>{newline}{{"name": "{tool.function.name}", "arguments": '
    return {"type": "tag", "begin": begin, "content": content, "end": f"}}{newline}</tool_call>"}
