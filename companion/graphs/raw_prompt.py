"""Lesson 3: the `add` agent, the smallest loop of a model and a tool."""

from typing import Annotated, Any, TypedDict

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AnyMessage
from langchain_core.tools import tool
from langgraph.graph import START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import ToolNode, tools_condition


class State(TypedDict):
    """The conversation; new messages are added to the old ones."""

    messages: Annotated[list[AnyMessage], add_messages]


@tool
def add(a: int, b: int) -> int:
    """add two int number"""
    return a + b


def build(model: BaseChatModel) -> CompiledStateGraph[State, None, State, State]:
    """Return the compiled agent. Give `recursion_limit` in the config of each run."""
    with_tools = model.bind_tools([add])

    def chatbot(state: State) -> dict[str, Any]:
        return {"messages": [with_tools.invoke(state["messages"])]}

    builder = StateGraph(State)
    builder.add_node("chatbot", chatbot)
    builder.add_node("tools", ToolNode([add]))
    builder.add_edge(START, "chatbot")
    builder.add_conditional_edges("chatbot", tools_condition)
    builder.add_edge("tools", "chatbot")
    return builder.compile()
