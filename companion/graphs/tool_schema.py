"""Lesson 2: one model node, one tool node, and a tool whose arguments and result are described and checked."""

from typing import Any, Literal

from langchain_core.language_models import BaseChatModel
from langchain_core.tools import ToolException, tool
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from pydantic import BaseModel, ConfigDict, Field, field_validator

from companion.tools import weather

Unit = Literal["celsius", "fahrenheit"]


class Day(BaseModel):
    """The weather of one day."""

    day: Literal["today", "tomorrow"]
    condition: str
    temperature: float


class Forecast(BaseModel):
    """What the tool answers, as JSON text."""

    city: str
    unit: Unit
    days: list[Day]


class ForecastArgs(BaseModel):
    """What the model may write; it reads all of this but `extra` and the validator."""

    model_config = ConfigDict(extra="forbid")
    city: str = Field(min_length=1, description="City name in English or Chinese, for example Bangkok")
    days: int = Field(default=1, ge=1, le=2, description="How many days: 1 is today, 2 also tomorrow")
    unit: Unit = Field(default="celsius", description="Unit of the temperature")

    @field_validator("city")
    @classmethod
    def has_letters(cls, city: str) -> str:
        assert any(map(str.isalpha, city)), "a city name has letters"
        return city


@tool(args_schema=ForecastArgs, response_format="content_and_artifact")
def get_forecast(city: str, days: int = 1, unit: Unit = "celsius") -> tuple[str, list[dict[str, Any]]]:
    """Get the weather forecast of a city: condition and temperature for today, or for today and tomorrow."""
    try:
        rows = [weather(city, day) for day in ("today", "tomorrow")[:days]]
    except LookupError as error:
        raise ToolException(str(error)) from error
    scale = (lambda celsius: celsius * 9 / 5 + 32) if unit == "fahrenheit" else float
    found = [Day(**row, temperature=scale(row["temperature_c"])) for row in rows]
    return Forecast(city=rows[0]["city"], unit=unit, days=found).model_dump_json(), rows


get_forecast.handle_tool_error = True


def build(model: BaseChatModel) -> CompiledStateGraph[MessagesState, None, MessagesState, MessagesState]:
    """Return the compiled graph. Give `recursion_limit` in the config of each run."""
    bound = model.bind_tools([get_forecast])

    def call_model(state: MessagesState) -> dict[str, Any]:
        return {"messages": [bound.invoke(state["messages"])]}

    builder = StateGraph(MessagesState)
    builder.add_node("model", call_model)
    builder.add_node("tools", ToolNode([get_forecast]))
    builder.add_edge(START, "model")
    builder.add_conditional_edges("model", tools_condition)
    builder.add_edge("tools", "model")
    return builder.compile()
