"""A picture of any compiled graph, drawn offline: Mermaid where the notebook can show it, matplotlib elsewhere."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from companion.show.layout import BOX, LOOP, TITLE, Box, Layout, Point, lay_out
from companion.show.picture import GREY, INK, Picture, drawable, fonts
from companion.show.topology import ENDS, Arrow, Topology, edge_list, label, mermaid, read

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MARGIN = 0.25
FILL, LIT, RIM, CHIP = "#dbe9f6", "#ffe08a", "#c76a00", "#f4f4f4"


def graph(compiled: Any, current: str | None = None, xray: bool = False) -> Picture:
    """Return a picture of a compiled graph; `current` lights a node, `xray` opens subgraphs.

    Raises ValueError when there is no node `current`.
    """
    topology = read(compiled, xray)
    if current is not None and current not in topology.nodes:
        raise ValueError(f"the graph has no node {current!r}; it has {', '.join(topology.nodes)}")
    return Picture(
        edge_list(topology, current),
        lambda: figure(readable(topology), current and drawable(current)),
        mermaid(topology, current),
    )


def readable(topology: Topology) -> Topology:
    """The same graph with names that the fonts of this machine can draw."""
    arrows = (
        Arrow(drawable(arrow.source), drawable(arrow.target), arrow.label and drawable(arrow.label))
        for arrow in topology.arrows
    )
    return Topology(tuple(map(drawable, topology.nodes)), tuple(arrows))


def figure(topology: Topology, current: str | None = None) -> "Figure":
    """Return the matplotlib figure, one inch a unit."""
    from matplotlib.figure import Figure

    layout = lay_out(topology)
    w, h = layout.w + 2 * MARGIN, layout.h + 2 * MARGIN
    drawn = Figure(figsize=(w, h))
    axes = drawn.add_axes((0, 0, 1, 1))
    axes.set(xlim=(-MARGIN, w - MARGIN), ylim=(h - MARGIN, -MARGIN))
    axes.axis("off")
    for name, box in layout.frames.items():
        draw_frame(axes, box, label(name))
    worded = {(arrow.source, arrow.target) for arrow in topology.arrows if arrow.label}
    for arrow, curve in curves(topology.arrows, layout).items():
        meets = arrow.source != arrow.target and (arrow.target, arrow.source) in worded
        draw_arrow(axes, arrow, curve, at=0.25 if meets else 0.5)
    for node, box in layout.boxes.items():
        draw_node(axes, box, label(node), node == current)
    return drawn


def draw_node(axes: "Axes", box: Box, name: str, lit: bool) -> None:
    """A box with its name; START and END are round, the current node has a thick border and a mark."""
    from matplotlib.patches import FancyBboxPatch

    radius = BOX / 2 if name in ENDS.values() else 0.06
    style = f"round,pad=0,rounding_size={radius}"
    fill, border = (LIT, 3.5) if lit else (FILL if radius < BOX / 2 else CHIP, 1.2)
    corner = (box.x - box.w / 2, box.y - box.h / 2)
    axes.add_patch(FancyBboxPatch(corner, box.w, box.h, style, fc=fill, ec=RIM if lit else GREY, lw=border, zorder=3))
    write(axes, (box.x, box.y), f"▶ {name}" if lit else name, size=11, weight="bold" if lit else "normal")


def draw_frame(axes: "Axes", box: Box, name: str) -> None:
    """The box around a subgraph, its name at the top."""
    from matplotlib.patches import Rectangle

    left, top = box.x - box.w / 2, box.y - box.h / 2
    axes.add_patch(Rectangle((left, top), box.w, box.h, fc="#7a7a7a22", ec=GREY, lw=1.2, zorder=1))
    write(axes, (left + 0.1, top + TITLE / 2), name, size=10, ha="left", color=GREY, weight="bold")


def draw_arrow(axes: "Axes", arrow: Arrow, curve: Sequence[Point], at: float) -> None:
    """A smooth line; dashed, with its word `at` a part of the way, when a router decides."""
    from matplotlib.patches import FancyArrowPatch
    from matplotlib.path import Path

    path = Path(curve, [Path.MOVETO] + [Path.CURVE4] * (len(curve) - 1))
    dashes = "solid" if arrow.label is None else (0, (4, 2.5))
    axes.add_patch(
        FancyArrowPatch(path=path, arrowstyle="-|>", mutation_scale=13, lw=1.4, ls=dashes, color=GREY, zorder=2)
    )
    if arrow.label is not None:
        chip = {"boxstyle": "round,pad=0.2", "fc": CHIP, "ec": "none"}
        write(axes, along(curve, at), arrow.label, size=9.5, zorder=2.5, bbox=chip)


def write(axes: "Axes", at: Point, text: str, **style: Any) -> None:
    """Text around a point, taken literally: `$` and `_` mean nothing."""
    look: dict[str, Any] = {
        "ha": "center",
        "va": "center",
        "color": INK,
        "zorder": 4,
        "family": list(fonts()),
        "parse_math": False,
    }
    axes.text(*at, text, **(look | style))


def curves(arrows: Sequence[Arrow], layout: Layout) -> dict[Arrow, list[Point]]:
    """Each arrow as a chain of Bezier curves, from the edge of one box to the edge of the other."""
    ways = {arrow: way(arrow, layout) for arrow in arrows if arrow.source != arrow.target}
    ports = shared_out(ways, layout.boxes)
    found = {arrow: smooth([ports[arrow, 0], *points[1:-1], ports[arrow, 1]]) for arrow, points in ways.items()}
    return {arrow: found.get(arrow) or loop(layout.boxes[arrow.source]) for arrow in arrows}


def way(arrow: Arrow, layout: Layout) -> list[Point]:
    """The centres of both boxes, and the points between that keep a long arrow clear of others."""
    a, b = layout.boxes[arrow.source], layout.boxes[arrow.target]
    return [(a.x, a.y), *layout.bends.get((arrow.source, arrow.target), []), (b.x, b.y)]


def shared_out(ways: Mapping[Arrow, list[Point]], boxes: Mapping[str, Box]) -> dict[tuple[Arrow, int], Point]:
    """Where each arrow leaves (0) and arrives (1): the arrows on one side of a box share it, in the order they come."""
    sides: dict[tuple[str, int], list[tuple[float, int, Arrow, int]]] = {}
    for i, (arrow, points) in enumerate(ways.items()):
        leaves, arrives = (0, arrow.source, points[0], points[1]), (1, arrow.target, points[-1], points[-2])
        for end, node, (_, here), (x, there) in (leaves, arrives):
            sides.setdefault((node, 1 if there > here else -1), []).append((x, i, arrow, end))
    ports = {}
    for (node, side), users in sides.items():
        box = boxes[node]
        for k, (_, _, arrow, end) in enumerate(sorted(users, key=lambda user: user[:2]), start=1):
            ports[arrow, end] = (box.x + box.w * (k / (len(users) + 1) - 0.5), box.y + side * box.h / 2)
    return ports


def smooth(points: Sequence[Point]) -> list[Point]:
    """Points as Bezier curves that are vertical at each point."""
    corners = [points[0]]
    for (x0, y0), (x1, y1) in pairwise(points):
        corners += [(x0, (y0 + y1) / 2), (x1, (y0 + y1) / 2), (x1, y1)]
    return corners


def loop(box: Box) -> list[Point]:
    """The arrow of a node to itself, on its right."""
    right = box.x + box.w / 2
    return [(right, box.y - 0.1), (right + LOOP, box.y - 0.4), (right + LOOP, box.y + 0.4), (right, box.y + 0.1)]


def along(curve: Sequence[Point], t: float) -> Point:
    """A point on the middle curve of a chain: 0 is where it begins, 1 where it ends."""
    from matplotlib.bezier import BezierSegment

    start = (len(curve) - 1) // 6 * 3
    x, y = BezierSegment(curve[start : start + 4])(t)
    return x, y
