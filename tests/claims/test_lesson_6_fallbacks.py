"""The claims of lesson 6 about fallbacks: retries, keyword rules, and error branches that are never taken."""

import asyncio
import operator
from typing import Annotated, Any, TypedDict

import pytest
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from langgraph.types import RetryPolicy
from scripted import ONE, Scripted, add, line, one_plus_one, patient, spinning, types

SHORT, LONG = 0.05, 20


class State(TypedDict, total=False):
    log: Annotated[list[str], operator.add]
    error: str
    answer: str


@pytest.mark.parametrize(
    ("error", "attempts"),
    [(ConnectionError, 3), (Exception, 3)]
    + [(error, 1) for error in (RuntimeError, ValueError, KeyError, OSError, TimeoutError)],
)
def test_claim_2_01_a_retry_policy_does_not_retry_the_usual_errors(error: type[Exception], attempts: int) -> None:
    tried: list[int] = []

    def fail(state: State) -> None:
        tried.append(1)
        raise error

    builder = StateGraph(State)
    builder.add_node("a", fail, retry_policy=RetryPolicy(max_attempts=3, initial_interval=0, jitter=False))
    builder.add_edge(START, "a")
    with pytest.raises(error):
        builder.compile().invoke({})
    assert len(tried) == attempts


def fail(state: State) -> None:
    raise RuntimeError("model down")


def test_claim_2_01_an_error_handler_of_the_node_takes_over() -> None:
    builder = StateGraph(State)
    builder.add_node("a", fail, error_handler=lambda state: {"answer": "sorry"})
    builder.add_edge(START, "a")
    assert builder.compile().invoke({})["answer"] == "sorry"


def test_claim_4_14_a_failing_classifier_can_fall_back_to_a_keyword_rule() -> None:
    model = Scripted(script=[RuntimeError("429")])

    def classify(state: State) -> dict[str, Any]:
        try:
            return {"answer": model.invoke("?").content}
        except Exception:
            return {"answer": "outfit" if "wear" in state["log"][0] else "other"}

    graph = line(State, classify=classify)
    assert [graph.invoke({"log": [text]})["answer"] for text in ("what to wear?", "hi")] == ["outfit", "other"]


async def served(graph: Any) -> str:
    """What an endpoint with an outer `except Exception` answers."""
    try:
        await graph.ainvoke({}, {"recursion_limit": 3})
    except Exception as error:
        return f"sorry: {type(error).__name__}"
    return "fine"


def test_claim_4_15_the_outer_except_catches_errors_and_the_recursion_limit() -> None:
    assert asyncio.run(served(line(State, a=fail))) == "sorry: RuntimeError"
    assert asyncio.run(served(spinning())) == "sorry: GraphRecursionError"


def test_claim_4_15_a_cancelled_request_passes_it() -> None:
    async def leave() -> None:
        request = asyncio.create_task(served(patient()))
        await asyncio.sleep(0)
        request.cancel()
        await request

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(leave())


def by_error(state: State) -> str:
    return "error" if state.get("error") else "agent"


def fallback(agent: Any, after_agent: Any = None) -> StateGraph[Any]:
    """classify -> agent -> end, with a branch to handle_error behind the node that never sets an error."""
    builder = StateGraph(State)
    builder.add_node("classify", lambda state: {"log": ["classify"]})
    builder.add_node("agent", agent)
    builder.add_node("handle_error", lambda state: {"answer": "sorry", "log": ["handle_error"]})
    builder.add_edge(START, "classify")
    builder.add_conditional_edges("classify", by_error, {"error": "handle_error", "agent": "agent"})
    builder.add_conditional_edges("agent", after_agent or (lambda state: END), {"error": "handle_error", END: END})
    return builder


def failing_agent(state: State) -> dict[str, Any]:
    return {"error": "model down", "log": ["agent"]}


def test_claim_4_19_a_branch_in_front_of_the_failing_node_is_never_taken() -> None:
    assert fallback(failing_agent).compile().invoke({})["log"] == ["classify", "agent"]


def test_claim_4_20_the_answer_stays_as_it_came_in() -> None:
    graph = fallback(failing_agent).compile()
    assert graph.invoke({"answer": ""})["answer"] == ""
    assert "answer" not in graph.invoke({})


def continuing(*, with_node: bool, old_branch: bool) -> list[str]:
    """What runs with the first repair: agent -> continue -> end."""
    builder = StateGraph(State)
    builder.add_node("agent", failing_agent)
    builder.add_node("handle_error", lambda state: {"log": ["handle_error"]})
    builder.add_node("tools", lambda state: {"log": ["tools"]})
    if with_node:
        builder.add_node("continue", lambda state: {})
    builder.add_edge(START, "agent")
    builder.add_conditional_edges("agent", by_error, {"error": "handle_error", "agent": "continue"})
    builder.add_conditional_edges("continue", lambda state: END, {"tools": "tools", END: END})
    if old_branch:
        builder.add_conditional_edges("agent", lambda state: "tools", {"tools": "tools", END: END})
    return builder.compile().invoke({})["log"]


def test_claim_4_21_the_repair_needs_a_node_called_continue_and_the_old_branch_must_go() -> None:
    with pytest.raises(ValueError, match="Found edge starting at unknown node 'continue'"):
        continuing(with_node=False, old_branch=False)
    assert continuing(with_node=True, old_branch=False) == ["agent", "handle_error"]
    assert continuing(with_node=True, old_branch=True) == ["agent", "handle_error", "tools"]


@pytest.mark.parametrize(
    ("script", "answer", "after"),
    [
        ([one_plus_one(), AIMessage("2")], None, ["human", "ai", "tool", "ai"]),
        ([RuntimeError("down")], "sorry", ["human"]),
        ([one_plus_one(), RuntimeError("down")], "sorry", ["human", "ai", "tool"]),
    ],
)
def test_claim_4_22_a_router_behind_the_agent_that_asks_for_the_error_first_works(
    script: list[Any], answer: str | None, after: list[str]
) -> None:
    class Conversation(MessagesState):
        error: str
        answer: str

    model = Scripted(script=script)

    def agent(state: Conversation) -> dict[str, Any]:
        try:
            return {"messages": [model.invoke(state["messages"])]}
        except RuntimeError as error:
            return {"error": str(error)}

    builder = StateGraph(Conversation)
    builder.add_node("agent", agent)
    builder.add_node("tools", ToolNode([add]))
    builder.add_node("handle_error", lambda state: {"answer": "sorry"})
    builder.add_edge(START, "agent")
    builder.add_conditional_edges(
        "agent", lambda state: "handle_error" if state.get("error") else tools_condition(state)
    )
    builder.add_edge("tools", "agent")
    state = builder.compile().invoke({"messages": "hi"})
    assert (state.get("answer"), types(state["messages"])) == (answer, after)


def test_claim_4_23_the_error_sticks_to_the_thread_until_the_input_clears_it() -> None:
    tried: list[int] = []

    def once_failing(state: State) -> dict[str, Any]:
        tried.append(1)
        return {"error": "down"} if len(tried) == 1 else {}

    graph = fallback(once_failing, after_agent=lambda state: "error" if state.get("error") else END)
    compiled = graph.compile(checkpointer=InMemorySaver())
    answers = [compiled.invoke({"answer": "", **clear}, ONE)["answer"] for clear in ({}, {}, {"error": ""})]
    assert answers == ["sorry", "sorry", ""]


def test_claim_4_24_a_reachability_check_finds_nothing_wrong_with_the_dead_node() -> None:
    graph = fallback(failing_agent).compile()
    reached, todo = set(), [START]
    while todo:
        here = todo.pop()
        reached.add(here)
        todo += [edge.target for edge in graph.get_graph().edges if edge.source == here and edge.target not in reached]
    assert reached == set(graph.get_graph().nodes)
    assert "handle_error" not in graph.invoke({})["log"]


def test_claim_4_25_a_wrong_name_in_an_edge_shows_at_compile_and_a_wrong_route_never() -> None:
    builder = fallback(failing_agent)
    builder.add_edge("handle_error", "nowhere")
    with pytest.raises(ValueError, match="unknown node `nowhere`"):
        builder.compile()
    builder = StateGraph(State)
    builder.add_node("agent", failing_agent)
    builder.add_edge(START, "agent")
    builder.add_conditional_edges("agent", lambda state: "handle_eror")
    assert builder.compile().invoke({})["log"] == ["agent"]
