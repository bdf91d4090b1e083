"""Lesson 6: a travel assistant that ends every run with something true, whatever its model, search and tools do.

Errors of tools become text for the model, errors of the model lead to a fallback node; what is left is for `chat.py`.
Left out: the person who approves a tool's effect (lesson 7).
"""

import json
import re
from collections.abc import Sequence
from typing import Any, Literal

import httpx2 as httpx
import openai
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage
from langchain_core.tools import BaseTool, ToolException
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.errors import NodeError
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.managed import RemainingSteps
from langgraph.prebuilt import ToolNode, tools_condition
from langgraph.runtime import Runtime
from langgraph.types import Command, RetryPolicy
from pydantic import BaseModel
from tavily import TavilyClient

from companion.graphs.chat import UnusableError, turn, usable, why
from companion.graphs.tool_loop import calculator, calls_of, complete, failure, get_weather, search_tool

Topic = Literal["travel", "chat"]

PASSING = (
    openai.RateLimitError,
    openai.InternalServerError,
    openai.APIConnectionError,
    httpx.TransportError,
    UnusableError,
)
MODEL_ERRORS = (openai.OpenAIError, httpx.TransportError, UnusableError)
RETRY = RetryPolicy(max_attempts=3, initial_interval=0.5, retry_on=PASSING)

ROUNDS, REPEATS, TOKENS = 6, 2, 20_000  # a turn: tool rounds, the same call so often, tokens read and written
LAST_STEPS = 4  # the tools, the model, the fallback, the end: with fewer left no further call starts

STRONG: dict[Topic, str] = {
    "travel": r"(?i)\bweather\b|\bforecast\b|\d\s*[-+*/]\s*\d|\bsearch\b|\btap water\b|天气|多少度",
    "chat": r"(?i)^\s*(hi|hello|thanks|thank you|你好|谢谢)\W*$",
}
WEAK = r"(?i)\bhow are you\b|\bwho are you\b|\bjoke\b|\bhi\b|\bhello\b|\bthank|你好|谢谢|你是谁"
SORT = "Is the message small talk (chat), or does it need facts, weather or a calculation (travel)?"
CONTROL = re.compile(r"<(?=\||/?(?:tool_call|tool_response|think)>)")
AGAIN = "Your last reply could not be used. Write the tool call again, whole and well formed, or answer in words."


class State(MessagesState):
    """The conversation; whether tools may be needed; why there will be no answer, "" while all is well."""

    remaining_steps: RemainingSteps
    topic: Topic
    problem: str


class Sorted(BaseModel):
    """What the model says about a message."""

    topic: Topic


def explain(error: Exception) -> str:
    """What the model reads: bad arguments, foreseen failures, passing ones. Raises all others: they are bugs."""
    if isinstance(error, ToolException):
        return str(error)
    if isinstance(error, ConnectionError | TimeoutError):
        return f"The service did not answer ({type(error).__name__}). Try once more, or go on without it."
    raise error


def sort(text: str, model: BaseChatModel) -> Topic:
    """The model's opinion; where it has none that can be read, weak words decide, and in doubt the tools are bound."""
    try:
        said = model.with_structured_output(Sorted).invoke([SystemMessage(SORT), HumanMessage(defused(text))])
        return Sorted.model_validate(said).topic
    except (*MODEL_ERRORS, ValueError):
        return "chat" if re.search(WEAK, text) else "travel"


def defused(text: str) -> str:
    """The text with a space in each control token, so that none opens or closes a message of the prompt.

    >>> defused("<|im_end|> a < b")
    '< |im_end|> a < b'
    """
    return CONTROL.sub("< ", text)


def sent(messages: Sequence[AnyMessage]) -> list[AnyMessage]:
    """What the model reads: each call with its result, and no control token from a user or a tool."""
    return [
        each.model_copy(update={"content": defused(each.text)}) if each.type in ("human", "tool") else each
        for each in complete(messages)
    ]


def signature(call: Any) -> str:
    """Tool and arguments as one text, the same whatever the order of the keys."""
    return json.dumps([call["name"], call["args"]], sort_keys=True, ensure_ascii=False)


def halt(state: State, reply: AIMessage, effects: Sequence[str]) -> str:
    """Why the calls of a reply must not run; "" where they may. `effects` are tools that change something."""
    before, asked = turn(state["messages"]), calls_of(reply)
    rounds = sum(bool(calls_of(message)) for message in before)
    made = [signature(call) for message in before for call in calls_of(message)]
    usage = [getattr(message, "usage_metadata", None) or {} for message in [*before, reply]]
    spent = sum(used.get("total_tokens", 0) for used in usage)
    again = any(made.count(signature(call)) >= REPEATS for call in asked)
    spoken = any(message.type == "tool" for message in state["messages"])
    effect = spoken and any(call["name"] in effects for call in asked)
    limits = {
        f"the limit of {ROUNDS} tool rounds is reached": rounds >= ROUNDS,
        "the limit of steps is reached": state["remaining_steps"] < LAST_STEPS,
        f"the limit of {TOKENS} tokens is reached": spent > TOKENS,
        "the same call was asked for too often": again,
        "an effect was asked for after a tool had spoken": effect,
    }
    return next((limit for limit, reached in limits.items() if reached and asked), "")


def lost(state: State, error: NodeError) -> Command[Any]:
    """The way to the fallback, when the last attempt of the agent has failed. Raises what is a bug."""
    if not isinstance(error.error, MODEL_ERRORS):
        raise error.error
    return Command(goto="fallback", update={"problem": why(error.error)})


def route(state: State) -> str:
    """Where the agent's reply leads. What failed is asked first."""
    return "fallback" if state["problem"] else tools_condition(state["messages"])


def fallback(state: State) -> dict[str, Any]:
    """An answer without the model: what failed, and what the tools had found. Each open call gets its result."""
    messages = state["messages"]
    refused = [failure(call, "Not run: the program ended this turn.") for call in calls_of(messages[-1])]
    found = [f"\n- {message.name}: {message.text}" for message in turn(messages) if message.type == "tool"]
    told = f"\nWhat the tools said:{''.join(dict.fromkeys(found))}" if found else ""
    return {"messages": [*refused, AIMessage(f"I could not finish, because {state['problem']}.{told}")]}


def build(
    model: BaseChatModel,
    client: TavilyClient,
    checkpointer: BaseCheckpointSaver[Any] | None = None,
    retry: RetryPolicy = RETRY,
    effects: Sequence[BaseTool] = (),
) -> CompiledStateGraph[State, None, State, State]:
    """Return the travel assistant. `retry` is for the model; `effects` are further tools, which change something."""
    tools = [get_weather, calculator, search_tool(client), *effects]
    models = {"travel": model.bind_tools(tools), "chat": model}

    def classify(state: State) -> dict[str, Any]:
        text = state["messages"][-1].text
        topic = next((topic for topic, words in STRONG.items() if re.search(words, text)), None)
        return {"topic": topic or sort(text, model), "problem": ""}

    def agent(state: State, runtime: Runtime) -> dict[str, Any]:
        attempt = runtime.execution_info.node_attempt if runtime.execution_info else 1
        hint = [SystemMessage(AGAIN)] if attempt > 1 else []
        reply = usable(models[state["topic"]].invoke([*hint, *sent(state["messages"])]))
        for n, call in enumerate(reply.tool_calls):
            call["id"] = f"call-{len(state['messages'])}-{n}"
        return {"messages": [reply], "problem": halt(state, reply, [tool.name for tool in effects])}

    builder = StateGraph(State)
    builder.add_node("classify", classify)
    builder.add_node("agent", agent, retry_policy=retry, error_handler=lost)
    builder.add_node("tools", ToolNode(tools, handle_tool_errors=explain))
    builder.add_node("fallback", fallback)
    builder.add_edge(START, "classify")
    builder.add_edge("classify", "agent")
    builder.add_conditional_edges("agent", route, ["tools", "fallback", END])
    builder.add_edge("tools", "agent")
    builder.add_edge("fallback", END)
    return builder.compile(checkpointer=checkpointer)
