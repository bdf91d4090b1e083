"""Fifteen famous failures: symptom, cause, fix, a public report; each happens here, and not with its fix.

`reproduce` raises exactly `error`, or returns the wrong outcome that `words` names; `fixed` returns `right`.
"""

import asyncio
import operator
import sqlite3
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

import pytest
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage, ToolMessage, trim_messages
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.errors import GraphRecursionError, InvalidUpdateError
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import InjectedState, InjectedStore, ToolNode, create_react_agent, tools_condition
from langgraph.store.base import BaseStore
from langgraph.store.memory import InMemoryStore
from langgraph.types import Command
from tavily import InvalidAPIKeyError

from companion import chat_model, faults, journal, search_client
from companion.graphs.tool_loop import complete, get_weather
from notebooks import FOLDER, read

ISSUES = "https://github.com/langchain-ai/langgraph/issues/"
THREAD: Any = {"configurable": {"thread_id": "1"}}


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    symptom: str
    cause: str
    fix: str
    lesson: int
    report: str
    reproduce: Callable[[], Any]
    fixed: Callable[[], Any]
    right: Any
    error: type[Exception] | None = None
    words: Any = ""


class Log(TypedDict, total=False):
    q: str
    log: Annotated[list[str], operator.add]


class Listed(TypedDict):
    messages: list[Any]


def line(state: Any = MessagesState, **nodes: Any) -> StateGraph[Any]:
    """START -> nodes -> END."""
    builder: StateGraph[Any] = StateGraph(state)
    for name, node in nodes.items():
        builder.add_node(name, node)
    for start, end in zip([START, *nodes], [*nodes, END], strict=True):
        builder.add_edge(start, end)
    return builder


def nothing(state: Any) -> dict[str, Any]:
    return {}


def call(made: Any, call_id: str | None = "c1", store: Any = None, **args: Any) -> Any:
    """The content of a ToolNode's answer to one call."""
    message = AIMessage("", tool_calls=[{"name": made.name, "args": args, "id": call_id}])
    return line(tools=ToolNode([made])).compile(store=store).invoke({"messages": [message]})["messages"][-1].content


@tool
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@tool
async def lookup(q: str) -> str:
    """Look up."""
    return q


@tool
def remember(fact: str, store: Annotated[BaseStore, InjectedStore()]) -> str:
    """Remember a fact."""
    store.put(("user",), "k", {"fact": fact})
    return "saved"


def described(text: str | None) -> str:
    def bare(a: int) -> int:
        return a

    return tool(bare, description=text).description


def injected(marker: Any) -> list[str]:
    def find(q: str, state: Any) -> str:
        return q

    find.__annotations__["state"] = Annotated[dict, marker]
    return list(tool(find, description="Find.").tool_call_schema.model_json_schema()["properties"])


def nameless(own_ids: bool) -> bool:
    """A loop of the lab's model and the weather, while the server leaves the ids out."""
    model = chat_model().bind_tools([get_weather])

    def ask(state: MessagesState) -> dict[str, Any]:
        reply = model.invoke(state["messages"])
        for n, made in enumerate(reply.tool_calls if own_ids else []):
            made["id"] = f"call-{n}"
        return {"messages": [reply]}

    builder = StateGraph(MessagesState).add_node("ask", ask).add_node("tools", ToolNode([get_weather]))
    builder.add_edge(START, "ask").add_edge("tools", "ask").add_conditional_edges("ask", tools_condition)
    with faults("null_id"):
        return "31" in builder.compile().invoke({"messages": "What is the weather in Bangkok?"})["messages"][-1].text


def spinning(limit: int, end: bool) -> int:
    builder: StateGraph[Any] = StateGraph(Log)
    builder.add_node("a", lambda state: {"log": ["a"]})
    builder.add_edge(START, "a")
    builder.add_conditional_edges("a", lambda state: END if end and len(state["log"]) >= 3 else "a", ["a", END])
    return len(builder.compile().invoke({"log": []}, {"recursion_limit": limit})["log"])


def parallel(whole: bool) -> list[str]:
    builder: StateGraph[Any] = StateGraph(Log)
    for name in "ab":
        builder.add_node(name, lambda state, name=name: {**(state if whole else {}), "log": [name]})
        builder.add_edge(START, name)
    return builder.compile().invoke({"q": "?", "log": []})["log"]


def growing(old: bool) -> list[str]:
    nodes = {n: (lambda state, n=n: {"log": [*(state["log"] if old else []), n]}) for n in "ab"}
    return line(Log, **nodes).compile().invoke({"log": ["start"]})["log"]


def goto(edge: bool) -> list[str]:
    builder: StateGraph[Any] = StateGraph(Log)
    builder.add_node("a", lambda state: Command(goto="c", update={"log": ["a"]}), destinations=("c",))
    builder.add_node("b", lambda state: {"log": ["b"]})
    builder.add_node("c", lambda state: {"log": ["c"]})
    ways = [(START, "a"), ("b", "c"), ("c", END), *([("a", "b")] if edge else [])]
    for start, end in ways:
        builder.add_edge(start, end)
    return builder.compile().invoke({"log": []})["log"]


@tool
def boom() -> str:
    """Look at the sky."""
    raise ValueError("boom")


def after_a_crash(repair: bool) -> str:
    """The answer to the turn behind the one in which a tool crashed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        agent = create_react_agent(chat_model(), [boom], checkpointer=InMemorySaver())
    with faults():
        faults.say('<tool_call>\n{"name": "boom", "arguments": {}}\n</tool_call>', "Hello!")
        with pytest.raises(ValueError, match="boom"):
            agent.invoke({"messages": "1"}, THREAD)
        if repair:
            agent.update_state(
                THREAD, {"messages": complete(agent.get_state(THREAD).values["messages"])}, as_node="tools"
            )
        return agent.invoke({"messages": "2"}, THREAD)["messages"][-1].text


def trimmed(**options: Any) -> str:
    """The role of the first message on the wire, behind a node that cuts the history."""

    def ask(state: MessagesState) -> dict[str, Any]:
        kept = trim_messages(state["messages"], strategy="last", token_counter=len, max_tokens=3, **options)
        return {"messages": [chat_model().invoke(kept)]}

    asks = AIMessage("", tool_calls=[{"name": "add", "args": {}, "id": "a"}])
    history = [HumanMessage("1"), asks, ToolMessage("2", tool_call_id="a"), AIMessage("2"), HumanMessage("2")]
    line(ask=ask).compile().invoke({"messages": history})
    role: str = journal.chats()[-1].request["messages"][0]["role"]
    return role


def removed(state: type) -> list[str]:
    graph = line(state, a=lambda state: {"messages": [RemoveMessage("1")]}).compile()
    found = graph.invoke({"messages": [HumanMessage("x", id="1"), HumanMessage("y", id="2")]})["messages"]
    return [message.type for message in found]


def saved(checkpointer: Any, config: Any = THREAD) -> bool:
    return bool(line(a=nothing).compile(checkpointer=checkpointer).invoke({"messages": "hi"}, config))


def sqlite(**options: Any) -> SqliteSaver:
    return SqliteSaver(sqlite3.connect(":memory:", **options))


def streamed(skip: bool) -> str:
    model = chat_model()
    asked: Any = [{"role": "user", "content": "Hello!"}]
    chunks = model.root_client.chat.completions.create(
        model=model.model_name, messages=asked, stream=True, stream_options={"include_usage": True}
    )
    words = [chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices or not skip]
    return "".join(words)[:5]


def searched(key: str | None) -> bool:
    client = search_client()
    if key:
        client.session.headers["Authorization"] = f"Bearer {key}"
    return bool(client.search("tap water safe Singapore")["results"])


ROWS = [
    Row("'Function must have a docstring'", "the docstring is what the model reads", "describe the tool",
        2, "https://github.com/julep-ai/julep/issues/803", lambda: described(None), lambda: described("Look up."),
        "Look up.", ValueError, "must have a docstring"),
    Row("the model is asked for 'state'", "annotated with the state's class", "annotate with InjectedState",
        2, ISSUES + "3564", lambda: injected(MessagesState), lambda: injected(InjectedState), ["q"], None,
        ["q", "state"]),
    Row("'returned unexpected type'", "the server sent a call without id", "give it one before ToolNode",
        6, "https://github.com/QwenLM/Qwen3/issues/1419", lambda: nameless(own_ids=False),
        lambda: nameless(own_ids=True), True, TypeError, "unexpected type"),
    Row("'does not support sync invocation'", "an async tool in a sync run", "use ainvoke",
        4, "https://github.com/langchain-ai/langchain-mcp-adapters/issues/85", lambda: call(lookup, q="x"),
        lambda: asyncio.run(line(tools=ToolNode([lookup])).compile().ainvoke({"messages": [AIMessage("", tool_calls=[
            {"name": "lookup", "args": {"q": "x"}, "id": "c1"}])]}))["messages"][-1].content, "x",
        NotImplementedError, "does not support sync"),
    Row("'Cannot inject store'", "no store was compiled in", "compile(store=...)",
        5, "https://github.com/langchain-ai/langgraph/pull/2995", lambda: call(remember, fact="x"),
        lambda: call(remember, store=InMemoryStore(), fact="x"), "saved", ValueError,
        "Cannot inject store"),
    Row("GraphRecursionError", "nothing ends the loop", "count rounds, route to END",
        6, "https://github.com/langmanus/langmanus/issues/61", lambda: spinning(6, end=False),
        lambda: spinning(6, end=True), 3, GraphRecursionError, "Recursion limit of 6"),
    Row("'Can receive only one value per step'", "parallel nodes return the whole state", "return what changed",
        1, ISSUES + "2336", lambda: parallel(whole=True), lambda: parallel(whole=False), ["a", "b"],
        InvalidUpdateError, "only one value per step"),
    Row("a list doubles at each node", "old plus new into an adding reducer", "return the new items only",
        1, "https://forum.langchain.com/t/subject-operator-add-reducer-causes-exponential-duplication-in-annotated-list-"
        "state-fields-when-tools-update-state/1546", lambda: growing(old=True), lambda: growing(old=False),
        ["start", "a", "b"], None, ["start", "start", "a", "start", "start", "a", "b"]),
    Row("a node runs that goto passed by", "Command does not replace an edge", "one way out of a node",
        4, ISSUES + "5829", lambda: goto(edge=True), lambda: goto(edge=False), ["a", "c"], None, ["a", "b", "c", "c"]),
    Row("every later turn is refused", "a crash left a call unanswered", "answer it with an error message",
        4, ISSUES + "5109", lambda: after_a_crash(repair=False), lambda: after_a_crash(repair=True), "Hello!",
        ValueError, "do not have a corresponding ToolMessage"),
    Row("a history that starts with a result", "trim_messages cut between call and result", "start_on='human'",
        5, "https://github.com/langchain-ai/langchain/issues/33245", trimmed, lambda: trimmed(start_on="human"), "user",
        None, "tool"),
    Row("RemoveMessage stays in the state", "no messages reducer", "Annotated[list, add_messages]",
        5, "https://github.com/langchain-ai/langgraphjs/issues/1152", lambda: removed(Listed),
        lambda: removed(MessagesState), ["human"], None, ["remove"]),
    Row("'Checkpointer requires ... thread_id'", "a checkpointer and no thread", "give a thread_id", 5, ISSUES + "1020",
        lambda: saved(InMemorySaver(), {}), lambda: saved(InMemorySaver()), True, ValueError,
        "Checkpointer requires one or more of the following 'configurable' keys: thread_id"),
    Row("'Invalid checkpointer provided'", "from_conn_string is a context manager", "SqliteSaver(connection)",
        5, ISSUES + "2042", lambda: saved(SqliteSaver.from_conn_string(":memory:")),
        lambda: saved(sqlite(check_same_thread=False)), True, TypeError, "Invalid checkpointer"),
    Row("list index out of range in a stream", "the usage chunk has no choices", "skip chunks without choices",
        4, "https://github.com/datawhalechina/hello-agents/issues/425", lambda: streamed(skip=False),
        lambda: streamed(skip=True), "Hello", IndexError, "list index out of range"),
    Row("the search answers 401", "a wrong key", "check the key first", 1, "https://github.com/bytedance/deer-flow/issues/10",
        lambda: searched("tvly-wrong"), lambda: searched(None), True, InvalidAPIKeyError, "invalid API key"),
]  # fmt: skip
rows = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.symptom)


@rows
def test_the_symptom_is_reproduced(row: Row) -> None:
    if row.error is None:
        assert row.reproduce() == row.words
        return
    with pytest.raises(row.error) as caught:
        row.reproduce()
    assert type(caught.value) is row.error
    assert row.words in str(caught.value)


@rows
def test_the_fix_is_what_helps(row: Row) -> None:
    assert row.fixed() == row.right


def test_each_row_has_its_own_public_report() -> None:
    assert len({row.report for row in ROWS}) == len(ROWS) >= 15
    assert all(row.report.startswith("https://") and row.cause and row.fix for row in ROWS)


def name(report: str) -> str:
    """What a link to a report is called.

    >>> name("https://github.com/langchain-ai/langgraph/issues/5829")
    'langgraph #5829'
    """
    parts = report.split("/")
    return f"{parts[4]} #{parts[6]}" if parts[2] == "github.com" else "LangChain forum"


def test_the_lesson_prints_these_rows() -> None:
    cells = read(FOLDER / "06_guards_and_fallbacks.ipynb").cells
    (shown,) = [cell.source for cell in cells if "| symptom | cause | fix | lesson | report |" in cell.source]
    for row in ROWS:
        told = f"| {row.symptom} | {row.cause} | {row.fix} | {row.lesson} | [{name(row.report)}]({row.report}) |"
        assert told in shown
    assert shown.count("](http") == len(ROWS)
