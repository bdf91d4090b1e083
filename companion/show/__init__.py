"""Pictures for people. Each function returns an object that a notebook shows and that `str()` turns into plain text."""

from companion.show.exchanges import exchange
from companion.show.graphs import graph
from companion.show.prompts import diff, prompt

__all__ = ["diff", "exchange", "graph", "prompt"]
