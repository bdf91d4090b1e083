"""Values out of words: numbers, dates, durations, currencies, names, as they come out of the front door."""

import json
from typing import Any

import pytest
from lab_client import tool

from companion.lab.parser import parse
from companion.lab.prompt import render
from companion.lab.reader import complete

TODAY = "Today is Wednesday, 2031-06-04."


USER = tool("lookup_user", "Look up a user account by username.", username="string: The username")
MONEY = tool(
    "convert_currency",
    "Convert an amount of money from one currency to another.",
    amount="number: Amount of money",
    from_currency="string: ISO currency code",
    to_currency="string: ISO currency code",
)
UNITS = tool(
    "convert_units",
    "Convert a value between units of measurement.",
    value="number: The value",
    from_unit="string: Unit to convert from",
    to_unit="string: Unit to convert to",
)
TIMER = tool("set_timer", "Set a countdown timer.", minutes="integer: Length in minutes")
SECONDS = tool("set_timer", "Start a timer.", seconds="integer: Duration in seconds")
ALARM = tool("set_alarm", "Set an alarm.", time="string: Time in HH:MM, 24-hour")
TASK = tool("add_reminder", "Add a reminder.", task="string: What to do", date="string: Date YYYY-MM-DD")
ROOM = tool(
    "book_room",
    "Book a meeting room.",
    room="string: Room name",
    start="string: Start time HH:MM",
    end="string: End time HH:MM",
)
FORECAST = tool(
    "get_forecast", "Get a weather forecast for a city.", city="string: City", days="integer: Number of days"
)
TRAIN = tool("next_train", "Next train between two stations.", origin="string", destination="string")
TICKET = tool("open_ticket", "Open a support ticket.", problem="string: What is wrong")
BATTERY = tool("battery_level", "Battery level of a device.", device="string")
MEAL = tool("order_dish", "点一道菜。", dish="string: 菜名", portions="integer: 份数", spicy="boolean: 是否要辣")
RELEASE = tool("deploy", "Deploy a service.", service="string", version="string")
PARCEL = tool("track_parcel", "Track a parcel.", parcel_id="string")
DICE = tool("roll_dice", "Roll dice.", count="integer: Number of dice", sides="integer: Sides of each die")
DISH = {"type": "object", "properties": {"name": {"type": "string"}, "quantity": {"type": "integer"}}}
DISHES = tool(
    "place_order", "下外卖订单。", items={"type": "array", "items": {**DISH, "required": ["name", "quantity"]}}
)
ADMIN = tool(
    "create_user",
    "Create a user account.",
    username="string: Login name",
    admin={"type": "boolean", "description": "Whether the user is an administrator"},
)

EXCHANGES = [
    ("Change 30 British pounds into US dollars", 30, "GBP", "USD"),
    ("How many Swiss francs do I get for 250 Canadian dollars?", 250, "CAD", "CHF"),
    ("What are 45 Indian rupees worth in Turkish lira?", 45, "INR", "TRY"),
    ("Convert a hundred and fifty dollars to pounds", 150, "USD", "GBP"),
    ("100港币等于多少新台币？", 100, "HKD", "TWD"),
]
CASES: list[tuple[dict[str, Any], str, dict[str, Any]]] = [
    (USER, "Show me the account of user dev_ops42.", {"username": "dev_ops42"}),
    (USER, "查一下用户 li_ming 的账户", {"username": "li_ming"}),
    (UNITS, "3.5 feet in centimetres", {"value": 3.5, "from_unit": "feet", "to_unit": "centimetres"}),
    (UNITS, "把10英里换算成公里", {"value": 10, "from_unit": "英里", "to_unit": "公里"}),
    (TIMER, "Remind me when 5 minutes are over", {"minutes": 5}),
    (TIMER, "Give me a shout when half an hour is up", {"minutes": 30}),
    (TIMER, "Set a timer for an hour and twenty minutes", {"minutes": 80}),
    (TIMER, "5分钟后叫我", {"minutes": 5}),
    (SECONDS, "Start a timer of 1 h 30 min", {"seconds": 5400}),
    (SECONDS, "倒计时一分半", {"seconds": 90}),
    (ALARM, "Wake me up at quarter to seven", {"time": "06:45"}),
    (ALARM, "Alarm at ten past nine", {"time": "09:10"}),
    (ALARM, "Set an alarm for six thirty", {"time": "06:30"}),
    (ALARM, "Set an alarm for 7 in the evening", {"time": "19:00"}),
    (ALARM, "明早七点一刻叫我起床", {"time": "07:15"}),
    (TASK, "Remind me to water the plants in three days", {"task": "water the plants", "date": "2031-06-07"}),
    (TASK, "下周五提醒我交报告", {"task": "交报告", "date": "2031-06-13"}),
    (ROOM, "下午两点到四点订枫叶会议室", {"room": "枫叶", "start": "14:00", "end": "16:00"}),
    (FORECAST, "I need the forecast for Porto, a week ahead", {"city": "Porto", "days": 7}),
    (FORECAST, "成都未来五天的天气", {"city": "成都", "days": 5}),
    (DICE, "Roll two six-sided dice", {"count": 2, "sides": 6}),
    (DISHES, "我要2份炒饭和1份汤", {"items": [{"quantity": 2, "name": "炒饭"}, {"quantity": 1, "name": "汤"}]}),
    (ADMIN, "Create the account mira_k, not an administrator", {"username": "mira_k", "admin": False}),
    (TRAIN, "When does the train from Ghent to Bruges leave?", {"origin": "Ghent", "destination": "Bruges"}),
    (TICKET, "Open a ticket: the lift at the back door sticks", {"problem": "the lift at the back door sticks"}),
    (BATTERY, "How full is the battery of the floor cleaner?", {"device": "floor cleaner"}),
    (MEAL, "点两份炒面，不要辣", {"dish": "炒面", "portions": 2, "spicy": False}),
    (RELEASE, "Deploy search-api 3.2.0", {"service": "search-api", "version": "3.2.0"}),
    (PARCEL, "包裹2031-118到哪了", {"parcel_id": "2031-118"}),
]
CASES += [
    (MONEY, said, {"amount": amount, "from_currency": source, "to_currency": target})
    for said, amount, source, target in EXCHANGES
]


@pytest.mark.parametrize(("offered", "said", "arguments"), CASES, ids=[said for _, said, _ in CASES])
def test_value(offered: dict[str, Any], said: str, arguments: dict[str, Any]) -> None:
    """One call, with the values that were said."""
    messages = [{"role": "system", "content": TODAY}, {"role": "user", "content": said}]
    calls = parse(complete(render(messages, [offered]))).tool_calls
    assert [json.loads(call.arguments) for call in calls] == [arguments]
