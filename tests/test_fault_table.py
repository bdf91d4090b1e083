"""What the user reads when one thing goes wrong, or two: every finished graph of the course under every fault.

`pytest -s tests/test_fault_table.py` prints the table. Bare graphs raise, and a test says which, and when. Run through
lesson 6's `chat`, none raises, loops without end, or loses the conversation.
"""

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import combinations
from pkgutil import iter_modules
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from companion import chat_model, faults, graphs, journal, search_client
from companion.graphs import guards_and_fallbacks
from companion.graphs.chat import chat
from companion.lab.trouble import SEARCH

STREAMS = {"dropped_stream", "broken_stream"}
MOST_REQUESTS = 40
AT_ONCE = guards_and_fallbacks.RETRY._replace(max_attempts=2, initial_interval=0, jitter=False)


@dataclass(frozen=True)
class Case:
    """A graph and three turns: the first question, another one (when things go wrong), and the first again."""

    name: str
    first: str
    answer: str
    second: str

    def __str__(self) -> str:
        return f"{self.name}: {self.second}"


WEATHER = ("What is the weather in Bangkok?", "31", "What is the weather in Oslo?")
SEARCHING = ("Is tap water safe in Singapore?", "safe to drink", "When is the best time to visit Bangkok?")
QUESTIONS = {  # graphs that cannot tell the weather, or can do more; all others get WEATHER
    "raw_prompt.build": [("1+1", "2", "20+30")],
    "fixed_workflow.build": [SEARCHING],
    "tool_loop.build_search_agent": [SEARCHING],
    "guards_and_fallbacks.build": [WEATHER, SEARCHING],
}


def builders() -> dict[str, Callable[..., Any]]:
    """Each function of companion.graphs that builds a graph, by module and name."""
    modules = {found.name: import_module(f"companion.graphs.{found.name}") for found in iter_modules(graphs.__path__)}
    found = [(module, name, value) for module, names in modules.items() for name, value in vars(names).items()]
    return {f"{module}.{name}": value for module, name, value in found if name.startswith("build")}


CASES = [Case(name, *asked) for name in builders() for asked in QUESTIONS.get(name, [WEATHER])]
every_case = pytest.mark.parametrize("case", CASES, ids=str)


@cache
def made(name: str, streaming: bool) -> Any:
    """A finished graph that keeps its threads, with clients that do not wait before they try again."""
    build = builders()[name]
    offered = {
        "model": chat_model(max_retries=0, streaming=streaming),
        "client": search_client(),
        "retry": AT_ONCE,
    }
    wanted = inspect.signature(build).parameters
    graph = build(**{key: value for key, value in offered.items() if key in wanted})
    return graph.copy({"checkpointer": InMemorySaver()})


def graph_for(case: Case, trouble: Iterable[str]) -> Any:
    return made(case.name, bool(STREAMS & {*trouble}))


def bare(case: Case, fault: str) -> str:
    """What comes of a question without any guard."""
    config = {"configurable": {"thread_id": f"bare {case} {fault}"}, "recursion_limit": 12}
    with faults(fault, seconds=0.01):
        try:
            state = graph_for(case, [fault]).invoke({"messages": [("user", case.second)]}, config)
        except Exception as error:
            return f"raises {type(error).__name__}"
    return state["messages"][-1].text


def guarded(case: Case, *trouble: str) -> str:
    """What the user reads in the turn that goes wrong. The turns around it are healthy, and nothing gets lost."""
    graph, thread = graph_for(case, trouble), f"guarded {case} {trouble}"
    assert case.answer in chat(graph, case.first, thread)
    journal.clear()
    with faults(*trouble, seconds=0.01):
        read = chat(graph, case.second, thread)
    assert len(journal.chats()) <= MOST_REQUESTS
    assert case.answer in chat(graph, case.first, thread), f"after {trouble}: {read}"
    messages = graph.get_state({"configurable": {"thread_id": thread}}).values["messages"]
    assert [each.text for each in messages if each.type == "human"] == [case.first, case.second, case.first]
    assert read.strip()
    return read


def possible(case: Case) -> list[str]:
    """The faults that can reach a graph: a search fails only where there is one."""
    searches = "client" in inspect.signature(builders()[case.name]).parameters
    return [name for name in faults.names() if searches or name not in SEARCH]


def table(case: Case, rows: dict[str, str]) -> str:
    """One line a fault, as the user would read it."""
    lines = [f"  {fault:16} {' '.join(text.split())[:120]}" for fault, text in rows.items()]
    return "\n".join([f"under a fault, {case}", *lines])


@every_case
def test_what_bare_graphs_do(case: Case) -> None:
    rows = {fault: bare(case, fault) for fault in possible(case)}
    healthy = {rows[fault] for fault in ("slow", "no_end_tag", "duplicate_id", "tool_slow")}
    assert len(healthy) == 1, "what a client does not see changes nothing"


@every_case
def test_no_single_fault_gets_through(case: Case, tell: Callable[[str], None]) -> None:
    tell(table(case, {fault: guarded(case, fault) for fault in possible(case)}))


@every_case
def test_no_pair_of_faults_gets_through(case: Case) -> None:
    for pair in combinations(possible(case), 2):
        guarded(case, *pair)


RAISES = {
    "rate_limit": "OpenAIRateLimitError",
    "server_error": "OpenAIAPIError",
    "unavailable": "OpenAIAPIError",
    "broken_stream": "OpenAIConnectionError",
    "insist": "GraphRecursionError",
    "null_id": "TypeError",
}


def test_the_smallest_loop_raises_at_six_faults_whatever_its_model_makes_of_errors() -> None:
    case = next(case for case in CASES if case.name == "raw_prompt.build")
    assert {fault: bare(case, fault) for fault in RAISES} == {fault: f"raises {name}" for fault, name in RAISES.items()}


def test_a_model_that_takes_too_long_is_not_waited_for() -> None:
    model = chat_model(max_retries=0, timeout=0.2)
    graph = guards_and_fallbacks.build(model, search_client(), InMemorySaver(), retry=AT_ONCE)
    with faults("slow", seconds=0.5):
        assert "did not answer in time" in chat(graph, WEATHER[0], "slow")
