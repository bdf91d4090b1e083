"""Views to click through. What is stored in a notebook is always the static twin: a widget's ids differ on every run.

`show.tabs(...)` and `show.walk(...)` show the static twin. `.live()` shows the widget where someone can click it: in
JupyterLab or Notebook, which set JPY_SESSION_NAME for their kernels. Anywhere else (nbclient, nbval, a test) `.live()`
is the static twin again, so that a lesson's stored outputs stay the same. COMPANION_LIVE=1 or 0 decides otherwise.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.lab.journal import Exchange
from companion.show.exchanges import TITLES, numbered, steps
from companion.show.graphs import graph as picture
from companion.show.states import history_of, parent, state, steps_of, upcoming
from companion.show.view import Html, View, details, indented, tag

if TYPE_CHECKING:
    from ipywidgets import Widget  # type: ignore[import-untyped]


@dataclass(frozen=True, repr=False)
class LiveView(View):
    """A static view that can also be had as a widget."""

    widget: "Callable[[], Widget]"

    def live(self) -> "Widget | View":
        """Return the widget where it can be clicked, this view anywhere else."""
        wanted = os.environ.get("COMPANION_LIVE", "1" if "JPY_SESSION_NAME" in os.environ else "0")
        return self.widget() if wanted == "1" else self


def tabs(exchanges: Sequence[Exchange]) -> LiveView:
    """Return exchanges to leaf through: one tab a call, in it one tab a step."""
    calls = [steps(exchange, previous) for exchange, previous in zip(exchanges, [None, *exchanges], strict=False)]
    views = {f"Call {n}": numbered(found) for n, found in enumerate(calls, start=1)}
    html = tag("div", *(details(name, Html(view.html), shown=True) for name, view in views.items()))
    text = "\n".join(f"{name}\n{indented(view.text)}" for name, view in views.items())

    def widget() -> "Widget":
        from ipywidgets import HTML, Tab

        inner = [Tab([HTML(view.html) for _, view in found], titles=TITLES) for found in calls]
        return Tab(inner, titles=list(views))

    return LiveView(html, text, widget)


def walk(graph: Any, config: Any) -> LiveView:
    """Return a thread's checkpoints to walk through: the change of the state beside the graph, its next node lit."""
    history = history_of(graph, config)
    static = steps_of(history)

    def widget() -> "Widget":
        from ipywidgets import HTML, HBox, Image, IntSlider, VBox

        if not history:
            return HTML(static.html)
        slider = IntSlider(0, 0, len(history) - 1, description="checkpoint")
        told, drawn = HTML(), Image(format="png")

        def update(change: Any = None) -> None:
            snapshot = history[slider.value]
            before = parent(snapshot, history)
            told.value = (
                tag("p", f"step {snapshot.metadata['step']}, next: {upcoming(snapshot)}")
                + state(before.values if before else {}, snapshot.values).html
            )
            image = picture(graph, current=snapshot.next[0] if snapshot.next else None)
            bundle, look = image._repr_mimebundle_()
            drawn.value, drawn.width = bundle["image/png"], look["image/png"]["width"]

        slider.observe(update, "value")
        update()
        return VBox([slider, HBox([drawn, told])])

    return LiveView(static.html, static.text, widget)
