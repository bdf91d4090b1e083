"""The package behind the course: `chat_model()`, `search_client()`, the `journal`, `check`, and pictures in `show`.

Everything is imported on first use, so that `import companion` costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion import show
    from companion.clients import chat_model, search_client
    from companion.exercises import check
    from companion.lab.faults import faults
    from companion.lab.journal import journal

__all__ = ["chat_model", "check", "faults", "journal", "search_client", "show"]

HOMES = {
    "chat_model": "companion.clients",
    "check": "companion.exercises",
    "faults": "companion.lab.faults",
    "journal": "companion.lab.journal",
    "search_client": "companion.clients",
}


def __getattr__(name: str) -> Any:
    if name in HOMES:
        value = getattr(import_module(HOMES[name]), name)
        globals()[name] = value
        return value
    if name in __all__:
        return import_module(f"companion.{name}")
    raise AttributeError(f"companion has no {name!r}; it offers {', '.join(__all__)}")
