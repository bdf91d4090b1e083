"""The ledger of claims: what is said about this stack, what is true now, since when, and what decides it.

The claims are data (claims.jsonl). A cell of a lesson decides a claim that its metadata names (key `claims`), a
test in tests/claims the one in its name: `test_claim_1_07_...`, `test_claim_4_10_and_2_33_...`.
"""

import argparse
import ast
import json
import re
import textwrap
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from itertools import groupby
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
NOTEBOOKS = ROOT / "notebooks"
TESTS = ROOT / "tests" / "claims"
HEADING = """What is said about LangGraph, tool calls and vLLM prompts, and what is true now.
"Both" are langgraph 1.0.0a3 with langchain-core 0.3.86, and langgraph 1.2.24 with langchain-core 1.8.3."""


@dataclass(frozen=True)
class Claim:
    """A statement in our words, the verdict, and what happens now; `since` says in which versions."""

    id: str
    lesson: int
    statement: str
    verdict: str
    now: str
    since: str
    decided: str = ""


def claims() -> list[Claim]:
    """Return all claims in the order of the lessons."""
    lines = resources.files("companion").joinpath("claims.jsonl").read_text(encoding="utf-8").splitlines()
    return [Claim(**json.loads(line)) for line in lines]


def ids(test: str) -> list[str]:
    """The claims that a test's name says it decides.

    >>> ids("test_claim_4_10_and_x_07_the_limit")
    ['4.10', 'X.07']
    """
    return [f"{part.upper()}.{number}" for part, number in re.findall(r"(?:^test_claim|_and)_([1-4x])_(\d\d)", test)]


def tests() -> dict[str, list[str]]:
    """Claim -> the tests that decide it, `file.py::name`. Empty where the tests are not installed."""
    found = defaultdict(list)
    for path in sorted(TESTS.glob("test_*.py")):
        body = ast.parse(path.read_text(encoding="utf-8")).body
        for test in [node.name for node in body if isinstance(node, ast.FunctionDef)]:
            for id in ids(test):
                found[id].append(f"{path.name}::{test}")
    return found


def cells() -> dict[str, list[str]]:
    """Claim -> the cells that decide it, "lesson 4, cell 12": the number that Run All shows beside the cell."""
    found = defaultdict(list)
    for path in sorted(NOTEBOOKS.glob("[0-9][0-9]_*.ipynb")):
        notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        for number, cell in enumerate(code, 1):
            for id in cell["metadata"].get("claims", []):
                found[id].append(f"lesson {int(path.name[:2])}, cell {number}")
    return found


def ledger(results: Mapping[str, bool] | None = None) -> str:
    """Return the table as text; with `results` (claim -> held) each line begins with green or red."""
    in_cells, in_tests = cells(), tests()
    lines = [HEADING] + ([] if in_tests else ["The tests are not shipped with an installed package: cells only."])
    for lesson, group in groupby(claims(), key=lambda claim: claim.lesson):
        lines.append(f"\nLesson {lesson}")
        for claim in group:
            places = in_cells[claim.id] + in_tests[claim.id] or [claim.decided or "nowhere"]
            lines.append(entry(claim, places, mark(results, claim.id)))
    return "\n".join(lines)


def mark(results: Mapping[str, bool] | None, id: str) -> str:
    """The first column: empty without results, a dash for a claim without a test."""
    if results is None:
        return ""
    return {True: "green  ", False: "red    ", None: "-      "}[results.get(id)]


def entry(claim: Claim, places: list[str], mark: str) -> str:
    """One line for the claim; below it what happens now, since when, and what decides it."""
    margin = " " * (len(mark) + 6)
    now, since = f"now: {claim.now}", f"since: {claim.since}"
    notes = (textwrap.fill(note, 118, initial_indent=margin, subsequent_indent=margin + "  ") for note in (now, since))
    decided = "; ".join(places[:2]) + (f"; and {len(places) - 2} more" if len(places) > 2 else "")
    return "\n".join([f"{mark}{claim.id}  {claim.statement} -- {claim.verdict}", *notes, f"{margin}decided: {decided}"])


class Outcomes:
    """A pytest plugin that notes which claims held: all phases of all tests of a claim have passed."""

    def __init__(self) -> None:
        self.held: dict[str, bool] = {}

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Take the report of one phase of a test."""
        for id in ids(report.nodeid.partition("::")[2]):
            self.held[id] = self.held.get(id, True) and report.outcome == "passed"


def run() -> dict[str, bool]:
    """Run the tests of the claims; return claim -> whether it held. A claim whose test did not run did not hold."""
    import pytest

    outcomes = Outcomes()
    pytest.main([str(TESTS), "-q", "-p", "no:cacheprovider"], plugins=[outcomes])
    return {id: outcomes.held.get(id, False) for id in tests()}


def main(argv: list[str]) -> int:
    """Print the ledger; with --run, run the tests first and return 1 if a claim did not hold."""
    parser = argparse.ArgumentParser(prog="python -m companion claims", description="Print the ledger of claims.")
    parser.add_argument("--run", action="store_true", help="run the tests first and mark each line green or red")
    results = run() if parser.parse_args(argv).run and tests() else None
    print(ledger(results))
    return 1 if results and not all(results.values()) else 0
