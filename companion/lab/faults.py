"""Trouble on purpose: `with companion.faults("rate_limit"):` makes this kernel's lab fail as real servers do.

The faults reach every client of the lab, in every thread, and end with their `with`. Those of a text happen before it
is cut and parsed (`spoil.py`), so what comes after them is real. Not here: chance. A fault happens always, or `times`.
"""

import asyncio
import math
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial, wraps
from threading import RLock
from typing import Any, ParamSpec, TypeVar

from companion.lab import spoil
from companion.lab.errors import LabError
from companion.lab.journal import MODEL_PATHS
from companion.lab.tokens import encode
from companion.lab.trouble import KINDS, NAMES, REFUSALS, SEARCH, SERVER, Trouble, warn_if_elsewhere

P = ParamSpec("P")
R = TypeVar("R")
Json = dict[str, Any]


class Faults:
    """What is wrong right now. One for the kernel (`companion.faults`); a lab in a test may have its own."""

    POISON = spoil.POISON

    def __init__(self) -> None:
        self._lock = RLock()
        self._troubles = [Trouble()]

    def __call__(self, *names: str, times: int | None = None, seconds: float = 1.0) -> AbstractContextManager[Trouble]:
        """Faults for a `with`. Each happens at most `times`; slow ones take `seconds`. Raises ValueError."""
        return self._during(Trouble(names, times, seconds))

    @contextmanager
    def _during(self, trouble: Trouble) -> Iterator[Trouble]:
        warn_if_elsewhere(trouble)
        try:
            with self._lock:
                self._troubles.append(trouble)
            yield trouble
        finally:  # by identity: an inner block may outlive the outer one, in a generator
            with self._lock:
                self._troubles = [each for each in self._troubles if each is not trouble]

    def say(self, *texts: str) -> None:
        """Make the next completions exactly these texts; what is said inside a `with` is forgotten at its end.

        Raises TypeError for anything but texts, UnicodeEncodeError for half a character.
        """
        for text in texts:
            if not isinstance(text, str):
                raise TypeError(f"say() takes texts, say('one', 'two'), and not a {type(text).__name__}.")
            text.encode()
        with self._lock:
            self._troubles[-1].said.extend(texts)

    def keep(self, trouble: Trouble) -> None:
        """Let faults stay until `clear`, in place of all there are."""
        with self._lock:
            self._troubles = [trouble]

    def clear(self) -> None:
        """End every fault, and forget what was to be said."""
        self.keep(Trouble())

    def names(self) -> list[str]:
        """All faults there are: the server's, the model's, the search's, the tools'."""
        return list(NAMES)

    def _take(self, name: str) -> Trouble | None:
        """The innermost block in which a fault happens now; that it did is written down."""
        with self._lock:
            trouble = next((each for each in reversed(self._troubles) if each.may(name)), None)
            if trouble:
                trouble.happened.append(name)
            return trouble

    def _next_said(self) -> str | None:
        with self._lock:
            waiting = next((each.said for each in reversed(self._troubles) if each.said), None)
            return waiting.popleft() if waiting else None

    async def before(self, path: str) -> bool:
        """Wait, or raise a LabError, where the server or the search fails at once. Returns whether it waited."""
        names = SERVER if path in MODEL_PATHS else SEARCH if path == "/search" else ()
        waits = [slow.seconds for name in names if name.endswith("slow") and (slow := self._take(name))]
        if waits:
            await asyncio.sleep(sum(waits))
        for name in names:
            if name in REFUSALS and (refused := self._take(name)):
                status, message = REFUSALS[name]
                after = {"Retry-After": str(math.ceil(refused.seconds))} if status == 429 else {}
                raise LabError(message, status=status, type=KINDS.get(status, "Error"), headers=after)
        return bool(waits)

    def rewrite(self, completion: str, with_tools: bool = False) -> str:
        """The completion to go on with: what was to be said, or the model's text with its faults."""
        said = self._next_said()
        text = completion if said is None else said
        text = self._insist(text) if with_tools else text
        if said is not None:
            return said
        for name, spoilt in spoil.TEXT_FAULTS.items():
            if any(name in trouble.names for trouble in self._troubles):
                changed = spoilt(text)
                text = changed if changed != text and self._take(name) else text
        return text

    def _insist(self, text: str) -> str:
        """The first call since the block began."""
        with self._lock:
            trouble = next((each for each in reversed(self._troubles) if each.may("insist")), None)
            if trouble is None:
                return text
            if trouble.insisted is None:
                trouble.insisted = spoil.first_call(text)
            elif trouble.insisted != text:
                trouble.happened.append("insist")
            return trouble.insisted or text

    def limit(self, completion: str) -> int | None:
        """How many tokens may be written, where the limit on length is to strike."""
        if completion and self._take("length"):
            return max(1, len(encode(spoil.first_half(completion))))
        return None

    def ids(self, completion: str) -> Callable[[str], str | None]:
        """What becomes of the id of each call."""
        if spoil.OPEN in completion and self._take("null_id"):
            return lambda _: None
        if spoil.OPEN in completion and self._take("duplicate_id"):
            return lambda _: "chatcmpl-tool-0"
        return str

    def events(self, events: Iterator[str]) -> Iterator[str]:
        """A stream, or its first half and then nothing, or its first half and then a broken connection."""
        if self._take("broken_stream"):
            return broken(list(events))
        if self._take("dropped_stream"):
            lines = list(events)
            return iter(lines[: len(lines) // 2])
        return events

    def found(self, response: Json) -> Json:
        """What a search found."""
        results = response.get("results")
        if results and self._take("search_empty"):
            return response | {"results": [], "answer": None}
        if results and self._take("search_poisoned"):
            first = results[0] | {"content": spoil.poisoned(results[0]["content"])}
            return response | {"results": [first, *results[1:]]}
        return response

    def result(self, tool: Callable[[], Any]) -> Any:
        """What a tool returns, late, empty or poisoned. Raises ConnectionError where it is to raise."""
        if slow := self._take("tool_slow"):
            time.sleep(slow.seconds)
        if self._take("tool_raises"):
            raise ConnectionError("The service behind this tool did not answer.")
        value = tool()
        if self._take("tool_empty"):
            return {} if isinstance(value, dict) else None
        return spoil.poisoned(value) if self._take("tool_poisoned") else value


def broken(lines: list[str]) -> Iterator[str]:
    """Half of the lines, then an exception: the server closes the connection in the middle of the body."""
    yield from lines[: len(lines) // 2]
    raise ConnectionAbortedError("broken_stream")


faults = Faults()


def breakable(tool: Callable[P, R]) -> Callable[P, R]:
    """The same function, open to the tool faults."""

    @wraps(tool)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        result: R = faults.result(partial(tool, *args, **kwargs))
        return result

    return run
