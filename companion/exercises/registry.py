"""An exercise as the course knows it: its number, its title, and the checker that judges an answer."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

Checker = Callable[..., None]
_known: dict[str, "Exercise"] = {}


@dataclass(frozen=True)
class Exercise:
    """A registered exercise; `seconds` bounds one run of its checker."""

    number: str
    title: str
    checker: Checker
    seconds: float

    @property
    def lesson(self) -> int:
        return int(self.number.split(".")[0])


class Wrong(Exception):  # noqa: N818 - it is a verdict, not an error
    """A wrong answer: what was expected, what came, and what to look at next (each one line)."""

    def __init__(self, expected: str, got: Any, look: str) -> None:
        super().__init__(expected, got, look)
        self.expected, self.got, self.look = expected, got, look


def exercise(number: str, title: str, seconds: float = 10) -> Callable[[Checker], Checker]:
    """Register the decorated checker as exercise `number` ("2.1")."""

    def register(checker: Checker) -> Checker:
        _known[number] = Exercise(number, title, checker, seconds)
        return checker

    return register


def exercises() -> dict[str, Exercise]:
    """Return all exercises by number, in order."""
    for module in iter_modules([str(Path(__file__).parent)]):
        if module.name.startswith("lesson_"):
            import_module(f"companion.exercises.{module.name}")
    return dict(sorted(_known.items(), key=lambda item: [int(part) for part in item[0].split(".")]))
