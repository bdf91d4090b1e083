"""The claims of lesson 1, a fixed workflow: state, nodes, edges, compile, and the fragile text between two nodes."""

import importlib
import operator
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, TypedDict

import pytest
import requests
from langchain_core.exceptions import OutputParserException
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.runnables import RunnableLambda
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import InvalidUpdateError
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import Command, interrupt
from mypy import api as mypy
from packaging.version import Version
from pydantic import BaseModel, ValidationError
from scripted import ONE, Scripted, add, contents, line, loop, one_plus_one, types
from tavily import InvalidAPIKeyError, TavilyClient, UsageLimitExceededError


class Log(TypedDict, total=False):
    log: Annotated[list[str], operator.add]
    question: str
    n: int


class Question(BaseModel):
    intent: str
    search_query: str


def entry(name: str) -> Any:
    """A node that writes its name into the log."""
    return lambda state: {"log": [name]}


def built(*edges: tuple[str, str], nodes: str = "ab", **compile_options: Any) -> Any:
    builder = StateGraph(Log)
    for name in nodes:
        builder.add_node(name, entry(name))
    for start, end in edges:
        builder.add_edge(start, end)
    return builder.compile(**compile_options)


@pytest.mark.parametrize("question", ["weather in Bangkok", "thank you, goodbye"])
def test_claim_1_02_a_fixed_workflow_searches_whatever_is_asked(question: str) -> None:
    graph = line(Log, understand=entry("understand"), search=entry("search"), answer=entry("answer"))
    assert graph.invoke({"question": question})["log"] == ["understand", "search", "answer"]


def test_claim_1_03_the_imports_of_the_old_pin_still_work_in_the_current_release() -> None:
    assert Version(version("langgraph")) >= Version("1.2")
    for path in ("langgraph.graph.StateGraph", "langgraph.graph.message.add_messages", "langchain_openai.ChatOpenAI"):
        module, name = path.rsplit(".", 1)
        assert callable(getattr(importlib.import_module(module), name))


def test_claim_1_04_the_search_call_sends_its_three_fields_and_nothing_else(stub: Any) -> None:
    stub.replies = [(200, {"results": []})]
    TavilyClient("key", api_base_url=stub.root).search(query="x", search_depth="basic", max_results=5)
    assert stub.requests == [{"query": "x", "search_depth": "basic", "max_results": 5}]


@pytest.mark.parametrize(
    ("status", "error"), [(401, InvalidAPIKeyError), (429, UsageLimitExceededError), (500, requests.HTTPError)]
)
def test_claim_1_04_each_http_status_of_the_search_has_its_exception(stub: Any, status: int, error: type) -> None:
    stub.replies = [(status, {"detail": {"error": "no"}})]
    with pytest.raises(error):
        TavilyClient("key", api_base_url=stub.root).search(query="x")


def test_claim_1_04_without_a_key_the_client_is_built_and_asks_anyway(stub: Any) -> None:
    stub.replies = [(200, {"results": []})]
    assert TavilyClient(api_base_url=stub.root).search(query="x") == {"results": []}


def test_claim_1_07_partial_update_keeps_other_keys() -> None:
    assert line(Log, a=lambda state: {"n": 1}).invoke({"question": "q", "n": 0}) == {"question": "q", "n": 1, "log": []}


@pytest.mark.parametrize(
    ("edges", "options", "message"),
    [
        ([(START, "a"), ("a", "zz")], {}, "ending at unknown node `zz`"),
        ([(START, "a"), ("zz", "b")], {}, "starting at unknown node 'zz'"),
        ([("a", "b")], {}, "must have an entrypoint"),
        ([(START, "a")], {"interrupt_before": ["zz"]}, "Interrupt node `zz` not found"),
    ],
)
def test_claim_1_08_compile_finds_wrong_names(edges: Any, options: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        built(*edges, **options)


def test_claim_1_08_compile_does_not_find_unreachable_nodes_loops_or_dead_ends() -> None:
    assert built((START, "a"), ("a", END)).invoke({})["log"] == ["a"], "b is unreachable"
    assert built((START, "a")).invoke({})["log"] == ["a"], "a has no outgoing edge and ends the run"
    built((START, "a"), ("a", "b"), ("b", "a"))


def test_claim_1_09_edges_are_fixed_or_conditional_and_a_command_adds_to_the_fixed_one() -> None:
    builder = StateGraph(Log)
    builder.add_node("a", lambda state: Command(goto="c", update={"log": ["a"]}))
    builder.add_node("b", entry("b"))
    builder.add_node("c", entry("c"))
    builder.add_node("d", entry("d"))
    builder.add_edge(START, "a")
    builder.add_edge("a", "b")
    builder.add_conditional_edges("b", lambda state: "d")
    assert builder.compile().invoke({})["log"] == ["a", "b", "c", "d"]


def reading(fixed: bool) -> tuple[str, str]:
    """What the answering model is asked, and what the state holds as the user's question."""
    model = Scripted(script=[AIMessage("reading: travel\nquery: Thailand")])

    def understand(state: Log) -> dict[str, Any]:
        response = model.invoke(state["question"])
        return {"question": state["question"] if fixed else response.content}

    def answer(state: Log) -> dict[str, Any]:
        model.invoke(state["question"])
        return {}

    state = line(Log, understand=understand, answer=answer).invoke({"question": "rain tomorrow?"})
    return str(model.seen[1][0].content), state["question"]


def test_claim_1_62_writing_the_models_reading_over_the_question_loses_the_question() -> None:
    assert reading(fixed=False) == ("reading: travel\nquery: Thailand",) * 2
    assert reading(fixed=True) == ("rain tomorrow?",) * 2


@pytest.mark.parametrize("text", ["搜索词: 曼谷", "**搜索词**：曼谷", "搜索关键词：曼谷"])
def test_claim_1_63_splitting_at_a_marker_fails_on_small_changes(text: str) -> None:
    with pytest.raises(IndexError):
        text.split("搜索词：")[1]


@pytest.mark.parametrize(
    "text", ["搜索词：曼谷\n\n说明：如上", "搜索词：曼谷 搜索词：雨", "<think>搜索词：雨</think>\n搜索词：曼谷"]
)
def test_claim_1_63_splitting_at_a_marker_gives_wrong_values_without_an_error(text: str) -> None:
    assert text.split("搜索词：")[1] not in ("曼谷", "")


@pytest.mark.parametrize(
    ("method", "sent"),
    [({}, "json_schema"), ({"method": "json_mode"}, "json_object"), ({"method": "function_calling"}, None)],
)
def test_claim_1_64_structured_output_sends_the_form_that_the_method_names(stub: Any, method: Any, sent: Any) -> None:
    stub.replies = [{"content": '{"intent": "i", "search_query": "q"}'}]
    result = stub.model().with_structured_output(Question, **method).invoke("hi")
    request = stub.requests[0]
    assert request.get("response_format", {}).get("type") == sent
    assert ("tools" in request) == (sent is None)
    assert result == (Question(intent="i", search_query="q") if sent else None)


def test_claim_1_64_prose_fails_in_three_ways(stub: Any) -> None:
    stub.replies = [{"content": "reading: weather"}]
    with pytest.raises(ValidationError):
        stub.model().with_structured_output(Question).invoke("hi")
    with pytest.raises(ValidationError):
        stub.model().with_structured_output(Question, include_raw=True).invoke("hi")
    with pytest.raises(OutputParserException):
        stub.model().with_structured_output(Question, method="json_mode").invoke("hi")
    assert stub.model().with_structured_output(Question, method="function_calling").invoke("hi") is None


def last_question(state: MessagesState) -> list[Any]:
    return [SystemMessage(next(m.content for m in reversed(state["messages"]) if m.type == "human"))]


def follow_up(view: Any, threads: str) -> list[str]:
    """What the model reads at the second of two questions."""
    model = Scripted(script=[AIMessage("ok")])
    graph = line(MessagesState, InMemorySaver(), node=lambda state: {"messages": [model.invoke(view(state))]})
    for question, thread in zip(["Bangkok?", "and tomorrow?"], threads, strict=True):
        graph.invoke({"messages": question}, {"configurable": {"thread_id": thread}})
    return [str(message.content) for message in model.seen[1]]


def test_claim_1_65_a_new_thread_per_input_forgets_the_first() -> None:
    assert follow_up(lambda state: state["messages"], threads="12") == ["and tomorrow?"]


def test_claim_1_66_the_same_thread_does_not_help_a_node_that_reads_only_the_last_question() -> None:
    assert follow_up(last_question, threads="11") == ["and tomorrow?"]


def test_claim_1_67_what_the_node_passes_to_the_model_decides_what_it_sees() -> None:
    assert follow_up(lambda state: state["messages"], threads="11") == ["Bangkok?", "ok", "and tomorrow?"]


def test_claim_1_68_a_return_annotation_of_the_whole_state_is_not_checked_at_run_time() -> None:
    class Whole(TypedDict):
        a: str
        b: str

    def node(state: Whole) -> Whole:
        return {"a": "new"}

    assert line(Whole, node=node).invoke({"a": "", "b": "kept"}) == {"a": "new", "b": "kept"}


SOURCE = """from typing import TypedDict
class Whole(TypedDict):
    a: str
    b: str
class Update(TypedDict, total=False):
    a: str
def claimed_whole(state: Whole) -> Whole:
    return {"a": "x"}
def claimed_update(state: Whole) -> Update:
    return {"a": "x"}
"""


@pytest.fixture(scope="session")
def complaints(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What a static checker says about SOURCE."""
    folder: Path = tmp_path_factory.mktemp("annotated")
    (folder / "nodes.py").write_text(SOURCE)
    options = ["--config-file=", f"--cache-dir={folder}", "--no-error-summary"]
    return mypy.run([*options, str(folder / "nodes.py")])[0].splitlines()


def test_claim_1_69_a_static_checker_rejects_the_node_that_claims_the_whole_state(complaints: list[str]) -> None:
    assert [text for text in complaints if ":8:" in text and 'Missing key "b" for TypedDict "Whole"' in text]


def test_claim_1_70_a_total_false_typeddict_for_updates_satisfies_the_checker(complaints: list[str]) -> None:
    assert not [text for text in complaints if ":10:" in text]


class Checked(BaseModel):
    n: int


def test_claim_2_03_a_typeddict_state_is_not_validated() -> None:
    assert line(Log, a=lambda state: {"n": "text"}).invoke({"n": []})["n"] == "text"


def test_claim_2_03_a_pydantic_state_is_validated_only_on_the_way_into_a_node() -> None:
    assert line(Checked, a=lambda state: {"n": "text"}).invoke({"n": 1}) == {"n": "text"}
    with pytest.raises(ValidationError):
        line(Checked, a=lambda state: {"n": "text"}, b=lambda state: {}).invoke({"n": 1})


@pytest.mark.parametrize("returned", ["text", ["x"], [{"n": 2}]])
def test_claim_2_04_a_node_must_return_a_dict(returned: Any) -> None:
    with pytest.raises(InvalidUpdateError, match="Expected dict"):
        line(Log, a=lambda state: returned).invoke({"n": 1})


def test_claim_2_05_updates_overwrite_by_default_and_append_with_a_reducer() -> None:
    graph = line(Log, a=lambda state: {"n": 1, "log": ["a"]}, b=lambda state: {"n": 2, "log": ["b"]})
    assert graph.invoke({"n": 0, "log": ["in"]}) == {"n": 2, "log": ["in", "a", "b"]}


def test_claim_2_06_returning_the_whole_state_doubles_an_added_list_but_not_messages() -> None:
    class Both(Log):
        messages: Annotated[list[Any], add_messages]

    state = line(Both, a=lambda state: dict(state)).invoke({"messages": "hi", "log": ["x"]})
    assert (contents(state), state["log"]) == (["hi"], ["x", "x"])


def test_claim_2_10_plain_fields_are_absent_until_written_and_reducer_fields_start_empty() -> None:
    seen: list[dict[str, Any]] = []
    line(Log, a=lambda state: seen.append(dict(state))).invoke({"n": 1})
    assert seen == [{"n": 1, "log": []}]


@pytest.mark.parametrize("returned", [{}, None])
def test_claim_2_11_a_node_may_return_nothing(returned: Any) -> None:
    assert line(Log, a=lambda state: returned).invoke({"n": 1})["n"] == 1


def test_claim_2_12_a_node_runs_again_from_its_first_line_after_an_interrupt() -> None:
    effects: list[str] = []

    def pay(state: Log) -> dict[str, Any]:
        effects.append("charged")
        return {"n": interrupt("sure?")}

    graph = line(Log, InMemorySaver(), pay=pay)
    graph.invoke({"n": 0}, ONE)
    assert graph.invoke(Command(resume=7), ONE)["n"] == 7
    assert effects == ["charged", "charged"]


def test_claim_2_12_after_a_crash_only_the_failed_node_runs_again() -> None:
    ran: list[str] = []

    def flaky(state: Log) -> None:
        ran.append("b")
        if ran.count("b") == 1:
            raise ConnectionError

    graph = line(Log, InMemorySaver(), a=lambda state: ran.append("a"), b=flaky)
    with pytest.raises(ConnectionError):
        graph.invoke({"n": 0}, ONE)
    graph.invoke(None, ONE)
    assert ran == ["a", "b", "b"]


def test_claim_2_16_a_dict_of_routes_with_a_default_still_needs_the_key_in_the_state() -> None:
    routes = {"query": "search"}

    def run(state: dict[str, Any]) -> Any:
        builder = StateGraph(Log)
        builder.add_node("search", entry("search"))
        builder.add_node("chat", entry("chat"))
        builder.add_conditional_edges(START, lambda state: routes.get(state["question"], "chat"), ["search", "chat"])
        return builder.compile().invoke(state)["log"]

    assert run({"question": "query"}) == ["search"]
    assert run({"question": "else"}) == ["chat"]
    with pytest.raises(KeyError):
        run({"n": 1})


def test_claim_2_37_set_entry_point_is_an_edge_from_start() -> None:
    builder = StateGraph(Log)
    builder.add_node("a", entry("a"))
    builder.set_entry_point("a")
    assert builder.edges == {(START, "a")}
    assert builder.compile().invoke({})["log"] == ["a"]


def test_claim_4_01_a_chain_built_with_pipes_can_only_go_round_inside_a_function_and_to_a_limit() -> None:
    chain = RunnableLambda(lambda n: n + 1) | RunnableLambda(lambda n: n if n >= 5 else chain)
    assert chain.invoke(0) == 5
    with pytest.raises(RecursionError, match="Recursion limit reached"):
        chain.invoke(0, {"recursion_limit": 3})


def test_claim_4_02_a_cycle_of_edges_is_legal_in_a_graph() -> None:
    graph = loop(Scripted(script=[one_plus_one(), AIMessage("2")]), [add])
    drawn = {(edge.source, edge.target) for edge in graph.get_graph().edges}
    assert {("model", "tools"), ("tools", "model")} <= drawn
    messages = graph.invoke({"messages": [HumanMessage("1+1")]})["messages"]
    assert types(messages) == ["human", "ai", "tool", "ai"]
