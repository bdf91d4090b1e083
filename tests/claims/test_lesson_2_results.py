"""The claims of lesson 2 about results: what a function returns and what the message holds."""

from datetime import date
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from pydantic import BaseModel, ValidationError
from scripted import ONE, Scripted, asks, loop


class Point(BaseModel):
    x: int = 1


def message_for(result: Any, **options: Any) -> ToolMessage:
    """The tool message of a tool that returns `result`."""

    def give() -> Any:
        """Give it."""
        return result

    return tool(**options)(give).invoke({"name": "give", "args": {}, "id": "c1", "type": "tool_call"})


@tool
def weather(city: str) -> dict[str, Any]:
    """Forecast."""
    return {"city": city}


def test_claim_1_44_arguments_give_the_raw_result_and_a_tool_call_gives_a_message() -> None:
    assert weather.invoke({"city": "x"}) == {"city": "x"}
    message = weather.invoke({"name": "weather", "args": {"city": "x"}, "id": "c1", "type": "tool_call"})
    assert (type(message), message.tool_call_id, message.status) == (ToolMessage, "c1", "success")


def test_claim_1_44_a_call_without_its_type_is_taken_for_the_arguments() -> None:
    with pytest.raises(ValidationError):
        weather.invoke({"name": "weather", "args": {"city": "x"}, "id": "c1"})


@pytest.mark.parametrize(
    ("result", "content"),
    [
        ({"a": 1}, '{"a": 1}'),
        (None, "null"),
        (7, "7"),
        (True, "true"),
        (float("nan"), "NaN"),
        (Point(), "x=1"),
        ({"day": date(2026, 1, 2)}, "{'day': datetime.date(2026, 1, 2)}"),
        ([{"type": "text", "text": "hi"}], [{"type": "text", "text": "hi"}]),
        ([], []),
    ],
    ids=str,
)
def test_claim_1_46_content_is_json_text_with_exceptions(result: Any, content: Any) -> None:
    assert message_for(result).content == content


def test_claim_1_46_an_empty_list_stays_a_list_on_the_wire(stub: Any) -> None:
    stub.model().invoke([HumanMessage("hi"), asks(("give", {})), message_for([])])
    assert stub.requests[0]["messages"][-1] == {"content": [], "role": "tool", "tool_call_id": "c1"}


def test_claim_1_47_json_comes_first_and_keeps_chinese_readable() -> None:
    assert message_for({"city": "曼谷"}).content == '{"city": "曼谷"}'
    assert message_for({1, 2}).content == "{1, 2}", "a set is no JSON: str() is the fallback"


def test_claim_1_48_an_artifact_stays_out_of_the_request(stub: Any) -> None:
    message = message_for(("3 hits", {"raw": "all of it"}), response_format="content_and_artifact")
    assert (message.content, message.artifact) == ("3 hits", {"raw": "all of it"})
    stub.model().invoke([HumanMessage("hi"), asks(("give", {})), message])
    assert stub.requests[0]["messages"][-1] == {"content": "3 hits", "role": "tool", "tool_call_id": "c1"}


def test_claim_1_48_an_artifact_needs_a_pair() -> None:
    with pytest.raises(ValueError, match="two-tuple"):
        message_for({"raw": 1}, response_format="content_and_artifact")


def test_claim_1_48_an_artifact_is_saved_once_per_version_of_the_messages() -> None:
    @tool(response_format="content_and_artifact")
    def big() -> tuple[str, str]:
        """Give much."""
        return "much", "x" * 100_000

    saver = InMemorySaver()
    model = Scripted(script=[asks(("big", {})), AIMessage("ok")])
    loop(model, [big], checkpointer=saver).invoke({"messages": "hi"}, ONE)
    assert 200_000 < sum(len(blob[1]) for blob in saver.blobs.values()) < 210_000


def test_claim_1_52_the_return_annotation_of_a_tool_is_not_checked() -> None:
    @tool
    def wrong() -> dict[str, Any]:
        """Promise a dict."""
        return "text"

    assert wrong.invoke({}) == "text"


def test_claim_1_53_a_result_model_checks_the_form_when_it_is_called() -> None:
    class Result(BaseModel):
        city: str
        degrees: float

    result = Result.model_validate({"city": "FakeCity", "degrees": "31"}).model_dump(mode="json")
    assert result == {"city": "FakeCity", "degrees": 31.0}
    with pytest.raises(ValidationError):
        Result.model_validate({"city": "x"})
