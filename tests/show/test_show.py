"""What holds for all of `companion.show`."""

import os
import subprocess
import sys
from pathlib import Path

from show_samples import everything

from companion import show


def test_every_output_is_the_same_bytes_in_another_process() -> None:
    environment = {**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": str(Path(__file__).parent)}
    code = "from show_samples import everything; print(*everything(), sep='\\n')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert done.stderr == ""
    here = everything()
    assert done.stdout.splitlines() == here
    assert all(line.endswith(" 0") for line in here)


def test_import_draws_nothing_yet() -> None:
    code = (
        "import sys, companion, companion.show; print(sorted({'matplotlib', 'ipywidgets', 'PIL'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_public_names() -> None:
    assert show.__all__ == sorted(show.__all__)
    assert set(show.__all__) == {
        *("bars", "checkpoints", "diff", "exchange", "graph", "lines", "messages", "progress", "prompt", "schema"),
        *("state", "tabs", "timeline", "tokens", "walk"),
    }
    assert all(callable(getattr(show, name)) for name in show.__all__)
