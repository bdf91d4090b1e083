"""One tool, four times: the Python you write, the JSON schema made of it, the wire form, the line the model reads."""

import inspect
import json
from collections.abc import Mapping
from typing import Any

from companion.lab.prompt import wire_tool
from companion.show.view import LEFT, View, as_json, indented, pre, tag

TITLES = ("Python", "JSON schema", "On the wire", "In the prompt")
NAME = f"{LEFT}; width:8em"


def schema(tool: Any) -> View:
    """Return a tool (made by `@tool`, a function, a Pydantic model or an OpenAI-style dict) in all its forms."""
    from langchain_core.utils.function_calling import convert_to_openai_tool

    wire = convert_to_openai_tool(tool)
    line = json.dumps(wire_tool(wire), ensure_ascii=False)
    forms = [source(tool), as_json(json_schema(tool, wire)), as_json(wire), line]
    named = [(f"{n} {title}", form) for n, (title, form) in enumerate(zip(TITLES, forms, strict=True), 1) if form]
    html = (
        tag("tr", tag("th", name, scope="row", style=NAME), tag("td", pre(form), style=LEFT)) for name, form in named
    )
    return View(tag("table", tag("tbody", *html)), "\n".join(f"{name}\n{indented(form)}" for name, form in named))


def source(tool: Any) -> str:
    """The signature and docstring behind a tool; empty for a dict.

    >>> source(len).splitlines()[0]
    'def len(obj, /):'
    """
    function = getattr(tool, "func", None) or getattr(tool, "coroutine", None) or tool
    if not callable(function):
        return ""
    keyword = "async def" if inspect.iscoroutinefunction(function) else "def"
    head = f"{keyword} {function.__name__}{inspect.signature(function)}:"
    text = inspect.getdoc(function)
    return head + "\n" + indented(f'"""{text}"""', "    ") if text else head


def json_schema(tool: Any, wire: Mapping[str, Any]) -> Any:
    """What Pydantic makes of the parameters; for a dict or a bare function, what the wire says."""
    form = getattr(tool, "tool_call_schema", tool)
    if isinstance(form, type) and hasattr(form, "model_json_schema"):
        return form.model_json_schema()
    return form if form is not tool and isinstance(form, dict) else wire["function"].get("parameters", {})
