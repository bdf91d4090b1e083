"""The claims of lesson 4 about calls at the same time. Nothing is timed: tools that meet at a barrier ran together."""

import asyncio
import threading
from typing import Any

import pytest
from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool, tool
from langgraph.graph import MessagesState
from langgraph.prebuilt import ToolNode
from scripted import asks, contents, line

LONG, SHORT = 20, 0.1


def meeting(size: int, patience: float) -> BaseTool:
    """A tool that says whether `size` calls were inside at once."""
    barrier = threading.Barrier(size)

    @tool
    def meet() -> str:
        """Meet."""
        try:
            barrier.wait(patience)
        except threading.BrokenBarrierError:
            return "alone"
        return "together"

    return meet


def async_meeting(size: int, patience: float) -> BaseTool:
    """The same for async tools."""
    barrier = asyncio.Barrier(size)

    @tool
    async def meet() -> str:
        """Meet."""
        try:
            await asyncio.wait_for(barrier.wait(), patience)
        except (TimeoutError, asyncio.BrokenBarrierError):
            return "alone"
        return "together"

    return meet


def calls(count: int, name: str = "meet") -> dict[str, Any]:
    return {"messages": [asks(*[(name, {})] * count)]}


def said(state: dict[str, Any]) -> set[str]:
    """The different results of the calls."""
    return set(contents(state)[1:])


def one_by_one(meet: BaseTool) -> Any:
    return lambda state: {"messages": [meet.invoke(call) for call in state["messages"][-1].tool_calls]}


def awaiting(meet: BaseTool) -> Any:
    async def node(state: MessagesState) -> dict[str, Any]:
        return {"messages": [await meet.ainvoke(call) for call in state["messages"][-1].tool_calls]}

    return node


def gathering(meet: BaseTool) -> Any:
    async def node(state: MessagesState) -> dict[str, Any]:
        return {"messages": await asyncio.gather(*map(meet.ainvoke, state["messages"][-1].tool_calls))}

    return node


def gathering_blocking(meet: BaseTool) -> Any:
    async def run(call: Any) -> Any:
        return meet.invoke(call)

    async def node(state: MessagesState) -> dict[str, Any]:
        return {"messages": await asyncio.gather(*map(run, state["messages"][-1].tool_calls))}

    return node


def test_claim_2_53_gather_runs_three_tools_at_once() -> None:
    graph = line(MessagesState, tools=gathering(async_meeting(3, LONG)))
    assert said(asyncio.run(graph.ainvoke(calls(3)))) == {"together"}


def test_claim_2_53_the_tool_node_does_so_already() -> None:
    assert said(line(MessagesState, tools=ToolNode([meeting(3, LONG)])).invoke(calls(3))) == {"together"}
    for meet in (meeting(3, LONG), async_meeting(3, LONG)):
        graph = line(MessagesState, tools=ToolNode([meet]))
        assert said(asyncio.run(graph.ainvoke(calls(3)))) == {"together"}


def test_claim_2_53_a_hand_written_loop_runs_one_after_the_other() -> None:
    assert said(line(MessagesState, tools=one_by_one(meeting(2, SHORT))).invoke(calls(2))) == {"alone"}


def test_claim_2_54_async_def_with_await_in_a_loop_is_not_parallel() -> None:
    graph = line(MessagesState, tools=awaiting(async_meeting(2, SHORT)))
    assert said(asyncio.run(graph.ainvoke(calls(2)))) == {"alone"}


def test_claim_2_54_gather_over_blocking_tools_is_not_parallel() -> None:
    graph = line(MessagesState, tools=gathering_blocking(meeting(2, SHORT)))
    assert said(asyncio.run(graph.ainvoke(calls(2)))) == {"alone"}


def test_claim_2_54_and_an_async_node_cannot_be_run_by_invoke() -> None:
    with pytest.raises(TypeError, match='No synchronous function provided to "tools"'):
        line(MessagesState, tools=awaiting(async_meeting(1, LONG))).invoke(calls(1))


@tool
async def later() -> str:
    """Wait for nothing."""
    return "x"


def test_claim_2_54_an_async_tool_cannot_be_run_by_invoke_either() -> None:
    with pytest.raises(NotImplementedError, match="does not support sync invocation"):
        line(MessagesState, tools=ToolNode([later])).invoke(calls(1, "later"))


@pytest.fixture
def out_of_order() -> list[ToolMessage]:
    """The results of two calls of which the second ends first."""
    second_is_done = threading.Event()

    @tool
    def first() -> str:
        """Wait for the second."""
        return f"first, after the second: {second_is_done.wait(LONG)}"

    @tool
    def second() -> str:
        """Go ahead."""
        second_is_done.set()
        return "second"

    graph = line(MessagesState, tools=ToolNode([first, second]))
    return graph.invoke({"messages": [asks(("first", {}), ("second", {}))]})["messages"][1:]


def test_claim_1_23_results_carry_the_ids_of_their_calls(out_of_order: list[ToolMessage]) -> None:
    assert [(message.tool_call_id, message.name) for message in out_of_order] == [("c1", "first"), ("c2", "second")]


def test_claim_4_07_results_come_in_the_order_of_the_calls(out_of_order: list[ToolMessage]) -> None:
    assert [message.content for message in out_of_order] == ["first, after the second: True", "second"]


@pytest.mark.parametrize(("options", "found"), [({}, "False"), ({"max_concurrency": 1}, "True")])
def test_claim_1_79_a_dependent_call_in_the_same_message_does_not_wait(options: Any, found: str) -> None:
    store: set[str] = set()
    looked = threading.Event()

    @tool
    def create() -> str:
        """Create, slowly: not before somebody has looked."""
        looked.wait(LONG if not options else SHORT)
        store.add("order")
        return "created"

    @tool
    def read() -> str:
        """Look."""
        there = "order" in store
        looked.set()
        return str(there)

    graph = line(MessagesState, tools=ToolNode([create, read]))
    state = graph.invoke({"messages": [asks(("create", {}), ("read", {}))]}, options)
    assert contents(state)[1:] == ["created", found]


def test_claim_x_04_max_concurrency_bounds_the_threads_of_the_tool_node() -> None:
    assert said(line(MessagesState, tools=ToolNode([meeting(5, LONG)])).invoke(calls(5))) == {"together"}
    graph = line(MessagesState, tools=ToolNode([meeting(5, SHORT)]))
    assert said(graph.invoke(calls(5), {"max_concurrency": 4})) == {"alone"}
