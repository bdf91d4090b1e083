"""Checks of lesson 5: state and threads. Answers run in graphs, on inputs that the lesson does not show."""

import operator
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, TypedDict

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph

from companion.exercises.lesson_1 import kinds
from companion.exercises.registry import Wrong, exercise

Cart = dict[str, int]
CARTS: tuple[tuple[Cart, Cart, Cart], ...] = (
    ({}, {"tea": 2}, {"tea": 2}),
    ({"tea": 2}, {"tea": 3}, {"tea": 5}),
    ({"tea": 2}, {"cup": 1}, {"tea": 2, "cup": 1}),
    ({"tea": 2, "cup": 1}, {"tea": -2}, {"cup": 1}),
    ({"tea": 1}, {"tea": -3, "茶杯": 1}, {"茶杯": 1}),
    ({"tea": 1}, {"cup": -1}, {"tea": 1}),
    ({"tea": 1}, {}, {"tea": 1}),
)


@exercise("5.1", "A reducer of your own")
def merge(answer: Callable[[Cart, Cart], Cart]) -> None:
    """Pure, adding, and right when two branches write in one step."""
    for old, new, right in CARTS:
        given = dict(old), dict(new)
        got = answer(*given)
        if got != right:
            raise Wrong(f"{right} from {old} and {new}", repr(got), "quantities add up; zero or less leaves the cart")
        if given != (old, new) or got is given[0]:
            changed = f"old: {old} -> {given[0]}; new: {new} -> {given[1]}"
            raise Wrong("old and new left alone", changed, "begin with a copy: dict(old)")
    got = in_parallel(answer)
    if got != {"tea": 6, "cup": 1}:
        raise Wrong("{'tea': 6, 'cup': 1} from two parallel nodes", got, "the reducer is called once for each update")


def in_parallel(reducer: Any) -> Any:
    """What a cart with one tea holds after two nodes have changed it in one step."""

    class CartState(TypedDict):
        cart: Annotated[Cart, reducer]

    builder = StateGraph(CartState)
    for name, update in (("a", {"tea": 2}), ("b", {"tea": 3, "cup": 1})):
        builder.add_node(name, lambda state, update=update: {"cart": update})
        builder.add_edge(START, name)
    return builder.compile().invoke({"cart": {"tea": 1}})["cart"]


def talk(turns: Sequence[Sequence[int]]) -> list[BaseMessage]:
    """A conversation: for each turn the number of parallel calls in each of its rounds."""
    messages: list[BaseMessage] = []
    for number, rounds in enumerate(turns):
        messages.append(HumanMessage(f"question {number}"))
        for at, count in enumerate(rounds):
            ids = [f"call_{number}_{at}_{n}" for n in range(count)]
            messages.append(AIMessage("", tool_calls=[{"name": "look", "args": {}, "id": id} for id in ids]))
            messages += [ToolMessage("found", tool_call_id=id) for id in ids]
        messages.append(AIMessage(f"answer {number}"))
    return messages


def fitting(messages: list[BaseMessage], limit: int) -> list[BaseMessage]:
    """What exercise 5.2 asks for: walk back over the places where a human speaks."""
    front = sum(message.type == "system" for message in messages[:1])
    starts = [i for i, message in enumerate(messages) if message.type == "human"] or [front]
    allowed = [start for start in starts if len(messages) - start <= limit]
    return messages[:front] + messages[min(allowed, default=starts[-1]) :]


def problem(messages: Sequence[Any]) -> str:
    """The broken pair in a history, "" for none."""
    waiting: set[Any] = set()
    for message in messages:
        if isinstance(message, ToolMessage):
            if message.tool_call_id not in waiting:
                return "a result without its call"
            waiting.remove(message.tool_call_id)
        elif waiting:
            break
        elif isinstance(message, AIMessage):
            waiting = {call["id"] for call in message.tool_calls}
    return "a call without its result" if waiting else ""


SHAPES: tuple[list[list[int]], ...] = ([[2]], [[], [2], []], [[1], [], [3, 1]], [[1, 2], [2], [1], []], [[]], [])


@exercise("5.2", "Cut without breaking")
def fit(answer: Callable[[list[BaseMessage], int], list[BaseMessage]]) -> None:
    """Every limit on several histories; the gravest symptom is told first."""
    faults = []
    for messages in [front + talk(shape) for shape in SHAPES for front in ([], [SystemMessage("Be brief.")])]:
        for limit in range(len(messages) + 2):
            given = list(messages)
            got, right = answer(given, limit), fitting(messages, limit)
            if not isinstance(got, list) or given != messages:
                raise Wrong("a new list, and the given one left as it is", repr(got), "copy before you pop or delete")
            expected = f"{kinds(right)} of {kinds(messages)} with limit {limit}"
            if broken := problem(got):
                faults.append((1, expected, f"{kinds(got)}: {broken}", "cut before a human message only"))
            elif right and not got:
                faults.append((2, expected, "nothing left", "the newest turn stays, whatever the limit"))
            elif got != right:
                look = "the newest whole turns within the limit; a system message in front stays and does not count"
                faults.append((3, expected, kinds(got), look))
    if faults:
        _, *gravest = min(faults, key=lambda fault: fault[0])
        raise Wrong(*gravest)


class Log(TypedDict):
    """A list that grows."""

    log: Annotated[list[str], operator.add]


def letters() -> Any:
    """A graph of two nodes, a and b, each adding its letter; saved in memory."""
    nodes = [("a", lambda state: {"log": ["a"]}), ("b", lambda state: {"log": ["b"]})]
    return StateGraph(Log).add_sequence(nodes).add_edge(START, "a").compile(checkpointer=InMemorySaver())


def pairs() -> Iterator[tuple[str, str]]:
    """Users and conversations that are easily taken for each other."""
    for mark in (":", "/", "-", "_", "|", " ", ",", ".", "::", "', '", '", "', '","', "\x00", "\n"):
        yield f"a{mark}b", "c"
        yield "a", f"b{mark}c"
    yield from (("1", "23"), ("12", "3"), ("Ada", "c"), ("ada", "c"), ("ada", "d"), ("c", "ada"), ("小明", "旅行"))


@exercise("5.3", "Nobody else's thread")
def config_for(answer: Callable[[Any, Any], dict[str, Any]]) -> None:
    """Every pair starts a thread of its own, and comes back to it."""
    graph, known = letters(), dict[str, tuple[str, str]]()
    for pair in pairs():
        config = answer(*pair)
        if not isinstance(config, dict) or "thread_id" not in config.get("configurable", {}):
            raise Wrong(
                "{'configurable': {'thread_id': ...}}", repr(config), "where the checkpointer looks for its key"
            )
        other = known.setdefault(str(config["configurable"]["thread_id"]), pair)
        if other != pair or graph.invoke({"log": ["hi"]}, config)["log"] != ["hi", "a", "b"]:
            raise Wrong(f"a thread of its own for {pair}", f"the thread of {other}", "which texts give the same id?")
        if len(graph.invoke({"log": ["hi"]}, answer(*pair))["log"]) != 6:
            raise Wrong(f"the same thread for {pair} again", "a new one", "the id must come from the two texts alone")
    for nameless in (("", "c"), ("  ", "c"), (None, "c"), ("ada", ""), ("ada", "\t"), ("ada", None)):
        try:
            config = answer(*nameless)
        except ValueError:
            continue
        raise Wrong(f"ValueError for {nameless}", repr(config), "all nameless users would share one thread")


Charge = Callable[[sqlite3.Connection, RunnableConfig, str, str], str]


@exercise("5.4", "Charge once")
def charge(answer: Charge) -> None:
    """Four charges of one order, each killed after its effect and run again."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        file = Path(folder, "ledger.db")
        with closing(sqlite3.connect(file, check_same_thread=False)) as ledger:
            ledger.execute("CREATE TABLE charges (key TEXT PRIMARY KEY, order_id TEXT)")
            ledger.commit()
            cases = (("t1", "call_1"), ("t1", "call_2"), ("t2", "call_1"), ("t2", "call_2"))
            for right, (thread, call_id) in enumerate(cases, start=1):
                twice(partial(answer, ledger), ledger, file, {"configurable": {"thread_id": thread}}, call_id, right)


def twice(
    pay: Callable[..., Any], ledger: sqlite3.Connection, file: Path, config: RunnableConfig, call_id: str, right: int
) -> None:
    """Run the step, kill it after its effect, resume; raise Wrong unless `right` charges are there all along."""
    receipts: list[Any] = []

    def step(state: Log, config: RunnableConfig) -> dict[str, Any]:
        receipts.append(pay(config, call_id, "ORD-1005"))
        if len(receipts) == 1:
            raise KilledError
        return {"log": receipts[-1:]}

    graph = StateGraph(Log).add_node("pay", step).add_edge(START, "pay").compile(checkpointer=InMemorySaver())
    before = ledger.total_changes
    with suppress(KilledError):
        graph.invoke({"log": []}, config)
    rows(file, right, "a charge is missing: is the key too coarse, or the row not committed?")
    written = ledger.total_changes
    graph.invoke(None, config)
    rows(file, right, "the same call ran again: its key must be the same, and the row stay one")
    if (written - before, ledger.total_changes - written) != (1, 0):
        raise Wrong("one write, none on the second run", f"{ledger.total_changes - before} writes", "INSERT OR IGNORE")
    if receipts[0] != receipts[1] or "ORD-1005" not in str(receipts[0]):
        raise Wrong("twice the same receipt that names ORD-1005", receipts, "what you return when nothing was inserted")


class KilledError(Exception):
    """Stands for a process that ends between an effect and the next checkpoint."""


def rows(file: Path, right: int, look: str) -> None:
    """Raise Wrong unless another connection sees so many charges."""
    with closing(sqlite3.connect(file)) as other:
        got = other.execute("SELECT count(*) FROM charges").fetchone()[0]
    if got != right:
        raise Wrong(f"{right} committed charge(s)", got, look)


@exercise("5.5", "The lost branch")
def lost(answer: Callable[[Any, Any], list[Any]]) -> None:
    """Threads that were forked in several ways."""
    for plan in ("", "n", "nn", "no", "noo", "nrooo", "nroon", "nuo", "nuon"):
        graph, config = letters(), {"configurable": {"thread_id": "t"}}
        forked(graph, config, plan)
        history = list(graph.get_state_history(config))
        origins = [checkpoint(snapshot.parent_config) for snapshot in history]
        right = [snapshot.values for snapshot in history[1:] if checkpoint(snapshot.config) not in origins]
        got = answer(graph, config)
        if not isinstance(got, list) or any(not isinstance(value, dict) for value in got):
            raise Wrong("a list of state values", repr(got)[:80], "a snapshot has .values")
        if got != right:
            look = "an end is nobody's parent; the newest of all ends is the current state"
            raise Wrong(f"{len(right)} lost: {short(right)}", f"{len(got)}: {short(got)}", look)


def checkpoint(config: Any) -> Any:
    """The checkpoint that a config names; None for no config."""
    return config and config["configurable"]["checkpoint_id"]


def short(values: list[Any]) -> str:
    """Logs in short: `u1ab, u2ab`."""
    return ", ".join("".join(value.get("log", [])) for value in values) or "nothing"


def forked(graph: Any, config: Any, plan: str) -> None:
    """Run a thread: n a new turn; from its oldest stop before b: o a new turn, r a replay, u an update."""
    for number, step in enumerate(plan):
        stops = [snapshot.config for snapshot in graph.get_state_history(config) if snapshot.next == ("b",)]
        log = {"log": [f"{step}{number}"]}
        match step:
            case "n":
                graph.invoke(log, config)
            case "o":
                graph.invoke(log, stops[-1])
            case "r":
                graph.invoke(None, stops[-1])
            case "u":
                graph.invoke(None, graph.update_state(stops[-1], log))
