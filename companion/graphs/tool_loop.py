"""Lesson 4: the loop of a model and its tools, with an answer for every call, whatever happens.

`build` is the weather-and-calculator agent, `build_search_agent` the same loop around one search. Left out, on
purpose: retries, a limit on time, and a person who is asked first.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Literal

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage, InvalidToolCall, RemoveMessage, ToolCall, ToolMessage
from langchain_core.tools import BaseTool, ToolException, tool
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.graph.state import CompiledStateGraph
from langgraph.managed import RemainingSteps
from langgraph.prebuilt import ToolNode, tools_condition
from tavily import TavilyClient

from companion.graphs.fixed_workflow import NOTICES, PROBLEMS, status_of
from companion.tools import calculate, weather

ROUND = 3  # steps that one more round needs after the model: the tools, the answer, and one to notice the end
REPEATS = 2  # the same error so often in a row, and no further call runs
UNREADABLE = "Not run: {} is cut off, or no JSON. Write the call again."
LOST = "No result: the run broke off. Whether the tool did anything is not known."


class State(MessagesState):
    """The conversation, and how many steps the run has left."""

    remaining_steps: RemainingSteps


Graph = CompiledStateGraph[State, None, State, State]
Saver = BaseCheckpointSaver[Any] | None


@tool
def get_weather(city: str, day: Literal["today", "tomorrow"] = "today") -> dict[str, Any]:
    """Get the weather of a city: condition and temperature in degrees Celsius."""
    try:
        return weather(city, day)
    except LookupError as error:
        raise ToolException(str(error)) from error


@tool
def calculator(expression: str) -> str:
    """Evaluate an arithmetic expression such as (2 + 3) * 4. Use + - * / // % ** and parentheses."""
    try:
        return str(calculate(expression))
    except ValueError as error:
        raise ToolException(str(error)) from error


def search_tool(client: TavilyClient) -> BaseTool:
    """Return a search whose failures tell the model what to do next: three situations, three texts."""

    @tool
    def web_search(query: str) -> list[dict[str, Any]] | str:
        """Search the web for facts. Not needed for small talk."""
        try:
            found = client.search(query=query, search_depth="basic", max_results=3)["results"]
        except tuple(PROBLEMS) as problem:
            raise ToolException(NOTICES[status_of(problem)].format(search_error=problem)) from problem
        return [{key: hit[key] for key in ("title", "url", "content")} for hit in found] or f"No results for {query!r}."

    return web_search


def explain(error: ToolException) -> str:
    """What the model reads about bad arguments and about failures a tool foresaw. The type decides: bugs leave."""
    return str(error)


def calls_of(message: AnyMessage) -> list[ToolCall | InvalidToolCall]:
    """All calls of a message, also those whose arguments cannot be read, in the order they are sent."""
    return [*message.tool_calls, *message.invalid_tool_calls] if isinstance(message, AIMessage) else []


def complete(messages: Sequence[AnyMessage]) -> list[AnyMessage]:
    """The messages with each call followed by its results, in order: lost results made up for, orphans gone."""
    results = defaultdict(list)
    for message in messages:
        if isinstance(message, ToolMessage):
            results[message.tool_call_id].append(message)
    whole: list[AnyMessage] = []
    for message in messages:
        if not isinstance(message, ToolMessage):
            whole.append(message)
            for call in calls_of(message):
                found = results[call["id"] or ""]
                whole.append(found.pop(0) if found else failure(call, LOST))
    return whole


def failure(call: ToolCall | InvalidToolCall, text: str) -> ToolMessage:
    """An error message that answers a call."""
    return ToolMessage(text, tool_call_id=call["id"] or "", name=call["name"], status="error")


def cut_off(message: AIMessage) -> bool:
    """Whether the server did not say that its answer is whole: the length limit, or a stream that broke."""
    told = message.response_metadata
    return bool(told) and told.get("finish_reason") not in ("stop", "tool_calls")


def doubtful(message: AIMessage) -> list[Any]:
    """The calls that must not run: arguments that are no JSON, or all calls of an answer that was cut off.

    LangChain completes what a stream cut off, so there a cut call looks sound.
    """
    return calls_of(message) if cut_off(message) else message.invalid_tool_calls


def unreadable(state: State) -> dict[str, Any]:
    """Answer the doubtful calls. What the model wrote is kept, and no tool is run."""
    last: Any = state["messages"][-1]
    return {"messages": [failure(call, UNREADABLE.format(repr(call["args"]))) for call in doubtful(last)]}


def route(state: State) -> str | list[str]:
    """Where the model's message leads; one with sound and doubtful calls leads to both nodes."""
    last: Any = state["messages"][-1]
    if refused := doubtful(last):
        return "unreadable" if len(refused) == len(calls_of(last)) else ["unreadable", "tools"]
    return tools_condition(state["messages"])


def stopped(messages: Sequence[AnyMessage], remaining_steps: int) -> AIMessage | None:
    """The answer in place of further calls: when no steps are left, or when the same error came back."""
    spoken = [n for n, m in enumerate(messages) if m.type != "tool" and not calls_of(m)]
    results = [message for message in messages[max(spoken, default=0) :] if isinstance(message, ToolMessage)]
    newest = [(message.status, message.text) for message in results[-REPEATS:]]
    if remaining_steps < ROUND:
        why = "no steps are left for another tool call"
    elif len(newest) == REPEATS and set(newest) == {("error", newest[0][1])}:
        why = f"the same error came back {REPEATS} times"
    else:
        return None
    told = "\n".join(dict.fromkeys(f"- {message.name}: {message.text}" for message in results))
    return AIMessage(f"I stopped, because {why}. What the tools said:\n{told or '- nothing'}")


def build(model: BaseChatModel, checkpointer: Saver = None) -> Graph:
    """Return the weather-and-calculator agent. Give `recursion_limit` in the config of each run."""
    return loop(model, [get_weather, calculator], checkpointer)


def build_search_agent(model: BaseChatModel, client: TavilyClient, checkpointer: Saver = None) -> Graph:
    """Return the agent that may search, or not. Give `recursion_limit` in the config of each run."""
    return loop(model, [search_tool(client)], checkpointer)


def loop(model: BaseChatModel, tools: Sequence[BaseTool], checkpointer: Saver = None) -> Graph:
    """Return the compiled loop around any tools."""
    bound = model.bind_tools(tools)

    def call_model(state: State) -> dict[str, Any]:
        messages = complete(state["messages"])
        reply = bound.invoke(messages)
        if calls_of(reply):
            reply = stopped(messages, state["remaining_steps"]) or reply
        if messages == state["messages"]:
            return {"messages": [reply]}
        return {"messages": [RemoveMessage(REMOVE_ALL_MESSAGES), *messages, reply]}

    builder = StateGraph(State).add_node("model", call_model)
    builder.add_node("tools", ToolNode(tools, handle_tool_errors=explain)).add_node("unreadable", unreadable)
    builder.add_edge(START, "model").add_edge("tools", "model").add_edge("unreadable", "model")
    builder.add_conditional_edges("model", route, ["tools", "unreadable", END])
    return builder.compile(checkpointer=checkpointer)
