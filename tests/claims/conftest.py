"""A server on loopback that answers what a test tells it to, for the real clients, and a clean environment."""

import threading
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest
import uvicorn
from langchain_openai import ChatOpenAI
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

UNWANTED = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_BASE", "TAVILY_API_KEY", "TAVILY_PROJECT")
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")


class Stub:
    """Answers POST requests from `replies` (the last one again and again) and keeps what was sent.

    A reply is the message of a chat completion, or a pair: HTTP status and the whole JSON body.
    """

    def __init__(self) -> None:
        self.replies: list[Any] = []
        self.requests: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.root = ""

    async def answer(self, request: Request) -> JSONResponse:
        self.requests.append(await request.json())
        self.paths.append(request.url.path)
        reply = self.replies[min(len(self.requests), len(self.replies)) - 1]
        status, body = reply if isinstance(reply, tuple) else (200, completion(reply))
        return JSONResponse(body, status_code=status)

    def model(self, **options: Any) -> ChatOpenAI:
        """A real client of this server."""
        return ChatOpenAI(
            **{"model": "m", "api_key": "EMPTY", "base_url": self.root + "/v1", "max_retries": 0} | options
        )


def completion(message: dict[str, Any]) -> dict[str, Any]:
    """A chat completion around a message, with the least that the client wants."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": None} | message}
    return {"id": "r", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}


@pytest.fixture(scope="session")
def server() -> Iterator[Stub]:
    """The running server of this test session."""
    stub = Stub()
    app = Starlette(routes=[Route("/{path:path}", stub.answer, methods=["POST"])])
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        thread.join(0.01)
    stub.root = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    yield stub
    server.should_exit = True
    thread.join()


@pytest.fixture
def stub(server: Stub) -> Stub:
    """The server with nothing to say and nothing seen."""
    server.replies, server.requests, server.paths = [{"content": "ok"}], [], []
    return server


@pytest.fixture
def agents() -> ModuleType:
    """langchain.agents, imported by the test: a name that a release drops turns one line of the ledger red."""
    import_module("langchain.agents.middleware")
    return import_module("langchain.agents")


@pytest.fixture
def create_react_agent() -> Any:
    """LangGraph's deprecated agent; it warns whenever it is built."""
    prebuilt, warnings = import_module("langgraph.prebuilt"), import_module("langgraph.warnings")

    def build(*arguments: Any) -> Any:
        with pytest.warns(warnings.LangGraphDeprecatedSinceV10, match=r"moved to `?langchain\.agents"):
            return prebuilt.create_react_agent(*arguments)

    return build


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither keys nor proxies nor tracing of the machine reach a test."""
    for name in (*UNWANTED, *PROXIES, *map(str.lower, PROXIES)):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANGSMITH_TRACING", "false")
