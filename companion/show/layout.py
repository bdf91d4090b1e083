"""Where to put the boxes of a graph: layers from START down, few crossings, subgraphs as boxes of boxes.

The classic layered drawing: turn the edges that close a loop, give each node the longest way from the start as its
layer, run long edges through empty points, order each layer by the mean of its neighbours, then pull boxes towards
them. Inches, x to the right and y down; arithmetic only, so the same graph lies the same way everywhere.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import fmean

from companion.show.topology import Arrow, Topology, children, label
from companion.show.view import width

Point = tuple[float, float]
Link = tuple[str, str]
Near = defaultdict[str, list[str]]

BOX, GAP, LAYER, PAD, TITLE, LOOP = 0.42, 0.45, 0.7, 0.22, 0.3, 0.6
EMPTY = (0.3, 0.0)
SWEEPS = 12


@dataclass(frozen=True)
class Box:
    """Centre, width and height."""

    x: float
    y: float
    w: float
    h: float

    def moved(self, x: float, y: float) -> "Box":
        return Box(self.x + x, self.y + y, self.w, self.h)


@dataclass
class Layout:
    """Boxes by node id, frames by subgraph id, and the points a long edge passes, by its two ends."""

    w: float = 0.0
    h: float = 0.0
    boxes: dict[str, Box] = field(default_factory=dict)
    frames: dict[str, Box] = field(default_factory=dict)
    bends: dict[Link, list[Point]] = field(default_factory=dict)

    def take(self, inner: "Layout", x: float, y: float) -> None:
        """Move another layout in, its corner at x, y."""
        self.boxes |= {node: box.moved(x, y) for node, box in inner.boxes.items()}
        self.frames |= {name: box.moved(x, y) for name, box in inner.frames.items()}
        self.bends |= {link: [(px + x, py + y) for px, py in points] for link, points in inner.bends.items()}


def lay_out(topology: Topology, group: str = "") -> Layout:
    """Return the layout of a graph, or of one of its subgraphs."""
    items = children(topology.nodes, group)
    inner = {item: lay_out(topology, f"{item}:") for item, members in items.items() if members != [item]}
    size = {item: framed(inner[item], item) if item in inner else boxed(item, topology.arrows) for item in items}
    home = {node: item for item, members in items.items() for node in members}
    ends = [(arrow.source, arrow.target) for arrow in topology.arrows]
    links = {(a, b): (home[a], home[b]) for a, b in ends if a in home and b in home and home[a] != home[b]}
    space = {item: (w + 2 * wing(item, topology.arrows), h) for item, (w, h) in size.items()}
    layout, centres = layered(list(items), list(dict.fromkeys(links.values())), space)
    layout.bends = {link: layout.bends[outer] for link, outer in links.items()}
    for item, (w, h) in size.items():
        box = Box(*centres[item], w, h)
        (layout.frames if item in inner else layout.boxes)[item] = box
        if item in inner:
            layout.take(inner[item], box.x - inner[item].w / 2, box.y - h / 2 + PAD + TITLE)
    return layout


def boxed(node: str, arrows: Iterable[Arrow]) -> Point:
    """The size of a node: room for its name, and for the words on its edges."""
    mine = [arrow.label for arrow in arrows if node in (arrow.source, arrow.target) and arrow.label]
    words = sum(0.08 * width(word) + 0.24 for word in mine)
    return max(0.9, 0.105 * (width(label(node)) + 2) + 0.3, words), BOX


def framed(inner: Layout, name: str) -> Point:
    """The size of a subgraph: what is inside, and its name above."""
    return max(inner.w + 2 * PAD, boxed(name, ())[0]), inner.h + 2 * PAD + TITLE


def wing(node: str, arrows: Iterable[Arrow]) -> float:
    """Free space beside a node that has an edge to itself."""
    own = [width(arrow.label or "") for arrow in arrows if arrow.source == arrow.target == node]
    return max((LOOP + 0.05 * columns for columns in own), default=0.0)


def layered(nodes: list[str], links: list[Link], size: Mapping[str, Point]) -> tuple[Layout, dict[str, Point]]:
    """One level of the drawing: its extent and bends, and the centre of each node."""
    turned = loops(nodes, links)
    down = list(dict.fromkeys(link[::-1] if link in turned else link for link in links))
    layer = depths(nodes, down)
    chains = {link: chain(*link, layer) for link in down}
    rows = [[node for node in nodes if layer[node] == depth] for depth in sorted(set(layer.values()))]
    for (a, _), points in chains.items():
        for depth, point in enumerate(points[1:-1], start=layer[a] + 1):
            rows[depth].append(point)
    near = neighbours(pair for points in chains.values() for pair in pairwise(points))
    order(rows, near)
    extent, place = placed(rows, near, size)
    there = {link: [place[point] for point in points[1:-1]] for link, points in chains.items()}
    bends = {link: there[link[::-1]][::-1] if link in turned else there[link] for link in links}
    return Layout(*extent, bends=bends), place


def placed(rows: Sequence[list[str]], near: Near, size: Mapping[str, Point]) -> tuple[Point, dict[str, Point]]:
    """The extent of ordered layers, and where each point of them lies."""
    room = {point: size.get(point, EMPTY)[0] for row in rows for point in row}
    x = spread(rows, near, room)
    left = min((x[point] - room[point] / 2 for point in room), default=0)
    right = max((x[point] + room[point] / 2 for point in room), default=0)
    place: dict[str, Point] = {}
    top = 0.0
    for row in rows:
        tall = max(size.get(point, EMPTY)[1] for point in row)
        place |= {point: (round(x[point] - left, 3), round(top + tall / 2, 3)) for point in row}
        top += tall + LAYER
    return (round(right - left, 3), round(top - LAYER, 3)), place


def loops(nodes: Sequence[str], links: Sequence[Link]) -> set[Link]:
    """The links that lead back to a node still being visited, depth first in the given order."""
    back: set[Link] = set()
    done: set[str] = set()

    def visit(node: str, path: tuple[str, ...]) -> None:
        for link in links:
            if link[0] == node and link[1] in (*path, node):
                back.add(link)
            elif link[0] == node and link[1] not in done:
                visit(link[1], (*path, node))
        done.add(node)

    for node in nodes:
        if node not in done:
            visit(node, ())
    return back


def depths(nodes: Sequence[str], links: Sequence[Link]) -> dict[str, int]:
    """The longest way down to each node."""
    depth = dict.fromkeys(nodes, 0)
    for _ in nodes:
        for a, b in links:
            depth[b] = max(depth[b], depth[a] + 1)
    return depth


def chain(a: str, b: str, layer: Mapping[str, int]) -> list[str]:
    """A link with an empty point in each layer it passes."""
    return [a, *(f"{a}>{b}>{i}" for i in range(layer[a] + 1, layer[b])), b]


def neighbours(pairs: Iterable[Link]) -> Near:
    """Who is linked to whom, one layer up or down."""
    near = defaultdict(list)
    for a, b in pairs:
        near[a].append(b)
        near[b].append(a)
    return near


def order(rows: list[list[str]], near: Near) -> None:
    """Sort each layer by the mean place of its neighbours in the layer before, down and up a few times."""
    for sweep in range(SWEEPS):
        todo = rows[:: (-1) ** sweep]
        for before, row in pairwise(todo):
            index = {point: i for i, point in enumerate(before)}
            places = [[index[n] for n in near[point] if n in index] for point in row]
            wish = {point: fmean(places[i] or [i]) for i, point in enumerate(row)}
            row.sort(key=wish.__getitem__)


def spread(rows: Sequence[list[str]], near: Near, room: Mapping[str, float]) -> dict[str, float]:
    """An x for each point: near its neighbours, in order, without touching; at last straight under those above."""
    x = {point: float(i) for row in rows for i, point in enumerate(row)}
    above = {b: [a for a in near[b] if a in before] for before, row in pairwise([[], *rows]) for b in row}
    for friends, todo in [*((near, rows[:: (-1) ** sweep]) for sweep in range(SWEEPS)), (above, rows)]:
        for row in todo:
            wanted = [fmean([x[n] for n in friends[point]] or [x[point]]) for point in row]
            x |= dict(zip(row, settle(wanted, [room[point] for point in row]), strict=True))
    return x


def settle(wanted: Sequence[float], room: Sequence[float]) -> list[float]:
    """Move places apart until nothing touches: the mean of pushing right and pushing left keeps every gap."""
    right, left = list(wanted), list(wanted)
    for i in range(1, len(wanted)):
        right[i] = max(right[i], right[i - 1] + (room[i - 1] + room[i]) / 2 + GAP)
    for i in range(len(wanted) - 2, -1, -1):
        left[i] = min(left[i], left[i + 1] - (room[i] + room[i + 1]) / 2 - GAP)
    return [(a + b) / 2 for a, b in zip(right, left, strict=True)]
