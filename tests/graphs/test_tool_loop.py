"""The loop of lesson 4, through the front door: every call answered once, every run bounded, every thread whole."""

import asyncio
import json
from typing import Any

import httpx2 as httpx
import pytest
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import GraphInterrupt
from langgraph.types import Command, interrupt

from companion import chat_model, faults, journal, search_client
from companion.graphs.tool_loop import LOST, REPEATS, build, build_search_agent, loop
from graphs.whole import assert_whole
from notebooks import LESSONS, code_cells, read

LIMIT = {"recursion_limit": 12}
THREAD = {"configurable": {"thread_id": "1"}, **LIMIT}
NOTEBOOK = next(path for path in LESSONS if path.stem == "04_tool_loop")
BOTH = "What is the weather in Bangkok, and what is 23 * 47?"


def written(*calls):
    """A completion with calls, as the model writes it."""
    blocks = [json.dumps({"name": name, "arguments": arguments}) for name, arguments in calls]
    return "\n".join(f"<tool_call>\n{block}\n</tool_call>" for block in blocks)


def ask(question, *trouble, says=(), graph=None, config=LIMIT):
    """The messages of one turn; `says` are completions that the model writes instead of its own."""
    journal.clear()
    with faults(*trouble):
        faults.say(*says)
        return (graph or build(chat_model())).invoke({"messages": question}, config)["messages"]


def types(messages):
    return [message.type for message in messages]


def results(messages):
    return [message for message in messages if message.type == "tool"]


def assert_answered(messages):
    assert_whole(messages)
    assert messages[-1].type == "ai"
    assert messages[-1].text
    assert not messages[-1].tool_calls


@pytest.mark.parametrize("question", [BOTH, "曼谷今天天气怎么样？再算一下 23*47"])
def test_two_tools_of_one_question_run_in_one_round(question):
    messages = ask(question)
    assert types(messages) == ["human", "ai", "tool", "tool", "ai"]
    weather, product = results(messages)
    assert json.loads(weather.content)["temperature_c"] == 31
    assert product.content == "1081"
    assert "31" in messages[-1].text
    assert "1081" in messages[-1].text
    assert_answered(messages)


@pytest.mark.parametrize("question", ["Hello!", "谢谢，再见"])
def test_a_question_without_need_for_a_tool_is_one_call_of_the_model(question):
    assert types(ask(question)) == ["human", "ai"]
    assert len(journal.chats()) == 1


@pytest.mark.parametrize(
    ("call", "status", "text"),
    [
        (("get_wether", {"city": "Seoul"}), "error", "get_wether is not a valid tool, try one of [get_weather, calc"),
        (("", {}), "error", "try one of"),
        (("get_weather", {}), "error", "city: Field required"),
        (("get_weather", {"city": 7}), "error", "city: Input should be a valid string"),
        (("get_weather", {"city": "Busan"}), "error", "No weather for 'Busan'. Known cities: Bangkok"),
        (("get_weather", {"city": "Paris", "day": "yesterday"}), "error", "Input should be 'today' or 'tomorrow'"),
        (("calculator", {"expression": "1/0"}), "error", "Division by zero"),
        (("calculator", {"expression": "2**0.5"}), "success", "1.4142135623730951"),
    ],
)
def test_each_call_is_answered_once_in_order_beside_a_good_one(call, status, text):
    good = ("get_weather", {"city": "Paris"})
    for calls in ([call, good], [good, call], [good, call, good]):
        messages = ask("Go.", says=[written(*calls)])
        assert_answered(messages)
        found = [(message.status, message.text) for message in results(messages)]
        assert len(found) == len(calls)
        for (name, _), (seen, content) in zip(calls, found, strict=True):
            assert seen == (status if name == call[0] and text in content else "success")
        assert text in found[calls.index(call)][1]


@pytest.fixture(scope="module")
def by_hand():
    """The notebook's own tool node, out of its cells."""
    space = {}
    cells = [cell.source for cell in code_cells(read(NOTEBOOK))]
    for source in cells[: 1 + next(n for n, source in enumerate(cells) if "def run_calls" in source)]:
        exec(source, space)
    return space


@pytest.mark.parametrize(
    ("calls", "statuses"),
    [
        ([], []),
        ([("get_wether", {"city": "Seoul"}), ("get_weather", {"city": "Paris"})], ["error", "success"]),
        ([("get_weather", {"city": 7}), ("get_weather", {"city": "Paris"})], ["error", "success"]),
        (
            [("get_weather", {"city": "Busan"}), ("boom", {}), ("calculator", {"expression": "1"})],
            ["error"] * 2 + ["success"],
        ),
    ],
)
def test_the_hand_written_node_of_the_notebook_answers_every_call_once(by_hand, calls, statuses):
    @tool
    def boom() -> str:
        """Crash."""
        raise RuntimeError("boom")

    by_hand["by_name"]["boom"] = boom
    message = by_hand["asks"](*calls)
    answers = by_hand["run_calls"]({"messages": [HumanMessage("Go."), message]})["messages"]
    assert [answer.tool_call_id for answer in answers] == [call["id"] for call in message.tool_calls]
    assert [answer.status for answer in answers] == statuses
    assert all("get_weather, calculator" in a.text for a in answers if a.name == "get_wether")


def test_the_hand_written_node_lets_interrupts_and_async_slips_through(by_hand):
    @tool
    def book() -> str:
        """Book."""
        raise GraphInterrupt

    @tool
    async def later() -> str:
        """Wait."""
        return "x"

    by_hand["by_name"].update(book=book, later=later)
    for name, error in (("book", GraphInterrupt), ("later", NotImplementedError)):
        with pytest.raises(error):
            by_hand["run_calls"]({"messages": [by_hand["asks"]((name, {}))]})


@pytest.mark.parametrize(
    "expression",
    [
        "__import__('os').getcwd()",
        "exit()",
        "().__class__.__base__.__subclasses__()",
        "9 ** 9 ** 9",
        "'a' * 3",
        "[1][0]",
        "open('x', 'w')",
        "lambda: 1",
        "(x := 1)",
        "True + 1",
        "1 if 1 else 2",
        "",
    ],
)
def test_the_calculator_reads_arithmetic_and_nothing_else(expression):
    (refused,) = results(ask("Go.", says=[written(("calculator", {"expression": expression}))]))
    assert refused.status == "error"


def test_a_bug_in_a_tool_leaves_the_graph_and_an_interrupt_pauses_it():
    @tool
    def buggy() -> str:
        """Crash."""
        return {}["no such key"]

    @tool
    def book() -> str:
        """Book."""
        return f"booked: {interrupt('sure?')}"

    graph = loop(chat_model(), [buggy, book], InMemorySaver())
    with pytest.raises(KeyError):
        ask("Go.", says=[written(("buggy", {}))], graph=graph, config=THREAD)
    ask("Go.", says=[written(("book", {}))], graph=graph, config=THREAD)
    assert graph.get_state(THREAD).next == ("tools",)
    assert results(graph.invoke(Command(resume="yes"), THREAD)["messages"])[-1].content == "booked: yes"


@pytest.mark.parametrize("lost", [1, 2])
def test_a_crash_leaves_a_call_without_a_result_and_the_next_turn_repairs_the_thread(lost):
    graph = build(chat_model(), InMemorySaver())
    calls = [("get_weather", {"city": "Oslo"}), ("get_weather", {"city": "Paris"})][:lost]
    with pytest.raises(ConnectionError):
        ask("Weather?", "tool_raises", says=[written(*calls)], graph=graph, config=THREAD)
    messages = ask("Thank you!", graph=graph, config=THREAD)
    assert types(messages) == ["human", "ai", *["tool"] * lost, "human", "ai"]
    assert {(message.text, message.status) for message in results(messages)} == {(LOST, "error")}
    assert_answered(messages)
    sent = [message["role"] for message in journal.chats()[0].request["messages"]]
    assert sent == ["user", "assistant", *["tool"] * lost, "user"]
    messages = ask("How is the weather in Oslo?", graph=graph, config=THREAD)
    assert_answered(messages)
    assert '"temperature_c": -3' in results(messages)[-1].text


def calling(*ids, text=""):
    return AIMessage(text, tool_calls=[{"name": "get_weather", "args": {"city": id}, "id": id} for id in ids])


def result(id):
    return ToolMessage(f"result of {id}", tool_call_id=id)


@pytest.mark.parametrize(
    ("history", "found"),
    [
        ([calling("a", "b"), result("b")], [LOST, "result of b"]),
        ([calling("a", "b"), result("b"), result("a")], ["result of a", "result of b"]),
        ([calling("a"), HumanMessage("well?"), result("a")], ["result of a"]),
        ([result("stray")], []),
        ([calling("a"), result("a"), result("a")], ["result of a"]),
        ([calling("a"), result("a"), calling("a"), result("a")], ["result of a"] * 2),
        ([calling("a"), calling("b")], [LOST, LOST]),
        ([calling("a", text="One moment."), result("wrong")], [LOST]),
    ],
)
def test_any_history_is_put_in_order_before_the_model_reads_it(history, found):
    messages = ask([HumanMessage("Weather?"), *history, HumanMessage("Thank you!")], says=["Fine."])
    assert_answered(messages)
    assert [message.text for message in results(messages)] == found
    sent = journal.chats()[0].request["messages"]
    assert [message["content"] for message in sent if message["role"] == "tool"] == found


def test_a_whole_history_is_left_as_it_is():
    history = [HumanMessage("Weather?", id="1"), calling("a"), result("a"), AIMessage("Fine.")]
    kept = ask([*history, HumanMessage("Thank you!")], says=["Bye."])[:4]
    assert [message.text for message in kept] == ["Weather?", "", "result of a", "Fine."]
    assert kept[0].id == "1"


RUN: list[Any] = []


@tool
def delete_old_notes(older_than_days: int) -> str:
    """Delete notes."""
    RUN.append(older_than_days)
    return "deleted"


@tool
def delete_all_notes(really: bool = False) -> str:
    """Delete notes."""
    RUN.append(really)
    return "deleted"


def answered_by(*replies, streaming=False):
    """The loop around a server whose first answers are ours; then it says "done"."""
    bodies = [*replies, {"message": {"role": "assistant", "content": "done"}, "finish_reason": "stop"}]
    sent: list[Any] = []

    def respond(request):
        sent.append(json.loads(request.content))
        choice = {"index": 0, **bodies[min(len(sent), len(bodies)) - 1]}
        if not streaming:
            return httpx.Response(200, json={"id": "r", "object": "chat.completion", "choices": [choice]})
        delta = choice.pop("message")
        delta["tool_calls"] = [{"index": n, **call} for n, call in enumerate(delta.get("tool_calls", []))]
        text = f"data: {json.dumps({'choices': [{**choice, 'delta': delta}]})}\n\ndata: [DONE]\n\n"
        return httpx.Response(200, text=text, headers={"content-type": "text/event-stream"})

    client = httpx.Client(transport=httpx.MockTransport(respond))
    graph = loop(chat_model(http_client=client, streaming=streaming), [delete_old_notes, delete_all_notes])
    RUN.clear()
    return graph.invoke({"messages": "Tidy up."}, LIMIT)["messages"], sent


def wire(*calls, finish="tool_calls"):
    """A choice with calls (name, arguments as text)."""
    numbered = [
        {"id": f"call_{n}", "type": "function", "function": {"name": name, "arguments": text}}
        for n, (name, text) in enumerate(calls, 1)
    ]
    return {"message": {"role": "assistant", "content": None, "tool_calls": numbered}, "finish_reason": finish}


@pytest.mark.parametrize(
    "text", ['{"older_than_days": 3', '{"older', "older_than_days=3", "{'older_than_days': 3}", "{"]
)
@pytest.mark.parametrize("name", ["delete_old_notes", "delete_all_notes"])
def test_arguments_that_are_no_json_run_nothing_and_the_model_is_told(name, text):
    messages, sent = answered_by(wire((name, text)))
    assert RUN == []
    assert_answered(messages)
    assert len(messages[1].invalid_tool_calls) == 1
    assert messages[1].invalid_tool_calls[0]["args"] == text
    assert results(messages)[0].status == "error"
    assert repr(text) in results(messages)[0].text
    assert sent[1]["messages"][1]["tool_calls"][0]["function"]["arguments"] == text
    assert messages[-1].text == "done"


def test_a_message_with_a_sound_and_a_broken_call_has_both_answered():
    messages, sent = answered_by(wire(("delete_old_notes", '{"older'), ("delete_old_notes", '{"older_than_days": 30}')))
    assert RUN == [30]
    assert_answered(messages)
    first, second = (message["tool_call_id"] for message in sent[1]["messages"] if message["role"] == "tool")
    assert [call["id"] for call in sent[1]["messages"][1]["tool_calls"]] == [first, second]


@pytest.mark.parametrize(("name", "ran"), [("delete_old_notes", []), ("delete_all_notes", [False])])
def test_empty_arguments_are_good_for_a_tool_that_needs_none(name, ran):
    messages, _ = answered_by(wire((name, "")))
    assert ran == RUN
    assert results(messages)[0].status == ("success" if ran else "error")


@pytest.mark.parametrize("finish", ["length", None])  # None: the connection dropped before the server gave a reason
@pytest.mark.parametrize("text", ['{"older_than_days": 3', '{"older', '{"older_than_days": 30}'])
def test_a_stream_that_was_cut_off_runs_nothing(text, finish):
    messages, _ = answered_by(wire(("delete_old_notes", text), finish=finish), streaming=True)
    assert RUN == []
    assert_answered(messages)
    assert "cut off" in results(messages)[0].text


def test_the_same_broken_call_again_and_again_is_stopped():
    messages, sent = answered_by(*[wire(("delete_old_notes", '{"older'))] * 9)
    assert len(sent) == REPEATS + 1
    assert_answered(messages)
    assert RUN == []


@pytest.mark.parametrize("limit", range(2, 13))
def test_a_model_that_never_stops_is_stopped_with_what_is_known(limit):
    messages = ask("What is 6 * 7?", "insist", config={"recursion_limit": limit})
    assert_answered(messages)
    assert len(journal.chats()) == limit // 2
    assert "no steps are left" in messages[-1].text
    assert ("calculator: 42" in messages[-1].text) == (limit >= 4)


@pytest.mark.parametrize(("limit", "answered"), [(3, False), (4, True)])
def test_the_steps_that_a_round_needs_are_not_taken_from_it(limit, answered):
    messages = ask(BOTH, config={"recursion_limit": limit})
    assert (len(results(messages)) == 2) == answered
    assert_answered(messages)


def test_a_thread_gets_all_its_steps_in_every_turn():
    graph = build(chat_model(), InMemorySaver())
    for _ in range(3):
        messages = ask("What is 6 * 7?", graph=graph, config={**THREAD, "recursion_limit": 4})
    assert len(results(messages)) == 3
    assert "42" in messages[-1].text


SAME = ("get_weather", {"city": "Atlantis"})


def test_the_same_error_twice_ends_the_turn_and_not_the_next_one():
    graph = build(chat_model(), InMemorySaver())
    messages = ask("Weather in Atlantis?", says=[written(SAME)] * 9, graph=graph, config=THREAD)
    assert len(journal.chats()) == REPEATS + 1
    assert f"the same error came back {REPEATS} times" in messages[-1].text
    assert "Known cities" in messages[-1].text
    assert_answered(messages)
    messages = ask("Weather in Atlantis?", says=[written(SAME)], graph=graph, config=THREAD)
    assert [message.text for message in results(messages)][-1].startswith("No weather for 'Atlantis'")
    assert "I stopped" not in messages[-1].text


def test_the_same_error_twice_in_one_message_still_lets_the_model_answer():
    messages = ask("Weather in Atlantis?", says=[written(SAME, SAME)])
    assert len(results(messages)) == 2
    assert "I stopped" not in messages[-1].text


def test_one_async_tool_makes_the_graph_async():
    @tool
    async def lookup(q: str) -> str:
        """Look something up."""
        return f"about {q}"

    @tool
    def length(q: str) -> int:
        """Count letters."""
        return len(q)

    graph = loop(chat_model(), [lookup, length])
    both = written(("lookup", {"q": "tea"}), ("length", {"q": "tea"}))
    with pytest.raises(NotImplementedError, match="does not support sync invocation"):
        ask("Go.", says=[both], graph=graph)
    with faults():
        faults.say(both)
        messages = asyncio.run(graph.ainvoke({"messages": "Go."}, LIMIT))["messages"]
    assert [message.text for message in results(messages)] == ["about tea", "3"]


def test_a_streamed_run_gives_the_same_answer():
    graph, words = build(chat_model()), []
    for chunk, _ in graph.stream({"messages": BOTH}, LIMIT, stream_mode="messages"):
        if isinstance(chunk, AIMessageChunk):
            words.append(chunk.text)
    assert len(words) > 10
    assert "".join(words) == ask(BOTH)[-1].text


def search(question, *trouble):
    """The messages, and how many searches reached the server."""
    messages = ask(question, *trouble, graph=build_search_agent(chat_model(), search_client()))
    return messages, sum(exchange.path == "/search" for exchange in journal)


@pytest.mark.parametrize(
    ("question", "searches"),
    [("谢谢，再见", 0), ("Hello!", 0), ("西湖要门票吗？", 1), ("Is tap water safe in Singapore?", 1)],
)
def test_the_search_agent_searches_only_where_it_must(question, searches):
    messages, done = search(question)
    assert done == searches
    assert_answered(messages)


def test_an_answer_names_its_source():
    messages, _ = search("西湖要门票吗？")
    assert "不需要门票" in messages[-1].text
    assert "https://example.org/zh/west-lake" in messages[-1].text


TROUBLES = {
    "search_limit": ("error", "try again in a minute"),
    "search_plan": ("error", "Do not retry."),
    "search_empty": ("success", "No results for "),
    "search_error": ("error", "service is down"),
}


@pytest.mark.parametrize("trouble", TROUBLES)
def test_each_failure_of_the_search_tells_the_model_something_else(trouble):
    messages, searches = search("Is tap water safe in Singapore?", trouble)
    (found,) = results(messages)
    status, text = TROUBLES[trouble]
    assert found.status == status
    assert text in found.text
    assert [other for other, (_, words) in TROUBLES.items() if words in found.text] == [trouble]
    assert searches == 1
    assert_answered(messages)


@pytest.mark.parametrize("trouble", ["search_limit", "search_plan", "search_error"])
def test_a_model_that_searches_on_after_the_same_failure_is_stopped(trouble):
    messages, searches = search("Is tap water safe in Singapore?", trouble, "insist")
    assert searches == REPEATS
    assert TROUBLES[trouble][1] in messages[-1].text
    assert_answered(messages)
