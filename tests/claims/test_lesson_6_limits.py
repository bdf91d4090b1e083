"""The claims of lesson 6 about limits: steps, time, repeated calls, caches, and what a stopped run leaves."""

import asyncio
import json
import operator
import threading
from collections.abc import Callable
from typing import Annotated, Any, TypedDict

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import GraphRecursionError
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.managed import RemainingSteps
from langgraph.prebuilt import ToolNode, tools_condition
from scripted import ONE, Scripted, add, asks, contents, line, loop, one_plus_one, patient, spinning, types

SHORT, LONG = 0.05, 20


class State(TypedDict, total=False):
    log: Annotated[list[str], operator.add]
    error: str
    answer: str


class Counted(MessagesState):
    iteration: int


def test_claim_1_80_steps_time_and_calls_are_limited_by_three_different_switches(agents: Any) -> None:
    with pytest.raises(GraphRecursionError):
        spinning().invoke({}, {"recursion_limit": 3})
    with pytest.raises(Exception, match="exceeded its run timeout"):
        asyncio.run(patient(timeout=SHORT).ainvoke({}))
    budget = agents.middleware.ModelCallLimitMiddleware(run_limit=2)
    agent = agents.create_agent(Scripted(script=[one_plus_one()]), [add], middleware=[budget])
    assert "Model call limits exceeded: run limit (2/2)" in contents(agent.invoke({"messages": "hi"}))[-1]


def counted_loop(stop: Callable[[int], bool]) -> tuple[int, dict[str, Any]]:
    """How often the model is asked until the counter stops it, and the final state."""
    model = Scripted(script=[one_plus_one()])
    builder = StateGraph(Counted)

    def ask(state: Counted) -> dict[str, Any]:
        return {"messages": [model.invoke(state["messages"])], "iteration": state["iteration"] + 1}

    builder.add_node("llm", ask)
    builder.add_node("tool", ToolNode([add]))
    builder.add_edge(START, "llm")
    builder.add_conditional_edges("llm", lambda state: END if stop(state["iteration"]) else "tool")
    builder.add_edge("tool", "llm")
    state = builder.compile().invoke({"messages": "hi", "iteration": 0})
    return len(model.seen), state


def test_claim_2_29_a_counter_stops_the_loop_and_leaves_a_call_unanswered() -> None:
    _, state = counted_loop(lambda n: n >= 2)
    assert types(state["messages"]) == ["human", "ai", "tool", "ai"]
    assert (state["messages"][-1].content, len(state["messages"][-1].tool_calls)) == ("", 1)


def test_claim_2_29_the_counter_of_a_thread_never_restarts_by_itself() -> None:
    graph = line(Counted, InMemorySaver(), a=lambda state: {"iteration": state.get("iteration", 0) + 1})
    assert [graph.invoke({"messages": "hi"}, ONE)["iteration"] for _ in range(2)] == [1, 2]
    assert graph.invoke({"messages": "hi", "iteration": 0}, ONE)["iteration"] == 1


def test_claim_2_42_a_threshold_of_10_makes_11_calls_with_greater_and_10_with_greater_or_equal() -> None:
    assert counted_loop(lambda n: n > 10)[0] == 11
    assert counted_loop(lambda n: n >= 10)[0] == 10


def stopped_at(script: list[AIMessage], signature: Callable[[AIMessage], str]) -> int | None:
    """The index of the first message whose calls repeat those before it."""
    signatures = [signature(message) for message in script]
    return next((n for n in range(1, len(script)) if signatures[n] == signatures[n - 1]), None)


def test_claim_2_30_comparing_with_the_last_call_sees_a_a_and_not_a_b_a_b_nor_reordered_keys() -> None:
    def sorted_json(message: AIMessage) -> str:
        return json.dumps([(call["name"], call["args"]) for call in message.tool_calls], sort_keys=True)

    other, reordered = asks(("add", {"a": 2, "b": 2})), asks(("add", {"b": 1, "a": 1}))
    assert stopped_at([one_plus_one(), one_plus_one()], sorted_json) == 1
    assert stopped_at([one_plus_one(), other] * 6, sorted_json) is None
    assert stopped_at([one_plus_one(), reordered], sorted_json) == 1
    assert stopped_at([one_plus_one(), reordered], lambda message: str(message.tool_calls)) is None


def test_claim_2_31_recursion_limit_is_no_time_limit_and_step_timeout_is_one() -> None:
    graph = line(State, a=lambda state: threading.Event().wait(2 * SHORT) or {"answer": "late"})
    assert graph.invoke({}, {"recursion_limit": 2})["answer"] == "late"
    graph.step_timeout = SHORT
    with pytest.raises(TimeoutError):
        graph.invoke({})


def test_claim_2_31_a_node_timeout_is_for_async_nodes_and_wait_for_is_for_the_whole_run() -> None:
    with pytest.raises(Exception, match="exceeded its run timeout"):
        asyncio.run(patient(timeout=SHORT).ainvoke({}))
    with pytest.raises(TimeoutError):
        asyncio.run(asyncio.wait_for(patient().ainvoke({}), SHORT))
    builder = StateGraph(State)
    builder.add_edge(START, "a")
    with pytest.raises(ValueError, match="only supported for async nodes"):
        builder.add_node("a", lambda state: {}, timeout=SHORT).compile().invoke({})


def test_claim_2_32_compile_takes_no_recursion_limit() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'recursion_limit'"):
        StateGraph(State).compile(recursion_limit=25)


def test_claim_2_34_the_limit_is_a_config_value_of_invoke() -> None:
    with pytest.raises(GraphRecursionError, match="Recursion limit of 25 reached without hitting a stop condition"):
        spinning().invoke({}, config={"recursion_limit": 25})
    with pytest.raises(GraphRecursionError, match="Recursion limit of 3 "):
        spinning().with_config(recursion_limit=3).invoke({})
    with pytest.raises(ValueError, match="recursion_limit must be at least 1"):
        spinning().invoke({}, {"recursion_limit": 0})


@pytest.mark.parametrize(("key", "runs"), [(str, 2), (lambda args: json.dumps(args, sort_keys=True), 1)])
def test_claim_2_55_a_cache_of_tool_results_depends_on_its_key(key: Callable[[Any], str], runs: int) -> None:
    cache: dict[str, int] = {}
    ran: list[int] = []
    for args in ({"a": 1, "b": 2}, {"b": 2, "a": 1}):
        if key(args) not in cache:
            ran.append(1)
            cache[key(args)] = add.invoke(args)
    assert len(ran) == runs


def test_claim_2_55_the_cache_of_a_node_hits_only_with_equal_message_ids() -> None:
    from langgraph.cache.memory import InMemoryCache
    from langgraph.types import CachePolicy

    ran: list[int] = []
    builder = StateGraph(MessagesState)
    builder.add_node("a", lambda state: ran.append(1), cache_policy=CachePolicy(ttl=60))
    builder.add_edge(START, "a")
    graph = builder.compile(cache=InMemoryCache())
    for question in [HumanMessage("hi", id="1")] * 2:
        graph.invoke({"messages": question})
    assert len(ran) == 1
    for question in ["hi", "hi"]:
        graph.invoke({"messages": question})
    assert len(ran) == 3


def test_claim_4_09_tools_make_every_request_longer(stub: Any) -> None:
    tools = [tool(f"tool_{n}", description="Forecast for a city.")(lambda city, days=1: city) for n in range(10)]
    stub.model().invoke("hi")
    for count in (3, 10):
        stub.model().bind_tools(tools[:count]).invoke("hi")
    plain, three, ten = (len(json.dumps(request)) for request in stub.requests)
    assert plain * 5 < three
    assert three * 2 < ten


class Watched(MessagesState):
    left: RemainingSteps


def polite(threshold: int, limit: int) -> str:
    """The last words of an agent that stops when so many steps are left."""
    builder = StateGraph(Watched)
    builder.add_node(
        "model", lambda state: {"messages": [AIMessage("out") if state["left"] <= threshold else one_plus_one()]}
    )
    builder.add_node("tools", ToolNode([add]))
    builder.add_edge(START, "model")
    builder.add_conditional_edges("model", tools_condition)
    builder.add_edge("tools", "model")
    return contents(builder.compile().invoke({"messages": "hi"}, {"recursion_limit": limit}))[-1]


def test_claim_x_07_one_remaining_step_is_enough_for_even_limits_only() -> None:
    assert [polite(1, 8), polite(2, 7), polite(2, 8)] == ["out"] * 3
    with pytest.raises(GraphRecursionError):
        polite(1, 7)


def test_claim_x_07_the_same_for_create_react_agents_own_apology(create_react_agent: Any) -> None:
    agent = create_react_agent(Scripted(script=[one_plus_one()]), [add])
    last = agent.invoke({"messages": "hi"}, {"recursion_limit": 6})["messages"][-1]
    assert last.content == "Sorry, need more steps to process this request."
    with pytest.raises(GraphRecursionError):
        agent.invoke({"messages": "hi"}, {"recursion_limit": 7})


def test_claim_x_08_after_the_limit_a_checkpointer_has_the_last_step() -> None:
    graph = loop(Scripted(script=[one_plus_one()]), [add], checkpointer=InMemorySaver())
    with pytest.raises(GraphRecursionError):
        graph.invoke({"messages": "hi"}, {**ONE, "recursion_limit": 5})
    saved = graph.get_state(ONE)
    assert types(saved.values["messages"]) == ["human", "ai", "tool", "ai", "tool", "ai"]
    assert saved.next == ("tools",)


def test_claim_x_24_create_agent_has_its_own_recursion_limit(agents: Any) -> None:
    assert agents.create_agent(Scripted(script=[one_plus_one()]), [add]).config["recursion_limit"] == 9999


@pytest.mark.parametrize(
    ("name", "options", "last"),
    [
        ("ModelCallLimitMiddleware", {"run_limit": 3}, "Model call limits exceeded: run limit (3/3)"),
        ("ToolCallLimitMiddleware", {"run_limit": 2}, "done"),
        ("ToolCallLimitMiddleware", {"run_limit": 2, "exit_behavior": "end"}, "Tool call limit reached"),
    ],
)
def test_claim_x_24_limits_as_middleware_end_politely(agents: Any, name: str, options: Any, last: str) -> None:
    middleware = getattr(agents.middleware, name)(**options)
    model = Scripted(script=[one_plus_one()] * 4 + [AIMessage("done")])
    state = agents.create_agent(model, [add], middleware=[middleware]).invoke({"messages": "hi"})
    assert contents(state)[-1].startswith(last)


def test_claim_x_24_or_they_raise(agents: Any) -> None:
    middleware = agents.middleware.ModelCallLimitMiddleware(run_limit=3, exit_behavior="error")
    agent = agents.create_agent(Scripted(script=[one_plus_one()]), [add], middleware=[middleware])
    with pytest.raises(Exception, match="Model call limits exceeded"):
        agent.invoke({"messages": "hi"})
