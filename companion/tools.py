"""What several lessons give their agents: the weather, a calculator, orders. Plain functions over fixed tables.

They carry no @tool: a lesson decorates them in its own cell. Nothing here asks a network or a clock, and the numbers
are invented. `@breakable` changes nothing until `companion.faults` says so.
"""

import ast
import operator
from collections.abc import Callable
from typing import Any

from companion.lab.faults import breakable

Number = int | float

DAYS = {"today": 0, "tomorrow": 1, "今天": 0, "明天": 1}
CITIES = {
    "曼谷": "Bangkok",
    "北京": "Beijing",
    "上海": "Shanghai",
    "杭州": "Hangzhou",
    "成都": "Chengdu",
    "东京": "Tokyo",
    "巴黎": "Paris",
    "伦敦": "London",
    "奥斯陆": "Oslo",
    "里斯本": "Lisbon",
    "纽约": "New York",
    "悉尼": "Sydney",
    "新加坡": "Singapore",
    "开罗": "Cairo",
}
WEATHER = {  # city: (condition, degrees Celsius) today and tomorrow
    "Bangkok": (("sunny", 31), ("thunderstorms", 29)),
    "Beijing": (("sunny", 24), ("cloudy", 21)),
    "Shanghai": (("cloudy", 26), ("light rain", 23)),
    "Hangzhou": (("light rain", 22), ("sunny", 25)),
    "Chengdu": (("cloudy", 20), ("light rain", 18)),
    "Tokyo": (("sunny", 19), ("sunny", 21)),
    "Paris": (("cloudy", 17), ("light rain", 15)),
    "London": (("light rain", 14), ("cloudy", 16)),
    "Oslo": (("snow", -3), ("sunny", -1)),
    "Lisbon": (("sunny", 23), ("sunny", 24)),
    "New York": (("windy", 12), ("sunny", 15)),
    "Sydney": (("sunny", 27), ("thunderstorms", 22)),
    "Singapore": (("thunderstorms", 30), ("cloudy", 31)),
    "Cairo": (("sunny", 34), ("windy", 32)),
}
ORDERS: dict[str, dict[str, Any]] = {
    "ORD-1001": {"status": "shipped", "item": "blue teapot", "eta": "2 days"},
    "ORD-1002": {"status": "processing", "item": "six engraved cups", "eta": "5 days"},
    "ORD-1003": {"status": "delivered", "item": "green tea, 200 g", "eta": None},
    "ORD-1004": {"status": "cancelled", "item": "bamboo whisk", "eta": None},
    "ORD-1005": {"status": "delayed", "item": "cast-iron kettle", "eta": "9 days"},
    "ORD-1006": {"status": "returned", "item": "tea tray", "eta": None},
}


@breakable
def weather(city: str, day: str = "today") -> dict[str, Any]:
    """Return city, day, condition and temperature in degrees Celsius. Raises LookupError for an unknown city or day.

    >>> weather("曼谷", "明天")
    {'city': 'Bangkok', 'day': 'tomorrow', 'condition': 'thunderstorms', 'temperature_c': 29}
    """
    known = {name.casefold(): name for name in WEATHER} | CITIES
    name = known.get(" ".join(city.split()).casefold().removesuffix("市"))
    if name is None:
        raise LookupError(f"No weather for {city!r}. Known cities: {', '.join(WEATHER)}.")
    at = DAYS.get(day.strip().casefold())
    if at is None:
        raise LookupError(f"No weather for the day {day!r}. Known days: {', '.join(DAYS)}.")
    condition, degrees = WEATHER[name][at]
    return {"city": name, "day": ("today", "tomorrow")[at], "condition": condition, "temperature_c": degrees}


@breakable
def order(order_id: str) -> dict[str, Any]:
    """Return order_id, status, item and eta (None where nothing is on its way). Raises LookupError otherwise.

    >>> order("ORD-1001")
    {'order_id': 'ORD-1001', 'status': 'shipped', 'item': 'blue teapot', 'eta': '2 days'}
    """
    number = order_id.strip().upper()
    if number not in ORDERS:
        raise LookupError(f"No order {order_id!r}. An order number looks like ORD-1001; check it with the customer.")
    return {"order_id": number, **ORDERS[number]}


MAX_LENGTH = 200
MAX_EXPONENT = 1000
MAX_DIGITS = 300
ALLOWED = "Use numbers, + - * / // % ** and parentheses only, for example (2 + 3) * 4."
BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {ast.UAdd: operator.pos, ast.USub: operator.neg}


@breakable
def calculate(expression: str) -> Number:
    """Return the value of an arithmetic expression. Raises ValueError that says what is wrong and what is allowed.

    >>> calculate("(2 + 3) * 4 - 2 ** 3 / 4")
    18.0
    """
    if len(expression) > MAX_LENGTH:
        raise ValueError(f"The expression has {len(expression)} characters, {MAX_LENGTH} are allowed. Split it up.")
    try:
        tree = ast.parse(expression.strip(), mode="eval")
        return value(tree.body)
    except (SyntaxError, UnicodeError, RecursionError, MemoryError):
        raise ValueError(f"Cannot read {expression!r} as arithmetic. {ALLOWED}") from None
    except ZeroDivisionError:
        raise ValueError(f"Division by zero in {expression!r}. Change the divisor.") from None
    except OverflowError:
        raise ValueError(f"The result of {expression!r} is too large. Use smaller numbers.") from None


def value(node: ast.expr) -> Number:
    """The value of one node of the tree; every intermediate result is bounded too."""
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return bounded(number)
        case ast.UnaryOp(op=sign, operand=operand) if type(sign) in UNARY:
            return bounded(UNARY[type(sign)](value(operand)))
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in BINARY:
            return apply(BINARY[type(sign)], value(left), value(right))
    raise ValueError(f"{ast.unparse(node)!r} is not arithmetic. {ALLOWED}")


def apply(operation: Callable[[Any, Any], Any], left: Number, right: Number) -> Number:
    """The result of one operation. A power is measured before it is computed: 9**9**9 would never end."""
    if operation is operator.pow and abs(right) > MAX_EXPONENT:
        raise ValueError(f"The exponent {right} is too large, {MAX_EXPONENT} is the limit. Use a smaller one.")
    return bounded(operation(left, right))


def bounded(number: Any) -> Number:
    """The number, if it is real, finite and at most MAX_DIGITS long. Raises OverflowError or ValueError otherwise."""
    if isinstance(number, complex):
        raise ValueError(f"The root of a negative number is not a real number. {ALLOWED}")
    if not abs(number) < 10**MAX_DIGITS:
        raise OverflowError
    return number  # type: ignore[no-any-return]
