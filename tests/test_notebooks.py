"""What every lesson promises, whatever it teaches: shape, limits, stored outputs, the final graph."""

import json
import re
from copy import deepcopy
from importlib import import_module
from statistics import median

import nbformat
import pytest

from companion.run import run_one
from notebooks import DETAILS, LESSONS, code_cells, exercises, read

GRAPHS = {
    "01_fixed_workflow": "fixed_workflow",
    "02_tool_schema": "tool_schema",
    "03_raw_prompt": "raw_prompt",
    "04_tool_loop": "tool_loop",
    "05_state_and_threads": "state_and_threads",
    "06_guards_and_fallbacks": "guards_and_fallbacks",
}
SECTIONS = ["Your turn", "Check yourself", "What we saw", "Claims checked", "Where next"]
VOLATILE = re.compile(
    r"127\.0\.0\.1:\d{4,5}|0x[0-9a-f]{6,}|/tmp/|/work/|/root/|/home/|ipykernel_\d+|[0-9a-f]{8}-[0-9a-f]{4}-4"
)

lessons = pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
core = pytest.mark.parametrize("path", [p for p in LESSONS if p.stem in GRAPHS], ids=lambda path: path.stem)


def teaching_cells(path):
    stubs = {exercise.cell for exercise in exercises(path)}
    return [cell for i, cell in enumerate(read(path).cells) if cell.cell_type == "code" and i not in stubs]


def words(text):
    """Words and Chinese characters of the prose; code, tables and what is folded away do not count."""
    text = re.sub(r"```.*?```", "", DETAILS.sub("", text), flags=re.DOTALL)
    text = "\n".join(line for line in text.splitlines() if not line.startswith("|"))
    return len(re.findall(r"[\u4e00-\u9fff]|[^\W\u4e00-\u9fff]+(?:[-'.][^\W\u4e00-\u9fff]+)*", text))


@lessons
def test_one_title_then_the_question_and_the_minutes(path):
    notebook = read(path)
    titles = [line for cell in notebook.cells if cell.cell_type == "markdown" for line in cell.source.splitlines()]
    titles = [line for line in titles if line.startswith("# ")]
    assert len(titles) == 1
    assert titles[0].startswith(f"# Lesson {int(path.stem[:2])} - ")
    assert re.search(r"^\d+ minutes · ", notebook.cells[0].source, re.MULTILINE)


@lessons
def test_the_kernel_is_python3_and_nothing_names_a_machine(path):
    notebook = read(path)
    assert notebook.metadata.kernelspec.name == "python3"
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    assert "version" not in notebook.metadata.language_info
    outputs = json.dumps([cell.outputs for cell in code_cells(notebook)])
    assert not VOLATILE.findall(outputs)


@lessons
def test_every_code_cell_was_executed_in_order(path):
    counts = [cell.execution_count for cell in code_cells(read(path))]
    assert counts == list(range(1, len(counts) + 1))


@lessons
def test_nothing_went_to_stderr_or_raised(path):
    outputs = [output for cell in code_cells(read(path)) for output in cell.outputs]
    assert not [output.text for output in outputs if output.get("name") == "stderr"]
    assert not [output.evalue for output in outputs if output.output_type == "error"]


@lessons
def test_cells_stay_within_the_limits(path):
    lengths = [len(cell.source.splitlines()) for cell in code_cells(read(path))]
    assert max(lengths) <= 25
    assert max(len(line) for cell in code_cells(read(path)) for line in cell.source.splitlines()) <= 120
    prose = {cell.source[:60]: words(cell.source) for cell in read(path).cells if cell.cell_type == "markdown"}
    assert {text: count for text, count in prose.items() if count > 110} == {}
    assert 20 <= median(prose.values()) <= 80


@core
def test_a_lesson_has_its_rhythm(path):
    cells = teaching_cells(path)
    assert 10 <= len(cells) <= 20
    assert 4 <= median(sum(bool(line.strip()) for line in cell.source.splitlines()) for cell in cells) <= 8
    text = "\n".join(cell.source for cell in read(path).cells if cell.cell_type == "markdown")
    assert text.count("**Predict") >= 2
    assert "Break it" in text
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert [heading for heading in headings if heading in SECTIONS] == SECTIONS
    numbers = [int(found[1]) for heading in headings if (found := re.match(r"(\d+)\. ", heading))]
    assert numbers == list(range(1, len(numbers) + 1))


@core
def test_eight_claims_or_more_are_decided_by_cells(path):
    claims = {claim for cell in code_cells(read(path)) for claim in cell.metadata.get("claims", [])}
    assert len(claims) >= 8


@core
def test_the_final_graph_is_the_one_in_the_package(path):
    from companion import chat_model, search_client, show

    cells = [cell for cell in code_cells(read(path)) if cell.metadata.get("final_graph")]
    assert len(cells) == 1
    drawn = [output.data["text/plain"] for output in cells[0].outputs if "text/plain" in output.get("data", {})]
    module = import_module(f"companion.graphs.{GRAPHS[path.stem]}")
    needs = {"model": chat_model, "client": search_client}
    given = {name: make() for name, make in needs.items() if name in module.build.__annotations__}
    assert drawn == [repr(show.graph(module.build(**given)))]


def test_nearly_every_cell_is_compared_strictly(tell):
    cells = [cell for path in LESSONS for cell in code_cells(read(path))]
    ignored = [cell for cell in cells if "nbval-ignore-output" in cell.metadata.get("tags", [])]
    assert all(cell.metadata.get("reason") for cell in ignored)
    share = 1 - len(ignored) / len(cells)
    tell(f"notebooks: {len(LESSONS)}, code cells: {len(cells)}, compared strictly: {share:.1%}")
    assert share >= 0.97


@lessons
def test_every_cell_can_be_run_twice_and_says_the_same(path, tmp_path):
    doubled = read(path)
    doubled.cells = [deepcopy(cell) for cell in code_cells(doubled) for _ in range(2)]
    for number, cell in enumerate(doubled.cells):
        cell["id"] = f"cell-{number}"
    copy = tmp_path / path.name
    nbformat.write(doubled, copy)
    assert run_one(copy, write=True).error is None
    said = [(cell.source, [o.get("text") or o.data["text/plain"] for o in cell.outputs]) for cell in read(copy).cells]
    assert said[::2] == said[1::2]
