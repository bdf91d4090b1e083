from typing import Any

import pytest
from langgraph.graph import END, START, MessagesState, StateGraph
from show_samples import NASTY, graph_of

from companion.show.topology import children, edge_list, mermaid, quoted, read


def test_edge_list_of_a_loop(agent: Any) -> None:
    assert edge_list(read(agent)).splitlines() == [
        "START -> model",
        "model -?-> tools (tools)",
        "model -?-> END (END)",
        "tools -> model",
    ]


def test_words_of_a_router_and_command_targets_are_on_the_edges(nested: Any) -> None:
    edges = edge_list(read(nested)).splitlines()
    assert "model -?-> sub (look)" in edges
    assert "model -?-> model (again)" in edges
    assert "hand -?-> report (report)" in edges


def test_xray_opens_subgraphs(nested: Any) -> None:
    closed, opened = read(nested), read(nested, xray=True)
    assert "sub:search" not in closed.nodes
    assert "sub:search -> sub:rank" in edge_list(opened)
    assert children(opened.nodes, "")["sub"] == ["sub:search", "sub:rank"]


def test_the_word_on_an_edge_into_an_open_subgraph_is_the_name_of_the_subgraph(nested: Any) -> None:
    outer = graph_of("plan")
    outer.add_node("inner", nested)
    outer.add_edge(START, "plan").add_conditional_edges("plan", lambda state: "inner", ["inner", END])
    edges = edge_list(read(outer.compile(), xray=True))
    assert "(inner)" in edges
    assert "plan -?-> END (END)" in edges


def test_a_node_without_edges_is_listed() -> None:
    graph = graph_of("a", "alone").add_edge(START, "a").compile()
    assert edge_list(read(graph)).splitlines()[-1] == "alone (no edge)"


def test_current_node_is_named(agent: Any) -> None:
    assert edge_list(read(agent), "tools").splitlines()[-1] == "now at: tools"


def test_mermaid_of_a_loop(agent: Any) -> None:
    lines = mermaid(read(agent), "tools").splitlines()
    assert lines[:2] == ["flowchart TD", "accTitle: graph of 4 nodes, 4 edges"]
    assert lines[3:] == [
        'n0(["START"])',
        'n1["model"]',
        'n2["▶ tools"]',
        'n3(["END"])',
        "n0 --> n1",
        'n1 -. "tools" .-> n2',
        'n1 -. "END" .-> n3',
        "n2 --> n1",
        "classDef current stroke-width:5px",
        "class n2 current",
    ]


def test_mermaid_nests_subgraphs(nested: Any) -> None:
    text = mermaid(read(nested, xray=True))
    assert '["sub"]\nn' in text
    assert text.count("subgraph ") == text.count("\nend") == 1


@pytest.mark.parametrize("text", [NASTY, 'a"]; click n0 "x"', "`x`\n%%{init}%%"])
def test_mermaid_text_cannot_break_out(text: str) -> None:
    assert not set('"<>`{}\n') & set(quoted(text))


def test_a_builder_is_no_compiled_graph() -> None:
    with pytest.raises(TypeError, match=r"a StateGraph is no compiled graph: compile it first"):
        read(StateGraph(MessagesState))
