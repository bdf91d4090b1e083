"""Every finished graph of the course, and a chat with it in which things go wrong."""

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

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
