"""The parts the claim tests share: a model that answers from a list, its messages, two ways to build a graph."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable, RunnableConfig
from langchain_core.tools import BaseTool, tool
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from pydantic import Field

ONE: RunnableConfig = {"configurable": {"thread_id": "one"}}
TWO: RunnableConfig = {"configurable": {"thread_id": "two"}}


@tool
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def asks(*wanted: tuple[str, dict[str, Any]]) -> AIMessage:
    """A model's message with tool calls c1, c2, ... : `asks(("add", {"a": 1, "b": 1}))`."""
    numbered = enumerate(wanted, 1)
    return AIMessage("", tool_calls=[{"name": name, "args": args, "id": f"c{n}"} for n, (name, args) in numbered])


def one_plus_one() -> AIMessage:
    """A call of add(1, 1), new each time: a graph writes an id into a message it is given."""
    return asks(("add", {"a": 1, "b": 1}))


class Scripted(BaseChatModel):
    """Answers from `script`, its last item again and again: a message, an exception to raise, or a function."""

    script: list[Any]
    seen: list[list[BaseMessage]] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Runnable[Any, AIMessage]:
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], **kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        self.seen.append(list(messages))
        item = self.script[min(len(self.seen), len(self.script)) - 1]
        if isinstance(item, Exception):
            raise item
        answer = item(messages) if callable(item) else item.model_copy(deep=True)
        return ChatResult(generations=[ChatGeneration(message=answer)])


def loop(
    model: BaseChatModel, tools: Sequence[BaseTool], node: Any = None, **compile_options: Any
) -> CompiledStateGraph[Any, Any, Any, Any]:
    """The agent graph: model -> tools -> model, until the model calls nothing."""
    bound = model.bind_tools(tools)
    builder = StateGraph(MessagesState)
    builder.add_node("model", lambda state: {"messages": [bound.invoke(state["messages"])]})
    builder.add_node("tools", node or ToolNode(tools))
    builder.add_edge(START, "model")
    builder.add_conditional_edges("model", tools_condition)
    builder.add_edge("tools", "model")
    return builder.compile(**compile_options)


def line(state: type, checkpointer: Any = None, **nodes: Callable[..., Any]) -> CompiledStateGraph[Any, Any, Any, Any]:
    """START -> the named nodes in a row -> END."""
    builder = StateGraph(state)
    for name, function in nodes.items():
        builder.add_node(name, function)
    for start, end in zip([START, *nodes], [*nodes, END], strict=True):
        builder.add_edge(start, end)
    return builder.compile(checkpointer=checkpointer)


def spinning() -> CompiledStateGraph[Any, Any, Any, Any]:
    """A graph that never ends by itself."""
    builder = StateGraph(MessagesState)
    builder.add_node("a", lambda state: {})
    builder.add_edge(START, "a")
    builder.add_edge("a", "a")
    return builder.compile()


def patient(**options: Any) -> CompiledStateGraph[Any, Any, Any, Any]:
    """A graph whose async node waits to be stopped, ten seconds at most; `options` are the node's."""

    async def wait(state: MessagesState) -> None:
        await asyncio.sleep(10)

    builder = StateGraph(MessagesState)
    builder.add_node("wait", wait, **options)
    builder.add_edge(START, "wait")
    return builder.compile()


def contents(state: dict[str, Any]) -> list[Any]:
    """The content of each message of a result."""
    return [message.content for message in state["messages"]]


def types(messages: Sequence[BaseMessage]) -> list[str]:
    """The type of each message: human, ai, tool."""
    return [message.type for message in messages]
