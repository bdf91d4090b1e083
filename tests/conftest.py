"""Every test runs offline, keeps no progress, and the header names the versions that matter."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from importlib import metadata
from pathlib import Path

import pytest

STACK = ("langgraph", "langchain", "langchain-core", "langchain-openai", "openai", "pydantic", "tavily-python", "nbval")
FOREIGN = ("LLM_BASE_URL", "LLM_API_KEY", "LLM_MODEL_ID", "TAVILY_API_KEY", "LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2")

for name in FOREIGN:
    os.environ.pop(name, None)
os.environ["COMPANION_OFFLINE"] = "1"

ROOT = Path(__file__).parent.parent


def pytest_report_header() -> str:
    return "stack: " + ", ".join(f"{name} {metadata.version(name)}" for name in STACK)


@pytest.fixture
def tell(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Put lines under the run's last heading, from whatever worker they come."""
    return lambda lines: record_property("counted", lines)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.stats.get(kind, [])]
    told = [lines for report in reports for name, lines in report.user_properties if name == "counted"]
    if told:
        terminalreporter.section("what was counted")
        terminalreporter.write_line("\n".join(sorted(told)))


@pytest.fixture(autouse=True)
def own_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Exercises checked in a test are not the user's."""
    path = tmp_path / "progress.json"
    monkeypatch.setenv("COMPANION_PROGRESS", str(path))
    return path


Serving = Callable[..., tuple["subprocess.Popen[str]", str]]


@pytest.fixture
def serve() -> Iterator[Serving]:
    """Start `companion serve` with some arguments: its process and address. Ended with the test, however that ends."""
    command = [sys.executable, "-m", "companion", "serve"]
    with ExitStack() as running:

        def start(*arguments: str) -> tuple["subprocess.Popen[str]", str]:
            process = subprocess.Popen([*command, *arguments], stdout=subprocess.PIPE, text=True)
            running.enter_context(process)
            running.callback(process.kill)
            assert process.stdout is not None
            return process, process.stdout.readline().strip()

        yield start


@pytest.fixture(scope="session")
def lab_url() -> str:
    """The root address of the kernel's own lab."""
    from companion.lab.server import lab

    return lab().url
