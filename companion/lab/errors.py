"""A refusal: status and JSON error, in vLLM's shape (tests/data/ground-truth/errors.json)."""

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

Checked = TypeVar("Checked", bound=BaseModel)
LABELS = ("str", "Part")
SHOWN = 10


class LabError(Exception):
    """Why a request is refused. Nothing is wrong with the lab when this is raised."""

    def __init__(
        self,
        message: str,
        param: str | None = None,
        status: int = 400,
        type: str = "BadRequestError",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.message, self.param, self.status, self.type, self.headers = message, param, status, type, headers

    def body(self) -> dict[str, Any]:
        """The JSON answer."""
        error = {"message": self.message, "type": self.type, "param": self.param, "code": self.status}
        return {"error": error}


def wrong_value(message: str, param: str, value: object = None) -> LabError:
    """A refusal that ends as vLLM's do.

    >>> wrong_value("n is odd.", "n", 3).message
    'n is odd. (parameter=n, value=3)'
    """
    shown = "" if value is None else f", value={value}"
    return LabError(f"{message} (parameter={param}{shown})", param)


def invalid(errors: list[Mapping[str, Any]]) -> LabError:
    """A refusal that lists what a schema check found, one line each, as vLLM writes it."""
    lines = [f"\n  {line(error)}" for error in errors[:SHOWN]]
    more = f"\n  ...and {len(errors) - SHOWN} more errors" if len(errors) > SHOWN else ""
    plural = "s" if len(errors) > 1 else ""
    message = f"{len(errors)} validation error{plural}:{''.join(lines)}{more}"
    return LabError(message, place(errors[0]["loc"]), type="Bad Request")


def checked(model: type[Checked], body: Mapping[str, Any]) -> Checked:
    """Return `body` as a `model`. Raises LabError that names each wrong field."""
    try:
        return model.model_validate(body)
    except ValidationError as error:
        raise invalid([{**e, "loc": ("body", *e["loc"])} for e in error.errors(include_url=False)]) from None


def line(error: Mapping[str, Any]) -> dict[str, Any]:
    """One finding, with a short form of the input."""
    ctx = {"ctx": {key: str(value) for key, value in error["ctx"].items()}} if "ctx" in error else {}
    shown = short(error["input"])
    return {"type": error["type"], "loc": place(error["loc"]), "msg": error["msg"], "input": shown, **ctx}


def place(loc: tuple[str | int, ...]) -> str:
    """Where in the body, without pydantic's names for the branches of a union.

    >>> place(("body", "stop", "list[str]", 0))
    'body.stop.0'
    """
    return ".".join(str(part) for part in loc if part not in LABELS and "[" not in str(part))


def short(value: object, width: int = 100) -> str:
    """What was sent, in few characters."""
    if isinstance(value, dict | list):
        return f"<{type(value).__name__} of {len(value)} items>"
    text = str(value)
    return text if len(text) <= width else text[: width - 3] + "..."
