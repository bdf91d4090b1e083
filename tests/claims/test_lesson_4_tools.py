"""The claims of lesson 4 about the tool node: arguments, names, ids, exceptions, and what comes back."""

import json
from pathlib import Path
from typing import Any

import openai
import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.tools import BaseTool, tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import MessagesState
from langgraph.prebuilt import ToolNode
from langgraph.types import interrupt
from pydantic import ValidationError
from scripted import ONE, Scripted, add, asks, contents, line, loop, one_plus_one, types

REFUSALS = Path(__file__).parents[1] / "data" / "ground-truth" / "errors.json"


@tool
def boom(x: int) -> int:
    """Fail."""
    raise RuntimeError("service down")


BOOM_BETWEEN = asks(("add", {"a": 1, "b": 1}), ("boom", {"x": 1}), ("add", {"a": 2, "b": 2}))


def by_hand(*tools: BaseTool) -> Any:
    """The hand-written tool node: look up, try, wrap."""
    by_name = {tool.name: tool for tool in tools}

    def node(state: MessagesState) -> dict[str, Any]:
        messages = []
        for call in state["messages"][-1].tool_calls:
            chosen = by_name[call["name"]]
            try:
                output = chosen.invoke(call["args"])
            except Exception as error:
                output = f"failed: {error}"
            messages.append(ToolMessage(content=str(output), tool_call_id=call["id"]))
        return {"messages": messages}

    return node


def results(call: AIMessage, node: Any) -> list[ToolMessage]:
    """The tool messages that a tool node gives for a message with calls."""
    return line(MessagesState, tools=node).invoke({"messages": [call]})["messages"][1:]


def wire_call(arguments: str, id: str | None = "c1") -> dict[str, Any]:
    return {"tool_calls": [{"id": id, "type": "function", "function": {"name": "add", "arguments": arguments}}]}


def test_claim_1_20_broken_json_ends_the_run_without_a_word(stub: Any) -> None:
    stub.replies = [wire_call('{"a": 1, "b":')]
    last = loop(stub.model(), [add]).invoke({"messages": "1+1"})["messages"][-1]
    assert (last.content, last.tool_calls, len(last.invalid_tool_calls)) == ("", [], 1)


def test_claim_1_20_the_next_turn_sends_the_broken_call_back(stub: Any) -> None:
    stub.replies = [wire_call('{"a": 1, "b":'), {"content": "ok"}]
    graph = loop(stub.model(), [add], checkpointer=InMemorySaver())
    graph.invoke({"messages": "1+1"}, ONE)
    graph.invoke({"messages": "well?"}, ONE)
    sent = stub.requests[1]["messages"]
    assert [message["role"] for message in sent] == ["user", "assistant", "user"]
    assert sent[1]["tool_calls"][0]["function"]["arguments"] == '{"a": 1, "b":'


@pytest.mark.parametrize("arguments", ["[1, 1]", "7", json.dumps('{"a": 1, "b": 1}')])
def test_claim_1_20_json_that_is_no_object_is_a_validation_error(stub: Any, arguments: str) -> None:
    stub.replies = [wire_call(arguments)]
    with pytest.raises(ValidationError, match="should be a valid dictionary"):
        stub.model().bind_tools([add]).invoke("hi")


@pytest.mark.parametrize("arguments", ["", '""', "null"])
def test_claim_1_20_empty_arguments_become_an_empty_dict(stub: Any, arguments: str) -> None:
    stub.replies = [wire_call(arguments)]
    assert stub.model().bind_tools([add]).invoke("hi").tool_calls[0]["args"] == {}


def test_claim_1_22_an_unknown_name_is_answered_with_the_valid_ones() -> None:
    (message,) = results(asks(("sub", {"a": 1})), ToolNode([add]))
    assert (message.status, message.content) == ("error", "Error: sub is not a valid tool, try one of [add].")


def test_claim_1_22_of_two_tools_with_one_name_the_last_wins() -> None:
    other = tool("add", description="Multiply.")(lambda a, b: a * b)
    node = ToolNode([add, other])
    assert [known.description for known in node.tools_by_name.values()] == ["Multiply."]


def test_claim_1_23_a_missing_id_breaks_the_tool_node(stub: Any) -> None:
    stub.replies = [wire_call('{"a": 1, "b": 1}', id=None)]
    with pytest.raises(TypeError, match="Tool add returned unexpected type: <class 'int'>"):
        loop(stub.model(), [add]).invoke({"messages": "1+1"})


def test_claim_1_24_a_tool_validates_its_arguments_and_its_func_does_not() -> None:
    with pytest.raises(ValidationError):
        add.invoke({"a": "one", "b": 1})
    assert add.func("one", "two") == "onetwo"


def test_claim_1_24_the_tool_node_answers_bad_arguments_and_the_loop_goes_on() -> None:
    model = Scripted(script=[asks(("add", {"a": "one", "b": 1})), AIMessage("sorry")])
    messages = loop(model, [add]).invoke({"messages": "hi"})["messages"]
    assert messages[2].status == "error"
    assert str(messages[2].content).startswith("Error invoking tool 'add' with kwargs {'a': 'one', 'b': 1} with error:")
    assert messages[3].content == "sorry"


def test_claim_1_25_the_result_goes_back_with_the_whole_history(stub: Any) -> None:
    stub.replies = [wire_call('{"a": 1, "b": 1}'), {"content": "2"}]
    loop(stub.model(), [add]).invoke({"messages": "1+1"})
    sent = stub.requests[1]["messages"]
    assert [(message["role"], message["content"]) for message in sent] == [
        ("user", "1+1"), ("assistant", None), ("tool", "2"),
    ]  # fmt: skip


def test_claim_1_45_a_tool_message_holds_json_with_spaces_and_readable_chinese() -> None:
    weather = tool("weather", description="Forecast.")(lambda city: {"city": city, "days": 1})
    (message,) = results(asks(("weather", {"city": "曼谷"})), ToolNode([weather]))
    assert (message.content, message.status) == ('{"city": "曼谷", "days": 1}', "success")


def test_claim_1_51_the_id_pairs_parallel_calls_and_results() -> None:
    both = asks(("add", {"a": 1, "b": 1}), ("add", {"a": 2, "b": 2}))
    assert [(m.tool_call_id, m.content) for m in results(both, ToolNode([add]))] == [("c1", "2"), ("c2", "4")]


def test_claim_1_78_an_exception_in_a_tool_leaves_the_graph_and_takes_the_good_results_along() -> None:
    with pytest.raises(RuntimeError, match="service down"):
        results(BOOM_BETWEEN, ToolNode([add, boom]))


@pytest.mark.parametrize(
    ("handler", "text"),
    [
        (True, "Error: RuntimeError('service down')\n Please fix your mistakes."),
        ("try later", "try later"),
        (RuntimeError, "Error: RuntimeError('service down')\n Please fix your mistakes."),
        (lambda error: f"custom {error}", "custom service down"),
    ],
    ids=["True", "text", "class", "function"],
)
def test_claim_1_78_handle_tool_errors_turns_it_into_a_message(handler: Any, text: str) -> None:
    node = ToolNode([add, boom], handle_tool_errors=handler)
    assert [message.content for message in results(BOOM_BETWEEN, node)] == ["2", text, "4"]


def test_claim_2_24_the_hand_written_node_works_and_an_unknown_name_is_outside_its_try() -> None:
    assert [message.content for message in results(one_plus_one(), by_hand(add))] == ["2"]
    with pytest.raises(KeyError, match="sub"):
        results(asks(("sub", {})), by_hand(add))


def test_claim_2_25_nothing_in_langchain_compares_ids_and_a_server_that_does_answers_400(stub: Any) -> None:
    wrong = [HumanMessage("hi"), one_plus_one(), ToolMessage("2", tool_call_id="wrong")]
    assert stub.model().invoke(wrong).content == "ok"
    assert stub.requests[0]["messages"][-1]["tool_call_id"] == "wrong"
    stub.replies = [(400, {"error": {"message": "no such call"}})]
    with pytest.raises(openai.BadRequestError, match="no such call"):
        stub.model().invoke(wrong)


def test_claim_2_26_content_of_another_type_is_turned_into_text_without_an_error() -> None:
    given = ({"a": 1}, None, 7, ["x", 2])
    made = [ToolMessage(content=content, tool_call_id="c1").content for content in given]
    assert made == ["{'a': 1}", "None", "7", ["x", "2"]]
    with pytest.raises(ValidationError):
        AIMessage(content={"a": 1})


def test_claim_2_27_str_of_a_dict_is_no_json() -> None:
    weather = tool("weather", description="Forecast.")(lambda: {"ok": True, "rain": None})
    (message,) = results(asks(("weather", {})), by_hand(weather))
    assert message.content == "{'ok': True, 'rain': None}"
    with pytest.raises(json.JSONDecodeError):
        json.loads(message.content)


def test_claim_2_28_an_except_around_a_tool_swallows_an_interrupt() -> None:
    pay = tool("pay", description="Pay.")(lambda: interrupt("sure?"))
    for node, paused in ((by_hand(pay), False), (ToolNode([pay], handle_tool_errors=True), True)):
        graph = line(MessagesState, InMemorySaver(), tools=node)
        assert ("__interrupt__" in graph.invoke({"messages": [asks(("pay", {}))]}, ONE)) is paused


def test_claim_2_35_a_calculator_on_eval_runs_any_code() -> None:
    @tool
    def calculate(expression: str) -> str:
        """Calculate."""
        try:
            return str(eval(expression))  # the claim is about this line
        except Exception as error:
            return f"failed: {error}"

    assert calculate.invoke({"expression": "23 * 47"}) == "1081"
    assert calculate.invoke({"expression": "1/0"}) == "failed: division by zero"
    assert calculate.invoke({"expression": "__import__('math').floor(2.5)"}) == "2"
    with pytest.raises(SystemExit):
        calculate.invoke({"expression": "exit()"})
    assert eval("().__class__.__base__.__name__", {"__builtins__": {}}) == "object", "no sandbox"


def test_claim_2_43_a_try_around_each_call_keeps_the_other_results() -> None:
    found = [message.content for message in results(BOOM_BETWEEN, by_hand(add, boom))]
    assert found == ["2", "failed: service down", "4"]


def test_claim_2_45_an_answer_in_words_does_not_show_whether_the_tools_were_sent(stub: Any) -> None:
    model = stub.model()
    model.bind_tools([add])
    assert model.invoke("1+1").content == model.bind_tools([add]).invoke("1+1").content == "ok"
    assert ["tools" in request for request in stub.requests] == [False, True], "a dropped binding sends none"


@pytest.mark.parametrize("name", ["sub", "one_plus_one()", ""])
def test_claim_2_50_a_wrong_name_is_a_key_error_by_hand_and_a_message_from_the_tool_node(name: str) -> None:
    with pytest.raises(KeyError):
        results(asks((name, {})), by_hand(add))
    assert "try one of [add]" in str(results(asks((name, {})), ToolNode([add]))[0].content)


def test_claim_2_51_tools_that_are_not_supported_show_as_not_implemented_or_as_the_servers_400(stub: Any) -> None:
    from langchain_core.language_models.fake_chat_models import GenericFakeChatModel

    with pytest.raises(NotImplementedError):
        GenericFakeChatModel(messages=iter([])).bind_tools([add])
    refusal = json.loads(REFUSALS.read_text(encoding="utf-8"))["server_started_without_tool_flags"][0]
    stub.replies = [(refusal["status"], refusal["response"])]
    with pytest.raises(openai.BadRequestError, match="--enable-auto-tool-choice and --tool-call-parser to be set"):
        stub.model().bind_tools([add]).invoke("1+1")


def test_claim_2_52_a_tool_message_without_an_id_fails_when_it_is_made() -> None:
    with pytest.raises(KeyError, match="tool_call_id"):
        ToolMessage(content="x")


def test_claim_4_11_a_tool_bound_after_the_tool_node_was_built_is_not_valid() -> None:
    late = tool("late", description="New.")(lambda: "x")
    model = Scripted(script=[asks(("late", {})), AIMessage("ok")])
    state = loop(model, [add, late], node=ToolNode([add])).invoke({"messages": "hi"})
    assert contents(state)[2] == "Error: late is not a valid tool, try one of [add]."


def test_claim_x_03_a_tool_node_cannot_be_invoked_outside_a_graph() -> None:
    with pytest.raises(ValueError, match="Missing required config key 'N/A' for 'tools'"):
        ToolNode([add]).invoke({"messages": [one_plus_one()]})


@pytest.mark.parametrize(
    ("middleware", "text", "tries"),
    [
        (lambda kinds: kinds.ToolErrorMiddleware(lambda error, request: type(error).__name__), "RuntimeError", 1),
        (lambda kinds: kinds.ToolRetryMiddleware(max_retries=2, initial_delay=0), "Tool 'flaky' failed after 3", 3),
    ],
    ids=["error", "retry"],
)
def test_claim_x_22_middleware_lets_create_agent_survive(agents: Any, middleware: Any, text: str, tries: int) -> None:
    tried: list[int] = []

    @tool
    def flaky() -> None:
        """Fail."""
        tried.append(1)
        raise RuntimeError("down")

    model = Scripted(script=[asks(("flaky", {})), AIMessage("ok")])
    agent = agents.create_agent(model, [flaky], middleware=[middleware(agents.middleware)])
    messages = agent.invoke({"messages": "hi"})["messages"]
    assert (types(messages), len(tried)) == (["human", "ai", "tool", "ai"], tries)
    assert str(messages[2].content).startswith(text)


def test_claim_x_22_without_middleware_the_exception_leaves_create_agent(agents: Any) -> None:
    with pytest.raises(RuntimeError, match="service down"):
        agents.create_agent(Scripted(script=[asks(("boom", {"x": 1}))]), [boom]).invoke({"messages": "hi"})
