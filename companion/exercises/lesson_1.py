"""Checks of lesson 1: a fixed workflow."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypedDict

import requests
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langgraph.errors import GraphRecursionError
from langgraph.graph import START, StateGraph
from tavily import errors

from companion.clients import lab_search_client
from companion.exercises.registry import Wrong, exercise
from companion.lab.server import lab

Results = list[dict[str, Any]]
HIT: Results = [{"title": "Tram Line 7", "url": "https://example.org/tram", "content": "14 stops"}]
LOGS: tuple[tuple[list[str], list[str], str], ...] = (
    (["a", "b"], ["c"], "old entries stay while there is room"),
    (["a", "b", "c"], ["d"], "which end is cut off: the oldest goes"),
    ([], ["a", "b", "c", "d", "e"], "one update can bring more than three"),
)


@exercise("1.1", "A log that keeps three")
def keep_three(answer: Callable[[list[str], list[str]], list[str]]) -> None:
    """The reducer, called as a graph calls it, and then inside one."""
    for old, new, look in LOGS:
        given, right = list(old), [*old, *new][-3:]
        got = answer(given, list(new))
        if got != right:
            raise Wrong(f"{right} from {old} and {new}", repr(got), look)
        if given != old:
            raise Wrong(f"{old} left as it was", f"{given}, changed in place", "saved states share the old list")
    if (got := log_after("abcde", answer)) != ["c", "d", "e"]:
        raise Wrong("['c', 'd', 'e'] after five nodes in a graph", repr(got), "what the reducer returns each time")


def log_after(entries: str, reducer: Any) -> Any:
    """The log of a graph whose nodes write one entry each."""

    class Diary(TypedDict):
        log: Annotated[list[str], reducer]

    writers: Any = [(f"write {entry}", lambda state, entry=entry: {"log": [entry]}) for entry in entries]
    builder = StateGraph(Diary).add_sequence(writers).add_edge(START, writers[0][0])
    return builder.compile().invoke({"log": []})["log"]


TALK: list[BaseMessage] = [
    *(HumanMessage("hi"), AIMessage("hello"), HumanMessage("1+1")),
    AIMessage("", tool_calls=[{"name": "add", "args": {"a": 1, "b": 1}, "id": "1"}]),
    *(ToolMessage("2", tool_call_id="1"), AIMessage("2"), HumanMessage("thanks")),
]
TURNS: tuple[tuple[list[BaseMessage], int, int, str], ...] = (
    (TALK, 1, 1, "the newest human message begins the last turn"),
    (TALK, 2, 5, "a turn with a tool call has four messages, not two"),
    (TALK, 3, 7, "answers and tool messages belong to their turn"),
    (TALK, 9, 7, "more turns asked for than there are: all messages"),
    ([AIMessage("Welcome!"), *TALK], 9, 8, "more turns asked for than there are: all messages"),
    ([], 2, 0, "no messages at all"),
)


@exercise("1.2", "The last turns")
def recent(answer: Callable[[list[BaseMessage], int], list[BaseMessage]]) -> None:
    """Turns of different lengths; a prompt that begins in the middle of one is refused by many servers."""
    for messages, turns, count, look in TURNS:
        right, given = messages[len(messages) - count :], list(messages)
        got = answer(given, turns)
        if kinds(got) != kinds(right):
            raise Wrong(f"{kinds(right)} (turns: {turns} of {kinds(messages)})", kinds(got), look)
        if given != messages:
            raise Wrong("the list of messages left as it was", kinds(given), "who else holds this list: the state")


def kinds(messages: Any) -> str:
    """Messages in short: `[human ai tool ai]`."""
    if not isinstance(messages, list):
        return repr(messages)
    return f"[{' '.join(getattr(message, 'type', repr(message)) for message in messages)}]"


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


LIMIT, PLAN = errors.UsageLimitExceededError("excessive requests"), errors.ForbiddenError("plan's limit")
KEY, LONG = errors.InvalidAPIKeyError("invalid API key"), errors.BadRequestError("Query is too long.")
DOWN, SLOW = requests.ConnectionError("refused"), errors.TimeoutError(60)
PATIENCE: tuple[tuple[list[Exception | Results], int, str, int, str], ...] = (
    ([HIT], 3, "found", 1, "a search that works needs one call"),
    ([LIMIT, HIT], 3, "found", 2, "too many requests: worth another try"),
    ([PLAN, HIT], 3, "plan_used_up", 1, "a plan that is used up stays used up"),
    ([KEY, HIT], 3, "key_refused", 1, "a wrong key stays wrong"),
    ([LONG, HIT], 3, "query_refused", 1, "the same query is refused again"),
    ([[], HIT], 3, "nothing_found", 1, "an empty list is an answer, not a failure"),
    ([LIMIT], 3, "try_later", 3, "how many calls are made in all: `attempts`, not one more"),
    ([SLOW, DOWN, HIT], 3, "found", 3, "a service that is down: worth another try"),
    ([DOWN, LIMIT, HIT], 2, "try_later", 2, "the status is that of the last try"),
)


@exercise("1.3", "Try again, but not for ever")
def patient_search(answer: Callable[[Any, str, int], dict[str, Any]]) -> None:
    """Each cause with the number of calls it deserves; at the end the lab's own refusal."""
    for outcomes, attempts, status, calls, look in PATIENCE:
        client = Scripted(outcomes)
        judge(answer(client, "tram", attempts), status, look)
        if client.calls != calls:
            raise Wrong(f"{calls} call(s) for {status}", f"{client.calls} calls", look)
    real = lab_search_client(lab().url)
    real.session.headers["Authorization"] = "Bearer tvly-plan"
    judge(answer(real, "tram", 2), "plan_used_up", "which exception the client raises for 432")


def judge(got: Any, status: str, look: str) -> None:
    """Raise Wrong unless the update has this status, and results only where something was found."""
    if not isinstance(got, dict) or not {"search_status", "search_results"} <= got.keys():
        raise Wrong("a dict with search_status and search_results", repr(got), "return an update, as a node does")
    if got["search_status"] != status:
        raise Wrong(f"search_status {status!r}", repr(got["search_status"]), look)
    results = HIT if status == "found" else []
    if got["search_results"] != results:
        raise Wrong(f"{len(results)} result(s) for {status}", repr(got["search_results"]), "the results of this search")


@exercise("1.4", "Fewer words, second chance", seconds=20)
def build_broader(answer: Callable[[Callable[[str], Results]], Any]) -> None:
    """The graph, run on queries of one word and of many, over a search that knows one phrase or none."""
    hunt(answer, "tram line seven", "tram line seven")
    hunt(answer, "tram line seven tickets", "tram line")
    hunt(answer, "tram", "")
    hunt(answer, "zorbing in Xanadu", "")
    hunt(answer, "one two three four five six seven eight nine", "one")


def hunt(build: Callable[[Callable[[str], Results]], Any], query: str, known: str) -> None:
    """One run: what was searched for, what came out."""
    asked: list[str] = []

    def search(words: str) -> Results:
        asked.append(words)
        return HIT if words == known else []

    graph = build(search)
    if not hasattr(graph, "get_graph"):
        raise Wrong("a compiled graph", f"a {type(graph).__name__}", "builder.compile(), and `return`")
    if missing := {"search", "broaden", "answer"} - set(graph.get_graph().nodes):
        raise Wrong("nodes search, broaden and answer", f"no {', '.join(sorted(missing))}", "the names in add_node")
    try:
        state = graph.invoke({"query": query}, {"recursion_limit": 50})
    except GraphRecursionError:
        got = f"no end after {len(asked)} searches"
        raise Wrong(f"an end for {query!r}", got, "the router: what it says at one word") from None
    tries = [query.rsplit(" ", n)[0] for n in range(query.count(" ") + 1)]
    right = tries[: tries.index(known) + 1] if known else tries
    if asked != right:
        raise Wrong(f"searches {right}", asked, "the router: when to broaden, and when not")
    if state.get("query") != query:
        raise Wrong(f"query kept: {query!r}", state.get("query"), "which key `broaden` writes: `query` is overwritten")
    title = HIT[0]["title"] if known else "Nothing found."
    if state.get("answer") != title:
        raise Wrong(f"answer {title!r}", repr(state.get("answer")), "the key `answer` at the end")
