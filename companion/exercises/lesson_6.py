"""Checks of lesson 6: guards and fallbacks."""

from collections.abc import Callable
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langchain_core.tools import ToolException
from langgraph.graph import END, MessagesState
from langgraph.graph.state import CompiledStateGraph

from companion.exercises.lesson_4 import LEFT, asks, told
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
    """What the handler makes of an error; with a wrapper, a node asks it about every error, whatever its annotation."""
    return told(answer, error, wrap_tool_call=lambda request, execute: execute(request))


@exercise("6.2", "Text or exception")
def text_or_exception(answer: Callable[[Exception], str]) -> None:
    """Foreseen and passing failures are text, bugs leave."""
    final, again = "No such city.", "try once more"
    for error, words in (ToolException(final), final), (ConnectionResetError(), again), (TimeoutError(), again):
        if words.lower() not in (got := handled(answer, error)).lower():
            raise Wrong(f"a text with {words!r} for {type(error).__name__}", got, "what the handler returns for it")
    for bug in (NotImplementedError("x"), KeyError("x"), AttributeError("x"), OSError("x")):
        if (got := handled(answer, bug)) != LEFT:
            raise Wrong(f"{type(bug).__name__} leaves the graph", got, "the last line: raise what is not for the model")


@exercise("6.3", "The error first")
def way(answer: Callable[[dict[str, Any]], str]) -> None:
    """The router, on every mixture of error, calls and rounds."""
    calls, says = asks("c1"), AIMessage("Done.")
    cases: list[tuple[str, dict[str, Any], str]] = [
        ("calls, round 1, no key error", {"messages": [calls], "rounds": 1}, "tools"),
        ('calls, error ""', {"messages": [calls], "rounds": 2, "error": ""}, "tools"),
        ("calls and an error", {"messages": [calls], "rounds": 1, "error": "down"}, "fallback"),
        ("no calls and an error", {"messages": [says], "rounds": 3, "error": "down"}, "fallback"),
        ("calls, round 3", {"messages": [calls], "rounds": 3}, "closing"),
        ("calls, round 3, and an error", {"messages": [calls], "rounds": 3, "error": "down"}, "fallback"),
        ("an answer, round 3", {"messages": [says], "rounds": 3}, END),
        ("an answer, round 0", {"messages": [says], "rounds": 0}, END),
    ]
    for name, state, right in cases:
        if (got := answer(state)) != right:
            raise Wrong(f"{right!r} for {name}", repr(got), "the order of your questions: error, answer, limit, tools")


def costs(tokens: int | None) -> AIMessage:
    """A model's message that cost so many tokens; None where the server told none."""
    usage: Any = tokens and {"input_tokens": tokens - 1, "output_tokens": 1, "total_tokens": tokens}
    return AIMessage("", usage_metadata=usage)


@exercise("6.4", "A token budget")
def within(answer: Callable[[list[AnyMessage], int], bool]) -> None:
    """The tokens of this turn, and of no other."""
    asked, result = HumanMessage("Oslo?"), ToolMessage("snow", tool_call_id="c1")
    cases: list[tuple[str, list[AnyMessage], int, bool]] = [
        ("a turn that has just begun", [asked], 0, True),
        ("300 and 400 tokens, budget 700", [asked, costs(300), result, costs(400)], 700, True),
        ("300 and 400 tokens, budget 699", [asked, costs(300), result, costs(400)], 699, False),
        (
            "900 tokens in the turn before, 300 in this one, budget 500",
            [asked, costs(900), asked, costs(300)],
            500,
            True,
        ),
        ("900 tokens in this turn, a message without usage, budget 500", [asked, costs(900), costs(None)], 500, False),
    ]
    for name, messages, budget, right in cases:
        if (got := answer(messages, budget)) is not right:
            raise Wrong(f"{right} for {name}", repr(got), "which messages you count, and where the turn begins")


def outcome(answer: Callable[[Any], Any], errors: list[Exception]) -> tuple[str, int]:
    """What the user reads, and how often the agent was run, where its first attempts raise."""
    attempts = 0

    def agent(state: MessagesState) -> dict[str, Any]:
        nonlocal attempts
        attempts += 1
        if attempts <= len(errors):
            raise errors[attempts - 1]
        return {"messages": [AIMessage("Sunny.")]}

    graph = answer(agent)
    if not isinstance(graph, CompiledStateGraph):
        raise Wrong("a compiled graph", repr(graph), "what your function returns, and whether it is compiled")
    try:
        return graph.invoke({"messages": "Oslo?"})["messages"][-1].text, attempts
    except Exception as error:
        return f"{type(error).__name__} left the graph", attempts


@exercise("6.5", "A fallback of your own")
def guarded(answer: Callable[[Any], Any]) -> None:
    """The graph around an agent that works, works late, never works, or has a bug."""
    down = ConnectionError("down")
    cases: list[tuple[str, list[Exception], str, int, str]] = [
        ("an agent that works", [], "Sunny.", 1, "the edge from START"),
        ("ConnectionError twice, then an answer", [down] * 2, "Sunny.", 3, "retry_policy: how many attempts it allows"),
        ("ConnectionError three times", [down] * 3, "Sorry", 3, "what is asked behind the last attempt"),
        ("KeyError", [KeyError("bug")], "KeyError left the graph", 1, "what is tried again, and what is caught"),
    ]
    for name, errors, text, attempts, look in cases:
        said, made = outcome(answer, errors)
        if not said.startswith(text) or made != attempts:
            raise Wrong(f"{text!r} after {attempts} attempt(s) for {name}", f"{said!r} after {made}", look)
