"""The graph of lesson 5, through the front door: what threads keep, what users keep, what is sent, what is folded."""

import json
import operator
import sqlite3
from contextlib import closing
from typing import Annotated, Any, TypedDict

import pytest
from langchain.tools import tool
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.errors import InvalidUpdateError
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import InjectedStore, ToolNode
from langgraph.store.base import BaseStore
from langgraph.store.memory import InMemoryStore
from openai import InternalServerError

from companion import chat_model, faults, journal
from companion.graphs.state_and_threads import User, build, remember_city, turns
from graphs.whole import assert_whole

ADA, BOB = User("ada"), User("bob")


def thread(name: str) -> Any:
    return {"configurable": {"thread_id": name}}


def app(**savers: Any) -> Any:
    return build(chat_model(), **({"checkpointer": InMemorySaver()} | savers))


def say(graph: Any, text: str, name: str = "1", user: User | None = ADA) -> str:
    return graph.invoke({"messages": text}, thread(name), context=user)["messages"][-1].text


def first_prompt() -> str:
    return journal.chats()[0].prompt


def test_a_follow_up_works_on_its_thread_and_nowhere_else():
    graph = app()
    say(graph, "What is the weather in Bangkok?")
    assert "thunderstorms" in say(graph, "And tomorrow?")
    assert "thunderstorms" not in say(graph, "And tomorrow?", "2")


def test_the_topic_decides_which_tools_the_model_gets_and_a_follow_up_keeps_it():
    graph = app()
    for text, topic, tools in (
        ("Where is my order ORD-1001?", "orders", ["get_order"]),
        ("And ORD-1005?", "orders", ["get_order"]),
        ("Thanks!", "orders", ["get_order"]),
        ("What is the weather in Oslo?", "weather", ["get_weather", "remember_city"]),
        ("我的订单到哪了？", "orders", ["get_order"]),
    ):
        journal.clear()
        say(graph, text)
        assert graph.get_state(thread("1")).values["topic"] == topic
        assert [tool["function"]["name"] for tool in journal.chats()[-1].request["tools"]] == tools


def test_an_order_named_once_is_found_by_later_questions_also_from_the_summary():
    graph = app()
    say(graph, "Where is my order ORD-1001?")
    for city in ("Oslo", "Paris", "Cairo", "Tokyo", "Lisbon"):
        say(graph, f"What is the weather in {city}?")
    state = graph.get_state(thread("1")).values
    assert "ORD-1001" in state["summary"]
    assert not any("ORD-1001" in message.text for message in state["messages"])
    assert "shipped" in say(graph, "When does my order arrive?")


def test_a_thread_stays_small_and_whole_at_every_turn():
    graph = app()
    for number, text in enumerate(["What is the weather in Oslo and in Paris?", "And tomorrow?", "Thanks!"] * 4, 1):
        messages = graph.invoke({"messages": text}, thread("1"), context=ADA)["messages"]
        assert len(turns(messages)) <= 4
        assert ("summary" in graph.get_state(thread("1")).values) == (number > 4)
        assert_whole(messages)


@pytest.mark.parametrize("cut", [["found"], ["found", "found"], ["found"] * 3])
def test_a_long_history_from_outside_is_folded_between_turns_with_parallel_results(cut):
    calls = [{"name": "get_weather", "args": {"city": "Oslo"}, "id": f"call_{n}"} for n in range(len(cut))]
    results = [ToolMessage(text, tool_call_id=f"call_{n}") for n, text in enumerate(cut)]
    history = [HumanMessage("Oslo?"), AIMessage("", tool_calls=calls), *results, AIMessage("Cold.")] * 5
    messages = app().invoke({"messages": [*history, HumanMessage("Hello!")]}, thread("1"), context=ADA)["messages"]
    assert_whole(messages)
    assert messages[0].type == "human"
    assert [len(turn) for turn in turns(messages)] == [3 + len(cut), 2]


def test_what_is_sent_is_the_summary_then_the_turns_that_are_left():
    graph = app()
    for city in ("Oslo", "Paris", "Cairo", "Tokyo", "Lisbon"):
        journal.clear()
        say(graph, f"What is the weather in {city}?")
    folding, asking = journal.chats()[:2]
    assert "tools" not in folding.request
    sent = [message["content"] for message in asking.request["messages"] if message["role"] == "user"]
    assert sent[0].startswith("Summary of the earlier conversation:")
    assert sent[1:] == ["What is the weather in Tokyo?", "What is the weather in Lisbon?"]


def test_a_home_city_is_remembered_in_all_threads_of_a_user_and_of_no_other():
    graph = app(store=InMemoryStore())
    assert say(graph, "Remember that I live in Oslo.", "1", ADA)
    assert "-3" in say(graph, "What is the weather?", "2", ADA)
    journal.clear()
    say(graph, "What is the weather?", "3", BOB)
    assert "Oslo" not in first_prompt()


def test_the_store_outlives_the_graph_and_the_checkpointer():
    store = InMemoryStore()
    say(app(store=store), "Remember that I live in Oslo.")
    assert store.get(("users", "ada"), "home").value == {"city": "Oslo"}
    assert "-3" in say(app(store=store), "What is the weather?")


def test_nobody_signed_in_saves_nothing_and_sees_nothing():
    store = InMemoryStore()
    graph = app(store=store)
    say(graph, "Remember that I live in Oslo.", user=None)
    assert store.search(()) == []
    assert "Not saved" in graph.get_state(thread("1")).values["messages"][2].text
    say(graph, "Remember that I live in Oslo.", "2")
    journal.clear()
    say(graph, "What is the weather?", "3", None)
    assert "Oslo" not in first_prompt()


def test_private_keys_and_the_user_are_not_in_the_thread():
    graph = app()
    say(graph, "Remember that I live in Oslo.", user=User("secret-id"))
    say(graph, "Where is my order ORD-1001?", user=User("secret-id"))
    assert set(graph.get_state(thread("1")).values) == {"messages", "topic"}
    assert "secret-id" not in repr(list(graph.checkpointer.list(thread("1"))))


def test_injected_arguments_are_hidden_from_the_model():
    assert list(remember_city.tool_call_schema.model_json_schema()["properties"]) == ["city"]


def test_an_unknown_city_comes_back_as_an_error_message_and_the_thread_goes_on():
    graph = app()
    say(graph, "What is the weather in Atlantis?")
    refused = graph.get_state(thread("1")).values["messages"][2]
    assert (refused.status, "Atlantis" in refused.text) == ("error", True)
    assert "-3" in say(graph, "What is the weather in Oslo?")


def test_a_model_that_fails_leaves_no_half_pair_and_the_thread_can_be_resumed():
    saver = InMemorySaver()
    with faults("server_error"), pytest.raises(InternalServerError):
        say(build(chat_model(max_retries=0), saver), "What is the weather in Oslo?")
    graph = app(checkpointer=saver)
    assert [message.type for message in graph.get_state(thread("1")).values["messages"]] == ["human"]
    assert "-3" in graph.invoke(None, thread("1"), context=ADA)["messages"][-1].text


def test_a_thread_in_sqlite_goes_on_with_a_new_graph_and_a_new_connection(tmp_path):
    for text, answer in (("What is the weather in Bangkok?", "31"), ("And tomorrow?", "29")):
        with closing(sqlite3.connect(tmp_path / "threads.db", check_same_thread=False)) as file:
            assert answer in say(app(checkpointer=SqliteSaver(file)), text)


def test_a_fork_changes_the_question_and_leaves_the_first_branch_in_the_history():
    graph = app()
    say(graph, "What is the weather in Oslo?")
    old = next(s for s in graph.get_state_history(thread("1")) if s.next == ("classify",))
    (question,) = old.values["messages"]
    edited = HumanMessage("Where is my order ORD-1001?", id=question.id)
    forked = graph.invoke(None, graph.update_state(old.config, {"messages": [edited]}), context=ADA)
    assert "shipped" in forked["messages"][-1].text
    assert graph.get_state(thread("1")).values["messages"][0].text == edited.text
    ends = [s.values["messages"][-1].text for s in graph.get_state_history(thread("1")) if not s.next]
    assert len(ends) == 2


def test_without_checkpointer_and_store_it_answers_and_forgets():
    graph = build(chat_model())
    assert "-3" in graph.invoke({"messages": "What is the weather in Oslo?"}, context=ADA)["messages"][-1].text
    assert len(graph.invoke({"messages": "Hello!"}, context=ADA)["messages"]) == 2


# What the lesson warns of, one test a warning.


class Log(TypedDict):
    log: Annotated[list, operator.add]


def chain(*nodes: Any, state: Any = Log, **options: Any) -> Any:
    builder = StateGraph(state).add_sequence(list(zip("abc", nodes, strict=False)))
    return builder.add_edge(START, "a").compile(**options)


def test_old_plus_new_into_an_adding_reducer_doubles_and_new_only_does_not():
    def old_too(letter):
        return lambda state: {"log": state["log"] + [letter]}

    doubled = chain(old_too("a"), old_too("b")).invoke({"log": ["start"]})["log"]
    assert doubled == ["start", "start", "a", "start", "start", "a", "b"]
    right = chain(lambda state: {"log": ["a"]}, lambda state: {"log": ["b"]}).invoke({"log": ["start"]})["log"]
    assert right == ["start", "a", "b"]


def test_branches_that_return_the_whole_state_collide_on_a_key_they_did_not_change():
    class Query(Log):
        q: str

    def both(a, b):
        builder = StateGraph(Query).add_node("a", a).add_node("b", b)
        return builder.add_edge(START, "a").add_edge(START, "b").compile().invoke({"q": "?"})

    with pytest.raises(InvalidUpdateError, match="'q'"):
        both(lambda state: {**state, "log": ["a"]}, lambda state: {**state, "log": ["b"]})
    assert both(lambda state: {"log": ["a"]}, lambda state: {"log": ["b"]})["log"] == ["a", "b"]


@pytest.mark.parametrize(("mode", "counts"), [(None, [1, 1, 1]), (True, [1, 2, 3]), (False, [1, 1, 1])])
def test_a_subgraph_counts_afresh_unless_it_has_a_checkpointer_of_its_own(mode, counts):
    class Counted(TypedDict):
        n: Annotated[int, operator.add]

    inner = chain(lambda state: {"n": 1}, state=Counted, checkpointer=mode)
    seen: list = []
    outer = chain(lambda state: seen.append(inner.invoke({"n": 0})["n"]), checkpointer=InMemorySaver())
    for _ in range(3):
        outer.invoke({"log": []}, thread("1"))
    assert seen == counts


def test_going_on_with_an_old_config_drops_the_turn_before():
    graph = chain(lambda state: {"log": ["a"]}, lambda state: {"log": ["b"]}, checkpointer=InMemorySaver())
    graph.invoke({"log": ["u1"]}, thread("1"))
    old = next(s for s in graph.get_state_history(thread("1")) if s.next == ("b",)).config
    for given in (None, {"log": ["u2"]}, {"log": ["u3"]}):
        graph.invoke(given, old)
    assert graph.get_state(thread("1")).values["log"] == ["u1", "a", "u3", "a", "b"]
    assert graph.invoke({"log": ["u4"]}, thread("1"))["log"] == ["u1", "a", "u3", "a", "b", "u4", "a", "b"]


@tool
def remember(fact: str, store: Annotated[BaseStore, InjectedStore()]) -> str:
    """Remember."""
    store.put(("u",), "k", {"f": fact})
    return "saved"


def test_a_tool_that_asks_for_the_store_needs_one():
    asked = {"messages": [AIMessage("", tool_calls=[{"name": "remember", "args": {"fact": "tea"}, "id": "call_1"}])]}
    with pytest.raises(ValueError, match="compile your graph with a store"):
        chain(ToolNode([remember]), state=MessagesState).invoke(asked)
    stored = chain(ToolNode([remember]), state=MessagesState, store=InMemoryStore()).invoke(asked)
    assert stored["messages"][-1].text == "saved"
    assert list(remember.tool_call_schema.model_json_schema()["properties"]) == ["fact"]


class Unreduced(TypedDict):
    messages: list


@pytest.mark.parametrize(("state", "left"), [(MessagesState, ["ai"]), (Unreduced, ["remove"])])
def test_a_remove_message_works_with_the_messages_reducer_only(state, left):
    given = {"messages": [HumanMessage("a", id="1"), AIMessage("b", id="2")]}
    graph = chain(lambda state: {"messages": [RemoveMessage(id="1")]}, state=state)
    assert [message.type for message in graph.invoke(given)["messages"]] == left


def test_a_tool_result_is_json_in_the_thread():
    graph = app()
    say(graph, "Where is my order ORD-1001?")
    result = graph.get_state(thread("1")).values["messages"][2]
    assert json.loads(result.content)["item"] == "blue teapot"
