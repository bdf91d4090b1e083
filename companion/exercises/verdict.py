"""Judge one answer: open, right or wrong, in one to four lines, always within its time."""

import ast
import ctypes
import inspect
import logging
import textwrap
import threading
from collections.abc import Callable
from contextvars import copy_context
from traceback import extract_tb
from typing import Any, get_origin

from companion.exercises.record import mark_done
from companion.exercises.registry import Exercise, Wrong, exercises


class OutOfTime(SystemExit):
    """Raised inside an answer that does not end: no broad `except` swallows it, and a thread ends without a word."""


def is_other(record: logging.LogRecord) -> bool:
    """Whether a record of a thread pool is about something else than OutOfTime."""
    return not (record.exc_info and record.exc_info[0] is OutOfTime)


logging.getLogger("concurrent.futures").addFilter(is_other)


def check(number: object, *answer: Any) -> None:
    """Print what the check of exercise `number` says about `answer`. Raises nothing for a wrong answer."""
    known, name = exercises(), str(number).strip()
    if name not in known:
        print(f"There is no exercise {number!r}. There are: {', '.join(known)}.")
    elif not answer or any(is_stub(part) for part in answer):
        print(f"Exercise {name} is open: put your answer in place of `...` and run this cell again.")
    else:
        print("\n".join(verdict(known[name], answer)))


def verdict(task: Exercise, answer: tuple[Any, ...]) -> list[str]:
    """Run the checker and put its outcome into lines."""
    error = misuse(task, answer) or bounded(lambda: task.checker(*answer), task.seconds)
    match error:
        case None:
            mark_done(task.number)
            return [f"Right. Exercise {task.number} is done: {task.title}."]
        case Wrong():
            return [
                f"Not yet, exercise {task.number}.",
                f"expected: {error.expected}",
                f"got:      {brief(error.got)}",
                f"look at:  {error.look}",
            ]
        case OutOfTime():
            return [
                f"Not yet, exercise {task.number}: no end after {task.seconds:g} seconds, so the check stopped it.",
                "look at:  a loop whose condition never changes, or a graph that never reaches END.",
            ]
    place = where(error)
    return [
        f"Not yet, exercise {task.number}: your code raised {type(error).__name__}{place}.",
        f"it says:  {brief(error)}",
        f"look at:  {'that line, with the values it gets there' if place else 'what your answer is and is given'}.",
    ]


def misuse(task: Exercise, answer: tuple[Any, ...]) -> Wrong | None:
    """What is wrong with an answer before it is run: another number of things, no function, an async one."""
    parameters = inspect.signature(task.checker).parameters.values()
    if len(answer) != len(parameters):
        return Wrong("one answer", f"{len(answer)}", f'the call: check("{task.number}", your_answer)')
    for value, parameter in zip(answer, parameters, strict=True):
        if get_origin(parameter.annotation) is not Callable:
            continue
        if not callable(value) or isinstance(value, type):
            return Wrong("a function", value, "the call: hand over the function by its name, do not call it")
        if inspect.iscoroutinefunction(value):
            return Wrong("an ordinary function", "an async one", "the word before its name: `def`, not `async def`")
    return None


def bounded(work: Callable[[], None], seconds: float) -> BaseException | None:
    """Run `work` for at most `seconds`; return what it raised, OutOfTime where it does not end, or None."""
    outcome: list[BaseException] = []

    def target() -> None:
        try:
            work()
        except BaseException as error:  # `exit()` in an answer too
            outcome.append(error)

    before = set(threading.enumerate())
    thread = threading.Thread(target=copy_context().run, args=(target,), daemon=True)
    thread.start()
    try:
        thread.join(seconds)
    finally:  # also when the learner interrupts the kernel
        late = thread.is_alive()
        if late:
            stop(set(threading.enumerate()) - before)
    return OutOfTime() if late else next(iter(outcome), None)


def stop(threads: set[threading.Thread]) -> None:
    """Raise OutOfTime inside threads, so that an endless loop does not go on behind the next cell.

    A tool node runs tools in threads of its own: those must end too. The lab's thread is not the answer's.
    """
    own = [thread for thread in threads if thread.name != "lab"]
    for thread in own:
        identity = ctypes.c_ulong(thread.ident or 0)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(identity, ctypes.py_object(OutOfTime))
    for thread in own:
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
    said = [constant(line) for line in getattr(tree.body[0], "body", [])]
    return {value for value in said if not isinstance(value, str)} == {...}


def constant(line: ast.stmt) -> object:
    """The constant that is a line by itself, such as `...` or a docstring; the line where it is more."""
    return line.value.value if isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant) else line


def brief(value: Any) -> str:
    """A value in one line of at most 160 characters."""
    try:
        text = " ".join(str(value).split()) or repr(value)
    except Exception:
        text = f"{type(value).__name__}, which cannot be shown"
    return text if len(text) <= 160 else text[:157] + "..."


def where(error: BaseException) -> str:
    """The line of the learner's own cell that raised, where it is known."""
    frames = extract_tb(error.__traceback__)
    cell = [frame for frame in frames if "ipykernel_" in frame.filename or frame.filename.startswith("<")]
    return f" in line {cell[-1].lineno} of your cell" if cell and cell[-1].lineno else ""
