"""The lab's HTTP surface: vLLM's chat dialect and Tavily's search, answered by rules on this machine.

`chat.py` makes an answer, `response.py` and `stream.py` give it vLLM's shape. Every refusal is a JSON error, every
exchange goes to the journal. Where the lab differs from a vLLM 0.32.0 server with the hermes parser, the module that
does it says so: `calls.py` (arguments, thoughts), `chat.py` (developer messages, order of results), `stream.py`
(malformed calls), `checks.py` (what is refused), `body.py` (limits). Also: ids and `created` never change, nothing is
cached, `/render` needs no flag, `/tokenizer_info` and `/derender` are missing, a slash too many is a 404.

`faults.py` can spoil an answer at each step of its way.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from companion.lab import endpoints, fault_routes, reader, search
from companion.lab.body import bytes_of, loaded
from companion.lab.chat import Complete
from companion.lab.checks import MODEL, check_model
from companion.lab.endpoints import Answer
from companion.lab.errors import LabError
from companion.lab.faults import Faults
from companion.lab.journal import Exchange, Journal, journal
from companion.lab.response import model_card

__all__ = ["MODEL", "create_app"]

Handler = Callable[[dict[str, Any], Request], Answer]
LARGE = 50_000


def create_app(
    journal: Journal = journal,
    *,
    complete: Complete | None = None,
    tool_parsing: bool = True,
    faults: Faults | None = None,
    open_to_faults: bool = False,
) -> Starlette:
    """Return the lab. `complete` stands in for the reader; `tool_parsing=False` is a vLLM without its tool flags.

    `faults` may go wrong; `open_to_faults` lets every client say so.
    """
    routes = [
        Route("/health", health),
        Route("/version", version),
        Route("/v1/models", models),
        Route("/v1/models/{name:path}", model),
        post("/v1/chat/completions", endpoints.chat),
        post("/v1/chat/completions/render", endpoints.render),
        post("/v1/completions", endpoints.completions),
        post("/tokenize", endpoints.tokenize),
        post("/detokenize", endpoints.detokenize),
        post("/search", endpoints.search),
    ]
    if open_to_faults:
        routes += [post("/faults", fault_routes.switch_on), fault_routes.SWITCH_OFF]
    app = Starlette(routes=routes, exception_handlers={HTTPException: detail, ClientDisconnect: gone, Exception: crash})
    app.router.redirect_slashes = False
    app.state.journal = journal
    app.state.faults = faults or Faults()
    app.state.tool_parsing = tool_parsing
    app.state.complete = complete or stand_in
    return app


def post(path: str, handler: Handler) -> Route:
    """A route that reads a JSON object, lets faults happen, answers, and writes the journal."""

    async def endpoint(request: Request) -> Response:
        body: dict[str, Any] = {}
        try:
            raw = await bytes_of(request)
            body = loaded(raw)
            if await request.app.state.faults.before(path) and await request.is_disconnected():
                raise ClientDisconnect  # as in vLLM, nobody is answered, and nothing is kept
            if len(raw) < LARGE:
                answer = handler(body, request)
            else:  # may take a second to tokenize; in a thread, so that other clients get their answers meanwhile
                answer = await run_in_threadpool(handler, body, request)
        except LabError as error:
            answer = refusal(path, error)
        record(request.app.state.journal, path, body, answer)
        if answer.events is not None:
            return StreamingResponse(flow(answer.events), media_type="text/event-stream")
        return JSONResponse(answer.response, answer.status, answer.headers)

    return Route(path, endpoint, methods=["POST"])


def stand_in(prompt: str, schema: dict[str, Any] | None = None, *, force: Collection[str] = ()) -> str:
    """The reader. Raises LabError for numbers and schemas that nothing fits: too big, too deep, contradictory."""
    try:
        return reader.complete(prompt, schema, force=force)
    except (ValueError, ArithmeticError, RecursionError) as error:
        advice = "Look for a required part that contains itself, allows no value, or has a number beyond all bounds."
        raise LabError(f"Grammar error: the stand-in found no answer that fits ({error}). {advice}") from None


def refusal(path: str, error: LabError) -> Answer:
    """An error in the shape that the path's client reads."""
    if path == "/search":
        status, response = search.error(error.status, error.message)
        return Answer(response, status=status, headers=error.headers)
    return Answer(error.body(), status=error.status, headers=error.headers)


def record(journal: Journal, path: str, body: Mapping[str, Any], answer: Answer) -> None:
    """Keep the exchange, but no key: neither headers nor an `api_key` in the body."""
    kept = {key: value for key, value in body.items() if key != "api_key"}
    journal.record(Exchange(path, kept, answer.status, answer.response, answer.prompt, answer.completion))


async def flow(events: Iterator[str]) -> AsyncIterator[str]:
    """The events one by one; between two of them other clients get their turn, and a client that left is noticed."""
    for event in events:
        yield event
        await asyncio.sleep(0)


async def health(request: Request) -> Response:
    return Response()


async def version(request: Request) -> Response:
    return JSONResponse({"version": "0.32.0"})


async def models(request: Request) -> Response:
    return JSONResponse({"object": "list", "data": [model_card()]})


async def model(request: Request) -> Response:
    try:
        check_model(request.path_params["name"])
    except LabError as error:
        return JSONResponse(error.body(), error.status)
    return JSONResponse(model_card())


async def detail(request: Request, error: Exception) -> Response:
    """An unknown path or method."""
    assert isinstance(error, HTTPException)
    return JSONResponse({"detail": error.detail}, error.status_code, error.headers)


async def gone(request: Request, error: Exception) -> Response:
    """The client left before its request was whole; nobody reads this."""
    return Response(status_code=400)


async def crash(request: Request, error: Exception) -> Response:
    """The last resort; tests/lab/test_fuzz.py shows that requests do not get here."""
    message = f"The lab failed on this request: {type(error).__name__}. That is a bug of the lab."
    return JSONResponse(LabError(message, status=500, type="InternalServerError").body(), 500)
