"""The claims of lesson 2 about the decorator: what it makes, what is sent to the model, what runs when."""

import json
from typing import Annotated, Any

import pytest
from langchain_core.messages import AIMessage
from langchain_core.tools import BaseTool, InjectedToolCallId, StructuredTool, tool
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.prebuilt import InjectedState, ToolNode
from pydantic import BaseModel, ConfigDict, Field, field_validator
from scripted import Scripted, add, asks, contents, loop, one_plus_one
from tavily import TavilyClient

RAN: list[str] = []


@tool
def weather(city: str, days: int = 1) -> dict[str, Any]:
    """Forecast for a city."""
    RAN.append(city)  # a comment in the source
    return {"city": city, "days": days}


def wire(thing: Any) -> dict[str, Any]:
    """The parameters of a tool as a request carries them."""
    return convert_to_openai_tool(thing)["function"]["parameters"]


def documented(text: str, **options: Any) -> BaseTool:
    """A tool of one argument `a` with this docstring."""

    def f(a: int) -> int:
        return a

    f.__doc__ = text
    return tool(**options)(f)


def test_claim_1_05_a_bound_search_becomes_a_tool_the_model_can_choose(stub: Any) -> None:
    @tool
    def search_web(query: str) -> dict[str, Any]:
        """Search the web."""
        return TavilyClient("key", api_base_url=stub.root).search(query=query)

    call = {"id": "c1", "type": "function", "function": {"name": "search_web", "arguments": '{"query": "x"}'}}
    stub.replies = [{"tool_calls": [call]}, (200, {"results": []}), {"content": "done"}]
    state = loop(stub.model(), [search_web]).invoke({"messages": "hi"})
    assert stub.requests[0]["tools"][0]["function"]["name"] == "search_web"
    assert stub.paths == ["/v1/chat/completions", "/search", "/v1/chat/completions"]
    assert contents(state)[2:] == ['{"results": []}', "done"]


def test_claim_1_13_the_decorator_makes_a_structured_tool_that_is_no_function() -> None:
    assert type(weather) is StructuredTool
    assert not callable(weather)


def test_claim_1_14_the_tool_keeps_the_function_and_a_schema_but_no_attribute_per_parameter_property() -> None:
    kept = ("name", "description", "args", "args_schema", "func", "coroutine")
    assert all(hasattr(weather, name) for name in kept)
    assert not any(hasattr(weather, name) for name in ("parameters", "types", "required", "default"))


def test_claim_1_15_the_wire_form_is_the_generated_schema_without_titles() -> None:
    generated = weather.args_schema.model_json_schema()
    assert generated["properties"]["days"] == {"default": 1, "title": "Days", "type": "integer"}
    assert wire(weather) == {
        "properties": {"city": {"type": "string"}, "days": {"default": 1, "type": "integer"}},
        "required": ["city"],
        "type": "object",
    }


def test_claim_1_16_decorating_and_binding_send_nothing_and_run_nothing(stub: Any) -> None:
    RAN.clear()
    stub.model().bind_tools([weather])
    assert (RAN, stub.requests) == ([], [])


def test_claim_1_17_every_request_of_a_bound_model_carries_the_tools(stub: Any) -> None:
    bound = stub.model().bind_tools([weather])
    bound.invoke("hi")
    bound.invoke("again")
    assert [request["tools"] for request in stub.requests] == [[convert_to_openai_tool(weather)]] * 2


def test_claim_1_18_the_request_holds_the_description_and_not_the_source(stub: Any) -> None:
    stub.model().bind_tools([weather]).invoke("hi")
    sent = json.dumps(stub.requests)
    assert "Forecast for a city." in sent
    assert not any(text in sent for text in ("RAN", "comment", "dict", "return"))


def test_claim_1_19_the_model_asks_and_the_tool_node_executes() -> None:
    RAN.clear()
    model = Scripted(script=[asks(("weather", {"city": "Rome"})), AIMessage("sunny")])
    model.bind_tools([weather]).invoke("hi")
    assert RAN == []
    model.seen.clear()
    loop(model, [weather]).invoke({"messages": "hi"})
    assert RAN == ["Rome"]


def test_claim_1_29_the_argument_model_comes_from_the_signature_or_from_args_schema() -> None:
    @tool
    def annotated(days: Annotated[int, Field(ge=1, le=7, description="how many")] = 1) -> int:
        """Days."""
        return days

    assert wire(annotated)["properties"]["days"] == {
        "default": 1, "description": "how many", "maximum": 7, "minimum": 1, "type": "integer",
    }  # fmt: skip


def test_claim_1_29_where_two_defaults_differ_the_schema_wins() -> None:
    class Search(BaseModel):
        limit: int = 5

    @tool(args_schema=Search)
    def search(limit: int = 99) -> int:
        """Search."""
        return limit

    assert search.invoke({}) == 5


class Strict(BaseModel):
    """Forecast."""

    model_config = ConfigDict(extra="forbid")
    city: str = Field(min_length=1, max_length=40, pattern="^[A-Z]", description="a name")
    days: int = Field(default=1, ge=1, le=7, multiple_of=1)

    @field_validator("city")
    @classmethod
    def known(cls, city: str) -> str:
        assert city == "Bangkok", "unknown city"
        return city


strict = tool("strict", args_schema=Strict)(lambda city, days=1: city)


def test_claim_1_35_limits_are_sent_and_forbidding_extra_arguments_is_not() -> None:
    assert wire(strict)["properties"] == {
        "city": {"description": "a name", "maxLength": 40, "minLength": 1, "pattern": "^[A-Z]", "type": "string"},
        "days": {"default": 1, "maximum": 7, "minimum": 1, "multipleOf": 1, "type": "integer"},
    }
    assert Strict.model_json_schema()["additionalProperties"] is False
    assert "additionalProperties" not in wire(strict)


def test_claim_1_36_a_validator_is_not_in_the_schema_and_acts_when_the_tool_runs() -> None:
    assert "unknown city" not in json.dumps(wire(strict))
    with pytest.raises(ValueError, match="Assertion failed, unknown city"):
        strict.invoke({"city": "Paris"})


def test_claim_2_66_the_whole_docstring_is_sent_as_the_description() -> None:
    text = "Multiply.\n\nArgs:\n    a: left number"
    assert convert_to_openai_tool(documented(text))["function"]["description"] == text


@pytest.mark.parametrize("docstring", [None, ""])
def test_claim_3_01_a_tool_without_a_docstring_is_an_error(docstring: Any) -> None:
    def f(a: int) -> int:
        return a

    f.__doc__ = docstring
    for make in (tool, StructuredTool.from_function, lambda f: ToolNode([f])):
        with pytest.raises(ValueError, match="must have a docstring if description not provided"):
            make(f)


def test_claim_3_01_a_description_or_a_documented_schema_replaces_the_docstring() -> None:
    def f(city: str) -> str:
        return city

    assert tool(description="Forecast.")(f).description == "Forecast."
    assert tool(args_schema=Strict)(f).description == "Forecast."
    assert convert_to_openai_tool(f)["function"]["description"] == "", "a plain function passes bind_tools"


def test_claim_3_02_the_docstring_is_in_the_request(stub: Any) -> None:
    stub.model().bind_tools([add]).invoke("1+1")
    assert stub.requests[0]["tools"][0]["function"]["description"] == "Add two numbers."


def test_claim_x_01_parse_docstring_moves_the_args_section_into_the_schema() -> None:
    parsed = documented("Multiply.\n\nArgs:\n    a: left number\n", parse_docstring=True)
    assert parsed.description == "Multiply."
    assert parsed.args["a"]["description"] == "left number"
    with pytest.raises(ValueError, match="Arg z in docstring not found in function signature"):
        documented("Do.\n\nArgs:\n    z: not there\n", parse_docstring=True)
    with pytest.raises(ValueError, match="Found invalid Google-Style docstring"):
        documented("One sentence.", parse_docstring=True)


def test_claim_x_02_injected_arguments_are_hidden_and_a_value_the_model_invents_is_replaced() -> None:
    @tool
    def secret(
        q: str, state: Annotated[dict[str, Any], InjectedState], tool_call_id: Annotated[str, InjectedToolCallId]
    ) -> str:
        """Look into the state."""
        return f"{q} {len(state['messages'])} {tool_call_id}"

    assert list(secret.args) == list(wire(secret)["properties"]) == ["q"]
    invented = asks(("secret", {"q": "x", "state": {"messages": []}}))
    state = loop(Scripted(script=[invented, AIMessage("ok")]), [secret]).invoke({"messages": "hi"})
    assert contents(state)[2] == "x 2 c1"


def test_claim_1_19_the_tool_node_does_nothing_with_an_answer_in_words() -> None:
    state = loop(Scripted(script=[one_plus_one(), AIMessage("2")]), [add]).invoke({"messages": "1+1"})
    assert contents(state) == ["1+1", "", "2", "2"]
