"""What crossed each border of the lab: request, prompt, completion, response. Keys are never kept."""

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

MODEL_PATHS = ("/v1/chat/completions", "/v1/completions")


@dataclass(frozen=True)
class Exchange:
    """One request and its answer. `prompt` and `completion` are None where there was none (an error, a search)."""

    path: str
    request: Mapping[str, Any]
    status: int
    response: Mapping[str, Any]
    prompt: str | None = None
    completion: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


class Journal:
    """The last exchanges, oldest first. Safe to read while the lab writes; `limit` bounds its memory.

    `writers` are the roots of the servers in this process: they write here themselves, a client need not.
    """

    def __init__(self, limit: int = 1000) -> None:
        self.writers: set[str] = set()
        self._kept: deque[Exchange] = deque(maxlen=limit)
        self._lock = Lock()

    def record(self, exchange: Exchange) -> None:
        with self._lock:
            self._kept.append(exchange)

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()

    def chats(self) -> list[Exchange]:
        """The chat completions alone: what lessons look at."""
        return [exchange for exchange in self if exchange.path == MODEL_PATHS[0]]

    def __iter__(self) -> Iterator[Exchange]:
        with self._lock:
            return iter(list(self._kept))

    def __len__(self) -> int:
        return len(self._kept)

    def __getitem__(self, index: int) -> Exchange:
        kept = list(self)
        if not kept:
            raise IndexError("The journal is empty: call the model first, in this kernel and after journal.clear().")
        return kept[index]


journal = Journal()
