"""The lessons as tests see them: cells, headings, details blocks."""

import re
from dataclasses import dataclass
from pathlib import Path

import nbformat

FOLDER = Path(__file__).parent.parent / "notebooks"
LESSONS = sorted(FOLDER.glob("[0-9]*.ipynb"))
DETAILS = re.compile(r"<details>\s*<summary>(.*?)</summary>(.*?)</details>", re.DOTALL)


@dataclass(frozen=True)
class Exercise:
    """An exercise as it stands in a notebook: its stub cell, and the code of its own Solution block."""

    number: str
    cell: int
    task: str
    stub: str
    solution: str
    summaries: list[str]


def read(path: Path) -> nbformat.NotebookNode:
    return nbformat.read(path, as_version=4)


def code_cells(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def exercises(path: Path) -> list[Exercise]:
    """The exercises of a lesson: a heading, one code cell, then the details blocks up to the next heading."""
    cells = read(path).cells
    found = []
    for i, cell in enumerate(cells):
        heading = re.search(r"^### Exercise (\d+\.\d+) - (.+)$", cell.source, re.MULTILINE)
        if cell.cell_type == "markdown" and heading:
            blocks = DETAILS.findall(cells[i + 2].source)
            solutions = [
                re.search(r"```python\n(.*?)```", body, re.DOTALL) for name, body in blocks if name == "Solution"
            ]
            code = solutions[0][1] if solutions and solutions[0] else ""
            names = [name for name, _ in blocks]
            found.append(Exercise(heading[1], i + 1, cell.source, cells[i + 1].source, code, names))
    return found


def check_call(stub: str) -> str:
    """The `check(...)` lines of a stub cell."""
    return stub[stub.index("check(") :]
