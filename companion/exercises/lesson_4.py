"""Checks of lesson 4: the loop. Answers run in graphs, with tools and messages that the tasks do not show."""

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, TypedDict

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langchain_core.tools import ToolException, tool
from langgraph.errors import GraphRecursionError
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from langgraph.types import Command
from openai import OpenAI
from openai.types.chat import ChatCompletionChunk

from companion.endpoint import http_clients
from companion.exercises.registry import Wrong, exercise
from companion.graphs.tool_loop import calls_of
from companion.lab.checks import MODEL
from companion.lab.server import lab


@tool
def work() -> str:
    """Work."""
    return "done"


def asks(*ids: str) -> AIMessage:
    """A model's message with calls of `work`."""
    return AIMessage("", tool_calls=[{"id": id, "name": "work", "args": {}} for id in ids])


@exercise("4.1", "The smallest limit")
def steps(answer: Callable[[int], int]) -> None:
    """The limit must be enough, and one less must not be."""
    look = "section 10: what a round costs, what the answer costs, what the end costs"
    for rounds in (0, 1, 2, 7):
        limit = answer(rounds)
        if not isinstance(limit, int):
            raise Wrong("a whole number", repr(limit), "what your function returns")
        if not ends(rounds, limit):
            raise Wrong(f"a limit that carries {rounds} round(s)", f"{limit}: GraphRecursionError", look)
        if ends(rounds, limit - 1):
            raise Wrong(f"the smallest limit for {rounds} round(s)", f"{limit}, and less is enough", look)


def ends(rounds: int, limit: int) -> bool:
    """Whether an agent with so many rounds of two calls ends within the limit."""
    replies = (asks("a", "b") if turn < rounds else AIMessage("done") for turn in range(rounds + 1))
    builder = StateGraph(MessagesState).add_node("model", lambda state: {"messages": [next(replies)]})
    builder.add_node("tools", ToolNode([work])).add_edge(START, "model").add_edge("tools", "model")
    builder.add_conditional_edges("model", tools_condition)
    try:
        builder.compile().invoke({"messages": []}, {"recursion_limit": limit})
    except (GraphRecursionError, ValueError):
        return False
    return True


@exercise("4.2", "One way out of a node")
def edges(answer: Sequence[tuple[str, str]]) -> None:
    """START leads to a; a goes where it likes; b leads to c; c ends."""
    if not isinstance(answer, list | tuple) or not all(isinstance(edge, tuple) and len(edge) == 2 for edge in answer):
        raise Wrong("a list of pairs (from, to)", answer, "for example [(START, 'a')]")
    for goto, right in (("c", ["a", "c"]), ("b", ["a", "b", "c"])):
        try:
            got = traced(answer, goto)
        except (ValueError, GraphRecursionError) as error:
            raise Wrong("edges that compile and end", error, "names of nodes are a, b, c, START and END") from None
        if got != right:
            look = "what a static edge does beside Command(goto=...), section 9"
            raise Wrong(f"{right} where a says goto={goto!r}", f"{got}", look)


def traced(edges: Sequence[tuple[str, str]], goto: str) -> list[str]:
    """The nodes that ran, in order."""

    class Trace(TypedDict):
        ran: Annotated[list[str], operator.add]

    builder = StateGraph(Trace).add_node("a", lambda state: Command(goto=goto, update={"ran": ["a"]}))
    builder.add_node("b", lambda state: {"ran": ["b"]}).add_node("c", lambda state: {"ran": ["c"]})
    for start, end in edges:
        builder.add_edge(start, end)
    ran: list[str] = builder.compile().invoke({"ran": []}, {"recursion_limit": 8})["ran"]
    return ran


def chunks(*deltas: Mapping[str, Any] | None) -> list[ChatCompletionChunk]:
    """A stream of these deltas; None is the chunk that counts tokens and has no choices."""
    body = {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "m"}
    choices = [[] if delta is None else [{"index": 0, "delta": delta, "finish_reason": None}] for delta in deltas]
    return [ChatCompletionChunk.model_validate({**body, "choices": choice}) for choice in choices]


ROLE, CALL = {"role": "assistant", "content": ""}, {"content": None, "tool_calls": [{"index": 0}]}
STREAMS: tuple[tuple[list[ChatCompletionChunk], str], ...] = (
    (chunks(ROLE, {"content": "天气"}, {"content": "晴"}, {}, None), "天气晴"),
    (chunks(ROLE, {"content": "a"}, CALL, {"content": " b"}, {}), "a b"),
    (chunks(None, {"content": "hi"}, {"content": ""}, {"content": "!"}), "hi!"),
    (chunks({"role": "assistant"}, CALL, {}, None), ""),
    ([], ""),
)


@exercise("4.3", "A stream with holes")
def joined(answer: Callable[[Iterable[ChatCompletionChunk]], str]) -> None:
    """Streams made by hand, each given once as a generator, then one from the lab."""
    for stream, right in STREAMS:
        got = answer(chunk for chunk in stream)
        if got != right:
            raise Wrong(f"{right!r} from {[words(chunk) for chunk in stream]}", repr(got), "what each chunk adds")
    client = OpenAI(base_url=lab().url + "/v1", api_key="EMPTY", http_client=http_clients(lab().url)[0])
    asked: Any = {"model": MODEL, "messages": [{"role": "user", "content": "Hello!"}]}
    right = client.chat.completions.create(**asked).choices[0].message.content
    got = answer(client.chat.completions.create(**asked, stream=True, stream_options={"include_usage": True}))
    if got != right:
        raise Wrong(repr(right), repr(got), "the lab's own stream")


def words(chunk: ChatCompletionChunk) -> Any:
    """What a chunk brings, for a message: its content, or that it has no choices."""
    return chunk.choices[0].delta.content if chunk.choices else "no choices"


LEFT = "it left the graph"


def told(handler: Any, error: Exception, **options: Any) -> str:
    """What the model reads when a tool raises, LEFT when the error leaves the graph."""

    def broken() -> str:
        raise error

    node = ToolNode([tool("work", description="Work.")(broken)], handle_tool_errors=handler, **options)
    graph = StateGraph(MessagesState).add_node("tools", node).add_edge(START, "tools").compile()
    try:
        return str(graph.invoke({"messages": [asks("c1")]})["messages"][-1].content)
    except type(error):
        return LEFT


@exercise("4.4", "Which errors the model reads")
def handler(answer: Callable[[Any], Any]) -> None:
    """Two kinds become messages, each with its own advice; bugs leave."""
    answer(ToolException("first by itself"))  # in this thread: an endless answer can be stopped here
    annotation = "the annotation of the first parameter: it names the errors you get, A | B for two kinds"
    cases = ((ToolException("card expired"), "card expired"), (ToolException("余额不足"), "余额不足"))
    for error, word in (*cases, (TimeoutError("socket 7"), "later")):
        text = told(answer, error)
        if word not in text:
            look = annotation if text == LEFT else "what your function returns for this error"
            raise Wrong(f"a message with {word!r} for a {type(error).__name__}", text, look)
        if "socket" in text:
            raise Wrong("advice instead of the raw TimeoutError", text, "the model can do nothing with a socket number")
    for bug in (KeyError("price"), NotImplementedError("sync"), OSError("disk full")):
        if (hidden := told(answer, bug)) != LEFT:
            look = "the annotation of the first parameter; none at all means every Exception"
            raise Wrong(f"{type(bug).__name__} leaves the graph", f"the model reads: {hidden}", look)


def said(id: str) -> ToolMessage:
    return ToolMessage("ok", tool_call_id=id, id=f"result {id}")


ONE, TWO = asks("c1"), asks("c2", "c3")
CUT = AIMessage("", invalid_tool_calls=[{"id": "c4", "name": "work", "args": '{"n":', "error": None}])
HI, BYE = HumanMessage("Hi"), AIMessage("Bye")
THREADS: tuple[tuple[str, list[AnyMessage], list[AnyMessage]], ...] = (
    ("a whole thread", [HI, ONE, said("c1"), TWO, said("c2"), said("c3"), BYE],
     [HI, ONE, said("c1"), TWO, said("c2"), said("c3"), BYE]),
    ("a call without a result", [HI, ONE, HI, BYE], [HI, HI, BYE]),
    ("two calls with one result", [HI, TWO, said("c2"), HI], [HI, HI]),
    ("a result without a call", [HI, said("c9"), BYE], [HI, BYE]),
    ("a broken pair before a whole one", [HI, TWO, said("c3"), ONE, said("c1"), BYE], [HI, ONE, said("c1"), BYE]),
    ("a call that is no JSON", [HI, CUT, HI], [HI, HI]),
    ("an empty list", [], []),
)  # fmt: skip


@exercise("4.5", "Prune a thread")
def prune(answer: Callable[[list[AnyMessage]], Any]) -> None:
    """What is whole stays, what is broken goes with all its parts, and the list given is left alone."""
    for name, thread, right in THREADS:
        given = list(thread)
        got = answer(given)
        if not isinstance(got, list):
            raise Wrong("a list of messages", repr(got), "what your function returns")
        if given != thread:
            raise Wrong("a new list", "the list you were given has changed", "remove and pop work in place")
        if brief(got) != brief(right):
            raise Wrong(f"{name}: {brief(right)}", brief(got), "ids asked for against ids answered, message by message")


def brief(messages: Sequence[AnyMessage]) -> str:
    """Types with ids: human, ai(c1), tool(c1)."""
    words = []
    for message in messages:
        ids = [getattr(message, "tool_call_id", None), *(call["id"] for call in calls_of(message))]
        words.append(getattr(message, "type", repr(message)) + (f"({' '.join(filter(None, ids))})" if any(ids) else ""))
    return ", ".join(words) or "nothing"
