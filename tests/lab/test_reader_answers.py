"""What the stand-in says without a call: follow-ups said in full, dictated lines, and answers out of sources."""

import json
from typing import Any

import pytest

from companion.lab.prompt import render
from companion.lab.reader import complete
from companion.lab.reader.minimal import minimal
from companion.lab.schemas import validator

UNDERSTANDING = {
    "type": "object",
    "properties": {
        "query_intent": {"type": "string", "description": "what the user wants to know with this query"},
        "search_query": {"type": "string"},
    },
    "required": ["query_intent", "search_query"],
}
PRICES = (
    "[1] Tram Line 3\nURL: https://tram.example/3\nA single ticket costs 3.10 crowns.",
    "[2] Tram Line 7\nURL: https://tram.example/7\nA day ticket costs 7 crowns. A single ticket costs 2.60 crowns.",
)


def said(*texts: str, schema: dict[str, Any] | None = None) -> str:
    """The completion after user and assistant have spoken in turn."""
    roles = ("user", "assistant")
    return complete(render([{"role": roles[n % 2], "content": text} for n, text in enumerate(texts)]), schema)


@pytest.mark.parametrize(
    ("first", "then", "query"),
    [
        ("When is the best time to visit Bangkok?", "And Tokyo?", "best time visit Tokyo"),
        ("What's the weather in Bangkok?", "And in Tokyo?", "weather Tokyo"),
        ("Is the pool of Graz open on Mondays?", "And on Fridays?", "pool Graz open Fridays"),
        ("Is tap water safe in Singapore?", "And in winter?", "tap water safe Singapore winter"),
        ("What is the capital of France?", "How many people live there?", "people live France"),
        ("曼谷旅游的最佳季节是什么时候？", "东京呢？", "东京旅游 最佳季节"),
        ("Is tap water safe in Singapore?", "Where is the museum?", "museum"),
    ],
)
def test_a_search_query_carries_what_a_follow_up_leaves_out(first: str, then: str, query: str) -> None:
    """A new question stands alone; one that leans on the last takes its subject along."""
    assert json.loads(said(first, "Well.", then, schema=UNDERSTANDING))["search_query"] == query


def test_an_intent_is_a_sentence_also_beside_the_word_query() -> None:
    """The last word of a property's name says what it is."""
    value = json.loads(said("Is tap water safe in Singapore?", schema=UNDERSTANDING))
    assert value["query_intent"] == "Is tap water safe in Singapore?"


@pytest.mark.parametrize("order", [PRICES, PRICES[::-1]])
@pytest.mark.parametrize(("ticket", "price"), [("single ticket", "2.60"), ("day ticket", "7 crowns")])
def test_the_price_of_the_thing_asked_for(order: tuple[str, ...], ticket: str, price: str) -> None:
    """Sources hold the prices of other things too, in any order."""
    answer = said("Sources:\n" + "\n".join(order) + f"\n\nQuestion: How much is a {ticket} for Tram Line 7?")
    assert price in answer and "https://tram.example/7" in answer


@pytest.mark.parametrize("question", ["How much is a monthly ticket for Tram Line 7?", "Who drives Tram Line 7?"])
def test_what_the_sources_do_not_hold_is_not_known(question: str) -> None:
    """A price of another thing is no answer."""
    assert "do not know" in said("Sources:\n" + "\n".join(PRICES) + f"\n\nQuestion: {question}")


HALL = "Text: The club opens at 9:00. The hall was built in 1901, its boats carry two flags.\n\nQuestion: "


@pytest.mark.parametrize(
    "question", ["Who built the hall?", "What time does the club close?", "How many boats are there?"]
)
def test_a_text_that_is_silent_is_said_to_be(question: str) -> None:
    """A year is no builder, an opening no closing, and two flags are no count of boats."""
    assert "do not mention" in said(HALL + question)


@pytest.mark.parametrize(
    ("text", "kind"), [("The kettle leaked, so annoying.", "complaint"), ("你们的服务很好，表扬！", "praise")]
)
def test_a_feeling_finds_its_label(text: str, kind: str) -> None:
    """Complaints are negative, praise is positive."""
    labels = {"type": "string", "enum": ["question", "praise", "complaint"]}
    assert json.loads(said(text, schema={"type": "object", "properties": {"kind": labels}, "required": ["kind"]})) == {
        "kind": kind
    }


def test_fields_are_read_by_their_chinese_labels() -> None:
    """所在城市 is said as 城市."""
    fields = {
        "phone": {"type": "string", "description": "电话号码"},
        "city": {"type": "string", "description": "所在城市"},
    }
    schema = {"type": "object", "properties": fields, "required": [*fields]}
    assert json.loads(said("电话：13800001234，城市：苏州。", schema=schema)) == {
        "phone": "13800001234",
        "city": "苏州",
    }


def test_dictated_lines_are_those_with_a_place_to_fill() -> None:
    """Neither the instruction nor an address is a label."""
    form = "Write two lines:\nReading: [what the user wants]\nSearch term: [keywords]\nhttps://example.org/form"
    answer = said(f'The user asks: "Is tap water safe in Singapore?"\n{form}')
    assert [line.split(":")[0] for line in answer.splitlines()] == ["Reading", "Search term"]
    assert answer.endswith("Search term: tap water safe Singapore")


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array", "items": {"enum": [1, 2, 3]}, "minItems": 3, "uniqueItems": True},
        {"oneOf": [{"type": "integer", "minimum": 0}, {"type": "number", "maximum": 10}]},
        {"type": "string", "pattern": r"^[^\s@]+@[^\s@]+\.[a-z]{2,4}$", "minLength": 12},
        {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 0.1},
        {
            "allOf": [
                {"properties": {"a": {"minLength": 2}}, "required": ["a"]},
                {"properties": {"a": {"type": "string"}}},
            ]
        },
        {"anyOf": [{"$ref": "#/$defs/deep"}, {"type": "integer"}], "$defs": {"deep": {"$ref": "#/$defs/deep"}}},
    ],
)
def test_a_small_value_fits(schema: dict[str, Any]) -> None:
    """Values are tried until one fits."""
    assert validator(schema).is_valid(minimal(schema, schema))


def test_a_schema_without_a_value_is_an_error() -> None:
    """It is told at once, also where the search could go on for ever."""
    with pytest.raises(ValueError, match="small"):
        minimal({"anyOf": [{"$ref": "#"}, {"$ref": "#"}]}, {"anyOf": [{"$ref": "#"}, {"$ref": "#"}]})


@pytest.mark.parametrize(
    ("result", "done"), [({"success": True}, True), ({"done": False}, False), ({"ok": "no"}, False)]
)
def test_done_is_said_only_where_the_result_says_so(result: dict[str, Any], done: bool) -> None:
    call = {"function": {"name": "set_light", "arguments": '{"room": "garage"}'}}
    messages = [
        {"role": "user", "content": "Switch off the light in the garage."},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "content": json.dumps(result)},
    ]
    assert complete(render(messages)).startswith("Done (") is done
