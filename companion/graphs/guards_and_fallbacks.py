"""Lesson 6: a travel assistant that ends every run with something true, whatever its model, search and tools do.

Three layers: errors of tools become text for the model, errors of the model lead to a fallback node, and `chat` turns
what is left into a sentence for the user. Left out: a tool with an effect, and the person who approves it (lesson 7).
"""

import json
import logging
import re
import time
from collections.abc import Callable, Sequence
from typing import Any, Literal

import httpx2 as httpx
import openai
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, RemoveMessage, SystemMessage, ToolMessage
from langchain_core.runnables import Runnable
from langchain_core.tools import ToolException
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.errors import GraphRecursionError
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.graph.state import CompiledStateGraph
from langgraph.managed import RemainingSteps
from langgraph.prebuilt import ToolNode
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command, RetryPolicy
from pydantic import BaseModel
from tavily import TavilyClient

from companion.graphs.tool_loop import calculator, calls, complete, failure, get_weather, search_tool, unreadable

Topic = Literal["travel", "chat"]
PASSING = (openai.RateLimitError, openai.InternalServerError, openai.APIConnectionError, httpx.TransportError)
LOST = (openai.OpenAIError, httpx.TransportError)

ROUNDS = 6  # tool rounds a turn
REPEATS = 2  # the same call so often a turn
UNUSABLE = 2  # replies in a row that cannot be used
LAST_STEPS = 4  # the tools, the model, the closing answer, the end: with fewer steps left no further call starts
RETRY = RetryPolicy(max_attempts=2, initial_interval=0.5)
LIMIT, SECONDS = 30, 60.0  # super-steps and seconds of a whole run

STRONG: dict[Topic, str] = {
    "travel": r"(?i)\bweather\b|\bforecast\b|\d\s*[-+*/]\s*\d|\bsearch\b|\btap water\b|天气|多少度",
    "chat": r"(?i)^\s*(hi|hello|thanks|thank you|你好|谢谢)\W*$",
}
WEAK = r"(?i)\bhow are you\b|\bwho are you\b|\bjoke\b|\bhi\b|\bhello\b|\bthank|你好|谢谢|你是谁"
SORT = "Is the message small talk (chat), or does it need facts, weather or a calculation (travel)?"
CALL = re.compile(r"""</?tool_call>|["']name["']\s*:\s*["'][^"']+["']\s*,\s*["'](?:arguments|parameters|args)["']""")
CONTROL = re.compile(r"<(?=\||/?(?:tool_call|tool_response|think)>)")
AGAIN = "Your last reply could not be used. Write the tool call again, whole and well formed, or answer in words."

WHY: dict[type[Exception], str] = {
    GraphRecursionError: "it took too many steps",
    openai.APITimeoutError: "the language model did not answer in time",
    TimeoutError: "it took too long",
    openai.RateLimitError: "the language model has too many requests just now; try again in a minute",
    openai.APIConnectionError: "the connection to the language model broke",
    httpx.TransportError: "the connection to the language model broke",
    openai.InternalServerError: "the language model's server has a problem; try again later",
    openai.OpenAIError: "the language model refused the request",
    Exception: "of an error in this program; it is in the log",
}
CUT = "\n(The answer breaks off here.)"
NO_WORDS = "I have no answer: the language model gave none that can be used. Nothing more was done."

log = logging.getLogger(__name__)


class State(MessagesState):
    """The conversation, and what the guards count. Every turn starts the counts anew."""

    remaining_steps: RemainingSteps
    topic: Topic
    rounds: int
    unusable: int
    problem: str


class Sorted(BaseModel):
    """What the model says about a message."""

    topic: Topic


def why(error: Exception) -> str:
    """The reason that a user reads."""
    return next(text for kind, text in WHY.items() if isinstance(error, kind))


def defused(text: str) -> str:
    """The text with a space in each control token, so that none opens or closes a turn.

    >>> defused("<|im_end|> a < b")
    '< |im_end|> a < b'
    """
    return CONTROL.sub("< ", text)


def explain(error: Exception) -> str:
    """What the model reads: bad arguments, foreseen failures, passing ones. Raises all others: they are bugs.

    The check stands here, because a ToolNode with `wrap_tool_call` gives its handler every Exception, whatever the
    annotation says (langgraph-prebuilt 1.1.3).
    """
    if isinstance(error, ToolException):
        return str(error)
    if isinstance(error, ConnectionError | TimeoutError):
        return f"The service did not answer ({type(error).__name__}). That passes: try once more, or go on without it."
    raise error


def guarded(request: ToolCallRequest, execute: Callable[[ToolCallRequest], ToolMessage | Command[Any]]) -> Any:
    """Run one call. A result is data: its control tokens are broken, and none at all is said in words."""
    result = execute(request)
    if isinstance(result, ToolMessage) and isinstance(result.content, str):
        empty = result.content in ("", "null", "{}", "[]")
        result.content = "The tool returned nothing." if empty else defused(result.content)
    return result


def classify(state: State, model: BaseChatModel) -> dict[str, Any]:
    """Whether tools may be needed: strong words, else the model, else weak words. A broken thread is mended first."""
    text = state["messages"][-1].text
    topic = next((topic for topic, words in STRONG.items() if re.search(words, text)), None)
    whole = complete(state["messages"])
    mended = [RemoveMessage(REMOVE_ALL_MESSAGES), *whole] if whole != state["messages"] else []
    fresh = {"rounds": 0, "unusable": 0, "problem": ""}
    return {"messages": mended, "topic": topic or sort(text, model), **fresh}


def sort(text: str, model: BaseChatModel) -> Topic:
    """The model's opinion; where it has none that can be read, weak words decide, and in doubt the tools are bound."""
    try:
        said = model.with_structured_output(Sorted).invoke([SystemMessage(SORT), HumanMessage(text)])
        return Sorted.model_validate(said).topic
    except (*LOST, ValueError):
        return "chat" if re.search(WEAK, text) else "travel"


def persistent(model: Runnable[Any, AIMessage], messages: Sequence[AnyMessage], retry: RetryPolicy) -> AIMessage:
    """The model's reply. Failures that pass are waited out, longer each time; asking twice costs only time."""
    for attempt in range(retry.max_attempts - 1):
        try:
            return model.invoke(messages)
        except PASSING:
            time.sleep(min(retry.initial_interval * retry.backoff_factor**attempt, retry.max_interval))
    return model.invoke(messages)


def cut_off(reply: AIMessage) -> bool:
    """Whether a server says that a reply is not whole, or never came to say that it is."""
    told = reply.response_metadata
    return bool(told) and told.get("finish_reason") in (None, "length")


def unusable(reply: AIMessage) -> str:
    """Why a reply can be neither run nor shown; "" where it can."""
    meant = bool(CALL.search(reply.text))
    if cut_off(reply) and (calls(reply) or meant):
        return "it was cut off in the middle of a call"
    if calls(reply):
        return ""
    return "it looks like a call and is none" if meant else "" if reply.text.strip() else "it was empty"


def with_ids(reply: AIMessage, messages: Sequence[AnyMessage]) -> AIMessage:
    """The reply with an id for each call, different from all ids of the thread."""
    used = {call["id"] for message in messages for call in calls(message)}
    for n, call in enumerate(calls(reply)):
        if not call["id"] or call["id"] in used:
            call["id"] = f"call-{len(messages)}-{n}"
        used.add(call["id"])
    return reply


def turn(messages: Sequence[AnyMessage]) -> list[AnyMessage]:
    """The messages since the user's last one."""
    start = max((n for n, message in enumerate(messages) if message.type == "human"), default=-1)
    return list(messages[start + 1 :])


def signature(call: Any) -> str:
    """Tool and arguments as one text, the same whatever the order of the keys."""
    return json.dumps([call["name"], call["args"]], sort_keys=True, ensure_ascii=False)


def halt(state: State) -> str:
    """Why the calls of the last message must not run; "" where they may."""
    *before, last = turn(state["messages"])
    done = [signature(call) for message in before for call in calls(message)]
    if state["remaining_steps"] < LAST_STEPS or state["rounds"] > ROUNDS:
        return f"the limit of {ROUNDS} tool rounds, or of steps, is reached"
    if any(done.count(signature(call)) >= REPEATS for call in calls(last)):
        return f"the model asked for the same call more than {REPEATS} times"
    return ""


def route(state: State) -> str | list[str]:
    """Where the model's reply leads. What failed is asked first."""
    if state["problem"]:
        return "fallback"
    last: Any = state["messages"][-1]
    if unusable(last):
        return "mend" if state["unusable"] <= UNUSABLE and state["remaining_steps"] >= LAST_STEPS else "closing"
    if calls(last) and halt(state):
        return "closing"
    kinds = {"tools": last.tool_calls, "unreadable": last.invalid_tool_calls}
    return [node for node, found in kinds.items() if found] or END


def found_out(messages: Sequence[AnyMessage]) -> str:
    """What the tools said in this turn, each once."""
    results = [message for message in turn(messages) if isinstance(message, ToolMessage)]
    lines = dict.fromkeys(f"- {message.name}: {message.text}" for message in results)
    return "\n".join(["\nWhat the tools said:", *lines]) if lines else ""


def mend(state: State) -> dict[str, Any]:
    """Take back a reply that cannot be used; the model is asked again."""
    return {"messages": [RemoveMessage(str(state["messages"][-1].id))]}


def closing(state: State) -> dict[str, Any]:
    """An answer in place of further calls; each of them gets a result that says it did not run."""
    last: Any = state["messages"][-1]
    reason = unusable(last)
    why_not = f"the model's reply could not be used: {reason}" if reason else halt(state)
    text = f"I stopped, because {why_not}."
    refused = [failure(call, "Not run: the program ended this turn.") for call in calls(last)]
    gone = [RemoveMessage(str(last.id))] if reason and not refused else []
    return {"messages": [*gone, *refused, AIMessage(text + found_out(state["messages"]))]}


def fallback(state: State) -> dict[str, Any]:
    """An answer without the model: what failed, and what the tools had found by then."""
    text = f"I could not finish, because {state['problem']}."
    return {"messages": [AIMessage(text + found_out(state["messages"]))]}


def build(
    model: BaseChatModel,
    client: TavilyClient,
    checkpointer: BaseCheckpointSaver[Any] | None = None,
    retry: RetryPolicy = RETRY,
) -> CompiledStateGraph[State, None, State, State]:
    """Return the travel assistant. `retry` is for failures of the model that pass."""
    tools = [get_weather, calculator, search_tool(client)]
    asked = {"travel": model.bind_tools(tools), "chat": model}

    def agent(state: State) -> dict[str, Any]:
        messages = state["messages"]
        hint = [SystemMessage(AGAIN)] if state["unusable"] else []
        try:
            reply = with_ids(persistent(asked[state["topic"]], [*hint, *messages], retry), messages)
        except LOST as error:
            return {"problem": why(error)}
        count = state["unusable"] + 1 if unusable(reply) else 0
        return {"messages": [reply], "rounds": state["rounds"] + bool(calls(reply)), "unusable": count}

    builder = StateGraph(State)
    builder.add_node("classify", lambda state: classify(state, model))
    builder.add_node("agent", agent)
    builder.add_node("tools", ToolNode(tools, handle_tool_errors=explain, wrap_tool_call=guarded))
    builder.add_node("unreadable", unreadable)
    builder.add_node("mend", mend)
    builder.add_node("closing", closing)
    builder.add_node("fallback", fallback)
    builder.add_edge(START, "classify")
    builder.add_edge("classify", "agent")
    builder.add_conditional_edges("agent", route, ["tools", "unreadable", "mend", "closing", "fallback", END])
    for back in "tools", "unreadable", "mend":
        builder.add_edge(back, "agent")
    for last in "closing", "fallback":
        builder.add_edge(last, END)
    return builder.compile(checkpointer=checkpointer)


def chat(
    graph: CompiledStateGraph[Any, Any, Any, Any],
    text: str,
    thread_id: str,
    *,
    recursion_limit: int = LIMIT,
    seconds: float = SECONDS,
) -> str:
    """Return what the user reads: the answer, or why there is none. Never raises an Exception, never returns "".

    Works with any graph that keeps `messages` and has a checkpointer. `seconds` is looked at between two steps: a step
    that runs is ended by the time-outs of its own clients, so that no late result slips into the next turn.
    """
    config: Any = {"configurable": {"thread_id": thread_id}, "recursion_limit": recursion_limit}
    try:
        return answer(graph, defused(text), config, seconds)
    except Exception as error:
        log.info("a turn failed", exc_info=error)
        said = f"I could not finish, because {why(error)}."
        keep(graph, config, AIMessage(said), error)
        return said


def answer(graph: CompiledStateGraph[Any, Any, Any, Any], text: str, config: Any, seconds: float) -> str:
    """One turn within its time. Raises what the graph raises, and TimeoutError."""
    before = graph.get_state(config).values.get("messages", [])
    whole = complete(before)
    mended = [RemoveMessage(REMOVE_ALL_MESSAGES), *whole] if whole != before else []
    asked, end = HumanMessage(text), time.monotonic() + seconds
    last: Any = None
    for state in graph.stream({"messages": [*mended, asked]}, config, stream_mode="values"):
        last = state["messages"][-1]
        if time.monotonic() > end:
            raise TimeoutError
    if isinstance(last, AIMessage) and not calls(last) and not unusable(last):
        return last.text + (CUT if cut_off(last) else "")
    keep(graph, config, AIMessage(NO_WORDS))
    return NO_WORDS


def keep(
    graph: CompiledStateGraph[Any, Any, Any, Any], config: Any, said: AIMessage, error: Exception | None = None
) -> None:
    """Write into the thread what the user was told, so that the next turn knows it."""
    try:
        messages = graph.get_state(config).values["messages"]
        if isinstance(error, openai.BadRequestError):  # what this turn gathered is what the server refuses to read
            messages = messages[: len(messages) - len(turn(messages))]
        whole = [*complete(messages), said]
        graph.update_state(config, {"messages": [RemoveMessage(REMOVE_ALL_MESSAGES), *whole]}, as_node=START)
    except Exception as error:
        log.info("the notice could not be kept", exc_info=error)
