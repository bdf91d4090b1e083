"""The search assistant of lesson 1, through the front door: answers, history, and every way a search can fail."""

from collections.abc import Callable
from itertools import pairwise

import pytest
import requests
from langgraph.checkpoint.memory import InMemorySaver

from companion import chat_model, journal, search_client
from companion.graphs.fixed_workflow import NOTICES, RECENT, build

TAP_WATER = "Is tap water safe in Singapore?"
THREAD = {"configurable": {"thread_id": "1"}}


def ask(question, client=None):
    return build(chat_model(), client or search_client()).invoke({"messages": question})


def with_key(key):
    client = search_client()
    client.session.headers["Authorization"] = f"Bearer {key}"
    return client


class Wire(requests.adapters.HTTPAdapter):
    """The far end of the HTTP connection: gives one status and body, or raises."""

    def __init__(self, status=200, body=b"{}", error=None):
        super().__init__()
        self.status, self.body, self.error = status, body, error

    def send(self, request, **options):
        if self.error:
            raise self.error
        response = requests.Response()
        response.status_code, response._content, response.url = self.status, self.body, request.url
        return response


def over(wire):
    """The real client, on a wire that we hold the other end of."""
    client = search_client()
    client.session.mount("http://", wire)
    return client


@pytest.mark.parametrize(
    ("question", "fact", "source"),
    [
        (TAP_WATER, "safe to drink", "https://example.org/travel/singapore"),
        ("When is the best time to visit Bangkok?", "November to February", "https://example.org/travel/bangkok"),
        ("What does a library card in Fableton cost?", "12 crowns", "https://example.org/fableton/library"),
        ("西湖要门票吗？", "不需要门票", "https://example.org/zh/west-lake"),
    ],
)
def test_an_answer_comes_from_a_passage_and_names_it(question, fact, source):
    state = ask(question)
    answer = state["messages"][-1].content
    assert fact in answer
    assert source in answer
    assert source in [hit["url"] for hit in state["search_results"]]


def test_the_state_keeps_the_users_words_beside_the_models_reading():
    state = ask(TAP_WATER)
    assert state["user_query"] == TAP_WATER
    assert state["query_intent"]
    assert state["search_query"] not in ("", TAP_WATER)
    assert (state["search_status"], state["search_error"]) == ("found", "")


def test_a_question_is_two_model_calls_and_one_search():
    journal.clear()
    ask(TAP_WATER)
    chat, search = "/v1/chat/completions", "/search"
    assert [exchange.path for exchange in journal] == [chat, search, chat]
    assert journal.chats()[0].request["response_format"]["type"] == "json_schema"
    assert {**journal[1].request} == {"query": "tap water safe Singapore", "search_depth": "basic", "max_results": 3}


def test_a_question_that_the_passages_do_not_answer_is_not_answered():
    assert "do not know" in ask("Who is the mayor of Fableton?")["messages"][-1].content


FAILURES: list[tuple[str, Callable[[], object], str, str]] = [
    ("401", lambda: with_key("tvly-wrong"), "key_refused", "TAVILY_API_KEY"),
    ("no key", lambda: with_key(""), "key_refused", "TAVILY_API_KEY"),
    ("429", lambda: with_key("tvly-limit"), "try_later", "try again in a minute"),
    ("432", lambda: with_key("tvly-plan"), "plan_used_up", "Please upgrade your plan"),
    ("433", lambda: over(Wire(433, b'{"detail": {"error": "pay-as-you-go limit"}}')), "plan_used_up", "pay-as-you-go"),
    ("400", lambda: over(Wire(400, b'{"detail": {"error": "Query is too long."}}')), "query_refused", "too long"),
    ("500", lambda: over(Wire(500, b"oops")), "unavailable", "down or does not answer"),
    ("no JSON", lambda: over(Wire(200, b"<html>")), "unavailable", "down or does not answer"),
    ("time-out", lambda: over(Wire(error=requests.Timeout())), "unavailable", "down or does not answer"),
    ("refused", lambda: over(Wire(error=requests.ConnectionError())), "unavailable", "down or does not answer"),
    ("no results", lambda: over(Wire(200, b'{"results": []}')), "nothing_found", "found nothing"),
]


@pytest.mark.parametrize(
    ("client", "status", "said"), [row[1:] for row in FAILURES], ids=[row[0].replace(" ", "-") for row in FAILURES]
)
def test_each_failure_is_a_status_and_the_answer_says_so(client, status, said):
    journal.clear()
    state = ask(TAP_WATER, client())
    assert (state["search_status"], state["search_results"]) == (status, [])
    assert said in state["messages"][-1].content
    assert state["user_query"] == TAP_WATER
    assert len(journal.chats()) == 1, "no model is asked for an answer without sources"


def test_no_two_failures_are_told_in_the_same_words():
    assert len(set(NOTICES.values())) == len(NOTICES) == len({row[2] for row in FAILURES})


@pytest.mark.parametrize(("length", "status"), [(400, "nothing_found"), (401, "query_refused")])
def test_a_query_may_have_400_characters(length, status):
    assert ask("x" * length)["search_status"] == status


def test_braces_in_a_question_are_only_text():
    state = ask("Where is {Xanadu}?")
    assert state["search_status"] == "nothing_found"
    assert "{Xanadu}" in state["messages"][-1].content


def test_a_thread_keeps_the_conversation_and_both_calls_of_the_model_read_it():
    graph = build(chat_model(), search_client(), InMemorySaver())
    graph.invoke({"messages": "When is the best time to visit Bangkok?"}, THREAD)
    journal.clear()
    state = graph.invoke({"messages": "And Tokyo?"}, THREAD)
    assert len(state["messages"]) == 4
    assert all("Bangkok" in chat.prompt for chat in journal.chats())
    assert "Tokyo" in state["messages"][-1].content


def test_a_failure_does_not_leave_the_results_of_the_turn_before():
    saver = InMemorySaver()
    build(chat_model(), search_client(), saver).invoke({"messages": TAP_WATER}, THREAD)
    state = build(chat_model(), with_key("tvly-limit"), saver).invoke({"messages": "And in Paris?"}, THREAD)
    assert (state["search_status"], state["search_results"]) == ("try_later", [])


def test_a_long_conversation_is_cut_to_the_last_messages():
    talk = [("user" if n % 2 == 0 else "assistant", f"message {n}") for n in range(20)]
    journal.clear()
    ask([*talk, ("user", TAP_WATER)])
    for chat in journal.chats():
        read = [message["content"] for message in chat.request["messages"] if message["role"] != "system"]
        assert read == [f"message {n}" for n in range(20 - RECENT + 1, 20)] + [TAP_WATER]


def test_the_steps_are_fixed():
    drawn = build(chat_model(), search_client()).get_graph()
    road = ["__start__", "understand", "search", "answer", "__end__"]
    assert {(edge.source, edge.target) for edge in drawn.edges} == set(pairwise(road))
    assert not any(edge.conditional for edge in drawn.edges)
