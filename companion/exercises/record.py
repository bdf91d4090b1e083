"""What is done, kept across kernels in a file of the user's own, outside the course's folder."""

import json
import os
from pathlib import Path

from platformdirs import user_data_path


class Progress:
    """Exercises done per lesson; shown as text and as a table."""

    def __init__(self, lessons: dict[int, list[tuple[str, str, bool]]]) -> None:
        self.lessons = lessons

    def __repr__(self) -> str:
        lines = []
        for lesson, rows in self.lessons.items():
            lines.append(f"Lesson {lesson}: {sum(done for *_, done in rows)} of {len(rows)} done")
            lines += [f"  [{'x' if done else ' '}] {number} {title}" for number, title, done in rows]
        return "\n".join(lines)


def progress() -> Progress:
    """Return what is done and what is open, per lesson."""
    from companion.exercises.registry import exercises

    done = done_numbers()
    lessons: dict[int, list[tuple[str, str, bool]]] = {}
    for number, task in exercises().items():
        lessons.setdefault(task.lesson, []).append((number, task.title, number in done))
    return Progress(lessons)


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
