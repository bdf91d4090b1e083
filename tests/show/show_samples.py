"""The exchanges and graphs that the pictures are tried on."""

import operator
import re
from hashlib import sha256
from html import unescape
from typing import Annotated, Any, Literal, TypedDict

from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command

from companion import show
from companion.lab.journal import Exchange
from companion.lab.prompt import render

ADD = {
    "type": "function",
    "function": {
        "name": "add",
        "description": "Add two numbers.",
        "parameters": {
            "type": "object",
            "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
            "required": ["a", "b"],
        },
    },
}
CALL = '<tool_call>\n{"name": "add", "arguments": {"a": 1, "b": 1}}\n</tool_call>'
CALLED = {
    "role": "assistant",
    "content": None,
    "tool_calls": [{"id": "call-7", "type": "function", "function": {"name": "add", "arguments": '{"a": 1, "b": 1}'}}],
}
NASTY = '<script>alert("x")</script><|im_end|>&\'$a$'


def answered(messages: list[dict[str, Any]], completion: str, message: dict[str, Any], reason: str) -> Exchange:
    request = {"model": "m", "messages": messages, "tools": [ADD]}
    response = {
        "choices": [{"message": message, "finish_reason": reason}],
        "usage": {"prompt_tokens": 9, "completion_tokens": 1},
    }
    return Exchange("/v1/chat/completions", request, 200, response, render(messages, [ADD]), completion)


def run() -> list[Exchange]:
    """The two calls of an agent that adds 1 and 1."""
    question = [{"role": "user", "content": "1+1"}]
    results = [*question, CALLED, {"role": "tool", "content": "2", "tool_call_id": "call-7"}]
    answer = {"role": "assistant", "content": "It is 2."}
    return [answered(question, CALL, CALLED, "tool_calls"), answered(results, "It is 2.", answer, "stop")]


def refused() -> Exchange:
    """A request that never became a prompt."""
    return Exchange("/v1/chat/completions", {"model": "m"}, 400, {"error": {"message": "no messages", "code": 400}})


class State(TypedDict):
    n: int
    log: Annotated[list[str], operator.add]


def node(name: str) -> Any:
    return lambda state: {"n": state["n"] + 1, "log": [name]}


def hand_over(state: State) -> Command[Literal["model", "report"]]:
    return Command(goto="report")


def graph_of(*names: str) -> StateGraph:
    builder = StateGraph(State)
    for name in names:
        builder.add_node(name, node(name))
    return builder


def agent() -> Any:
    """A model and its tools: one loop, and a checkpointer."""
    builder = graph_of("model", "tools")
    builder.add_edge(START, "model")
    builder.add_conditional_edges("model", lambda state: "tools" if state["n"] < 2 else END, ["tools", END])
    builder.add_edge("tools", "model")
    return builder.compile(checkpointer=InMemorySaver())


def nested() -> Any:
    """A subgraph, words on edges, a Command, and a node that only a Send could reach."""
    inner = graph_of("search", "rank").add_edge(START, "search").add_edge("search", "rank").add_edge("rank", END)
    builder = graph_of("model", "report")
    builder.add_node("sub", inner.compile())
    builder.add_node("hand", hand_over)
    builder.add_edge(START, "model")
    builder.add_conditional_edges("model", lambda state: "look", {"look": "sub", "again": "model"})
    builder.add_edge("sub", "hand")
    builder.add_edge("report", END)
    return builder.compile()


def words(view: Any) -> str:
    """What a reader sees of the HTML on GitHub: the text, without tags and styles."""
    return unescape(re.sub(r"<[^>]*>", "", view._repr_mimebundle_()["text/html"]))


def everything() -> list[str]:
    """A digest of each kind of output, and how many memory addresses are in it."""
    calls, compiled, thread = run(), agent(), {"configurable": {"thread_id": "t"}}
    compiled.invoke({"n": 0, "log": []}, thread)
    views: list[Any] = [
        show.prompt(calls[1].prompt, against=calls[0].prompt),
        show.diff(calls[0].prompt, calls[1].prompt),
        show.exchange(calls[1], calls[0]),
        show.schema(ADD),
        show.tokens("hello 天气"),
        show.messages([AIMessage("x", id="a")]),
        show.state({}, {"set": {"b", "a", "c"}, "object": object()}),
        show.checkpoints(compiled, thread),
        show.walk(compiled, thread),
        show.tabs(calls).live(),
        show.graph(compiled, "tools"),
        show.graph(nested(), xray=True),
        show.bars({"a": {"b": 1, "c": 2}}),
        show.lines({"a": [1, 2]}),
        show.timeline([("a", 0, 1)]),
    ]
    bundles = [repr(view._repr_mimebundle_()) for view in views]
    return [f"{sha256(bundle.encode()).hexdigest()} {bundle.count(' at 0x')}" for bundle in bundles]
