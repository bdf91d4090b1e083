import warnings
from itertools import combinations
from typing import Any

import pytest
from langgraph.graph import END, START
from show_samples import graph_of

from companion import show
from companion.show import graphs, topology


def texts(compiled: Any, **options: Any) -> list[str]:
    """Every word in the matplotlib picture."""
    graph = graphs.graph(compiled, **options)
    return [text.get_text() for text in graph.draw().axes[0].texts]


def test_three_forms_and_no_html_that_would_hide_mermaid(agent: Any) -> None:
    bundle, metadata = show.graph(agent)._repr_mimebundle_()
    assert list(bundle) == ["text/vnd.mermaid", "image/png", "text/plain"]
    assert bundle["image/png"].startswith(b"\x89PNG")
    assert bundle["text/plain"] == metadata["image/png"]["alt"] == topology.edge_list(topology.read(agent))


def test_names_and_words_are_drawn(nested: Any) -> None:
    assert {"START", "END", "model", "sub", "look", "again", "hand", "report"} <= set(texts(nested))
    assert {"search", "rank", "sub"} <= set(texts(nested, xray=True))


def test_only_conditional_edges_are_dashed(agent: Any) -> None:
    from matplotlib.patches import FancyArrowPatch

    arrows = [patch for patch in show.graph(agent).draw().axes[0].patches if isinstance(patch, FancyArrowPatch)]
    assert sorted(str(arrow.get_linestyle()) for arrow in arrows) == ["(0, (4, 2.5))"] * 2 + ["solid"] * 2


def test_current_node_is_marked_by_more_than_colour(agent: Any) -> None:
    assert "▶ tools" in texts(agent, current="tools")
    widths = {patch.get_linewidth() for patch in show.graph(agent, current="tools").draw().axes[0].patches}
    assert max(widths) > 2 * max(patch.get_linewidth() for patch in show.graph(agent).draw().axes[0].patches)


def test_an_unknown_current_node_is_an_error_that_lists_the_nodes(agent: Any) -> None:
    with pytest.raises(ValueError, match=r"no node 'tool'; it has __start__, model, tools, __end__"):
        show.graph(agent, current="tool")


def test_names_in_chinese_draw_without_a_warning() -> None:
    graph = graph_of("天气", "$a$_b").add_edge(START, "天气").add_edge("天气", "$a$_b").add_edge("$a$_b", END).compile()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert show.graph(graph, current="天气")._repr_mimebundle_()
    assert str(show.graph(graph)).startswith("START -> 天气")
    assert "$a$_b" in texts(graph)


def test_words_on_an_edge_there_and_one_back_do_not_cover_each_other() -> None:
    builder = graph_of("model", "tools").add_edge(START, "model")
    builder.add_conditional_edges("model", lambda state: "tools", ["tools", END])
    builder.add_conditional_edges("tools", lambda state: "model", ["model"])
    figure = show.graph(builder.compile()).draw()
    drawn = [text.get_window_extent() for text in figure.axes[0].texts]
    assert len(drawn) == 4 + 3
    assert not [(a, b) for a, b in combinations(drawn, 2) if a.overlaps(b)]
