"""Lesson 1: a search assistant whose steps are fixed: understand, search, answer, for every message.

Left out, on purpose: a second search, a way to skip the search, and a repair when the server ignores the schema.
"""

from typing import Annotated, Any, Literal, TypedDict

import requests
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage, SystemMessage
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.graph.state import CompiledStateGraph
from pydantic import BaseModel, Field
from tavily import TavilyClient, errors

RECENT = 9  # messages that the model sees: four exchanges and the question
Status = Literal["found", "nothing_found", "key_refused", "try_later", "plan_used_up", "query_refused", "unavailable"]
PROBLEMS: dict[type[Exception], Status] = {
    errors.InvalidAPIKeyError: "key_refused",
    errors.UsageLimitExceededError: "try_later",
    errors.ForbiddenError: "plan_used_up",
    errors.BadRequestError: "query_refused",
    errors.TimeoutError: "unavailable",
    requests.RequestException: "unavailable",
}
NOTICES: dict[Status, str] = {
    "nothing_found": 'I took this as "{query_intent}", searched for "{search_query}" and found nothing.',
    "key_refused": "I could not search: the key in TAVILY_API_KEY is missing or wrong.",
    "try_later": "I could not search: too many requests. Please try again in a minute.",
    "plan_used_up": "I could not search: the plan does not allow it. Do not retry. ({search_error})",
    "query_refused": "I could not search: please ask in fewer words. ({search_error})",
    "unavailable": "I could not search: the service is down or does not answer. Try again later.",
}
UNDERSTAND = "Say what the user wants to know now, and what to type into a search engine."
RULES = "Answer from these search results only. Name the source."


class Understanding(BaseModel):
    """What the newest message asks for."""

    intent: str = Field(description="what the user wants to know, in one sentence")
    search_query: str = Field(description="keywords for a search engine, at most 400 characters")


class Facts(TypedDict, total=False):
    """What the nodes find out: absent until written."""

    user_query: str
    query_intent: str
    search_query: str
    search_status: Status
    search_error: str
    search_results: list[dict[str, Any]]


class State(Facts):
    """All that the three nodes share."""

    messages: Annotated[list[AnyMessage], add_messages]


class Update(Facts, total=False):
    """What a node returns: only the keys that it changed."""

    messages: list[AnyMessage]


def understand(state: State, model: BaseChatModel) -> Update:
    """The user's own words, the model's reading of them, and what to search for."""
    recent = state["messages"][-RECENT:]
    reply = model.with_structured_output(Understanding).invoke([SystemMessage(UNDERSTAND), *recent])
    read = Understanding.model_validate(reply)
    return {"user_query": recent[-1].text, "query_intent": read.intent, "search_query": read.search_query}


def status_of(problem: Exception) -> Status:
    """What kind of failure a search met, one of PROBLEMS."""
    return next(PROBLEMS[kind] for kind in PROBLEMS if isinstance(problem, kind))


def search(state: State, client: TavilyClient) -> Update:
    """One search. A failure is a status, and takes the results of the turn before out of the state."""
    try:
        response = client.search(query=state["search_query"], search_depth="basic", max_results=3)
    except tuple(PROBLEMS) as problem:
        return {"search_status": status_of(problem), "search_error": str(problem), "search_results": []}
    found = response.get("results") or []
    return {"search_status": "found" if found else "nothing_found", "search_error": "", "search_results": found}


def answer(state: State, model: BaseChatModel) -> Update:
    """The model's answer from what was found; a notice, and no call of the model, where nothing was."""
    if state["search_status"] != "found":
        return {"messages": [AIMessage(NOTICES[state["search_status"]].format_map(state))]}
    sources = SystemMessage(f"{RULES}\n\n{passages(state['search_results'])}")
    return {"messages": [model.invoke([sources, *state["messages"][-RECENT:]])]}


def passages(results: list[dict[str, Any]]) -> str:
    """Search results as text: a number and a title, the content, the source."""
    numbered = enumerate(results, start=1)
    return "\n\n".join(f"[{n}] {hit['title']}\n{hit['content']}\nSource: {hit['url']}" for n, hit in numbered)


def build(
    model: BaseChatModel, client: TavilyClient, checkpointer: BaseCheckpointSaver[Any] | None = None
) -> CompiledStateGraph[State, None, State, State]:
    """Return the compiled assistant; with a checkpointer a thread keeps its conversation."""
    builder = StateGraph(State).add_node("understand", lambda state: understand(state, model))
    builder.add_node("search", lambda state: search(state, client)).add_node(
        "answer", lambda state: answer(state, model)
    )
    builder.add_edge(START, "understand").add_edge("understand", "search")
    return builder.add_edge("search", "answer").add_edge("answer", END).compile(checkpointer=checkpointer)
