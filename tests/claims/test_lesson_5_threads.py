"""The claims of lesson 5 about threads: what a checkpointer saves, under which key, and what survives the process."""

import asyncio
import dataclasses
import json
import logging
import operator
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any, TypedDict

import pytest
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.runtime import Runtime
from langgraph.store.memory import InMemoryStore
from scripted import ONE, TWO, Scripted, contents, line
from two_nodes import THREAD, build

SCRIPT = Path(__file__).with_name("two_nodes.py")


def counting(saver: Any = None) -> Any:
    """A graph whose answer says how many messages it sees."""
    return line(MessagesState, saver, a=lambda state: {"messages": [AIMessage(f"{len(state['messages'])}")]})


def sees(graph: Any, config: Any) -> int:
    return int(graph.invoke({"messages": "hi"}, config)["messages"][-1].content)


def test_claim_1_10_a_thread_continues_and_another_does_not_see_it() -> None:
    graph = counting(InMemorySaver())
    assert [sees(graph, config) for config in (ONE, ONE, TWO)] == [1, 3, 1]


def test_claim_1_60_a_new_thread_isolates_and_nothing_ties_a_thread_to_a_user() -> None:
    graph = line(MessagesState, InMemorySaver(), a=lambda state: {})
    graph.invoke({"messages": "secret of A"}, {"configurable": {"thread_id": "t", "user_id": "A"}})
    assert contents(graph.invoke({"messages": "B"}, {"configurable": {"thread_id": "new", "user_id": "A"}})) == ["B"]
    other = graph.invoke({"messages": "B"}, {"configurable": {"thread_id": "t", "user_id": "B"}})
    assert contents(other) == ["secret of A", "B"]


def test_claim_2_62_equal_thread_ids_share_one_state_and_delete_thread_ends_it() -> None:
    saver = InMemorySaver()
    graph = counting(saver)
    assert [sees(graph, ONE), sees(graph, {"configurable": {"thread_id": "one"}})] == [1, 3]
    saver.delete_thread("one")
    assert graph.get_state(ONE).values == {}


def test_claim_2_63_a_user_id_as_thread_id_puts_all_conversations_of_the_user_into_one_state() -> None:
    graph = counting(InMemorySaver())
    user: Any = {"configurable": {"thread_id": "user-123"}}
    assert [sees(graph, user) for _ in ("monday", "tuesday")] == [1, 3]


class Context(TypedDict):
    api_key: str


class Leaking(MessagesState):
    leaked: str


class Holder(TypedDict):
    value: Any


class Sum(TypedDict):
    n: Annotated[int, operator.add]


def test_claim_1_56_the_context_is_not_saved_and_the_state_and_configurable_values_are() -> None:
    def node(state: Leaking, runtime: Runtime[Context]) -> dict[str, Any]:
        return {"messages": [AIMessage(str(len(runtime.context["api_key"])))]}

    builder = StateGraph(Leaking, context_schema=Context)
    builder.add_node("node", node)
    builder.add_edge(START, "node")
    saver = InMemorySaver()
    graph = builder.compile(checkpointer=saver)
    config: Any = {"configurable": {"thread_id": "one", "api_key": "in-configurable"}}
    graph.invoke({"messages": "hi", "leaked": "in-state"}, config, context={"api_key": "in-context"})
    saved = repr(saver.storage) + repr(saver.blobs) + repr(saver.writes)
    found = {name: name in saved for name in ("in-state", "in-configurable", "in-context")}
    assert found == {"in-state": True, "in-configurable": True, "in-context": False}
    with pytest.raises(TypeError):  # the next turn gets no context of its own
        graph.invoke({"messages": "again"}, config)


def test_claim_1_56_a_connection_in_the_state_cannot_be_saved() -> None:
    connection = sqlite3.connect(":memory:")
    assert line(Holder, a=lambda state: {}).invoke({"value": connection})["value"] is connection
    with pytest.raises(TypeError, match=r"not msgpack serializable: sqlite3\.Connection"):
        line(Holder, InMemorySaver(), a=lambda state: {}).invoke({"value": connection}, ONE)
    connection.close()


@dataclasses.dataclass
class User:
    id: str


def test_claim_1_57_the_store_is_shared_by_the_threads_of_one_user() -> None:
    def node(state: MessagesState, runtime: Runtime[User]) -> dict[str, Any]:
        place = ("preferences", runtime.context.id)
        known = runtime.store.get(place, "city")
        runtime.store.put(place, "city", {"name": state["messages"][-1].content})
        return {"messages": [AIMessage(known.value["name"] if known else "nothing")]}

    builder = StateGraph(MessagesState, context_schema=User)
    builder.add_node("node", node)
    builder.add_edge(START, "node")
    graph = builder.compile(checkpointer=InMemorySaver(), store=InMemoryStore())
    turns = [("A", "t1", "Rome"), ("A", "t2", "Oslo"), ("B", "t3", "Bonn")]
    known = [
        graph.invoke({"messages": city}, {"configurable": {"thread_id": thread}}, context=User(user))["messages"][-1]
        for user, thread, city in turns
    ]
    assert [message.content for message in known] == ["nothing", "Rome", "nothing"]


def test_claim_1_59_the_thread_id_is_the_key_and_the_user_id_is_not() -> None:
    graph = counting(InMemorySaver())
    with pytest.raises(ValueError, match="requires one or more of the following 'configurable' keys: thread_id"):
        graph.invoke({"messages": "hi"})
    with pytest.raises(KeyError, match="thread_id"):
        graph.invoke({"messages": "hi"}, {"configurable": {"user_id": "u"}})


def test_claim_1_59_a_number_and_its_text_are_one_thread_and_other_spellings_pass() -> None:
    graph = counting(InMemorySaver())
    assert [sees(graph, {"configurable": {"thread_id": thread}}) for thread in (7, "7", "")] == [1, 3, 1]
    assert sees(graph, {"thread_id": "outside"}) == 1


def test_claim_1_61_the_same_thread_does_not_make_the_model_see_the_state() -> None:
    model = Scripted(script=[AIMessage("ok")])
    graph = line(MessagesState, InMemorySaver(), a=lambda state: {"messages": [model.invoke([state["messages"][-1]])]})
    for question in ("Bangkok?", "and tomorrow?"):
        graph.invoke({"messages": question}, ONE)
    assert len(graph.get_state(ONE).values["messages"]) == 4
    assert [message.content for message in model.seen[1]] == ["and tomorrow?"]


def in_a_process(*runs: str) -> tuple[int, list[Any]]:
    """Run the two nodes in a new process: exit code and final states."""
    done = subprocess.run([sys.executable, SCRIPT, *runs], capture_output=True, text=True, check=False)
    return done.returncode, [json.loads(text) for text in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int, list[Any]]:
    """What a process left behind that ran to the end twice and was killed in its third run."""
    folder = tmp_path_factory.mktemp("ended")
    return folder, *in_a_process("memory,sync", f"{folder / 'whole.db'},sync", f"{folder / 'killed.db'},exit,die")


def test_claim_1_71_the_memory_saver_forgets_with_the_process(ended: tuple[Path, int, list[Any]]) -> None:
    assert ended[2][0] == ["in", "a", "b"]
    assert build("memory").invoke({"log": ["again"]}, THREAD)["log"] == ["again", "a", "b"]


def test_claim_1_72_a_database_saver_continues_in_another_process(ended: tuple[Path, int, list[Any]]) -> None:
    assert ended[2][1] == ["in", "a", "b"]
    graph = build(str(ended[0] / "whole.db"))
    assert graph.invoke({"log": ["again"]}, THREAD)["log"] == ["in", "a", "b", "again", "a", "b"]


def test_claim_1_72_the_sqlite_saver_wants_a_with_a_shared_connection_and_sync_calls() -> None:
    with pytest.raises(TypeError, match="Invalid checkpointer provided"):
        counting(SqliteSaver.from_conn_string(":memory:"))
    with SqliteSaver.from_conn_string(":memory:") as saver:
        assert sees(counting(saver), ONE) == 1
    bound, shared = (sqlite3.connect(":memory:", check_same_thread=same) for same in (True, False))
    with pytest.raises(sqlite3.ProgrammingError, match="created in a thread"):
        counting(SqliteSaver(bound)).invoke({"messages": "hi"}, ONE)
    with pytest.raises(NotImplementedError, match="does not support async methods"):
        asyncio.run(counting(SqliteSaver(shared)).ainvoke({"messages": "hi"}, ONE))
    bound.close()
    shared.close()


def test_claim_2_59_memory_and_sqlite_savers_do_the_same() -> None:
    with SqliteSaver.from_conn_string(":memory:") as saver:
        for graph in (counting(saver), counting(InMemorySaver())):
            assert [sees(graph, config) for config in (ONE, ONE, TWO)] == [1, 3, 1]


def test_claim_2_60_after_a_kill_a_saved_thread_goes_on_at_the_interrupted_node(tmp_path: Path) -> None:
    file = str(tmp_path / "killed.db")
    assert in_a_process(f"{file},sync,die") == (-signal.SIGKILL, [])
    graph = build(file)
    assert graph.get_state(THREAD).next == ("b",)
    assert graph.invoke(None, THREAD)["log"] == ["in", "a", "b"]


def test_claim_2_60_durability_exit_has_saved_nothing_when_it_is_killed(ended: tuple[Path, int, list[Any]]) -> None:
    assert ended[1] == -signal.SIGKILL
    assert build(str(ended[0] / "killed.db")).get_state(THREAD).values == {}


def test_claim_2_60_a_memory_saver_has_nothing_to_go_on_with() -> None:
    assert build("memory").get_state(THREAD).values == {}


def test_claim_2_61_memory_saver_is_another_name_of_in_memory_saver() -> None:
    from langgraph.checkpoint.memory import MemorySaver

    assert MemorySaver is InMemorySaver


def test_claim_x_10_an_old_checkpoint_can_be_replayed_and_forked_in_the_same_thread() -> None:
    graph = line(Sum, InMemorySaver(), a=lambda state: {"n": 1}, b=lambda state: {"n": 10})
    assert graph.invoke({"n": 100}, ONE)["n"] == 111
    before_b = next(old for old in graph.get_state_history(ONE) if old.next == ("b",))
    assert graph.invoke(None, before_b.config)["n"] == 111
    fork = graph.update_state(before_b.config, {"n": 1000})
    assert graph.invoke(None, fork)["n"] == graph.get_state(ONE).values["n"] == 1111


@dataclasses.dataclass
class Own:
    x: int


def test_claim_x_11_a_tuple_comes_back_as_a_list_and_an_own_class_with_a_warning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    graph = line(Holder, InMemorySaver(), a=lambda state: {})
    graph.invoke({"value": (1, 2)}, ONE)
    assert graph.get_state(ONE).values["value"] == [1, 2]
    with caplog.at_level(logging.WARNING):
        graph.invoke({"value": Own(1)}, TWO)
        assert graph.get_state(TWO).values["value"] == Own(1)
    assert "Deserializing unregistered type" in caplog.text


def test_claim_x_12_a_node_gets_its_config_by_the_name_of_the_parameter() -> None:
    def typed(state: MessagesState, config: RunnableConfig) -> dict[str, Any]:
        return {"messages": [AIMessage(config["configurable"]["user_id"])]}

    def untyped(state: MessagesState, config) -> dict[str, Any]:
        return {"messages": [AIMessage(config["configurable"]["user_id"])]}

    for node in (typed, untyped):
        state = line(MessagesState, node=node).invoke({"messages": "hi"}, {"configurable": {"user_id": "u1"}})
        assert contents(state)[-1] == "u1"


def test_claim_x_12_another_name_does_not_get_it_even_with_the_annotation() -> None:
    def untyped(state: MessagesState, cfg) -> dict[str, Any]:
        return {}

    def typed(state: MessagesState, cfg: RunnableConfig) -> dict[str, Any]:
        return {}

    for node in (untyped, typed):
        with pytest.raises(TypeError, match="missing 1 required positional argument: 'cfg'"):
            line(MessagesState, node=node).invoke({"messages": "hi"})
