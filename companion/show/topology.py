"""A compiled graph as plain names and arrows, and the two ways to write it down: an edge list and Mermaid."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from companion.show.view import plural

ENDS = {"__start__": "START", "__end__": "END"}


@dataclass(frozen=True)
class Arrow:
    """An edge; `label` is the router's word for it, None where the edge is not conditional."""

    source: str
    target: str
    label: str | None = None


@dataclass(frozen=True)
class Topology:
    """Node ids in the order the graph gives them (`sub:search` is inside `sub`), and the arrows."""

    nodes: tuple[str, ...]
    arrows: tuple[Arrow, ...]

    def loose(self) -> list[str]:
        """Nodes with no edge: only a `Command` or a `Send` leads there."""
        touched = {end for arrow in self.arrows for end in (arrow.source, arrow.target)}
        return [node for node in self.nodes if node not in touched]


def read(compiled: Any, xray: bool = False) -> Topology:
    """Return the topology of a compiled graph; `xray` opens its subgraphs. Raises TypeError for anything else."""
    if not hasattr(compiled, "get_graph"):
        raise TypeError(f"a {type(compiled).__name__} is no compiled graph: compile it first, builder.compile()")
    drawn = compiled.get_graph(xray=xray)
    place = {node: i for i, node in enumerate(drawn.nodes)}
    arrows = {
        Arrow(
            edge.source, edge.target, label(edge.data or word(edge.source, edge.target)) if edge.conditional else None
        )
        for edge in drawn.edges
    }
    in_order = sorted(arrows, key=lambda arrow: (place[arrow.source], place[arrow.target], arrow.label or ""))
    return Topology(tuple(drawn.nodes), tuple(in_order))


def word(source: str, target: str) -> str:
    """What a router without words of its own returns: the node beside it, also when that is a subgraph opened by xray.

    >>> word("plan", "sub:search"), word("sub:rank", "plan")
    ('sub', 'plan')
    """
    here, there = source.split(":"), target.split(":")
    return next((name for i, name in enumerate(there) if here[i : i + 1] != [name]), there[-1])


def label(node: Any) -> str:
    """The name on the box: without the subgraph, START and END as in code.

    >>> label("__start__"), label("sub:search")
    ('START', 'search')
    """
    name = str(node).rpartition(":")[2]
    return ENDS.get(name, name)


def full(node: str) -> str:
    """The name in the edge list, with the subgraph."""
    return ":".join([*node.split(":")[:-1], label(node)])


def edge_list(topology: Topology, current: str | None = None) -> str:
    """Return one line an edge: `a -> b`, conditional ones `a -?-> b (word)`."""
    lines = [
        f"{full(arrow.source)} -> {full(arrow.target)}"
        if arrow.label is None
        else f"{full(arrow.source)} -?-> {full(arrow.target)} ({arrow.label})"
        for arrow in topology.arrows
    ]
    lines += [f"{full(node)} (no edge)" for node in topology.loose()]
    return "\n".join([*lines, *([f"now at: {full(current)}"] if current else [])])


def mermaid(topology: Topology, current: str | None = None) -> str:
    """Return the graph as Mermaid text, with a title and a description for screen readers."""
    ids = {node: f"n{i}" for i, node in enumerate(topology.nodes)}
    summary = f"{plural(len(ids), 'node')}, {plural(len(topology.arrows), 'edge')}"
    told = "; ".join(edge_list(topology, current).splitlines())
    lines = ["flowchart TD", f"accTitle: graph of {summary}", f"accDescr: {quoted(told)}"]
    lines += boxes(topology.nodes, "", ids, current)
    for arrow in topology.arrows:
        line = "-->" if arrow.label is None else f'-. "{quoted(arrow.label)}" .->'
        lines.append(f"{ids[arrow.source]} {line} {ids[arrow.target]}")
    lit = ["classDef current stroke-width:5px", f"class {ids[current]} current"] if current else []
    return "\n".join([*lines, *lit])


def boxes(nodes: Iterable[str], group: str, ids: dict[str, str], current: str | None) -> Iterator[str]:
    """The nodes of a group, subgraphs nested."""
    for child, members in children(nodes, group).items():
        if members == [child]:
            name = quoted(("▶ " if child == current else "") + label(child))
            yield f'{ids[child]}(["{name}"])' if label(child) in ENDS.values() else f'{ids[child]}["{name}"]'
        else:
            yield f'subgraph {ids[members[0]]}_group ["{quoted(label(child))}"]'
            yield from boxes(members, f"{child}:", ids, current)
            yield "end"


def children(nodes: Iterable[str], group: str) -> dict[str, list[str]]:
    """What stands directly in a group: a node maps to itself, a subgraph to all that is inside.

    >>> children(["a", "sub:x", "sub:y"], "")
    {'a': ['a'], 'sub': ['sub:x', 'sub:y']}
    """
    found: dict[str, list[str]] = {}
    for node in nodes:
        if node.startswith(group):
            child = group + node[len(group) :].split(":")[0]
            found.setdefault(child, []).append(node)
    return found


def quoted(text: str) -> str:
    """Text for Mermaid: characters with a meaning of their own as entities."""
    return "".join(f"#{ord(char)};" if char in '"<>&#;`{}\\' else char for char in text.replace("\n", " "))
