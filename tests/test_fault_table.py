"""What the user reads when one thing goes wrong: every finished graph of the course under every fault.

`pytest -s tests/test_fault_table.py` prints the table. Bare graphs raise, and a test says which, and when. Run through
lesson 6's `chat`, none raises, loops without end, or loses the conversation; test_fault_pairs.py has two at a time.
"""

from collections.abc import Callable

import pytest
from fault_cases import AT_ONCE, CASES, WEATHER, Case, graph_for, guarded, possible
from langgraph.checkpoint.memory import InMemorySaver

from companion import chat_model, faults, search_client
from companion.graphs import guards_and_fallbacks
from companion.graphs.chat import chat

# langchain-openai 1.7 dumps a streamed structured answer without the `warnings=False` of the one that is not streamed
pytestmark = pytest.mark.filterwarnings("ignore:Pydantic serializer warnings:UserWarning")
every_case = pytest.mark.parametrize("case", CASES, ids=str)


def bare(case: Case, fault: str) -> str:
    """What comes of a question without any guard."""
    config = {"configurable": {"thread_id": f"bare {case} {fault}"}, "recursion_limit": 12}
    with faults(fault, seconds=0.01):
        try:
            state = graph_for(case, [fault]).invoke({"messages": [("user", case.second)]}, config)
        except Exception as error:
            return f"raises {type(error).__name__}"
    return state["messages"][-1].text


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
