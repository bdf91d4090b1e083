"""Execute lessons headless, and store their outputs: the only way an executed notebook is made."""

import re
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from tqdm import tqdm

NOTEBOOKS = Path("notebooks")
CELL_SECONDS = 60
WORKERS = 2


@dataclass(frozen=True)
class Result:
    """One lesson's run: how many code cells, how long, and what went wrong (None: nothing)."""

    name: str
    cells: int
    seconds: float
    error: str | None


def run(paths: list[Path], write: bool = False) -> list[Result]:
    """Execute notebooks, two at a time; with `write` their outputs are stored in place."""
    with ThreadPoolExecutor(WORKERS) as pool, tqdm(total=len(paths), unit="lesson", disable=None) as bar:
        running = [pool.submit(run_one, path, write) for path in paths]
        for done in as_completed(running):
            bar.set_postfix_str(done.result().name)
            bar.update()
    return [each.result() for each in running]


def run_one(path: Path, write: bool) -> Result:
    """Execute one notebook in its own folder with the kernel `python3`."""
    notebook = nbformat.read(path, as_version=4)
    begun = time.perf_counter()
    client = NotebookClient(
        notebook,
        timeout=CELL_SECONDS,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
        extra_arguments=["--log-level=ERROR"],
        record_timing=False,
        coalesce_streams=True,
        shutdown_kernel="immediate",
    )
    error = None
    try:
        client.execute()
    except CellExecutionError as failure:
        error = f"{failure.ename}: {failure.evalue}".splitlines()[0]
    except (CellTimeoutError, DeadKernelError) as failure:
        error = f"{type(failure).__name__}: {str(failure).splitlines()[0]}"
    if write and error is None:
        nbformat.write(settled(notebook), path)
    cells = sum(cell.cell_type == "code" for cell in notebook.cells)
    return Result(path.stem, cells, time.perf_counter() - begun, error)


def settled(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """The notebook without what differs from machine to machine: cell ids are counted, versions left out."""
    for number, cell in enumerate(notebook.cells, start=1):
        cell["id"] = f"cell-{number:02d}"
        for volatile in ("execution", "lines_to_next_cell"):
            cell.metadata.pop(volatile, None)
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        "language_info": {"name": "python", "file_extension": ".py", "mimetype": "text/x-python"},
    }
    return notebook


def chosen(names: list[str]) -> list[Path]:
    """The lessons named by number, stem or path, each once; all of them for no names. Raises FileNotFoundError."""
    lessons = sorted(NOTEBOOKS.glob("[0-9]*.ipynb"))
    if not lessons:
        raise FileNotFoundError("There is no folder `notebooks` here. Run this from the root of the course.")
    if not names:
        return lessons
    return list(dict.fromkeys(find(name, lessons) for name in names))


def find(name: str, lessons: list[Path]) -> Path:
    """The one lesson that `name` means."""
    stem = Path(name).stem
    number = f"{int(stem):02d}_" if re.fullmatch(r"\d{1,2}", stem) else stem
    for lesson in lessons:
        if stem and lesson.stem.startswith(number):
            return lesson
    raise FileNotFoundError(f"No lesson {name!r}. There are: {', '.join(lesson.stem for lesson in lessons)}.")


def table(results: list[Result]) -> str:
    """The results as text: lesson, cells, seconds, result."""
    width = max(len(result.name) for result in results)
    lines = [f"{'lesson':{width}}  cells  seconds  result"]
    for result in results:
        lines.append(f"{result.name:{width}}  {result.cells:5}  {result.seconds:7.1f}  {result.error or 'ok'}")
    return "\n".join(lines)
