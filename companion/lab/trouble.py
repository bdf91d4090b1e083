"""What can go wrong, by name, and the faults of one `with` block."""

import warnings
from collections import deque
from dataclasses import dataclass, field

from companion.lab.search import REFUSED
from companion.lab.spoil import TEXT_FAULTS
from companion.settings import settings

LONGEST = 30
KINDS = {429: "RateLimitError", 500: "InternalServerError", 503: "ServiceUnavailableError"}
REFUSALS = {
    "rate_limit": (429, "Too many requests. Wait as long as Retry-After says, then try again."),
    "server_error": (500, "The engine died. This fault was asked for."),
    "unavailable": (503, "The server is overloaded or still loading. Try again later."),
    "search_error": (500, "Internal server error."),
    "search_limit": REFUSED["tvly-limit"],
    "search_plan": REFUSED["tvly-plan"],
}
SERVER = ("rate_limit", "server_error", "unavailable", "slow", "dropped_stream", "broken_stream", "length")
MODEL = ("insist", *TEXT_FAULTS, "duplicate_id", "null_id")
SEARCH = ("search_slow", "search_error", "search_limit", "search_plan", "search_empty", "search_poisoned")
TOOLS = ("tool_slow", "tool_raises", "tool_empty", "tool_poisoned")
NAMES = (*SERVER, *MODEL, *SEARCH, *TOOLS)


@dataclass
class Trouble:
    """The faults of one `with`. `happened` names those that changed something, in order."""

    names: tuple[str, ...] = ()
    times: int | None = None
    seconds: float = 1.0
    happened: list[str] = field(default_factory=list)
    said: deque[str] = field(default_factory=deque)
    insisted: str | None = None

    def __post_init__(self) -> None:
        if unknown := [name for name in self.names if name not in NAMES]:
            raise ValueError(f"There is no fault {', '.join(map(repr, unknown))}. There are: {', '.join(NAMES)}.")
        if self.times is not None and self.times < 1:
            raise ValueError(f"times={self.times}: say how often a fault may happen, 1 or more; None is always.")
        if not 0 <= self.seconds <= LONGEST:
            raise ValueError(f"seconds={self.seconds}: choose 0 to {LONGEST}, so that nothing hangs.")

    def may(self, name: str) -> bool:
        """Whether a fault is on and not used up."""
        return name in self.names and (self.times is None or self.happened.count(name) < self.times)


def warn_if_elsewhere(trouble: Trouble) -> None:
    """Warn that a configured server is out of reach; the tools run here and fail all the same."""
    if settings().llm_base_url and {*trouble.names} & {*SERVER, *MODEL}:
        message = "Faults happen in the lab on this machine, but LLM_BASE_URL leads elsewhere: unset it to see them."
        warnings.warn(message, stacklevel=4)
