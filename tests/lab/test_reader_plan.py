"""Which calls a request needs: sums over results, corrections, follow-ups, thanks, and what the system text states."""

import json
from typing import Any

import pytest
from lab_client import tool

from companion.lab.parser import parse
from companion.lab.prompt import render
from companion.lab.reader import complete

Messages = list[dict[str, Any]]


TOOLS = {
    made["function"]["name"]: made
    for made in (
        tool("get_weather", "Get the current weather for a city.", city="string"),
        tool("local_time", "Get the local time in a city.", city="string"),
        tool("add", "Add two numbers.", a="number", b="number"),
        tool("multiply", "Multiply two numbers.", a="number", b="number"),
        tool("divide", "Divide a by b.", a="number", b="number"),
        tool("modulo", "Return the remainder of a divided by b.", a="number", b="number"),
        tool("subtract", "Subtract b from a.", a="number", b="number"),
        tool("calculator", "Evaluate an arithmetic expression.", expression="string"),
        tool("get_price", "Get the price of a product.", product="string"),
        tool("add_to_cart", "Add a product to the shopping cart.", product="string", quantity="integer"),
        tool("search", "A search engine with trusted results.", query="string"),
        tool("remember_city", "Remember the city the user lives in.", city="string"),
        tool("get_order", "Look up an order.", order_id="string"),
        tool("set_timer", "Set a timer.", minutes="integer"),
        tool("find_flight", "Find the flight id for a route.", origin="string", destination="string"),
        tool("flight_status", "Status of a flight by its id.", flight_id="string"),
        tool("read_file", "Read a file.", path="string"),
        tool("show_booking", "Show the details of a booking.", booking_id="string"),
        tool("cancel_booking", "Cancel a booking.", booking_id="string"),
        tool("delete_file", "Delete a file.", path="string"),
        tool("send_message", "Send a message to a contact.", recipient="string", message="string"),
        tool("reserve_table", "Reserve a table at a restaurant.", restaurant="string", people="integer"),
    )
}


def user(text: str) -> dict[str, Any]:
    """A user message."""
    return {"role": "user", "content": text}


def done(result: str, name: str, **arguments: Any) -> Messages:
    """A call and its result."""
    function = {"name": name, "arguments": json.dumps(arguments)}
    return [
        {"role": "assistant", "content": None, "tool_calls": [{"function": function}]},
        {"role": "tool", "content": result},
    ]


def calls(messages: Messages, *names: str) -> list[tuple[str, Any]]:
    """What the reader calls, in order."""
    parsed = parse(complete(render(messages, [TOOLS[name] for name in names])))
    return [(call.name, json.loads(call.arguments)) for call in parsed.tool_calls]


CAIRO = "What is the weather in Cairo? Multiply the temperature by 2."
WEATHER = [
    user("Weather in Oslo?"),
    *done("4 degrees", "get_weather", city="Oslo"),
    {"role": "assistant", "content": "4."},
]
GAP = "What is the difference between the temperature in Oslo and in Rome?"
FLIGHT = "Is the flight from Rome to Oslo on time?"


@pytest.mark.parametrize(
    ("messages", "names", "wanted"),
    [
        ([user(CAIRO)], "get_weather multiply", [("get_weather", {"city": "Cairo"})]),
        (
            [user(CAIRO), *done('{"city": "Cairo", "temperature_c": 31}', "get_weather", city="Cairo")],
            "get_weather multiply",
            [("multiply", {"a": 31, "b": 2})],
        ),
        ([user("twice the temperature in Cairo")], "get_weather calculator", [("get_weather", {"city": "Cairo"})]),
        (
            [user(GAP), *done("4", "get_weather", city="Oslo"), *done("24", "get_weather", city="Rome")],
            "get_weather subtract",
            [("subtract", {"a": 4, "b": 24})],
        ),
        (
            [user("Add the price of the mug and the price of the lamp.")],
            "get_price add",
            [("get_price", {"product": "mug"}), ("get_price", {"product": "lamp"})],
        ),
        ([user("Add 3 mugs to my cart")], "add_to_cart add", [("add_to_cart", {"product": "mugs", "quantity": 3})]),
        ([user("查一下北京的气温，然后乘以2")], "get_weather multiply", [("get_weather", {"city": "北京"})]),
        ([user("1+1 and 23*47")], "add", [("add", {"a": 1, "b": 1})]),
    ],
)
def test_sums_over_results(messages: Messages, names: str, wanted: list[Any]) -> None:
    """A sum with a number that a tool has to bring waits for it."""
    assert calls(messages, *names.split()) == wanted


def test_what_no_tool_can_do_is_said() -> None:
    """With `add` alone, 1+1 is added and 23*47 is refused in words."""
    text = complete(render([user("1+1 and 23*47"), *done("2", "add", a=1, b=1)], [TOOLS["add"]]))
    assert "2" in text and "cannot multiply" in text


@pytest.mark.parametrize(
    ("text", "names", "wanted"),
    [
        ("Weather in Rome, sorry, I mean Oslo?", "get_weather", [("get_weather", {"city": "Oslo"})]),
        ("查一下北京，不对，上海的天气", "get_weather", [("get_weather", {"city": "上海"})]),
        ("Set a timer for 5 minutes. No, make it 10.", "set_timer", [("set_timer", {"minutes": 10})]),
        ("Tell me about museums in Paris", "get_weather search", [("search", {"query": "museums in Paris"})]),
        (
            "Booking B-310 has to be cancelled.",
            "show_booking cancel_booking",
            [("cancel_booking", {"booking_id": "B-310"})],
        ),
        ("What is the remainder when 29 is divided by 6?", "divide modulo", [("modulo", {"a": 29, "b": 6})]),
        ("29除以6的余数是多少？", "divide modulo", [("modulo", {"a": 29, "b": 6})]),
        ("It is 4 percent over six years, from 01/02/2031.", "calculator", []),
        ("Write a short birthday wish for Ana.", "send_message", []),
        ("请记住我住在杭州。", "remember_city", [("remember_city", {"city": "杭州"})]),
        ("What is in notes.txt?", "delete_file read_file", [("read_file", {"path": "notes.txt"})]),
        ("Don't check the weather, just say hi.", "get_weather", []),
        ("Tell Ana that I'm late", "send_message", [("send_message", {"recipient": "Ana", "message": "I'm late"})]),
        ("A table for two at Bo's", "reserve_table", [("reserve_table", {"restaurant": "Bo's", "people": 2})]),
        (
            "the weather in Malmö and the time in Athens",
            "local_time get_weather",
            [("get_weather", {"city": "Malmö"}), ("local_time", {"city": "Athens"})],
        ),
        (
            "Send Ana the message 'What's your name? Call me.'",
            "send_message",
            [("send_message", {"recipient": "Ana", "message": "What's your name? Call me."})],
        ),
        (FLIGHT, "find_flight flight_status", [("find_flight", {"origin": "Rome", "destination": "Oslo"})]),
    ],
)
def test_single_requests(text: str, names: str, wanted: list[Any]) -> None:
    """Corrections hold, refusals count, and a tool is known by what the text holds."""
    assert calls([user(text)], *names.split()) == wanted


@pytest.mark.parametrize(
    "text", ["Thank you!", "Thanks, that helps", "well?", "Interesting.", "谢谢！", "Summarise this talk"]
)
def test_thanks_are_no_follow_up(text: str) -> None:
    """Only what names a new value repeats the last call."""
    assert calls([*WEATHER, user(text)], "get_weather") == []
    assert calls([*WEATHER, user("and Bergen?")], "get_weather") == [("get_weather", {"city": "Bergen"})]


@pytest.mark.parametrize(
    ("system", "text", "names", "wanted"),
    [
        (
            "The current order is ORD-1042.",
            "Where is my order?",
            "get_order",
            [("get_order", {"order_id": "ORD-1042"})],
        ),
        ("Ann Lee, order number 88213.", "Where is my order?", "get_order", [("get_order", {"order_id": "88213"})]),
        ("User lives in Turin.", "Do I need a coat?", "get_weather", [("get_weather", {"city": "Turin"})]),
    ],
)
def test_system_text_is_read(system: str, text: str, names: str, wanted: list[Any]) -> None:
    """What the system text states fills what the user left out."""
    assert calls([{"role": "system", "content": system}, user(text)], names) == wanted


def test_a_found_id_is_used() -> None:
    """The second tool of a chain is called with what the first has found."""
    messages = [user(FLIGHT), *done('{"flight_id": "RO-310"}', "find_flight", origin="Rome", destination="Oslo")]
    assert calls(messages, "find_flight", "flight_status") == [("flight_status", {"flight_id": "RO-310"})]


@pytest.mark.parametrize(
    "text", ["1+" * 999 + "1", "(" * 1900, "2^" * 900 + "2", "half of " * 240 + "3", "相加", "上海和北京的气温相加"]
)
def test_odd_sums_end(text: str) -> None:
    """No chain of operators is too long to be read, and no list of numbers too short."""
    assert complete(render([user(text)], [TOOLS["calculator"]]))


@pytest.mark.parametrize("text", ["And what about the blue one?", "Do the same for the other one.", "那一个呢？"])
def test_what_points_at_nothing_is_asked_for(text: str) -> None:
    """A first message that points back is answered with a question, after a call it is a follow-up."""
    assert complete(render([user(text)], [TOOLS["get_price"]])).endswith(("?", "？"))
    again = user("Do the same for Bergen")
    assert calls([*WEATHER, again], "get_weather") == [("get_weather", {"city": "Bergen"})]


@pytest.mark.parametrize("names", [["get_weather"], ["get_weather", "local_time"]])
def test_forced_calls_are_as_many_as_asked_for(names: list[str]) -> None:
    """A grammar that wants a call lets the model write several."""
    prompt = render([user("Weather in Oslo and Rome")], [TOOLS[name] for name in names])
    made = [json.loads(call.arguments) for call in parse(complete(prompt, force=names)).tool_calls]
    assert made == [{"city": "Oslo"}, {"city": "Rome"}]
