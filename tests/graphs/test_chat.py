"""The interface layer of lesson 6: whatever a graph does, the user reads something true, and the thread keeps it."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import GraphRecursionError
from langgraph.graph import END, START, MessagesState, StateGraph
from pydantic import ValidationError

from companion.graphs.chat import CUT, chat

THREAD = {"configurable": {"thread_id": "1"}}


def one_node(node, checkpointer=True):
    builder = StateGraph(MessagesState)
    builder.add_node("node", node)
    builder.add_edge(START, "node")
    builder.add_edge("node", END)
    return builder.compile(checkpointer=InMemorySaver() if checkpointer else None)


def saying(text, **metadata):
    return one_node(lambda state: {"messages": [AIMessage(text, response_metadata=metadata)]})


def raising(error):
    def node(state):
        raise error

    return node


def kept(graph):
    return graph.get_state(THREAD).values["messages"]


def test_an_answer_is_what_the_user_reads():
    assert chat(saying("Sunny.", finish_reason="stop"), "hi", "1") == "Sunny."


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (GraphRecursionError(), "too many steps"),
        (TimeoutError(), "too long"),
        (ConnectionError(), "a service that is needed for this did not answer"),
        (ValidationError.from_exception_data("Sorted", []), "does not have the form that was asked for"),
        (KeyError("x"), "not foreseen (KeyError)"),
    ],
)
def test_it_says_why_any_graph_has_failed_and_the_thread_keeps_it(error, said):
    graph = one_node(raising(error))
    assert said in chat(graph, "hi", "1")
    assert [message.type for message in kept(graph)] == ["human", "ai"]
    assert said in kept(graph)[-1].text


def test_it_needs_no_checkpointer():
    assert "there was none" in chat(one_node(lambda state: {}, checkpointer=False), "hi", "1")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it was empty"),
        (" \n", "it was empty"),
        ('<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>', "looks like a call and is none"),
        ('```json\n{"name": "now", "arguments": {}}\n```', "looks like a call and is none"),
    ],
)
def test_it_shows_neither_nothing_nor_an_unread_call(text, said):
    assert said in chat(saying(text), "hi", "1")


@pytest.mark.parametrize("metadata", [{"finish_reason": "length"}, {"model_provider": "openai"}])
def test_a_text_that_was_not_said_to_be_whole_is_marked(metadata):
    assert chat(saying("Half an ans", **metadata), "hi", "1") == "Half an ans" + CUT


def test_the_users_own_words_are_no_answer():
    assert "there was none" in chat(one_node(lambda state: {}), "hi", "1")


def test_what_a_failed_turn_gathered_is_told_and_not_kept():
    lost = AIMessage("", tool_calls=[{"name": "t", "args": {}, "id": "c1"}])
    graph = one_node(
        lambda state: {"messages": [lost, {"role": "tool", "content": "x", "tool_call_id": "c1"}, AIMessage("")]}
    )
    assert "Before that, 1 tool result(s) came in." in chat(graph, "hi", "1")
    assert [message.type for message in kept(graph)] == ["human", "ai"]


def test_a_whole_run_has_a_time():
    graph = saying("Late.")
    assert "took too long" in chat(graph, "hi", "1", seconds=0)
    assert chat(graph, "hi", "1") == "Late."
    assert [message.text for message in kept(graph) if isinstance(message, HumanMessage)] == ["hi", "hi"]
