"""The ledger: every claim is decided somewhere, nothing is decided that is no claim, and the table shows what held."""

from collections import Counter
from pathlib import Path

import pytest

from companion import claims

WRITTEN = (1, 2, 3, 4, 5, 6)
VERDICTS = {"true", "true with a condition", "outdated", "false", "not run"}
HELD = "def test_claim_1_07_holds():\n    assert True\n"
BROKEN = "def test_claim_1_04_and_x_01_break():\n    assert False\n"


@pytest.fixture
def two_tests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of tests of which one fails; its name is new, because this process imports it."""
    path = tmp_path / f"test_{tmp_path.name}.py"
    path.write_text(HELD + BROKEN)
    monkeypatch.setattr(claims, "TESTS", tmp_path)
    return path


def test_ids_are_unique_and_every_lesson_has_claims() -> None:
    assert [id for id, count in Counter(claim.id for claim in claims.claims()).items() if count > 1] == []
    assert {claim.lesson for claim in claims.claims()} == set(range(1, 10))


@pytest.mark.parametrize("claim", claims.claims(), ids=lambda claim: claim.id)
def test_a_claim_has_a_statement_a_verdict_and_what_is_true_now(claim: claims.Claim) -> None:
    assert claim.verdict in VERDICTS
    assert claim.since
    for sentence in (claim.statement, claim.now):
        assert 5 < len(sentence) < 220
        assert sentence.endswith((".", "?")) and not sentence[0].isspace()


def test_every_claim_of_a_written_lesson_is_decided_or_says_why_not() -> None:
    decided = claims.tests().keys() | claims.cells().keys()
    open_claims = {claim for claim in claims.claims() if claim.lesson in WRITTEN and claim.id not in decided}
    assert {claim.id for claim in open_claims if claim.verdict != "not run"} == set()
    assert all(claim.now.startswith("Not run: ") for claim in open_claims)


def test_a_claim_that_is_not_run_is_not_decided_by_a_test() -> None:
    assert not {claim.id for claim in claims.claims() if claim.verdict == "not run"} & claims.tests().keys()


def test_tests_and_cells_name_only_known_claims() -> None:
    known = {claim.id for claim in claims.claims()}
    assert claims.tests().keys() - known == set()
    assert claims.cells().keys() - known == set()


def test_every_test_of_the_folder_names_a_claim() -> None:
    for path in claims.TESTS.glob("test_*.py"):
        names = [line.split("(")[0] for line in path.read_text(encoding="utf-8").splitlines() if line[:8] == "def test"]
        assert [name for name in names if not claims.ids(name.removeprefix("def "))] == []


def test_the_ledger_shows_statement_verdict_versions_and_place() -> None:
    shown = claims.ledger()
    assert "1.78  A plain ToolNode(tools) is enough: the framework takes care of a failing tool. -- outdated" in shown
    assert "since: changed between langgraph 1.0.0a3 and 1.2.24" in shown
    assert "test_lesson_1.py::test_claim_1_07_partial_update_keeps_other_keys" in shown
    assert "decided: to come" in shown


def test_a_cell_that_decides_a_claim_is_named_by_its_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = '{"cell_type": "code", "metadata": {}}, {"cell_type": "code", "metadata": {"claims": ["1.07"]}}'
    notebook = f'{{"cells": [{{"cell_type": "markdown", "metadata": {{}}}}, {code}]}}'
    (tmp_path / "04_tool_loop.ipynb").write_text(notebook)
    monkeypatch.setattr(claims, "NOTEBOOKS", tmp_path)
    assert claims.cells() == {"1.07": ["lesson 4, cell 2"]}
    assert "decided: lesson 4, cell 2; test_lesson_1.py::test_claim_1_07" in claims.ledger()


def test_run_marks_each_line_and_ends_with_1(two_tests: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert claims.main(["--run"]) == 1
    lines = capsys.readouterr().out.splitlines()
    marks = {line.split()[1]: line.split()[0] for line in lines if line.startswith(("green", "red", "- "))}
    assert {id: marks[id] for id in ("1.07", "1.04", "X.01", "1.02")} == {
        "1.07": "green",
        "1.04": "red",
        "X.01": "red",
        "1.02": "-",
    }


def test_run_ends_with_0_when_all_hold(two_tests: Path) -> None:
    two_tests.write_text(HELD)
    assert claims.main(["--run"]) == 0


def test_a_file_that_cannot_be_imported_is_red(two_tests: Path) -> None:
    two_tests.write_text("import no_such_module\n" + HELD)
    assert claims.run() == {"1.07": False}


@pytest.mark.parametrize("arguments", [[], ["--run"]])
def test_without_the_tests_the_ledger_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    monkeypatch.setattr(claims, "TESTS", tmp_path / "missing")
    assert claims.main(arguments) == 0
    assert "tests are not shipped" in capsys.readouterr().out
