"""The bytes of a request as a JSON object, or a refusal: too big, not JSON, not an object, too deep, not text."""

import json
import math
from typing import Any

from starlette.requests import Request

from companion.lab.errors import LabError, invalid

MAX_BYTES = 4 * 1024 * 1024
MAX_DEPTH = 100


async def bytes_of(request: Request) -> bytes:
    """Return a request's body. Raises LabError when it is too big, or not said to be JSON."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    raw = await read(request)
    if media_type != "application/json":
        message = "1 validation error:\n  Unsupported Media Type: Only 'application/json' is allowed"
        raise LabError(message, type="Bad Request")
    return raw


async def read(request: Request) -> bytes:
    """All bytes of the body. A body over the limit is read to its end but not kept, so that the answer arrives."""
    raw, size = b"", 0
    async for chunk in request.stream():
        size += len(chunk)
        raw = raw + chunk if size <= MAX_BYTES else b""
    if size > MAX_BYTES:
        message = f"The body has {size} bytes; the lab reads at most {MAX_BYTES}. Send fewer or shorter messages."
        raise LabError(message, status=413, type="RequestEntityTooLarge")
    return raw


def loaded(raw: bytes) -> dict[str, Any]:
    """Return the JSON object in a body. Raises LabError for NaN, half characters, or more depth than recursion has."""
    try:
        body = DECODER.decode(raw.decode(json.detect_encoding(raw), "surrogatepass")) if raw.strip() else None
        if b"\\u" in raw:  # half a character can only come as an escape
            json.dumps(body, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise not_json(error) from None
    if body is None:
        raise invalid([{"type": "missing", "loc": ("body",), "msg": "Field required", "input": None}])
    if not isinstance(body, dict):
        message = "Input should be a valid dictionary or object to extract fields from"
        raise invalid([{"type": "model_attributes_type", "loc": ("body",), "msg": message, "input": body}])
    if raw.count(b"[") + raw.count(b"{") > MAX_DEPTH and deeper_than(body, MAX_DEPTH):
        raise LabError(f"The body nests lists and objects more than {MAX_DEPTH} levels deep.", "body")
    return body


def not_json(error: Exception) -> LabError:
    """What a parser said, with the position where it gave up."""
    reason = getattr(error, "msg", None) or str(error)
    loc = ("body", getattr(error, "pos", 0))
    found = {"type": "json_invalid", "loc": loc, "msg": "JSON decode error", "input": {}, "ctx": {"error": reason}}
    return invalid([found])


def no_number(name: str) -> float:
    """NaN and the infinities are no JSON numbers, though Python reads them."""
    raise ValueError(f"{name} is not a JSON number")


def finite(text: str) -> float:
    """A number with a point or an exponent; one that overflows would come back as Infinity."""
    number = float(text)
    return number if math.isfinite(number) else no_number(text)


DECODER = json.JSONDecoder(parse_constant=no_number, parse_float=finite)


def deeper_than(value: object, levels: int) -> bool:
    """Whether lists and objects stand in each other more than `levels` deep."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return levels < 0 or any(deeper_than(each, levels - 1) for each in inside)
