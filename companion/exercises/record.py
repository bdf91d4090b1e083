"""What is done, kept across kernels in a file of the user's own, outside the course's folder."""

import json
import os
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from platformdirs import user_data_path

from companion.exercises.registry import exercises


@dataclass(frozen=True, repr=False)
class Progress:
    """Exercises done per lesson; `str()` and `repr()` give `text`."""

    text: str

    def __repr__(self) -> str:
        return self.text


def progress() -> Progress:
    """Return what is done and what is open, per lesson."""
    done, lines = done_numbers(), []
    for lesson, group in groupby(exercises().values(), key=lambda task: task.lesson):
        tasks = list(group)
        lines.append(f"Lesson {lesson}: {sum(task.number in done for task in tasks)} of {len(tasks)} done")
        lines += [f"  [{'x' if task.number in done else ' '}] {task.number} {task.title}" for task in tasks]
    return Progress("\n".join(lines))


def mark_done(number: str) -> None:
    """Remember that an exercise is done. A folder that cannot be written is no reason to stop a lesson."""
    done = sorted(done_numbers() | {number})
    path = progress_file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        half = path.with_suffix(f".{os.getpid()}.part")  # two kernels may finish an exercise at once
        half.write_text(json.dumps({"done": done}), encoding="utf-8")
        half.replace(path)
    except OSError as error:
        print(f"(Progress is not kept: {error.strerror}. Set COMPANION_PROGRESS to a file that can be written.)")


def done_numbers() -> set[str]:
    """The numbers done so far; a missing or broken file counts as none."""
    try:
        return {str(number) for number in json.loads(progress_file().read_text(encoding="utf-8"))["done"]}
    except (OSError, ValueError, KeyError, TypeError):
        return set()


def progress_file() -> Path:
    """The file: COMPANION_PROGRESS where set, else in the user's data folder."""
    return Path(os.environ.get("COMPANION_PROGRESS") or user_data_path("tool-calling-course") / "progress.json")
