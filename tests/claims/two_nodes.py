"""A graph of two nodes for a process of its own: `two_nodes.py FILE,DURABILITY[,die] ...` prints each final state.

FILE is an SQLite file, or "memory". With "die" the process kills itself inside node b.
"""

import json
import operator
import os
import signal
import sqlite3
import sys
from typing import Annotated, Any, TypedDict

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph

THREAD: Any = {"configurable": {"thread_id": "one"}}


class State(TypedDict):
    log: Annotated[list[str], operator.add]


def build(file: str, die: bool = False) -> CompiledStateGraph[Any, Any, Any, Any]:
    """START -> a -> b, saved in a file or in memory."""

    def b(state: State) -> dict[str, Any]:
        if die:
            os.kill(os.getpid(), signal.SIGKILL)
        return {"log": ["b"]}

    memory = file == "memory"
    saver = InMemorySaver() if memory else SqliteSaver(sqlite3.connect(file, check_same_thread=False))
    builder = StateGraph(State)
    builder.add_node("a", lambda state: {"log": ["a"]})
    builder.add_node("b", b)
    builder.add_edge(START, "a")
    builder.add_edge("a", "b")
    return builder.compile(checkpointer=saver)


if __name__ == "__main__":
    for run in sys.argv[1:]:
        file, durability, *rest = run.split(",")
        state = build(file, die=rest == ["die"]).invoke({"log": ["in"]}, THREAD, durability=durability)
        print(json.dumps(state["log"]), flush=True)
