"""The claims of lesson 2 about arguments: JSON, then Pydantic, then the facts that neither can know."""

import enum
import json
from typing import Annotated, Any, Literal

import pytest
from langchain_core.tools import tool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import BaseModel, ConfigDict, Field, ValidationError


class Weather(BaseModel):
    """Forecast."""

    model_config = ConfigDict(extra="forbid")
    city: str = Field(min_length=1)
    days: int = Field(default=1, ge=1, le=7)


def forecast(city: str, days: int = 1) -> dict[str, Any]:
    """Forecast for a city."""
    return {"city": city, "days": days}


plain = tool(forecast)
checked = tool(args_schema=Weather)(forecast)


def complaints(run: Any) -> list[tuple[Any, str]]:
    """Where and what Pydantic complains about."""
    with pytest.raises(ValidationError) as caught:
        run()
    return [(error["loc"][0], error["type"]) for error in caught.value.errors()]


def test_claim_1_26_json_values_become_python_values() -> None:
    assert json.loads('{"a": {}, "b": true, "c": null, "d": 3}') == {"a": {}, "b": True, "c": None, "d": 3}


def test_claim_1_27_json_loads_refuses_python_text_and_accepts_nan_and_duplicate_keys() -> None:
    for text in ("{'days': 30}", '{"days": 30,}'):
        with pytest.raises(json.JSONDecodeError):
            json.loads(text)
    assert json.loads('{"days": NaN, "days": 7}') == {"days": 7}


def test_claim_1_28_legal_json_may_break_the_tools_limit() -> None:
    arguments = json.loads('{"city": "Rome", "days": 30}')
    assert complaints(lambda: checked.invoke(arguments)) == [("days", "less_than_equal")]


def test_claim_1_30_forbid_min_length_and_range_work_as_written() -> None:
    wrong = {"city": "", "days": 0, "unit": "C"}
    found = complaints(lambda: checked.invoke(wrong))
    assert found == [("city", "string_too_short"), ("days", "greater_than_equal"), ("unit", "extra_forbidden")]


@pytest.mark.parametrize(("value", "days"), [("3", 3), (3.0, 3), (True, 1)])
def test_claim_1_31_the_default_mode_converts_to_int(value: Any, days: int) -> None:
    assert Weather(city="x", days=value).days == days


@pytest.mark.parametrize("value", ["3.5", 3.5, "three"])
def test_claim_1_31_the_default_mode_refuses_what_is_no_whole_number(value: Any) -> None:
    assert complaints(lambda: Weather(city="x", days=value))
    assert complaints(lambda: Weather(city=123)) == [("city", "string_type")]


def test_claim_1_32_the_function_gets_the_converted_value() -> None:
    assert plain.invoke({"city": "x", "days": "3"})["days"] == 3
    assert plain.func(city="x", days="3")["days"] == "3"


def test_claim_1_33_strict_mode_does_not_convert() -> None:
    run = lambda: Weather.model_validate({"city": "x", "days": "3"}, strict=True)  # noqa: E731
    assert complaints(run) == [("days", "int_type")]


def test_claim_1_33_strict_in_bind_tools_is_another_thing_and_changes_the_schema_sent(stub: Any) -> None:
    stub.model().bind_tools([plain], strict=True).invoke("hi")
    function = stub.requests[0]["tools"][0]["function"]
    assert function["strict"] is True
    assert function["parameters"]["required"] == ["city", "days"]
    assert function["parameters"]["additionalProperties"] is False


class Unit(enum.Enum):
    CELSIUS = "c"


class Place(BaseModel):
    city: str


@tool
def measure(
    place: Place,
    unit: Unit,
    when: Literal["now", "week"],
    code: Annotated[str, Field(min_length=2, pattern="^[a-z]+$")],
) -> str:
    """Measure."""
    return f"{type(place).__name__} {unit!r}"


def test_claim_1_34_all_kinds_of_checks_report_together() -> None:
    wrong = {"place": {}, "unit": "k", "when": "day", "code": "A"}
    found = complaints(lambda: measure.invoke(wrong))
    assert found == [
        ("place", "missing"), ("unit", "enum"), ("when", "literal_error"), ("code", "string_too_short"),
    ]  # fmt: skip


def test_claim_1_34_nested_arguments_and_enums_reach_the_function_as_objects() -> None:
    right = {"place": {"city": "x"}, "unit": "c", "when": "now", "code": "ab"}
    assert measure.invoke(right) == "Place <Unit.CELSIUS: 'c'>"
    assert convert_to_openai_tool(measure)["function"]["parameters"]["properties"]["unit"]["enum"] == ["c"]


def test_claim_1_37_pydantic_knows_the_form_and_not_the_facts() -> None:
    assert checked.invoke({"city": "FakeCity"})["city"] == "FakeCity"
    assert checked.invoke({"city": " "})["city"] == " "


def test_claim_1_38_two_stars_pass_a_dict_by_name_in_any_order() -> None:
    assert forecast(**{"days": 3, "city": "x"}) == forecast(city="x", days=3)


@pytest.mark.parametrize("source", ['f("city"="Bangkok")', 'f("city": "Bangkok")'])
def test_claim_1_39_quoted_keyword_names_are_syntax_errors(source: str) -> None:
    with pytest.raises(SyntaxError):
        compile(source, "cell", "eval")


def test_claim_1_40_a_tool_cannot_be_called_like_a_function() -> None:
    arguments = {"city": "x"}
    for call in (lambda: plain(**arguments), lambda: plain("x")):
        with pytest.raises(TypeError, match="'StructuredTool' object is not callable"):
            call()
    assert plain.invoke(arguments)["city"] == "x"


def test_claim_1_41_func_keeps_the_function_and_coroutine_the_async_one() -> None:
    @tool
    async def later(city: str) -> str:
        """Async forecast."""
        return city

    assert plain.func is forecast
    assert later.func is None
    assert later.coroutine.__name__ == "later"
    with pytest.raises(NotImplementedError, match="does not support sync invocation"):
        later.invoke({"city": "x"})


def test_claim_1_42_a_wrong_name_is_reported_as_extra_only_where_extras_are_forbidden() -> None:
    wrong = {"location": "Bangkok"}
    assert complaints(lambda: plain.invoke(wrong)) == [("city", "missing")]
    assert complaints(lambda: checked.invoke(wrong)) == [("city", "missing"), ("location", "extra_forbidden")]
    assert plain.invoke({"city": "x", "location": "y"}) == {"city": "x", "days": 1}, "dropped without a word"


def test_claim_1_43_without_pydantic_python_itself_refuses_the_wrong_name() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'location'"):
        plain.func(location="Bangkok")


def test_claim_1_75_a_minimum_of_two_characters_rejects_rain_in_chinese_and_accepts_two_spaces() -> None:
    class Search(BaseModel):
        query: str = Field(min_length=2)
        limit: int = Field(default=5, ge=1, le=10)

    assert complaints(lambda: Search(query="雨")) == [("query", "string_too_short")]
    assert Search(query="  ").query == "  "
    assert complaints(lambda: Search(query="rain", limit=11)) == [("limit", "less_than_equal")]
