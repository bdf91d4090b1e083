"""Lesson 5: one conversation, two domains: a base state, a subgraph for the weather and one for orders.

What is stored and sent stays small: old turns become a running summary, always whole turns, so that a call and its
result stay or go together. Ready for a checkpointer (threads) and a Store (users).
Left out: a question about both domains at once goes to orders alone.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, pairwise
from typing import Annotated, Any

from langchain.tools import ToolRuntime
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AnyMessage, HumanMessage, RemoveMessage, SystemMessage
from langchain_core.tools import BaseTool, tool
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import InjectedStore, ToolNode, tools_condition
from langgraph.runtime import Runtime
from langgraph.store.base import BaseStore
from langgraph.store.memory import InMemoryStore

from companion.tools import order, weather

MOST, KEPT = 4, 2  # more than MOST turns in the state: all but the last KEPT go into the summary
ASK = "Extend the summary with the conversation above, in at most 100 words. Keep names, numbers and places."
ORDERS = r"(?i)\border|\bord-|订单|快递"
WEATHER = r"(?i)weather|rain|snow|umbrella|warm|cold|degrees|city|\blive|天气|雨|度|住"


@dataclass(frozen=True)
class User:
    """Who is asking: given by the program on every call, never by the model, and not saved."""

    id: str


class Base(MessagesState, total=False):
    """What both domains share: absent until written."""

    summary: str
    topic: str


class WeatherState(Base, total=False):
    """Private to the weather subgraph: what the Store knows of the user."""

    home: str


class OrderState(Base, total=False):
    """Private to the order subgraph: the order numbers named so far."""

    numbers: str


get_weather = tool("get_weather", description="Get the weather of a city, today or tomorrow.")(weather)
get_order = tool("get_order", description="Look up an order by its number, like ORD-1001.")(order)


@tool(description="Remember the user's home city.")
def remember_city(
    city: str, store: Annotated[BaseStore, InjectedStore()], runtime: ToolRuntime[User | None, Any]
) -> str:
    """Save the city for all threads of this user."""
    if runtime.context is None:
        return "Not saved: nobody is signed in."
    store.put(("users", runtime.context.id), "home", {"city": city})
    return f"Saved: {city}."


def turns(messages: Sequence[AnyMessage]) -> list[list[AnyMessage]]:
    """The messages cut before each human message: a turn holds its question, calls, results and answer."""
    starts = [i for i, message in enumerate(messages) if i and message.type == "human"]
    return [list(messages[a:b]) for a, b in pairwise([0, *starts, len(messages)])]


def sent(state: Base) -> list[AnyMessage]:
    """What goes to the model: the summary, where there is one, then the turns that are left."""
    summary = state.get("summary")
    before = [HumanMessage(f"Summary of the earlier conversation: {summary}")] if summary else []
    return [*before, *state["messages"]]


def summarize(state: Base, model: BaseChatModel) -> dict[str, Any]:
    """Too many turns: the old ones are folded into the summary and removed, whole."""
    split = turns(state["messages"])
    if len(split) <= MOST:
        return {}
    old = list(chain(*split[:-KEPT]))
    text = model.invoke([*sent({**state, "messages": old}), HumanMessage(ASK)]).text
    summary = " ".join(text.removeprefix("Summary of the conversation:").split())
    return {"summary": summary, "messages": [RemoveMessage(id=str(message.id)) for message in old]}


def classify(state: Base) -> dict[str, Any]:
    """The topic of the newest message; a follow-up that names none stays with the thread's."""
    words = state["messages"][-1].text
    if re.search(ORDERS, words):
        return {"topic": "orders"}
    return {"topic": "weather"} if "topic" not in state or re.search(WEATHER, words) else {}


def recall(state: WeatherState, runtime: Runtime[User | None]) -> dict[str, Any]:
    """What the Store knows of this user, as a sentence; "" for nothing."""
    who, store = runtime.context, runtime.store
    found = store.get(("users", who.id), "home") if who and store else None
    return {"home": f"The user's home city is {found.value['city']}." if found else ""}


def collect(state: OrderState) -> dict[str, Any]:
    """The order numbers in what will be sent, as a sentence; "" for none."""
    text = " ".join(message.text for message in sent(state)).upper()
    numbers = ", ".join(dict.fromkeys(reversed(re.findall(r"ORD-\d+", text))))
    return {"numbers": f"Orders named so far, the newest first: {numbers}." if numbers else ""}


def domain(state: type, key: str, prepare: Callable[..., Any], tools: list[BaseTool], model: BaseChatModel) -> Any:
    """A subgraph: `prepare` fills the private `key`, which the model is told; then the loop of model and tools."""
    bound = model.bind_tools(tools)

    def call_model(state: Any) -> dict[str, Any]:
        known = [SystemMessage(state[key])] if state[key] else []
        return {"messages": [bound.invoke([*known, *sent(state)])]}

    builder: StateGraph[Any, User, Any, Any] = StateGraph(state, context_schema=User)
    builder.add_node("prepare", prepare).add_node("model", call_model)
    builder.add_node("tools", ToolNode(tools, handle_tool_errors=LookupError))
    builder.add_edge(START, "prepare").add_edge("prepare", "model").add_edge("tools", "model")
    return builder.add_conditional_edges("model", tools_condition).compile()


def build(
    model: BaseChatModel, checkpointer: BaseCheckpointSaver[Any] | None = None, store: BaseStore | None = None
) -> CompiledStateGraph[Base, User, Base, Base]:
    """Return the compiled graph. Pass `context=User(id)` on each call, and a thread_id where there is a checkpointer.

    Without a store, what users ask to remember lives as long as the graph.
    """
    builder = StateGraph(Base, context_schema=User)
    builder.add_node("summarize", partial(summarize, model=model)).add_node("classify", classify)
    builder.add_node("weather", domain(WeatherState, "home", recall, [get_weather, remember_city], model))
    builder.add_node("orders", domain(OrderState, "numbers", collect, [get_order], model))
    builder.add_edge(START, "summarize").add_edge("summarize", "classify")
    builder.add_conditional_edges("classify", lambda state: state["topic"], ["weather", "orders"])
    builder.add_edge("weather", END).add_edge("orders", END)
    return builder.compile(checkpointer=checkpointer, store=store or InMemoryStore())
