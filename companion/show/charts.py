"""Three charts: bars, lines, and a timeline of what ran when. Hatches and markers beside colours, a table as twin."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.show.picture import GREY, INK, Picture, drawable, fonts
from companion.show.view import columns

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#4c9bd6", "#e69f00", "#2fae86", "#d9694a", "#b07cc6")
HATCHES = ("", "///", "...", "xx", "\\\\\\")
MARKERS = ("o", "s", "^", "D", "v")


def bars(data: Mapping[str, Mapping[str, float]], *, title: str = "", unit: str = "") -> Picture:
    """Return grouped bars for `{group: {series: value}}`; the twin is the table of the values."""
    series = list(dict.fromkeys(name for values in data.values() for name in values))
    if not series:
        raise ValueError("There are no bars to draw: hand over {group: {series: value}}.")
    rows = [(group, *(number(values.get(name)) for name in series)) for group, values in data.items()]

    def draw() -> Any:
        axes = chart(title, y=unit)
        room = 0.8 / len(series)
        for i, name in enumerate(series):
            heights = [values.get(name) or 0 for values in data.values()]
            places = [group + (i - (len(series) - 1) / 2) * room for group in range(len(data))]
            drawn = axes.bar(places, heights, room * 0.92, color=colour(i), hatch=HATCHES[i % 5], ec=INK, label=name)
            axes.bar_label(drawn, [number(height) for height in heights], padding=2, color=GREY, weight="bold")
        axes.set_xticks(range(len(data)), [drawable(group) for group in data])
        return finished(axes)

    return Picture(titled(title, unit, columns(("", *series), rows)), draw)


def lines(series: Mapping[str, Sequence[float]], *, title: str = "", x: str = "", y: str = "") -> Picture:
    """Return a line for each series over 1, 2, 3...; the twin is the table of the values."""
    length = max(map(len, series.values()), default=0)
    if not length:
        raise ValueError("There are no lines to draw: hand over {series: [value, ...]}.")
    head = ("", *(str(n) for n in range(1, length + 1)))
    rows = [(name, *map(number, values), *[""] * (length - len(values))) for name, values in series.items()]

    def draw() -> Any:
        axes = chart(title, x, y)
        for i, (name, values) in enumerate(series.items()):
            axes.plot(range(1, len(values) + 1), values, MARKERS[i % 5] + "-", color=colour(i), lw=2, ms=8, label=name)
        axes.set_xticks(range(1, length + 1))
        axes.set_ylim(bottom=0)
        return finished(axes)

    return Picture(titled(title, f"{x}: {y}".strip(": "), columns(head, rows)), draw)


def timeline(
    spans: Sequence[tuple[str, float, float]], *, title: str = "", unit: str = "s", digits: int = 1
) -> Picture:
    """Return bars from start to end for `(label, start, end)`; `digits` rounds the twin, so that it can be stable."""
    rows = [(label, number(start, digits), number(end, digits)) for label, start, end in spans]

    def draw() -> Any:
        axes = chart(title, unit, height=0.9 + 0.4 * len(spans))
        for i, (_, start, end) in enumerate(spans):
            axes.barh(i, end - start, 0.6, start, color=colour(i), hatch=HATCHES[i % 5], ec=INK)
        axes.set_yticks(range(len(spans)), [drawable(label) for label, _, _ in spans])
        axes.invert_yaxis()
        return finished(axes)

    return Picture(titled(title, unit, columns(("", "start", "end"), rows)), draw)


def chart(title: str, x: str = "", y: str = "", height: float = 3.2) -> "Axes":
    """Empty axes in grey, which reads on white and on black."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    axes = Figure(figsize=(6.4, height), layout="constrained").add_subplot()
    axes.set_title(drawable(title), loc="left", weight="bold")
    axes.set(xlabel=drawable(x), ylabel=drawable(y))
    axes.spines[["top", "right"]].set_visible(False)
    axes.yaxis.set_major_locator(MaxNLocator("auto", integer=True))
    return axes


def finished(axes: "Axes") -> Any:
    """The figure: a legend for several series, words and frames in grey, and in fonts that can draw them."""
    from matplotlib.text import Text

    if len(axes.get_legend_handles_labels()[1]) > 1:
        axes.legend(frameon=False, loc="best")
    axes.tick_params(colors=GREY)
    axes.spines[:].set_color(GREY)
    for text in axes.figure.findobj(Text):
        text.set(color=GREY, family=list(fonts()), parse_math=False)
    return axes.figure


def colour(i: int) -> str:
    """The colour of series i, from a palette that survives colour blindness."""
    return COLOURS[i % len(COLOURS)]


def number(value: float | None, digits: int = 0) -> str:
    """A value for the twin: `1,234` or `0.5`; a dash for none, no minus before a zero."""
    return "-" if value is None else f"{value:z,.{digits}f}"


def titled(title: str, unit: str, twin: str) -> str:
    """The twin under its title."""
    head = " ".join(part for part in (title, f"({unit})" if unit else "") if part)
    return f"{head}\n{twin}" if head else twin
