"""Pictures for people. Each function returns an object that a notebook shows and that `str()` turns into plain text."""

from typing import TYPE_CHECKING

from companion.show.boxes import tokens
from companion.show.charts import bars, lines, timeline
from companion.show.conversation import messages
from companion.show.exchanges import exchange
from companion.show.graphs import graph
from companion.show.live import tabs, walk
from companion.show.prompts import diff, prompt
from companion.show.schemas import schema
from companion.show.states import checkpoints, state

if TYPE_CHECKING:
    from companion.exercises.record import Progress


def progress() -> "Progress":
    """Return what is done and what is open, per lesson."""
    from companion.exercises.record import progress

    return progress()


__all__ = [
    "bars",
    "checkpoints",
    "diff",
    "exchange",
    "graph",
    "lines",
    "messages",
    "progress",
    "prompt",
    "schema",
    "state",
    "tabs",
    "timeline",
    "tokens",
    "walk",
]
