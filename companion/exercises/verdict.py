"""Judge one answer: open, right or wrong, in one to four lines, always within its time."""

import ast
import ctypes
import inspect
import sys
import textwrap
import threading
from collections.abc import Callable
from contextvars import copy_context
from traceback import extract_tb
from typing import Any

from companion.exercises.record import mark_done
from companion.exercises.registry import Exercise, Wrong, exercises


class OutOfTime(BaseException):
    """Raised inside an answer that does not end. Not an Exception, so that a broad `except` cannot swallow it."""


def check(number: str, *answer: Any) -> None:
    """Print what the check of exercise `number` says about `answer`. Raises nothing for a wrong answer."""
    known = exercises()
    if number not in known:
        print(f"There is no exercise {number!r}. There are: {', '.join(known)}.")
    elif not answer or any(is_stub(part) for part in answer):
        print(f"Exercise {number} is open: put your answer in place of `...` and run this cell again.")
    else:
        print("\n".join(verdict(known[number], answer)))


def verdict(task: Exercise, answer: tuple[Any, ...]) -> list[str]:
    """Run the checker and put its outcome into lines."""
    try:
        bounded(lambda: task.checker(*answer), task.seconds)
    except Wrong as wrong:
        return [
            f"Not yet, exercise {task.number}.",
            f"expected: {wrong.expected}",
            f"got:      {brief(wrong.got)}",
            f"look at:  {wrong.look}",
        ]
    except OutOfTime:
        return [
            f"Not yet, exercise {task.number}: no end after {task.seconds:g} seconds, so the check stopped it.",
            "look at:  a loop whose condition never changes, or a graph that never reaches END.",
        ]
    except Exception as error:
        return [
            f"Not yet, exercise {task.number}: your code raised {type(error).__name__}{where(error)}.",
            f"it says:  {brief(error)}",
            "look at:  that line, with the values it gets there.",
        ]
    mark_done(task.number)
    return [f"Right. Exercise {task.number} is done: {task.title}."]


def bounded(work: Callable[[], None], seconds: float) -> None:
    """Run `work` for at most `seconds`, and raise what it raises; raise OutOfTime where it does not end."""
    outcome: list[BaseException] = []

    def target() -> None:
        try:
            work()
        except BaseException as error:
            outcome.append(error)

    before = set(threading.enumerate())
    thread = threading.Thread(target=copy_context().run, args=(target,), daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        stop(set(threading.enumerate()) - before)
        raise OutOfTime
    if outcome:
        raise outcome[0]


def stop(threads: set[threading.Thread]) -> None:
    """Raise OutOfTime inside threads, so that an endless loop does not go on behind the next cell.

    A tool node runs tools in threads of its own: those must end too. The lab's thread is not the answer's.
    """
    for thread in threads:
        if thread.name != "lab":
            identity = ctypes.c_ulong(thread.ident or 0)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(identity, ctypes.py_object(OutOfTime))
    for thread in threads:
        if thread.name != "lab":
            thread.join(0.5)


def is_stub(answer: Any) -> bool:
    """Whether an answer is still the stub: `...` itself, or code whose body is nothing but `...`."""
    if answer is ...:
        return True
    code = getattr(answer, "func", None) or getattr(answer, "coroutine", None) or answer
    if not (inspect.isfunction(code) or inspect.isclass(code)):
        return False
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(code)))
    except (OSError, TypeError, SyntaxError):
        return False
    body = getattr(tree.body[0], "body", None)
    if not isinstance(body, list):
        return False
    rest = [line for line in body if not is_text(line)]
    return bool(rest) and all(isinstance(line, ast.Expr) and is_dots(line.value) for line in rest)


def is_text(line: ast.stmt) -> bool:
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant) and isinstance(line.value.value, str)


def is_dots(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is ...


def brief(value: Any) -> str:
    """A value in one line of at most 160 characters."""
    text = " ".join(str(value).split()) or repr(value)
    return text if len(text) <= 160 else text[:157] + "..."


def where(error: Exception) -> str:
    """The line of the learner's own cell that raised, where it is known."""
    own = [frame for frame in extract_tb(error.__traceback__) if frame.filename not in package_files()]
    cell = [frame for frame in own if "ipykernel" in frame.filename or frame.filename.startswith("<")]
    return f" in line {cell[-1].lineno} of your cell" if cell and cell[-1].lineno else ""


def package_files() -> set[str]:
    """The files of this package: a frame there is ours, not the learner's."""
    return {module.__file__ or "" for name, module in sys.modules.items() if name.startswith("companion.exercises")}
