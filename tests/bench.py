"""What the lab costs, as ratios against a baseline of the same run: `make bench`. Goals stand beside the numbers."""

import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2
import nbformat
import uvicorn
from jupyter_client.manager import start_new_kernel
from langchain_openai import ChatOpenAI
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion import chat_model
from companion.lab import server
from companion.lab.server import lab, listen
from companion.run import WORKERS, run
from notebooks import LESSONS

ADD = {"name": "add", "description": "add two int number"}
ADD["parameters"] = {
    "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
    "required": ["a", "b"],
    "type": "object",
}
BODY = {"messages": [{"role": "user", "content": "1+1"}], "tools": [{"type": "function", "function": ADD}]}


Spread = Callable[[list[float]], float]


def seconds(work: Callable[[], object]) -> float:
    """Seconds one call takes."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def in_turns(
    ours: Callable[[], object], theirs: Callable[[], object], times: int, of: Spread = statistics.median
) -> float:
    """Ours over theirs, called in turns, so that a busy moment of the machine hits both; `of` all times, the median."""
    pairs = [(seconds(ours), seconds(theirs)) for _ in range(times)]
    return of([pair[0] for pair in pairs]) / of([pair[1] for pair in pairs])


def constant_server(answer: bytes) -> str:
    """A server that gives one answer whatever is asked; returns its base URL."""

    async def reply(request: Request) -> Response:
        await request.body()
        return Response(answer, media_type="application/json")

    app = Starlette(routes=[Route("/v1/chat/completions", reply, methods=["POST"])])
    listener = listen("127.0.0.1", 0)
    running = uvicorn.Server(uvicorn.Config(app, log_level="critical", access_log=False, ws="none"))
    threading.Thread(target=running.run, kwargs={"sockets": [listener]}, daemon=True).start()
    return server.address(listener) + "/v1"


def invoke_ratio() -> float:
    """ChatOpenAI.invoke on the lab over the same on the constant server."""
    with httpx2.Client(trust_env=False) as client:
        answer = client.post(lab().url + "/v1/chat/completions", json=BODY).content
    real = chat_model().bind_tools([ADD])
    url = constant_server(answer)
    flat = ChatOpenAI(base_url=url, api_key="EMPTY", model="m", http_client=httpx2.Client(trust_env=False)).bind_tools(
        [ADD]
    )
    in_turns(lambda: real.invoke("1+1"), lambda: flat.invoke("1+1"), 20)  # warm
    return in_turns(lambda: real.invoke("1+1"), lambda: flat.invoke("1+1"), 300)


def requests_per_second(clients: int = 4, each: int = 150) -> float:
    """Full path, several clients with keep-alive, the lab in a process of its own."""
    command = [sys.executable, "-m", "companion", "serve"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        url = process.stdout.readline().strip() if process.stdout else ""

        def ask(_: int) -> None:
            with httpx2.Client(trust_env=False, timeout=60) as client:
                for _ in range(each):
                    client.post(url + "/v1/chat/completions", json=BODY).raise_for_status()

        ask(0)
        begun = time.perf_counter()
        with ThreadPoolExecutor(clients) as pool:
            list(pool.map(ask, range(clients)))
        spent = time.perf_counter() - begun
        begun = time.perf_counter()
        process.terminate()
        process.wait()
        print(
            f"seconds from SIGTERM to the end of serve     {time.perf_counter() - begun:6.2f}   goal <= 1.00",
            flush=True,
        )
    return clients * each / spent


def import_ratio() -> float:
    """Importing the stack and companion over importing the stack alone, each in a fresh Python."""
    stack = "import langgraph.graph, langchain_openai"
    both = f"{stack}; from companion import chat_model, journal, show"

    def fresh(code: str) -> None:
        subprocess.check_call([sys.executable, "-c", code])

    return in_turns(lambda: fresh(both), lambda: fresh(stack), 15, of=min)


def suite_ratio() -> tuple[float, float]:
    """Running all lessons over starting their kernels and doing their imports, both with two workers.

    The imports: a lesson's first code cell, and what is imported on first use (the model's client, the lab, matplotlib)
    """

    def bare(path: Path) -> None:
        first = next(cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code")
        manager, client = start_new_kernel(kernel_name="python3", extra_arguments=["--log-level=ERROR"])
        client.execute_interactive(first, timeout=120, output_hook=lambda _: None)
        client.execute_interactive("import langchain_openai, companion.lab.app, matplotlib.figure", timeout=120)
        client.stop_channels()
        manager.shutdown_kernel()

    def kernels() -> None:
        with ThreadPoolExecutor(WORKERS) as pool:
            list(pool.map(bare, LESSONS))

    def lessons() -> None:
        assert not [result for result in run(LESSONS) if result.error]

    before, ours, after = seconds(kernels), seconds(lessons), seconds(kernels)
    return ours, ours * 2 / (before + after)


def main() -> None:
    """Print the numbers, one line each, as they come."""
    print(f"invoke on the lab / on a constant server   {invoke_ratio():6.2f}   goal <= 1.30", flush=True)
    print(f"requests per second, full path, 4 clients  {requests_per_second():6.0f}", flush=True)
    print(f"import with companion / without            {import_ratio():6.2f}   goal <= 1.05", flush=True)
    spent, ratio = suite_ratio()
    print(f"all lessons / kernels and imports          {ratio:6.2f}   goal <= 1.50   ({spent:.0f} s, two workers)")


if __name__ == "__main__":
    main()
