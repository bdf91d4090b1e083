"""What a step did to the state, and the checkpoints of a thread, oldest first, without ids and times."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.show.topology import label
from companion.show.values import brief
from companion.show.view import View, tabular


def state(before: Mapping[str, Any], after: Mapping[str, Any]) -> View:
    """Return the difference of two states: `+` new, `-` gone, `~` changed, a blank for unchanged."""
    return tabular(("", "key", "value"), changes(before, after))


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """What happened to each key, as table rows."""
    return [row for key in {**before, **after} for row in change(key, before, after)]


def change(key: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """What happened to one key; a list that grew shows only what was added."""
    old, new = before.get(key), after.get(key)
    if key not in after:
        yield "-", str(key), brief(old)
    elif key not in before:
        yield "+", str(key), brief(new)
    elif same(old, new):
        yield "", str(key), brief(new)
    elif isinstance(old, list) and isinstance(new, list) and new[: len(old)] == old:
        yield from (("+", f"{key}[{i}]", brief(new[i])) for i in range(len(old), len(new)))
    else:
        yield "~", str(key), f"{brief(old)} -> {brief(new)}"


def same(old: Any, new: Any) -> bool:
    """Whether two values are equal; an array compares item by item."""
    try:
        return bool(old == new)
    except ValueError:
        return repr(old) == repr(new)


def checkpoints(graph: Any, config: Any) -> View:
    """Return a thread's checkpoints: the step, what ran to reach it, what that changed, what would run next."""
    return steps_of(history_of(graph, config))


def steps_of(history: Sequence[Any]) -> View:
    """The table of a thread's snapshots, oldest first."""
    rows = (step(snapshot, parent(snapshot, history)) for snapshot in history)
    return tabular(("step", "ran", "changed", "next"), rows)


def history_of(graph: Any, config: Any) -> list[Any]:
    """The snapshots of a thread, oldest first. Raises ValueError where the config names no thread."""
    try:
        return list(graph.get_state_history(config))[::-1]
    except KeyError:
        raise ValueError("Which thread? Hand over {'configurable': {'thread_id': ...}}, as for invoke.") from None


def parent(snapshot: Any, history: Sequence[Any]) -> Any:
    """The checkpoint a checkpoint was made from: not always the one before it, when a thread was forked."""
    origin = (snapshot.parent_config or {}).get("configurable", {}).get("checkpoint_id")
    return next((other for other in history if other.config["configurable"]["checkpoint_id"] == origin), None)


def step(snapshot: Any, before: Any) -> tuple[str, str, str, str]:
    """A table row for one checkpoint."""
    source, old = snapshot.metadata["source"], before.values if before else {}
    ran = ", ".join(label(task.name) for task in before.tasks) if before and source == "loop" else f"({source})"
    changed = "\n".join(" ".join(row) for row in changes(old, snapshot.values) if row[0])
    return str(snapshot.metadata["step"]), ran, changed or "nothing", upcoming(snapshot)


def upcoming(snapshot: Any) -> str:
    """What runs next, and what a human is asked first."""
    asked = [f"asks: {brief(pause.value)}" for task in snapshot.tasks for pause in task.interrupts]
    return "\n".join([", ".join(map(label, snapshot.next)) or "END", *asked])
