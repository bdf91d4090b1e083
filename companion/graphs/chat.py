"""The interface layer of lesson 6: `chat` asks any graph, and always has something true for the user.

Left out: streaming to the user, who reads an answer when it is whole.
"""

import logging
import re
import time
from collections.abc import Sequence
from typing import Any

import httpx2 as httpx
import openai
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, RemoveMessage
from langgraph.errors import GraphRecursionError
from langgraph.graph import START
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt.tool_node import ToolInvocationError
from pydantic import ValidationError

from companion.graphs.tool_loop import calls_of, complete, cut_off

Graph = CompiledStateGraph[Any, Any, Any, Any]
CALL = re.compile(r"""</?tool_call>|["']name["']\s*:\s*["'][^"']+["']\s*,\s*["'](?:arguments|parameters|args)["']""")
CUT = "\n(The answer breaks off here.)"

log = logging.getLogger(__name__)


class UnusableError(Exception):
    """A reply of the model that can be neither run nor shown."""


WHY: dict[type[Exception], str] = {
    GraphRecursionError: "it took too many steps",
    openai.APITimeoutError: "the language model did not answer in time",
    TimeoutError: "it took too long",
    openai.RateLimitError: "the language model has too many requests just now; try again in a minute",
    openai.APIConnectionError: "the connection to the language model broke",
    httpx.TransportError: "the connection to the language model broke",
    openai.InternalServerError: "the language model's server has a problem; try again later",
    openai.OpenAIError: "the language model refused the request",
    ConnectionError: "a service that is needed for this did not answer; try again in a minute",
    UnusableError: "the language model's reply could not be used: {}",
    ValidationError: "the language model's reply does not have the form that was asked for; try other words",
    ToolInvocationError: "the language model called a tool with arguments that do not fit it; try other words",
    Exception: "something failed that was not foreseen ({name}); the log has it, trying again will hardly help",
}


def why(error: BaseException) -> str:
    """The reason that a user reads."""
    text = next(text for kind, text in WHY.items() if isinstance(error, kind))
    return text.format(error, name=type(error).__name__)


def usable(reply: AIMessage) -> AIMessage:
    """The reply. Raises UnusableError where it is empty, half a call, or a call that nobody can run."""
    meant = bool(calls_of(reply) or CALL.search(reply.text))
    if meant and cut_off(reply):
        raise UnusableError("it was cut off in the middle of a call")
    if meant and (reply.invalid_tool_calls or not reply.tool_calls):
        raise UnusableError("it looks like a call and is none")
    if not meant and not reply.text.strip():
        raise UnusableError("it was empty")
    return reply


def turn(messages: Sequence[AnyMessage]) -> list[AnyMessage]:
    """The messages since the user's last one."""
    start = max((n for n, message in enumerate(messages) if message.type == "human"), default=-1)
    return list(messages[start + 1 :])


def chat(
    graph: Graph,
    text: str,
    thread_id: str,
    *,
    recursion_limit: int = 30,
    seconds: float = 60.0,
) -> str:
    """Return what the user reads: the answer, or why there is none. Never raises, never returns "".

    Works with any graph that keeps `messages`. `seconds` is looked at between two steps: a step that
    runs is ended by the time-outs of its own clients, so no late result slips into the next turn.
    """
    config: Any = {"configurable": {"thread_id": thread_id}, "recursion_limit": recursion_limit}
    end = time.monotonic() + seconds
    try:
        last: Any = None
        for state in graph.stream({"messages": [HumanMessage(text)]}, config, stream_mode="values"):
            last = state["messages"][-1]
            if time.monotonic() > end:
                raise TimeoutError
        if last.type != "ai":
            raise UnusableError("there was none")
        return usable(last).text + (CUT if cut_off(last) else "")
    except Exception as error:
        log.info("a turn failed", exc_info=error)
        return give_up(graph, config, f"I could not finish, because {why(error)}.")


def give_up(graph: Graph, config: Any, said: str) -> str:
    """Return what the user reads. The thread keeps the question and this answer, and nothing that was gathered."""
    try:
        messages = graph.get_state(config).values["messages"]
        gathered = turn(messages)
        ran = sum(message.type == "tool" for message in gathered)
        said += f" Before that, {ran} tool result(s) came in." if ran else ""
        before = complete(messages[: len(messages) - len(gathered)])
        graph.update_state(
            config, {"messages": [RemoveMessage(REMOVE_ALL_MESSAGES), *before, AIMessage(said)]}, as_node=START
        )
    except Exception as error:
        log.info("the notice could not be kept", exc_info=error)
    return said
