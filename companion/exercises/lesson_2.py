"""Checks of lesson 2: what @tool makes. Each looks at the wire form first, then runs the tool on unseen arguments."""

import json
from collections.abc import Callable
from typing import Any

from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import BaseTool, ToolException, tool
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from pydantic import ValidationError

from companion.exercises.registry import Wrong, exercise
from companion.lab.schemas import validator


def wire(answer: Any, *names: str) -> dict[str, Any]:
    """What a request says about a tool. Raises Wrong for anything but a tool whose arguments have these names."""
    if not isinstance(answer, BaseTool):
        raise Wrong("a tool", f"a {type(answer).__name__}", "the line @tool above the function")
    function: dict[str, Any] = convert_to_openai_tool(answer)["function"]
    seen = list(function["parameters"]["properties"])
    if sorted(seen) != sorted(names):
        raise Wrong(f"the model sees {list(names)}", f"it sees {seen}", "names and annotations of the parameters")
    return function


@exercise("2.1", "Words for the model")
def track_order(answer: Any) -> None:
    """A description for the tool and one for each argument, and nothing said twice."""
    function = wire(answer, "order_id", "language")
    description = function["description"].strip()
    if len(description) < 6:
        raise Wrong("a description of the tool", repr(description), "the docstring: a blank one passes @tool")
    if "args:" in description.casefold():
        raise Wrong("a description without Args:", description, "section 6: what parse_docstring does")
    for name, schema in function["parameters"]["properties"].items():
        if not schema.get("description", "").strip():
            raise Wrong(f"a description of {name}", f"{name}: {schema}", "section 6, or Field in section 3")
    if function["parameters"].get("required") != ["order_id"]:
        raise Wrong("only order_id required", function["parameters"].get("required"), "the default of language")
    result = answer.invoke({"order_id": "ORD-7"})
    if not isinstance(result, str) or "ORD-7" not in result:
        raise Wrong("a text that names the order ORD-7", repr(result), "the body of the function")


GOOD = (
    {"guests": 1, "area": "inside"},
    {"guests": 8, "area": "terrace", "note": None},
    {"guests": 2, "area": "inside", "note": "靠窗"},
)
BAD: tuple[dict[str, Any], ...] = (
    *({"guests": guests, "area": "inside"} for guests in (0, 9, None)),
    *({"guests": 2, "area": area} for area in ("roof", "Inside")),
    *({"area": "inside"}, {"guests": 2}),
)


@exercise("2.2", "Refuse early")
def reserve(answer: Any) -> None:
    """What the schema tells the model and what Pydantic refuses must be the same."""
    schema = validator(wire(answer, "guests", "area", "note")["parameters"])
    for arguments in GOOD:
        if not schema.is_valid(arguments):
            raise Wrong(
                f"the schema allows {arguments}", "it does not", "what is required, what may be null, which ends count"
            )
        if not accepts(answer, arguments):
            raise Wrong(f"{arguments} accepted", "refused", "the limits: are both ends included?")
    for arguments in BAD:
        if schema.is_valid(arguments):
            look = "limits in a Field or a Literal are sent, those in code or in a docstring are not"
            raise Wrong(f"the schema tells the model that {arguments} is wrong", "it allows it", look)
        if accepts(answer, arguments):
            raise Wrong(f"{arguments} refused", "accepted", "args_schema: is it the one that is sent?")
    if accepts(answer, {"guests": 2, "area": "inside", "children": 3}):
        raise Wrong("an unknown argument, children, refused", "dropped without a word", "section 5: the last two lines")


def accepts(answer: BaseTool, arguments: dict[str, Any]) -> bool:
    """Whether Pydantic lets the arguments through to the function."""
    try:
        answer.invoke(dict(arguments))
    except ValidationError:
        return False
    return True


class UserState(MessagesState):
    """A conversation and who is talking."""

    user: str


@exercise("2.3", "Who is asking?")
def sign(answer: Any) -> None:
    """The user comes from the state of the graph, whatever the model writes."""
    wire(answer, "text")
    for user, text, invented in (("小明", "早上好", {}), ("Grace", "Thanks", {"state": {"user": "Eve"}})):
        right = f"{text} - {user}"
        by_hand = answer.invoke({"text": text, "state": {"user": user}})
        for got in (by_hand, in_a_graph(answer, {"text": text, **invented}, user)):
            if got != right:
                raise Wrong(repr(right), repr(got), "the user must be read from the injected state, on every call")


def in_a_graph(answer: BaseTool, arguments: dict[str, Any], user: str) -> Any:
    """The tool message's content when ToolNode runs the call in a graph of this user."""
    builder = StateGraph(UserState).add_node("tools", ToolNode([answer])).add_edge(START, "tools")
    asked = AIMessage("", tool_calls=[{"name": answer.name, "args": arguments, "id": "call_1"}])
    return builder.compile().invoke({"messages": [asked], "user": user})["messages"][-1].content


@tool
def wipe(older_than_days: int = 0) -> str:
    """Delete notes."""
    if older_than_days < 0:
        raise ToolException("no negative age")
    return f"wiped {1000 // (older_than_days - 13)}"


@tool
def visit(city: str, nights: int = 1) -> str:
    """Visit a city."""
    if city not in ("Oslo", "曼谷"):
        raise LookupError(city)
    return f"{nights * 2} in {city}"


LAYERS: tuple[tuple[BaseTool, str, str], ...] = (
    (wipe, '{"older_than_days": 3', "json"),
    (wipe, "older_than_days=3", "json"),
    (visit, "{'city': 'Oslo'}", "json"),
    (visit, '"Oslo"', "shape"),
    (visit, "[]", "shape"),
    (wipe, "null", "shape"),
    (visit, '{"town": "Oslo"}', "shape"),
    (visit, '{"city": "Oslo", "nights": "many"}', "shape"),
    (visit, '{"city": "Atlantis"}', "fact"),
    (wipe, '{"older_than_days": -1}', "fact"),
    (visit, '{"city": "曼谷", "nights": "2"}', "ok"),
    (wipe, "{}", "ok"),
)


@exercise("2.4", "Three layers by hand")
def judge(answer: Callable[[str, BaseTool], str]) -> None:
    """Each text must be refused by its own layer; an error nobody foresaw must come out."""
    for subject, text, right in LAYERS:
        got = answer(text, subject)
        if got != right:
            raise Wrong(f"{right!r} for {subject.name} with {text!r}", repr(got), HINTS[right])
    try:
        hidden = answer('{"older_than_days": 13}', wipe)
    except ZeroDivisionError:
        return
    raise Wrong("a bug inside a tool (ZeroDivisionError) to come out", repr(hidden), "which exceptions you catch")


HINTS = {
    "json": "text that json.loads cannot read never becomes {}: the tool would run with nothing",
    "shape": "legal JSON may be no object; arguments must go through the tool's schema before the function",
    "fact": "LookupError and ToolException come from the tool, ValidationError does not",
    "ok": "tool.invoke(arguments) converts and fills in defaults",
}


@exercise("2.5", "A result on purpose")
def headlines(answer: Any) -> None:
    """Short JSON text for the model, everything else in the artifact."""
    wire(answer, "topic")
    for topic, titles in (("茶", ["龙井上市", "茶馆开业"]), ("tea", ["It's tea time"]), ("nothing", [])):
        call = {"type": "tool_call", "id": "call_1", "name": answer.name, "args": {"topic": topic}}
        message = answer.invoke(call)
        content = message.content if isinstance(message, ToolMessage) else message
        if not isinstance(content, str):
            raise Wrong("content that is text", repr(content), "section 13: an empty list stays a list")
        if readable(content) != titles:
            raise Wrong(f"JSON text of the titles: {titles}", content, "only titles, and json.dumps instead of str")
        if "\\u" in content:
            raise Wrong("Chinese as it is", content, "section 13: the option of json.dumps that ToolNode uses")
        whole = [{"title": title, "body": title * 50} for title in titles]
        if message.artifact != whole:
            raise Wrong("all that fetch returned as artifact", message.artifact, "the second value of the pair")


def readable(content: str) -> Any:
    """What the JSON text says, None where it is none."""
    try:
        return json.loads(content)
    except ValueError:
        return None
