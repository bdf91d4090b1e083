"""The claims of lesson 4 about the loop as a whole: its shape, its start, its steps and its end."""

import importlib
from typing import Annotated, Any, TypedDict

import pytest
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import GraphRecursionError
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.graph.message import add_messages
from pydantic import BaseModel, Field
from scripted import ONE, Scripted, add, asks, contents, line, loop, one_plus_one, types
from tavily import TavilyClient

THREE = asks(*[("add", {"a": 1, "b": n}) for n in range(3)])


def rounds(count: int, limit: int, call: AIMessage | None = None, **options: Any) -> bool:
    """Whether an agent with `count` rounds of tool calls ends within the limit."""
    graph = loop(Scripted(script=[call or one_plus_one()] * count + [AIMessage("done")]), [add], **options)
    try:
        return bool(graph.invoke({"messages": "hi"}, {**ONE, "recursion_limit": limit}))
    except GraphRecursionError:
        return False


def test_claim_1_11_model_tools_model_until_no_call_is_left() -> None:
    state = loop(Scripted(script=[one_plus_one(), AIMessage("2")]), [add]).invoke({"messages": "1+1"})
    assert types(state["messages"]) == ["human", "ai", "tool", "ai"]


def test_claim_1_12_create_agent_builds_the_simple_agent(agents: Any) -> None:
    agent = agents.create_agent(Scripted(script=[one_plus_one(), AIMessage("2")]), [add])
    assert list(agent.get_graph().nodes) == [START, "model", "tools", END]
    assert contents(agent.invoke({"messages": "1+1"})) == ["1+1", "", "2", "2"]


def test_claim_1_12_create_react_agent_still_works_and_is_deprecated(create_react_agent: Any) -> None:
    agent = create_react_agent(Scripted(script=[one_plus_one(), AIMessage("2")]), [add])
    assert "agent" in agent.get_graph().nodes


class Search(BaseModel):
    query: str = Field(min_length=2)
    limit: int = Field(default=5, ge=1, le=10)


def test_claim_1_73_the_minimal_search_agent_runs(stub: Any) -> None:
    @tool(args_schema=Search)
    def search_web(query: str, limit: int = 5) -> dict[str, Any]:
        """Search the web."""
        return TavilyClient("key", api_base_url=stub.root).search(query=query, max_results=limit, include_answer=True)

    call = {"id": "c1", "type": "function", "function": {"name": "search_web", "arguments": '{"query": "threads"}'}}
    stub.replies = [{"tool_calls": [call]}, (200, {"answer": "a", "results": []}), {"content": "done"}]
    graph = loop(stub.model(), [search_web], checkpointer=InMemorySaver())
    state = graph.invoke({"messages": [{"role": "user", "content": "search"}]}, ONE)
    assert stub.requests[1] == {"query": "threads", "max_results": 5, "include_answer": True}
    assert contents(state)[-1] == "done"


def test_claim_1_74_the_tool_node_stayed_in_langgraph_prebuilt() -> None:
    assert importlib.import_module("langgraph.prebuilt").ToolNode
    assert not hasattr(importlib.import_module("langchain.tools"), "ToolNode")


@pytest.mark.parametrize("written", ["hi", ("user", "hi"), [("user", "hi")], [{"role": "user", "content": "hi"}]])
def test_claim_1_77_input_messages_may_be_dicts_tuples_or_text(written: Any) -> None:
    (message,) = line(MessagesState, a=lambda state: {}).invoke({"messages": written})["messages"]
    assert (message.type, message.content) == ("human", "hi")


def test_claim_2_38_a_tuple_becomes_a_message_only_in_a_field_with_add_messages() -> None:
    class Plain(TypedDict):
        messages: list[Any]

    class Reduced(TypedDict):
        messages: Annotated[list[Any], add_messages]

    assert line(Plain, a=lambda state: {}).invoke({"messages": [("user", "hi")]})["messages"] == [("user", "hi")]
    assert types(line(Reduced, a=lambda state: {}).invoke({"messages": [("user", "hi")]})["messages"]) == ["human"]


class Counted(MessagesState):
    iteration: int


@pytest.fixture
def program(stub: Any) -> dict[str, Any]:
    """The final state of a hand-written agent with two tools, on a question that needs both."""

    @tool
    def weather(city: str) -> str:
        """Forecast."""
        return {"Rome": "sunny, 25"}.get(city, "no data")

    tools = {"weather": weather, "add": add}
    wire = [("a", "weather", '{"city": "Rome"}'), ("b", "add", '{"a": 23, "b": 47}')]
    calls = [{"id": id, "type": "function", "function": {"name": name, "arguments": args}} for id, name, args in wire]
    stub.replies = [{"tool_calls": calls}, {"content": "sunny; 70"}]
    llm = stub.model().bind_tools(list(tools.values()))

    def ask(state: Counted) -> dict[str, Any]:
        return {"messages": [llm.invoke(state["messages"])], "iteration": state.get("iteration", 0) + 1}

    def run(state: Counted) -> dict[str, Any]:
        calls = state["messages"][-1].tool_calls
        results = [(tools[call["name"]].invoke(call["args"]), call["id"]) for call in calls]
        return {"messages": [ToolMessage(str(result), tool_call_id=id) for result, id in results]}

    def route(state: Counted) -> str:
        return "call_tool" if state["messages"][-1].tool_calls and state["iteration"] <= 10 else "finish"

    builder = StateGraph(Counted)
    builder.add_node("llm", ask)
    builder.add_node("tool", run)
    builder.set_entry_point("llm")
    builder.add_conditional_edges("llm", route, {"call_tool": "tool", "finish": END})
    builder.add_edge("tool", "llm")
    return builder.compile().invoke({"messages": [("user", "Rome? and 23+47")], "iteration": 0})


def test_claim_2_22_a_model_node_a_tool_node_and_a_router_form_the_loop(program: Any, stub: Any) -> None:
    assert (program["iteration"], len(stub.requests)) == (2, 2)


def test_claim_2_36_the_hand_written_agent_runs(program: Any) -> None:
    assert contents(program)[2:] == ["sunny, 25", "70", "sunny; 70"]


def test_claim_2_44_human_call_two_results_answer(program: Any) -> None:
    assert types(program["messages"]) == ["human", "ai", "tool", "tool", "ai"]


@pytest.mark.parametrize(("view", "seen"), [(slice(None), ["1+1", "", "2"]), (slice(-1, None), ["2"])])
def test_claim_2_23_the_model_sees_in_each_round_what_the_node_passes(view: slice, seen: list[str]) -> None:
    model = Scripted(script=[one_plus_one(), AIMessage("2")])
    builder = StateGraph(MessagesState)
    builder.add_node("model", lambda state: {"messages": [model.invoke(state["messages"][view])]})
    builder.add_node("tools", lambda state: {"messages": [ToolMessage("2", tool_call_id="c1")]})
    builder.add_edge(START, "model")
    builder.add_conditional_edges("model", lambda state: "tools" if state["messages"][-1].tool_calls else END)
    builder.add_edge("tools", "model")
    builder.compile().invoke({"messages": "1+1"})
    assert [message.content for message in model.seen[1]] == seen


@pytest.mark.parametrize(("count", "need"), [(0, 2), (1, 4), (2, 6)])
@pytest.mark.parametrize("call", [None, THREE], ids=["one call", "three calls"])
def test_claim_2_39_a_round_costs_two_steps_however_many_calls(count: int, need: int, call: AIMessage | None) -> None:
    assert rounds(count, need, call)
    assert not rounds(count, need - 1, call)


def test_claim_2_40_a_limit_of_25_carries_11_rounds() -> None:
    assert rounds(11, 25)
    assert not rounds(12, 25)


def test_claim_2_40_with_12_rounds_the_answer_is_saved_although_invoke_raises() -> None:
    saver = InMemorySaver()
    assert not rounds(12, 25, checkpointer=saver)
    assert saver.get_tuple(ONE).checkpoint["channel_values"]["messages"][-1].content == "done"


def test_claim_2_41_ten_rounds_need_22() -> None:
    assert rounds(10, 22)
    assert not rounds(10, 21)


def test_claim_4_08_one_call_at_a_time_doubles_the_calls_of_the_model() -> None:
    together = Scripted(script=[THREE, AIMessage("done")])
    apart = Scripted(script=[*[asks(("add", call["args"])) for call in THREE.tool_calls], AIMessage("done")])
    results = [contents(loop(model, [add]).invoke({"messages": "hi"})) for model in (together, apart)]
    assert (len(together.seen), len(apart.seen)) == (2, 4)
    assert [[text for text in result if text.isdigit()] for result in results] == [["1", "2", "3"]] * 2


def test_claim_4_10_and_2_33_an_endless_loop_calls_the_model_5004_times_before_the_default_limit() -> None:
    asked: list[int] = []
    builder = StateGraph(TypedDict("State", {"n": int}))
    builder.add_node("model", lambda state: asked.append(1))
    builder.add_node("tools", lambda state: {})
    builder.add_edge(START, "model")
    builder.add_edge("model", "tools")
    builder.add_edge("tools", "model")
    with pytest.raises(GraphRecursionError, match="Recursion limit of 10007"):
        builder.compile().invoke({"n": 0})
    assert len(asked) == 5004


def test_claim_x_06_an_empty_dict_runs_the_graph_and_none_does_not() -> None:
    from langgraph.errors import EmptyInputError

    ran: list[int] = []
    graph = line(TypedDict("State", {"n": int}, total=False), a=lambda state: ran.append(1))
    graph.invoke({})
    assert ran == [1]
    with pytest.raises(EmptyInputError):
        graph.invoke(None)


@pytest.mark.parametrize("first", [ConnectionError("server down"), KeyboardInterrupt()])
def test_claim_3_12_a_bare_except_with_a_fallback_question_hides_the_error_and_crashes(first: BaseException) -> None:
    asked: list[str] = []

    def ask(question: str) -> None:
        asked.append(question)
        raise first if len(asked) == 1 else ConnectionError("second failure")

    with pytest.raises(ConnectionError, match="second failure"):
        try:
            ask("1+1")
        except:  # noqa: E722
            ask("fallback")
    assert asked == ["1+1", "fallback"]


def test_claim_3_13_a_chat_loop_without_a_checkpointer_starts_from_nothing_each_time() -> None:
    model = Scripted(script=[AIMessage("ok")])
    graph = loop(model, [add])
    for question in ("my name is Li", "what is my name?"):
        graph.invoke({"messages": question})
    assert [[message.content for message in seen] for seen in model.seen] == [["my name is Li"], ["what is my name?"]]
