"""The forecast graph of lesson 2, through the front door: what is asked, run, refused and sent back."""

import json
from typing import Annotated, Any

import httpx2 as httpx
import pytest
from langchain_core.messages import AIMessage
from langchain_core.tools import BaseTool, tool
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import InjectedState, ToolNode

from companion import chat_model, journal
from companion.graphs.tool_schema import build, get_forecast


def ask(text: str, model: Any = None) -> list:
    return build(model or chat_model()).invoke({"messages": [("user", text)]}, {"recursion_limit": 10})["messages"]


def results(messages: list) -> list[dict]:
    return [json.loads(message.content) for message in messages if message.type == "tool"]


@pytest.mark.parametrize(
    ("question", "city", "unit", "days"),
    [
        ("How is the weather in Cairo, in Fahrenheit?", "Cairo", "fahrenheit", [93.2]),
        ("What is the weather in Oslo?", "Oslo", "celsius", [-3]),
        ("北京今明两天的天气？", "Beijing", "celsius", [24, 21]),
        ("Forecast for Paris for 2 days in fahrenheit", "Paris", "fahrenheit", [62.6, 59]),
    ],
)
def test_a_question_becomes_a_call_a_forecast_and_an_answer(question, city, unit, days):
    messages = ask(question)
    assert [message.type for message in messages] == ["human", "ai", "tool", "ai"]
    (found,) = results(messages)
    assert (found["city"], found["unit"]) == (city, unit)
    assert [day["temperature"] for day in found["days"]] == days
    assert str(found["days"][0]["temperature"]) in messages[-1].content


def test_the_artifact_holds_the_rows_and_the_model_reads_none_of_it():
    journal.clear()
    message = ask("How is the weather in Cairo, in Fahrenheit?")[2]
    assert [row["temperature_c"] for row in message.artifact] == [34]
    assert "temperature_c" not in journal.chats()[-1].prompt.split("</tools>")[1]


def test_two_cities_are_two_calls():
    assert [found["city"] for found in results(ask("What is the weather in Paris and in Tokyo?"))] == ["Paris", "Tokyo"]


def test_a_sum_calls_nothing():
    assert [message.type for message in ask("What is 2 + 3?")] == ["human", "ai"]


def test_an_unknown_city_is_refused_by_the_tool_and_says_what_to_try():
    refused = ask("What is the weather in Atlantis?")[2]
    assert refused.status == "error"
    assert "Atlantis" in refused.content
    assert "Bangkok" in refused.content


def calling(arguments: str, reason: str = "tool_calls", **options: Any) -> Any:
    """A real client whose server answers a question with one call, and a tool message with words."""
    call = {"id": "call_1", "type": "function", "function": {"name": "get_forecast", "arguments": arguments}}

    def answer(request: httpx.Request) -> httpx.Response:
        last = json.loads(request.content)["messages"][-1]
        asked = {"role": "assistant", "content": None, "tool_calls": [call]}
        message = asked if last["role"] == "user" else {"role": "assistant", "content": last["content"]}
        return httpx.Response(200, json={"choices": [{"index": 0, "finish_reason": reason, "message": message}]})

    return chat_model(http_client=httpx.Client(transport=httpx.MockTransport(answer)), **options)


@pytest.mark.parametrize("cut", ['{"city": "Oslo"', '{"city"', '{"city": "Os', "city=Oslo", "{'city': 'Oslo'}"])
def test_arguments_that_cannot_be_read_are_kept_and_run_nothing(cut):
    messages = ask("Weather?", calling(cut))
    assert [message.type for message in messages] == ["human", "ai"]
    assert messages[-1].tool_calls == []
    assert [call["args"] for call in messages[-1].invalid_tool_calls] == [cut]


@pytest.mark.parametrize(
    ("arguments", "symptom"),
    [
        ("", "city: Field required"),
        ('{"location": "Oslo"}', "location: Extra inputs are not permitted"),
        ('{"city": "Oslo", "days": 30}', "days: Input should be less than or equal to 2"),
        ('{"city": "Oslo", "unit": "kelvin"}', "unit: Input should be 'celsius' or 'fahrenheit'"),
        ('{"city": ""}', "city: String should have at least 1 character"),
        ('{"city": " 1 "}', "city: Assertion failed, a city name has letters"),
        ('{"city": null}', "city: Input should be a valid string"),
    ],
)
def test_arguments_of_the_wrong_shape_come_back_as_an_error_message(arguments, symptom):
    refused = ask("Weather?", calling(arguments))[2]
    assert refused.status == "error"
    assert symptom in refused.content


def test_a_stream_completes_what_was_cut_off_which_is_why_the_lesson_warns():
    call = {"index": 0, "id": "call_1", "function": {"name": "get_forecast", "arguments": '{"city": "Os'}}
    chunk = {"choices": [{"index": 0, "finish_reason": "length", "delta": {"tool_calls": [call]}}]}
    text = f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n"
    reply = httpx.Response(200, text=text, headers={"content-type": "text/event-stream"})
    transport = httpx.MockTransport(lambda request: reply)
    message = chat_model(http_client=httpx.Client(transport=transport), streaming=True).invoke("Weather?")
    assert [call["args"] for call in message.tool_calls] == [{"city": "Os"}]
    assert message.response_metadata["finish_reason"] == "length"


def test_text_that_fits_is_converted():
    (found,) = results(ask("Weather?", calling('{"city": "曼谷", "days": "2"}')))
    assert [day["day"] for day in found["days"]] == ["today", "tomorrow"]


def test_the_model_reads_every_limit_and_every_description():
    properties = convert_to_openai_tool(get_forecast)["function"]["parameters"]["properties"]
    assert all(schema["description"] for schema in properties.values())
    assert (properties["days"]["minimum"], properties["days"]["maximum"]) == (1, 2)
    assert properties["unit"]["enum"] == ["celsius", "fahrenheit"]


class UserState(MessagesState):
    user: str


@tool
def right(q: str, state: Annotated[dict, InjectedState]) -> str:
    """Search."""
    return state["user"]


@tool
def wrong(q: str, state: Annotated[dict, UserState]) -> str:
    """Search."""
    return state["user"]


def run(subject: BaseTool, arguments: dict[str, Any]) -> Any:
    builder = StateGraph(UserState)
    builder.add_node("tools", ToolNode([subject]))
    builder.add_edge(START, "tools")
    asked = AIMessage("", tool_calls=[{"name": subject.name, "args": arguments, "id": "call_1"}])
    return builder.compile().invoke({"messages": [asked], "user": "Ada"})["messages"][-1].content


@pytest.mark.parametrize("invented", [{}, {"state": {"user": "Eve"}}])
def test_an_injected_state_is_hidden_and_wins(invented):
    assert list(right.tool_call_schema.model_json_schema()["properties"]) == ["q"]
    assert run(right, {"q": "x", **invented}) == "Ada"


def test_a_wrong_annotation_shows_the_state_to_the_model_and_injects_nothing():
    assert list(wrong.tool_call_schema.model_json_schema()["properties"]) == ["q", "state"]
    assert "state: Field required" in run(wrong, {"q": "x"})


VALUES = [
    ({"city": "서울", "ok": True}, '{"city": "서울", "ok": true}'),
    ([{"title": "it's", "score": 1}], '[{"title": "it\'s", "score": 1}]'),
    (["a", "b"], '["a", "b"]'),
    (None, "null"),
    (3.0, "3.0"),
    ("雨", "雨"),
]


@pytest.mark.parametrize(("value", "content"), VALUES)
def test_a_result_is_json_with_literal_characters_down_to_the_prompt(value, content):
    @tool
    def sample() -> Any:
        """Return a sample."""
        return value

    assert run(sample, {}) == content
    journal.clear()
    asked = AIMessage("", tool_calls=[{"name": "sample", "args": {}, "id": "call_1"}])
    answered = {"role": "tool", "tool_call_id": "call_1", "content": run(sample, {})}
    chat_model().bind_tools([sample]).invoke([("user", "Go."), asked, answered])
    assert f"<tool_response>\n{content}\n</tool_response>" in journal.chats()[-1].prompt
