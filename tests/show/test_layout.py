from itertools import combinations
from typing import Any

import pytest
from langgraph.graph import END, START
from show_samples import graph_of

from companion.show.layout import Box, lay_out
from companion.show.topology import read


def apart(a: Box, b: Box) -> bool:
    return abs(a.x - b.x) >= (a.w + b.w) / 2 or abs(a.y - b.y) >= (a.h + b.h) / 2


def chain(length: int) -> Any:
    names = [f"step_{i}" for i in range(length)]
    builder = graph_of(*names)
    for a, b in zip([START, *names], [*names, END], strict=True):
        builder.add_edge(a, b)
    return builder.compile()


def fan(width: int) -> Any:
    names = [f"worker_{i}" for i in range(width)]
    builder = graph_of("plan", *names, "join").add_edge(START, "plan")
    builder.add_conditional_edges("plan", lambda state: names, names)
    for name in names:
        builder.add_edge(name, "join")
    return builder.add_conditional_edges("join", lambda state: "plan", ["plan", END]).compile()


@pytest.mark.parametrize("graph", [chain(1), chain(12), fan(1), fan(8)])
def test_no_two_boxes_touch_and_all_are_inside(graph: Any) -> None:
    layout = lay_out(read(graph))
    assert all(apart(a, b) for a, b in combinations(layout.boxes.values(), 2))
    for box in layout.boxes.values():
        assert box.w / 2 - 0.01 <= box.x <= layout.w - box.w / 2 + 0.01
        assert box.h / 2 - 0.01 <= box.y <= layout.h - box.h / 2 + 0.01


def test_a_chain_is_a_straight_line_down() -> None:
    boxes = list(lay_out(read(chain(5))).boxes.values())
    assert len({box.x for box in boxes}) == 1
    assert [box.y for box in boxes] == sorted(box.y for box in boxes)


def test_a_loop_back_keeps_its_order_from_start_down(agent: Any) -> None:
    boxes = lay_out(read(agent)).boxes
    assert boxes["__start__"].y < boxes["model"].y < boxes["tools"].y == boxes["__end__"].y


def test_a_long_edge_passes_beside_what_it_skips() -> None:
    graph = graph_of("a", "b", "c")
    graph.add_edge(START, "a").add_edge("a", "b").add_edge("b", "c").add_edge("a", "c")
    layout = lay_out(read(graph.compile()))
    ((x, _),) = layout.bends["a", "c"]
    assert abs(x - layout.boxes["b"].x) > layout.boxes["b"].w / 2


def test_subgraph_frames_hold_their_nodes_and_no_other(nested: Any) -> None:
    layout = lay_out(read(nested, xray=True))
    frame = layout.frames["sub"]
    inside = {name for name, box in layout.boxes.items() if not apart(frame, box)}
    assert inside == {"sub:search", "sub:rank"}
