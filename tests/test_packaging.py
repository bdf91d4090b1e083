"""What is installed is one thing, said in three files: pyproject, the lock and environment.yml cannot drift apart."""

import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
LOCKED = [Requirement(line.split("#")[0].strip()) for line in LOCK.splitlines() if re.match(r"[a-zA-Z]", line)]
ASKED = [Requirement(line) for line in PROJECT["project"]["dependencies"] + PROJECT["dependency-groups"]["dev"]]
HOST = re.compile(r"https?://[\w.-]*(pypi|pythonhosted|npmjs|debian|conda|anaconda)[\w.-]*", re.IGNORECASE)


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: asked.name)
def test_the_lock_holds_what_the_project_asks_for(asked):
    pins = [pin for pin in LOCKED if canonicalize_name(pin.name) == canonicalize_name(asked.name)]
    assert pins
    for pin in pins:
        (specifier,) = pin.specifier
        assert specifier.operator == "=="
        assert asked.specifier.contains(specifier.version)


def test_the_lock_is_made_for_every_machine_and_names_no_registry():
    assert "--universal" in LOCK
    assert any(pin.marker and "win32" in str(pin.marker) for pin in LOCKED)
    assert "index-url" not in LOCK


def test_conda_installs_the_same_lock_and_python():
    environment = (ROOT / "environment.yml").read_text(encoding="utf-8")
    assert re.search(r"^ +- -r requirements\.lock$", environment, re.MULTILINE)
    assert "python " + PROJECT["project"]["requires-python"] in environment
    pinned = re.findall(r"^ +- ([a-z][\w-]*==.*)$", environment, re.MULTILINE)
    assert pinned == []


def test_this_run_uses_the_lock_or_says_so():
    """A run with newer releases is a drift run: it sets COMPANION_NEWEST in the weekly workflow."""
    import os

    wrong = {}
    for pin in LOCKED:
        if pin.marker is None or pin.marker.evaluate():
            found = metadata.version(pin.name)
            if not pin.specifier.contains(found, prereleases=True):
                wrong[pin.name] = found
    assert not wrong or os.environ.get("COMPANION_NEWEST")


def test_every_path_of_the_set_up_calls_the_lock_and_the_tests():
    workflow = (ROOT / ".github/workflows/course.yml").read_text(encoding="utf-8")
    assert "uv pip sync --system requirements.lock" in workflow
    assert all(f'"{version}"' in workflow for version in ("3.11", "3.12", "3.13"))
    assert all(system in workflow for system in ("ubuntu-latest", "macos-latest", "windows-latest"))
    assert "make test" in (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert not re.search(r"\|\| true|continue-on-error|--reruns", workflow)


def test_no_file_names_a_package_registry():
    endings = {".py", ".toml", ".yml", ".md", ".lock", ".txt", ""}
    files = [
        ROOT / "README.md",
        ROOT / "Makefile",
        ROOT / ".ci/run",
        *ROOT.glob("*.*"),
        *ROOT.glob("companion/**/*.py"),
    ]
    named = {f.name: HOST.findall(f.read_text(encoding="utf-8")) for f in files if f.is_file() and f.suffix in endings}
    assert {name for name, hosts in named.items() if hosts} == set()
