"""The claims of lesson 3, the raw prompt: what is sent, what the model reads, what it writes, how errors look.

What a real vLLM did comes from the captures in tests/data/ground-truth (vLLM 0.32.0).
"""

import json
import re
from pathlib import Path
from typing import Any

import openai
import pytest
from langchain_core.messages import AIMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from scripted import Scripted, add, asks, contents, line, loop, one_plus_one, types

from companion.lab.prompt import render

TRUTH = Path(__file__).parents[1] / "data" / "ground-truth"
THREE = asks(*[("add", {"a": 1, "b": n}) for n in range(3)])


def truth(name: str) -> Any:
    return json.loads((TRUTH / name).read_text(encoding="utf-8"))


@pytest.fixture
def replay(stub: Any) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """The captured 1+1 run once more, with today's graph and client: each request sent now beside its capture."""

    @tool("add")
    def plus(a: int, b: int) -> int:
        """add two int number"""
        return a + b

    captured = truth("agent-add-clean.json")["calls"][:2]
    stub.replies = [(200, call["response"]) for call in captured]
    loop(stub.model(temperature=0), [plus]).invoke({"messages": captured[0]["request"]["messages"]})
    return list(zip(stub.requests, captured, strict=True))


def test_claim_1_01_the_model_returns_a_name_and_arguments_and_runs_nothing() -> None:
    ran: list[int] = []

    @tool
    def note(n: int) -> int:
        """Note it."""
        ran.append(n)
        return n

    model = Scripted(script=[asks(("note", {"n": 1})), AIMessage("done")])
    answer = model.bind_tools([note]).invoke("hi")
    assert (answer.tool_calls[0]["name"], answer.tool_calls[0]["args"], ran) == ("note", {"n": 1}, [])


@pytest.mark.parametrize(
    ("choice", "sent"),
    [("any", "required"), ("add", {"type": "function", "function": {"name": "add"}}), ("none", "none"), (None, None)],
)
def test_claim_1_06_the_model_is_free_only_without_a_tool_choice(stub: Any, choice: Any, sent: Any) -> None:
    stub.model().bind_tools([add], tool_choice=choice).invoke("hi")
    assert stub.requests[0].get("tool_choice") == sent


def test_claim_1_21_null_content_and_json_text_become_an_empty_string_and_a_dict(stub: Any) -> None:
    response = truth("agent-add-clean.json")["calls"][0]["response"]
    raw = response["choices"][0]["message"]
    assert (raw["content"], raw["tool_calls"][0]["function"]["arguments"]) == (None, '{"a": 1, "b": 1}')
    stub.replies = [(200, response)]
    message = stub.model().bind_tools([add]).invoke("1+1")
    call = {"name": "add", "args": {"a": 1, "b": 1}, "id": raw["tool_calls"][0]["id"], "type": "tool_call"}
    assert (message.content, message.tool_calls) == ("", [call])


def test_claim_1_49_the_second_request_holds_the_call_with_null_content_and_its_result(replay: Any) -> None:
    sent = replay[1][0]["messages"]
    assert [message["role"] for message in sent] == ["system", "user", "assistant", "tool"]
    assert sent[2]["content"] is None
    assert sent[3] == {"content": "2", "role": "tool", "tool_call_id": sent[2]["tool_calls"][0]["id"]}


def wire_call(number: int) -> dict[str, Any]:
    arguments = json.dumps({"a": 1, "b": number})
    return {"id": f"c{number}", "type": "function", "function": {"name": "add", "arguments": arguments}}


TWO_CALLS = {"role": "assistant", "content": None, "tool_calls": [wire_call(1), wire_call(2)]}


def prompt_with(*results: tuple[str, str]) -> str:
    """The prompt after two calls and these results (id, content)."""
    messages = [{"role": "tool", "tool_call_id": id, "content": content} for id, content in results]
    return render([{"role": "user", "content": "x"}, TWO_CALLS, *messages])


def test_claim_1_50_the_prompt_holds_neither_the_id_nor_the_name_of_a_result() -> None:
    assert prompt_with(("c1", "2"), ("c2", "3")) == prompt_with(("wrong", "2"), ("wrong", "3"))
    assert "c1" not in prompt_with(("c1", "2"))


def test_claim_3_20_only_the_order_ties_a_result_to_its_call() -> None:
    assert prompt_with(("c1", "2"), ("c2", "3")) != prompt_with(("c2", "3"), ("c1", "2"))
    captured = {case["id"]: case for case in truth("prompts.json")["cases"]}
    case = captured["parallel_results_swapped_order"]
    assert render(case["messages"], case["tools"]) == case["prompt"]
    assert case["prompt"] != captured["parallel_two_calls_two_results"]["prompt"]


@pytest.mark.parametrize(
    ("source", "missing"),
    [
        ("class State(TypedDict): pass", "TypedDict"),
        ("x: Annotated[list, add]", "Annotated"),
        ("@tool\ndef f(): ...", "tool"),
    ],
)
def test_claim_3_03_a_program_without_these_imports_does_not_run(source: str, missing: str) -> None:
    imports = "from langgraph.graph import StateGraph, START, END\nfrom langgraph.graph.message import add_messages\n"
    with pytest.raises(NameError, match=missing):
        exec(imports + source, {})


def test_claim_3_04_one_slash_is_a_connection_error_whose_reason_lies_in_its_causes() -> None:
    model = ChatOpenAI(model="m", base_url="http:/localhost:8000/v1", api_key="EMPTY", max_retries=0)
    with pytest.raises(openai.APIConnectionError, match=r"^Connection error\.$") as caught:
        model.invoke("hi")
    causes, error = [], caught.value
    while error := error.__cause__:
        causes.append(type(error).__name__)
    assert "ConnectError" in causes


def test_claim_3_04_without_v1_the_request_goes_to_another_path(stub: Any) -> None:
    stub.model(base_url=stub.root).invoke("hi")
    stub.model().invoke("hi")
    assert stub.paths == ["/chat/completions", "/v1/chat/completions"]


def test_claim_3_05_the_old_argument_names_are_accepted_and_a_wrong_one_is_only_a_warning(stub: Any) -> None:
    model = ChatOpenAI(model="m", openai_api_base=stub.root + "/v1", openai_api_key="EMPTY")
    assert model.invoke("hi").content == "ok"
    with pytest.warns(UserWarning, match="base_uri is not default parameter"):
        assert ChatOpenAI(model="m", api_key="x", base_uri="y").model_kwargs == {"base_uri": "y"}


def test_claim_3_06_a_key_is_required_and_any_text_will_do(stub: Any) -> None:
    for missing in ({"api_key": None}, {"api_key": ""}):
        with pytest.raises(openai.OpenAIError, match="Missing credentials"):
            stub.model(**missing).invoke("hi")
    assert stub.model(api_key="EMPTY").invoke("hi").content == "ok"


def test_claim_3_07_max_tokens_travels_as_max_completion_tokens(stub: Any) -> None:
    stub.model(temperature=0.7, max_tokens=1024).invoke("hi")
    assert (stub.requests[0]["temperature"], stub.requests[0]["max_completion_tokens"]) == (0.7, 1024)
    assert "max_tokens" not in stub.requests[0]


def test_claim_3_08_asserting_one_call_ends_a_run_with_two_and_the_server_can_be_asked_for_one(stub: Any) -> None:
    def chatbot(state: MessagesState) -> dict[str, Any]:
        message = Scripted(script=[THREE]).invoke(state["messages"])
        assert len(message.tool_calls) <= 1
        return {"messages": [message]}

    with pytest.raises(AssertionError):
        line(MessagesState, chatbot=chatbot).invoke({"messages": "hi"})
    stub.model().bind_tools([add], parallel_tool_calls=False).invoke("hi")
    assert stub.requests[0]["parallel_tool_calls"] is False


def tool_graph(name: str, routes: Any = None) -> Any:
    """The agent loop with a tool node of another name."""
    model = Scripted(script=[one_plus_one(), AIMessage("2")])
    builder = StateGraph(MessagesState)
    builder.add_node("model", lambda state: {"messages": [model.invoke(state["messages"])]})
    builder.add_node(name, ToolNode([add]))
    builder.add_edge(START, "model")
    builder.add_conditional_edges("model", tools_condition, routes)
    builder.add_edge(name, "model")
    return builder.compile()


def test_claim_3_09_tools_condition_returns_the_fixed_name_tools() -> None:
    assert tools_condition({"messages": [one_plus_one()]}) == "tools"
    assert tools_condition({"messages": [AIMessage("x")]}) == END
    with pytest.raises(ValueError, match="unknown target 'tools'"):
        tool_graph("runner")
    state = tool_graph("runner", {"tools": "runner", END: END}).invoke({"messages": "hi"})
    assert contents(state)[2:] == ["2", "2"]


def test_claim_3_10_the_last_message_of_each_value_hides_parallel_results() -> None:
    graph = loop(Scripted(script=[THREE, AIMessage("done")]), [add])
    last = [state["messages"][-1].content for state in graph.stream({"messages": "hi"}, stream_mode="values")]
    assert last == ["hi", "", "3", "done"]
    graph = loop(Scripted(script=[THREE, AIMessage("done")]), [add])
    updates = [update for part in graph.stream({"messages": "hi"}, stream_mode="updates") for update in part.values()]
    assert [content for update in updates for content in contents(update)] == ["", "1", "2", "3", "done"]


def test_claim_3_11_tuples_have_become_messages_before_anything_is_streamed() -> None:
    graph = loop(Scripted(script=[AIMessage("ok")]), [add])
    states = list(graph.stream({"messages": [("user", "hi")]}, stream_mode="values"))
    assert [types(state["messages"]) for state in states] == [["human"], ["human", "ai"]]


@pytest.fixture
def states() -> list[dict[str, Any]]:
    """The states of a run of 1+1, one after each step."""
    graph = loop(Scripted(script=[one_plus_one(), AIMessage("The result is 2.")]), [add])
    return list(graph.stream({"messages": "1+1"}, stream_mode="values"))


def test_claim_3_14_pretty_print_gives_the_known_transcript(states: Any, capsys: pytest.CaptureFixture[str]) -> None:
    for state in states:
        state["messages"][-1].pretty_print()
    printed = capsys.readouterr().out.splitlines()
    titles = [text.strip("= ") for text in printed if text.startswith("==")]
    assert titles == ["Human Message", "Ai Message", "Tool Message", "Ai Message"]
    assert printed[4:9] == ["Tool Calls:", "  add (c1)", " Call ID: c1", "  Args:", "    a: 1"]


def test_claim_3_15_question_call_result_back_to_the_model_answer(states: Any) -> None:
    assert types(states[-1]["messages"]) == ["human", "ai", "tool", "ai"]
    assert contents(states[-1]) == ["1+1", "", "2", "The result is 2."]


def test_claim_3_16_the_first_prompt_has_the_system_text_the_tools_the_call_format_and_the_question(
    replay: Any,
) -> None:
    now, captured = replay[0]
    prompt = render(now["messages"], now["tools"])
    assert prompt == captured["prompt_from_server_log"]
    parts = (
        "<|im_start|>system",
        "<tools>",
        "</tools>",
        "<tool_call>",
        "<|im_start|>user\n1+1",
        "<|im_start|>assistant",
    )
    places = [prompt.index(part) for part in parts]
    assert places == sorted(places)


def test_claim_3_17_a_tool_is_one_line_of_json_in_the_prompt() -> None:
    prompt = truth("agent-add-clean.json")["calls"][0]["prompt_from_server_log"]
    lines = prompt.split("<tools>\n")[1].split("\n</tools>")[0].splitlines()
    assert [json.loads(text)["function"]["name"] for text in lines] == ["add"]
    assert '{"name": <function-name>, "arguments": <args-json-object>}' in prompt


def test_claim_3_18_the_server_answers_a_call_with_null_content() -> None:
    for run in truth("agent-runs.json")["runs"].values():
        message = run["calls"][0]["response"]["choices"][0]["message"]
        assert message["content"] is None
        assert {"name", "arguments"} <= set(message["tool_calls"][0]["function"])


def test_claim_3_19_the_second_prompt_continues_the_first_with_the_call_and_a_user_turn(replay: Any) -> None:
    (first, _), (second, captured) = replay
    before, after = (render(request["messages"], request["tools"]) for request in (first, second))
    assert after == captured["prompt_from_server_log"]
    assert after.startswith(before)
    assert "<|im_start|>user\n<tool_response>\n2\n</tool_response><|im_end|>" in after.removeprefix(before)


def test_claim_3_21_the_schema_in_the_prompt_has_no_titles(replay: Any) -> None:
    now, captured = replay[0]
    assert "title" in json.dumps(add.args_schema.model_json_schema())
    assert "title" not in render(now["messages"], now["tools"])
    assert now["tools"] == captured["request"]["tools"]


def test_claim_3_22_the_ids_of_a_real_vllm_begin_with_chatcmpl_tool() -> None:
    answers = [call["response"] for run in truth("agent-runs.json")["runs"].values() for call in run["calls"]]
    calls = [call for answer in answers for call in answer["choices"][0]["message"].get("tool_calls") or []]
    assert len(calls) > 5
    assert all(re.fullmatch("chatcmpl-tool-[0-9a-f]{16}", call["id"]) for call in calls)
