"""What the lab costs, as ratios against a baseline of the same run: `make bench`. Goals stand beside the numbers."""

import json
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2
import uvicorn
from langchain_openai import ChatOpenAI
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion import chat_model
from companion.lab import server
from companion.lab.server import lab, listen
from companion.run import run_one
from notebooks import LESSONS

ADD = {"name": "add", "description": "add two int number"}
ADD["parameters"] = {
    "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
    "required": ["a", "b"],
    "type": "object",
}
BODY = {"messages": [{"role": "user", "content": "1+1"}], "tools": [{"type": "function", "function": ADD}]}


def median_of(work: Callable[[], object], times: int = 60) -> float:
    """Seconds one call takes, the median of many."""
    spent = []
    for _ in range(times):
        begun = time.perf_counter()
        work()
        spent.append(time.perf_counter() - begun)
    return statistics.median(spent)


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
    """ChatOpenAI.invoke on the lab over the same on the constant server, taken in turns."""
    with httpx2.Client(trust_env=False) as client:
        answer = client.post(lab().url + "/v1/chat/completions", json=BODY).content
    real = chat_model().bind_tools([ADD])
    url = constant_server(answer)
    flat = ChatOpenAI(base_url=url, api_key="EMPTY", model="m", http_client=httpx2.Client(trust_env=False)).bind_tools(
        [ADD]
    )
    for model in (real, flat):
        median_of(lambda model=model: model.invoke("1+1"), 10)
    pairs = [(median_of(lambda: real.invoke("1+1")), median_of(lambda: flat.invoke("1+1"))) for _ in range(3)]
    return statistics.median(ours / theirs for ours, theirs in pairs)


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


def import_seconds(code: str) -> float:
    """Seconds that a fresh Python needs for `code`, the best of five."""
    timed = f"import time; t = time.perf_counter(); {code}; print(time.perf_counter() - t)"
    return min(float(subprocess.check_output([sys.executable, "-c", timed])) for _ in range(5))


def suite_ratio() -> tuple[float, float]:
    """Running all lessons with two workers over starting their kernels and importing the stack, likewise."""
    stack = "import langgraph.graph, langchain_openai, companion"

    def bare(_: object) -> float:
        from jupyter_client.manager import start_new_kernel

        begun = time.perf_counter()
        manager, client = start_new_kernel(kernel_name="python3", extra_arguments=["--log-level=ERROR"])
        client.execute_interactive(stack, timeout=120)
        client.stop_channels()
        manager.shutdown_kernel(now=True)
        return time.perf_counter() - begun

    def lesson(path: Path) -> None:
        assert run_one(path, write=False).error is None

    spent = []
    for work in (bare, lesson):
        begun = time.perf_counter()
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(work, LESSONS))
        spent.append(time.perf_counter() - begun)
    return spent[1], spent[1] / spent[0]


def main() -> None:
    """Print the numbers, one line each, as they come."""
    print(f"invoke on the lab / on a constant server   {invoke_ratio():6.2f}   goal <= 1.30", flush=True)
    print(f"requests per second, full path, 4 clients  {requests_per_second():6.0f}", flush=True)
    ours = import_seconds("import langgraph.graph, langchain_openai; from companion import chat_model, journal, show")
    theirs = import_seconds("import langgraph.graph, langchain_openai")
    print(f"import with companion / without            {ours / theirs:6.2f}   goal <= 1.05", flush=True)
    seconds, ratio = suite_ratio()
    print(f"all lessons / bare kernels, two workers    {ratio:6.2f}   goal <= 1.50   ({seconds:.0f} s)")
    print(json.dumps({"lessons": len(LESSONS)}))


if __name__ == "__main__":
    main()
