"""The fault lab over HTTP, for a shared lab that was started with `python -m companion serve --faults`.

POST /faults replaces the faults that are on, DELETE /faults ends them. Tool faults are refused: tools run elsewhere.
"""

from typing import Any

from pydantic import Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from companion.lab.endpoints import Answer
from companion.lab.errors import LabError, checked
from companion.lab.request import Body
from companion.lab.trouble import TOOLS, Trouble


class Wanted(Body):
    """The body of POST /faults."""

    faults: list[str] = Field(default=[])
    say: list[str] = Field(default=[])
    times: int | None = None
    seconds: float = 1.0


def switch_on(body: dict[str, Any], request: Request) -> Answer:
    """POST /faults. Raises LabError for an unknown fault, a tool fault, or numbers out of bounds."""
    wanted = checked(Wanted, body)
    if tools := [name for name in wanted.faults if name in TOOLS]:
        message = f"{', '.join(tools)}: tools do not run in the lab. Use `companion.faults` where they do."
        raise LabError(message, "faults")
    try:
        trouble = Trouble(tuple(wanted.faults), wanted.times, wanted.seconds)
    except ValueError as error:
        raise LabError(str(error), "faults") from None
    trouble.said.extend(wanted.say)
    request.app.state.faults.keep(trouble)
    return Answer(wanted.model_dump())


async def switch_off(request: Request) -> Response:
    """DELETE /faults."""
    request.app.state.faults.clear()
    return JSONResponse({"faults": []})


SWITCH_OFF = Route("/faults", switch_off, methods=["DELETE"])
