"""The claims of lesson 4 about routers: what they may return, what is checked when, and what a drawing shows."""

import logging
import operator
import threading
from collections.abc import Iterator
from socketserver import StreamRequestHandler, TCPServer
from typing import Annotated, Any, Literal, TypedDict

import pytest
from langchain_core.messages import AIMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import ToolNode
from langgraph.types import Command, Send
from scripted import Scripted, add, contents, loop, one_plus_one


class State(TypedDict, total=False):
    log: Annotated[list[str], operator.add]
    intent: str | None


def routed(router: Any, routes: Any = None) -> CompiledStateGraph[Any, Any, Any, Any]:
    """START -> a -> what the router says: b, c or the end."""
    builder = StateGraph(State)
    for name in "abc":
        builder.add_node(name, lambda state, name=name: {"log": [name]})
    builder.add_edge(START, "a")
    builder.add_conditional_edges("a", router, routes)
    return builder.compile()


def visited(returned: Any, routes: Any = None) -> list[str]:
    return routed(lambda state: returned, routes).invoke({})["log"]


def names_missing(state: State) -> Literal["b", "nodeX"]:
    return "b"


def breaks_its_word(state: State) -> Literal["b"]:
    return "c"


def test_claim_1_76_a_literal_tells_the_graph_the_targets() -> None:
    with pytest.raises(ValueError, match="unknown target 'nodeX'"):
        routed(names_missing)
    with pytest.raises(KeyError, match="c"):
        routed(breaks_its_word).invoke({})


@pytest.mark.parametrize(
    ("returned", "path"),
    [("b", "ab"), (END, "a"), (["b", "c"], "abc"), (Send("c", {}), "ac"), ([], "a")],
)
def test_claim_2_13_a_router_returns_a_name_the_end_a_list_or_a_send(returned: Any, path: str) -> None:
    assert visited(returned) == list(path)


def test_claim_2_13_none_is_no_destination_and_a_map_takes_any_label() -> None:
    with pytest.raises(ValueError, match="did not return a valid destination"):
        visited(None)
    assert visited(True, {True: "b", False: "c"}) == ["a", "b"]


def test_claim_2_14_a_map_is_optional_where_node_names_are_returned() -> None:
    assert visited("b") == visited("b", ["b", "c"]) == visited("go", {"go": "b"}) == ["a", "b"]


def mapped(router: Any, routes: Any) -> list[Any]:
    """Contents after 1+1 with this router and map behind the model."""
    model = Scripted(script=[one_plus_one(), AIMessage("2")])
    builder = StateGraph(MessagesState)
    builder.add_node("llm", lambda state: {"messages": [model.invoke(state["messages"])]})
    builder.add_node("tool", ToolNode([add]))
    builder.add_edge(START, "llm")
    builder.add_conditional_edges("llm", router, routes)
    builder.add_edge("tool", "llm")
    return contents(builder.compile().invoke({"messages": "1+1"}))


def test_claim_2_15_a_map_from_labels_to_the_tool_node_and_the_end_works() -> None:
    def router(state: MessagesState) -> str:
        return "call_tool" if state["messages"][-1].tool_calls else "finish"

    assert mapped(router, {"call_tool": "tool", "finish": END}) == ["1+1", "", "2", "2"]


def test_claim_4_06_a_map_may_use_the_end_as_a_label() -> None:
    def router(state: MessagesState) -> str:
        return "tool" if state["messages"][-1].tool_calls else END

    assert mapped(router, {"tool": "tool", END: END}) == ["1+1", "", "2", "2"]


def test_claim_2_17_a_router_that_names_a_missing_node_ends_the_run_with_a_log_line(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING, "langgraph"):
        assert visited("bb") == ["a"]
    assert "wrote to unknown channel branch:to:bb, ignoring it" in caplog.text


def test_claim_2_17_a_command_to_a_missing_node_ends_the_run_too(caplog: pytest.LogCaptureFixture) -> None:
    builder = StateGraph(State)
    builder.add_node("a", lambda state: Command(goto="zz", update={"log": ["a"]}))
    builder.add_edge(START, "a")
    assert builder.compile().invoke({})["log"] == ["a"]
    assert "branch:to:zz" in caplog.text


def test_claim_2_18_a_map_shows_a_missing_node_at_compile_and_a_missing_label_at_run_time() -> None:
    with pytest.raises(ValueError, match="branch found unknown target 'nodeX'"):
        visited("b", {"b": "nodeX"})
    with pytest.raises(KeyError, match="bb"):
        visited("bb", {"b": "b"})


def test_claim_2_19_reading_a_key_that_nobody_wrote_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="intent"):
        routed(lambda state: state["intent"]).invoke({})


def test_claim_2_21_get_with_a_default_helps_unless_the_key_holds_none() -> None:
    def router(state: State) -> str:
        return state.get("intent", "b")

    assert routed(router).invoke({})["log"] == ["a", "b"]
    with pytest.raises(ValueError, match="did not return a valid destination"):
        routed(router).invoke({"intent": None})


@pytest.fixture
def agent() -> CompiledStateGraph[Any, Any, Any, Any]:
    return loop(Scripted(script=[AIMessage("ok")]), [add])


@pytest.fixture
def dead_proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """The hosts that requests over HTTPS wanted to reach; no request leaves this machine."""
    wanted: set[str] = set()

    class Refuse(StreamRequestHandler):
        def handle(self) -> None:
            wanted.add(self.rfile.readline().decode().split()[1])

    with TCPServer(("127.0.0.1", 0), Refuse) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{server.server_address[1]}")
        for name in ("NO_PROXY", "no_proxy"):
            monkeypatch.delenv(name, raising=False)
        yield wanted
        server.shutdown()


def test_claim_x_19_a_drawing_as_text_needs_nothing_and_a_picture_needs_a_web_service(
    agent: Any, dead_proxy: set[str]
) -> None:
    assert "model -.-> tools;" in agent.get_graph().draw_mermaid()
    assert not dead_proxy
    with pytest.raises(ValueError, match="Failed to reach https://mermaid"):
        agent.get_graph().draw_mermaid_png(max_retries=1, retry_delay=0)
    assert dead_proxy == {"mermaid.ink:443"}


def test_claim_x_19_the_other_drawings_need_packages(agent: Any) -> None:
    with pytest.raises(ImportError, match="grandalf"):
        agent.get_graph().draw_ascii()
    with pytest.raises(ImportError, match="pygraphviz"):
        agent.get_graph().draw_png()


def test_claim_x_20_showing_a_compiled_graph_in_a_notebook_calls_the_web_service(
    agent: Any, dead_proxy: set[str]
) -> None:
    with pytest.raises(ValueError, match="Failed to reach https://mermaid"):
        agent._repr_mimebundle_()
    assert dead_proxy == {"mermaid.ink:443"}


def test_claim_x_21_a_drawing_hides_the_branches_of_a_router_without_map_or_literal() -> None:
    drawn = {(edge.source, edge.target) for edge in routed(lambda state: "b").get_graph().edges}
    assert drawn == {(START, "a"), ("a", END)}
    drawn = {(edge.source, edge.target) for edge in routed(lambda state: "b", ["b", "c"]).get_graph().edges}
    assert {("a", "b"), ("a", "c")} <= drawn
