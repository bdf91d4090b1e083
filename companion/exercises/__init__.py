"""Exercises that check themselves: `check("2.1", my_tool)` runs the answer through the real thing and says what it saw.

A checker stands in `lesson_N.py`, is registered with `@exercise("N.1", "Title")`, takes what the learner made and
raises `Wrong(expected, got, look)`. Returning means right. `check` does the rest: an untouched stub (`...`, or a
function, tool or class whose body is `...`) is open, not wrong; an error in the answer is told without a
traceback; an answer that does not end is stopped.
"""

from companion.exercises.record import progress
from companion.exercises.registry import Wrong, exercise, exercises
from companion.exercises.verdict import check

__all__ = ["Wrong", "check", "exercise", "exercises", "progress"]
