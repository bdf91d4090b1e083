"""Checks of lesson 1: a fixed workflow."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypedDict

import requests
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langgraph.errors import GraphRecursionError
from langgraph.graph import START, StateGraph
from tavily import BadRequestError, InvalidAPIKeyError, UsageLimitExceededError
from tavily.errors import ForbiddenError
from tavily.errors import TimeoutError as SearchTimeoutError

from companion.exercises.registry import Wrong, exercise

Results = list[dict[str, Any]]
HIT: Results = [{"title": "Tram Line 7", "url": "https://example.org/tram", "content": "14 stops"}]


@exercise("1.1", "A log that keeps three")
def keep_three(answer: Callable[[list[str], list[str]], list[str]]) -> None:
    """The reducer, called as a graph calls it, and then inside one."""
    cases: tuple[tuple[list[str], list[str], str], ...] = (
        (["a", "b"], ["c"], "old entries stay while there is room"),
        (["a", "b", "c"], ["d"], "which end is cut off: the oldest goes"),
        ([], ["a", "b", "c", "d", "e"], "one update can bring more than three"),
    )
    for old, new, look in cases:
        before, right = list(old), [*old, *new][-3:]
        got = answer(old, new)
        if got != right:
            raise Wrong(f"{right} from {before} and {new}", repr(got), look)
        if old != before:
            raise Wrong(
                f"{before} left as it was", f"{old}, changed in place", "make a new list: saved states share it"
            )
    if (got := log_after("abcde", answer)) != ["c", "d", "e"]:
        raise Wrong("['c', 'd', 'e'] after five nodes in a graph", repr(got), "what the reducer returns each time")


def log_after(entries: str, reducer: Any) -> Any:
    """The log of a graph whose nodes write one entry each."""

    class Diary(TypedDict):
        log: Annotated[list[str], reducer]

    builder: Any = StateGraph(Diary)
    builder.add_sequence([(f"write {entry}", lambda state, entry=entry: {"log": [entry]}) for entry in entries])
    return builder.add_edge(START, f"write {entries[0]}").compile().invoke({"log": []})["log"]


@exercise("1.2", "The last turns")
def recent(answer: Callable[[list[BaseMessage], int], list[BaseMessage]]) -> None:
    """Turns of different lengths; a prompt that begins in the middle of one is refused by many servers."""
    call = {"name": "add", "args": {"a": 1, "b": 1}, "id": "1"}
    sums: list[BaseMessage] = [
        HumanMessage("1+1"),
        AIMessage("", tool_calls=[call]),
        ToolMessage("2", tool_call_id="1"),
        AIMessage("2"),
    ]
    talk = [HumanMessage("hi"), AIMessage("hello"), *sums, HumanMessage("thanks")]
    cases: tuple[tuple[list[BaseMessage], int, int, str], ...] = (
        (talk, 1, 1, "the newest human message begins the last turn"),
        (talk, 2, 5, "a turn with a tool call has four messages, not two"),
        (talk, 3, 7, "answers and tool messages belong to their turn"),
        (talk, 9, 7, "more turns asked for than there are: all messages"),
        ([AIMessage("Welcome!"), *talk], 9, 8, "more turns asked for than there are: all messages"),
        ([], 2, 0, "no messages at all"),
    )
    for messages, turns, count, look in cases:
        right, given = messages[len(messages) - count :], list(messages)
        got = answer(given, turns)
        if not isinstance(got, list) or kinds(got) != kinds(right):
            raise Wrong(f"{kinds(right)} for {turns} turns", kinds(got), look)
        if given != messages:
            raise Wrong("the list of messages left as it was", kinds(given), "take a slice, do not delete")


def kinds(messages: Any) -> str:
    """Messages in short: `human ai tool ai`."""
    return " ".join(getattr(m, "type", repr(m)) for m in messages) if isinstance(messages, list) else repr(messages)


class Scripted:
    """A search client that gives what it was told to, one outcome a call, the last one for ever."""

    def __init__(self, outcomes: Sequence[Exception | Results]) -> None:
        self.outcomes, self.calls = outcomes, 0

    def search(self, query: str, **options: Any) -> dict[str, Any]:
        outcome = self.outcomes[min(self.calls, len(self.outcomes) - 1)]
        self.calls += 1
        if isinstance(outcome, Exception):
            raise outcome
        return {"query": query, "results": outcome}


LIMIT, PLAN = UsageLimitExceededError("excessive requests"), ForbiddenError("plan's limit")
KEY, LONG = InvalidAPIKeyError("invalid API key"), BadRequestError("Query is too long.")
DOWN, SLOW = requests.ConnectionError("refused"), SearchTimeoutError(60)
PATIENCE: tuple[tuple[list[Exception | Results], int, str, int, str], ...] = (
    ([HIT], 3, "found", 1, "a search that works needs one call"),
    ([LIMIT, HIT], 3, "found", 2, "too many requests: worth another try"),
    ([PLAN, HIT], 3, "plan_used_up", 1, "a plan that is used up stays used up: do not try again"),
    ([KEY, HIT], 3, "key_refused", 1, "a wrong key stays wrong: do not try again"),
    ([LONG, HIT], 3, "query_refused", 1, "the same query is refused again: do not try again"),
    ([[], HIT], 3, "nothing_found", 1, "an empty list is an answer, not a failure"),
    ([LIMIT], 3, "try_later", 3, "how many calls are made in all: `attempts`, not one more"),
    ([SLOW, DOWN, HIT], 3, "found", 3, "a service that is down: worth another try"),
    ([DOWN, LIMIT, HIT], 2, "try_later", 2, "the status is that of the last try"),
)


@exercise("1.3", "Try again, but not for ever")
def patient_search(answer: Callable[[Any, str, int], dict[str, Any]]) -> None:
    """Each cause with the number of calls it deserves; at the end against the lab's own refusals."""
    from companion.clients import lab_search_client
    from companion.lab.server import lab

    for outcomes, attempts, status, calls, look in PATIENCE:
        client = Scripted(outcomes)
        got = answer(client, "tram", attempts)
        judge(got, status, HIT if status == "found" else [], look)
        if client.calls != calls:
            raise Wrong(f"{calls} call(s) for {status}", f"{client.calls} calls", look)
    real = lab_search_client(lab().url)
    real.session.headers["Authorization"] = "Bearer tvly-plan"
    judge(answer(real, "tram", 2), "plan_used_up", [], "which exception the client raises for 432")


def judge(got: Any, status: str, results: Results, look: str) -> None:
    """Raise Wrong unless the update has this status and these results."""
    if not isinstance(got, dict) or not {"search_status", "search_results"} <= got.keys():
        raise Wrong("a dict with search_status and search_results", repr(got), "return an update, as a node does")
    if got["search_status"] != status:
        raise Wrong(f"search_status {status!r}", repr(got["search_status"]), look)
    if got["search_results"] != results:
        raise Wrong(f"{len(results)} result(s) for {status}", repr(got["search_results"]), "the results of this search")


@exercise("1.4", "Fewer words, second chance", seconds=20)
def build_broader(answer: Callable[[Callable[[str], Results]], Any]) -> None:
    """The graph, run on queries of one word and of many."""
    for query, known in (
        ("tram line seven", "tram line seven"),
        ("tram line seven tickets", "tram line"),
        ("tram", ""),
        ("zorbing in Xanadu", ""),
        ("one two three four five six seven eight nine", "one"),
    ):
        hunt(answer, query, known)


def hunt(build: Callable[[Callable[[str], Results]], Any], query: str, known: str) -> None:
    """One run over a search that finds only `known`: what was asked, what came out."""
    asked: list[str] = []

    def search(words: str) -> Results:
        asked.append(words)
        return HIT if words == known else []

    graph = build(search)
    if not hasattr(graph, "get_graph"):
        raise Wrong("a compiled graph", repr(graph), "return builder.compile()")
    if missing := {"search", "broaden", "answer"} - set(graph.get_graph().nodes):
        raise Wrong("nodes search, broaden and answer", f"no {', '.join(sorted(missing))}", "the names in add_node")
    try:
        state = graph.invoke({"query": query}, {"recursion_limit": 50})
    except GraphRecursionError:
        raise Wrong(
            f"an end for {query!r}", f"no end after {len(asked)} searches", "what happens at one word"
        ) from None
    tries = [query.rsplit(" ", n)[0] for n in range(query.count(" ") + 1)]
    right = tries[: tries.index(known) + 1] if known else tries
    if asked != right:
        raise Wrong(f"searches {right}", asked, "the router: when to broaden, and when not")
    if state.get("query") != query:
        raise Wrong(f"query kept: {query!r}", state.get("query"), "the user's words are overwritten; use another key")
    title = HIT[0]["title"] if known else "Nothing found."
    if state.get("answer") != title:
        raise Wrong(f"answer {title!r}", repr(state.get("answer")), "the key `answer` at the end")
