import operator
from typing import Annotated, Any, TypedDict

import numpy as np
import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt
from show_samples import NASTY, words

from companion import show

THREAD = {"configurable": {"thread_id": "t"}}


def test_state_marks_what_is_new_gone_changed_and_added_to_a_list() -> None:
    before = {"n": 1, "log": ["a"], "old": "x", "same": 0, "order": [1, 2]}
    after = {"n": 2, "log": ["a", "b"], "same": 0, "order": [2, 1], "fresh": None}
    assert str(show.state(before, after)).splitlines() == [
        "   key     value",
        "~  n       1 -> 2",
        "+  log[1]  'b'",
        "-  old     'x'",
        "   same    0",
        "~  order   [1, 2] -> [2, 1]",
        "+  fresh   None",
    ]


def test_words_of_others_are_escaped() -> None:
    view = show.state({}, {NASTY: NASTY})
    assert "<script" not in view.html
    assert words(view).count("<script>") == 2


def test_checkpoints_of_a_thread_oldest_first(agent: Any) -> None:
    agent.invoke({"n": 0, "log": []}, THREAD)
    assert str(show.checkpoints(agent, THREAD)).splitlines() == [
        "step  ran      changed           next",
        "-1    (input)  + log []          START",
        "0     START    + n 0             model",
        "1     model    ~ n 0 -> 1        tools",
        "               + log[0] 'model'",
        "2     tools    ~ n 1 -> 2        model",
        "               + log[1] 'tools'",
        "3     model    ~ n 2 -> 3        END",
        "               + log[2] 'model'",
    ]


def test_a_second_run_an_update_and_a_fork_are_told_apart(agent: Any) -> None:
    agent.invoke({"n": 0, "log": []}, THREAD)
    middle = next(item for item in agent.get_state_history(THREAD) if item.next == ("tools",))
    agent.invoke({"n": 5}, THREAD)
    forked = agent.update_state(middle.config, {"log": ["by hand"]})
    agent.invoke(None, forked)
    rows = str(show.checkpoints(agent, THREAD)).splitlines()
    assert sum("(input)" in row for row in rows) == 2
    at = next(i for i, row in enumerate(rows) if "(update)" in row)
    assert "+ log[1] 'by hand'" in rows[at]
    assert "-" not in rows[at].split("+")[0].strip()


def test_a_pause_shows_what_is_asked() -> None:
    class Ask(TypedDict):
        log: Annotated[list[str], operator.add]

    builder = StateGraph(Ask)
    builder.add_node("human", lambda state: {"log": [interrupt("Send it?")]})
    graph = builder.add_edge(START, "human").add_edge("human", END).compile(checkpointer=InMemorySaver())
    graph.invoke({"log": []}, THREAD)
    assert "asks: 'Send it?'" in str(show.checkpoints(graph, THREAD))
    graph.invoke(Command(resume="yes"), THREAD)
    assert str(show.checkpoints(graph, THREAD)).endswith("human    + log[0] 'yes'  END")


def test_no_id_and_no_time_is_shown(agent: Any) -> None:
    agent.invoke({"n": 0, "log": []}, THREAD)
    view = show.checkpoints(agent, THREAD)
    for snapshot in agent.get_state_history(THREAD):
        assert snapshot.config["configurable"]["checkpoint_id"] not in view.html + str(view)
        assert snapshot.created_at not in view.html + str(view)


def test_keys_that_are_no_text_and_arrays_are_shown() -> None:
    before, after = {1: np.array([1, 2]), 2: "a"}, {1: np.array([1, 3]), 2: "a"}
    assert str(show.state(before, after)).splitlines()[1:] == ["~  1    array([1, 2]) -> array([1, 3])", "   2    'a'"]


def test_a_config_without_a_thread_is_named() -> None:
    graph = StateGraph(dict).add_node("a", lambda state: {}).add_edge(START, "a")
    with pytest.raises(ValueError, match="Which thread"):
        show.checkpoints(graph.compile(checkpointer=InMemorySaver()), {})
