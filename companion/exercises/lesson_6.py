"""Checks of lesson 6: guards and fallbacks."""

from collections.abc import Callable
from typing import Any

from langchain_core.messages import AIMessage
from langchain_core.tools import ToolException, tool
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode

from companion.exercises.registry import Wrong, exercise

Call = dict[str, Any]


def add(**args: int) -> Call:
    """A call of add."""
    return {"name": "add", "args": args}


@exercise("6.1", "Seen too often")
def too_often(answer: Callable[[list[Call], int], bool]) -> None:
    """Calls are counted anywhere, by name and arguments."""
    a, b, reordered = add(a=1, b=2), add(a=2, b=2), add(b=2, a=1)
    other = {"name": "multiply", "args": a["args"]}
    cases: list[tuple[str, list[Call], int, bool]] = [
        ("no call", [], 1, False),
        ("A-A with most=2", [a, a], 2, False),
        ("A-A-A with most=2", [a, a, a], 2, True),
        ("A-B-A-B-A with most=2", [a, b, a, b, a], 2, True),
        ("A and A with its keys reordered, most=1", [a, reordered], 1, True),
        ("A and A with another id, most=1", [{**a, "id": "c1"}, {**a, "id": "c2"}], 1, True),
        ("the same arguments for two tools, most=1", [a, other], 1, False),
    ]
    for name, made, most, right in cases:
        if (got := answer([dict(call) for call in made], most)) is not right:
            raise Wrong(f"{right} for {name}", repr(got), "the signature of a call, and how it is counted")


def handled(answer: Callable[[Exception], str], error: Exception) -> str:
    """What the handler makes of an error in a real ToolNode; the name of what leaves it."""

    @tool
    def breaks() -> str:
        """Raise."""
        raise error

    node = ToolNode([breaks], handle_tool_errors=answer, wrap_tool_call=lambda request, execute: execute(request))
    builder = StateGraph(MessagesState)
    builder.add_node("tools", node)
    builder.add_edge(START, "tools")
    builder.add_edge("tools", END)
    message = AIMessage("", tool_calls=[{"name": "breaks", "args": {}, "id": "c1"}])
    try:
        return str(builder.compile().invoke({"messages": [message]})["messages"][-1].content)
    except Exception as left:
        return f"{type(left).__name__} left the graph"


@exercise("6.2", "Text or exception")
def told(answer: Callable[[Exception], str]) -> None:
    """Foreseen and passing failures are text, bugs leave."""
    for error, words in (ToolException("No such city."), "No such city."), (ConnectionResetError(), "try once more"):
        if words not in (got := handled(answer, error)):
            raise Wrong(f"a text with {words!r} for {type(error).__name__}", got, "what the handler returns for it")
    if "try once more" not in (got := handled(answer, TimeoutError())):
        raise Wrong("a text with 'try once more' for TimeoutError", got, "which errors pass by themselves")
    for bug in (NotImplementedError("x"), KeyError("x"), AttributeError("x")):
        if (got := handled(answer, bug)) != f"{type(bug).__name__} left the graph":
            raise Wrong(f"{type(bug).__name__} leaves the graph", got, "the last line: raise what is not for the model")


@exercise("6.3", "The error first")
def way(answer: Callable[[dict[str, Any]], str]) -> None:
    """The router, on every mixture of error, calls and rounds."""
    asks, says = AIMessage("", tool_calls=[{"name": "t", "args": {}, "id": "c1"}]), AIMessage("Done.")
    cases: list[tuple[str, dict[str, Any], str]] = [
        ("calls, round 1, no key error", {"messages": [asks], "rounds": 1}, "tools"),
        ('calls, error ""', {"messages": [asks], "rounds": 2, "error": ""}, "tools"),
        ("calls and an error", {"messages": [asks], "rounds": 1, "error": "down"}, "fallback"),
        ("no calls and an error", {"messages": [says], "rounds": 3, "error": "down"}, "fallback"),
        ("calls, round 3", {"messages": [asks], "rounds": 3}, "closing"),
        ("calls, round 3, and an error", {"messages": [asks], "rounds": 3, "error": "down"}, "fallback"),
        ("an answer, round 3", {"messages": [says], "rounds": 3}, END),
        ("an answer, round 0", {"messages": [says], "rounds": 0}, END),
    ]
    for name, state, right in cases:
        if (got := answer(state)) != right:
            raise Wrong(f"{right!r} for {name}", repr(got), "the order of your questions: error, answer, limit, tools")
