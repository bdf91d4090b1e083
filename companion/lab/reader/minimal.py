"""The smallest instance of a JSON schema: what a grammar lets a model write when it has nothing to say.

Small values are tried one after the other, and the first that fits is taken.
Left out: values made for `not`, `if`, dependencies and patterns with look-around, unless one fits by chance.
"""

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

from jsonschema_rs import Draft202012Validator

from companion.lab.reader.merge import DEPTH, flat, merged
from companion.lab.reader.patterns import fitting
from companion.lab.schemas import validator

FORMATS = {
    "date": "2000-01-01", "date-time": "2000-01-01T00:00:00Z", "time": "00:00:00Z", "duration": "PT1H",
    "email": "name@host.example", "hostname": "host.example", "uri": "https://host.example/", "ipv4": "127.0.0.1",
    "uuid": "00000000-0000-4000-8000-000000000000",
}  # fmt: skip
SPOKEN_OF = {"object": {"properties", "required", "minProperties"}, "array": {"items", "minItems", "prefixItems"}}
SPOKEN_OF["number"] = {"minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"}
OPTIONS = ("anyOf", "oneOf", "const", "enum")
MANY = 1000


def valid(value: Any, schema: Any, root: Any = None) -> bool:
    """Does the value fit? A schema that cannot be read fits nothing."""
    try:
        return checker(schema, root).is_valid(value)
    except ValueError:
        return False


def checker(schema: Any, root: Any) -> Draft202012Validator:
    """What checks values against a part of a schema. Raises ValueError when the part is no schema."""
    if isinstance(schema, dict) and isinstance(root, dict):
        schema = {**{key: root[key] for key in ("$defs", "definitions") if key in root}, **schema}
    try:
        return validator(schema)
    except Exception as error:  # broken schemas raise many kinds, and each means the same here
        raise ValueError(f"not a JSON schema: {error}") from error


def minimal(schema: Any, root: Any, depth: int = 0, besides: Sequence[Any] = ()) -> Any:
    """Return a small instance that is not one of `besides`. Raises ValueError when none is found.

    >>> minimal({"type": "object", "properties": {"n": {"minimum": 3, "type": "integer"}}, "required": ["n"]}, {})
    {'n': 3}
    """
    if depth > DEPTH or schema is False:
        raise ValueError("the schema allows no small instance")
    plain = flat(schema, root) if isinstance(schema, dict) else {}
    fits = checker(plain, root).is_valid
    for value in instances(plain, root, depth):
        if value not in besides and fits(value):
            return value
    raise ValueError("no small value fits the schema")


def instances(schema: dict[str, Any], root: Any, depth: int) -> Iterator[Any]:
    """Small values that may fit a flat schema; none where something that it needs has none."""
    if depth <= DEPTH:
        with suppress(ValueError):
            yield from options(schema, root, depth) if schema.keys() & OPTIONS else of_type(schema, root, depth)


def options(schema: dict[str, Any], root: Any, depth: int) -> Iterator[Any]:
    """Values for one of several schemas or types, or out of a list; what holds no other values is tried first."""
    key = next(key for key in OPTIONS if key in schema)
    rest = {name: value for name, value in schema.items() if name != key}
    if key in ("const", "enum"):
        yield from schema[key] if key == "enum" else [schema[key]]
        return
    for choice in sorted((choice for choice in schema[key] if choice is not False), key=nested):
        yield from instances(flat(merged(rest, choice), root), root, depth + 2)


def nested(choice: Any) -> bool:
    """Does an option hold other values, or may it?"""
    simple = ("null", "string", "number", "integer", "boolean")
    return isinstance(choice, dict) and choice.get("type") not in simple and not choice.keys() & {"const", "enum"}


def of_type(schema: dict[str, Any], root: Any, depth: int) -> Iterator[Any]:
    """Values of the schema's type; without one, of the type its keywords speak about."""
    spoken_of = [kind for kind, words in SPOKEN_OF.items() if words & schema.keys()]
    types = schema.get("type") or [*spoken_of, "string", "integer", "null"]
    for kind in types if isinstance(types, list) else [types]:
        if kind == "object":
            yield record(schema, root, depth)
        elif kind == "array":
            yield array(schema, root, depth)
        elif kind in ("integer", "number"):
            yield from numbers(schema, whole=kind == "integer")
        else:
            yield from {"boolean": (False, True), "null": (None,)}.get(kind) or strings(schema)


def record(schema: dict[str, Any], root: Any, depth: int) -> dict[str, Any]:
    """An object with just what it must have."""
    properties, extra = schema.get("properties") or {}, schema.get("additionalProperties", True)
    least = schema.get("minProperties", 0)
    out: dict[str, Any] = {}
    for key in chain(schema.get("required") or [], properties, (f"key{n}" for n in range(least))):
        if key in (schema.get("required") or []) or len(out) < least:
            out[key] = minimal(properties.get(key, extra), root, depth + 1)
    return out


def array(schema: dict[str, Any], root: Any, depth: int) -> list[Any]:
    """A list as short as allowed."""
    first, out = schema.get("prefixItems") or [], list[Any]()
    for n in range(min(schema.get("minItems", 0), MANY)):
        item = first[n] if n < len(first) else schema.get("items", schema.get("contains", True))
        out.append(minimal(item, root, depth + 1, out if schema.get("uniqueItems") else ()))
    return out or ([minimal(schema["contains"], root, depth + 1)] if "contains" in schema else [])


def numbers(schema: dict[str, Any], whole: bool) -> Iterator[int | float]:
    """Zero or the allowed number next to it, then some around it."""
    low = max(schema.get("minimum", -math.inf), schema.get("exclusiveMinimum", -math.inf))
    high = min(schema.get("maximum", math.inf), schema.get("exclusiveMaximum", math.inf))
    near = 0 if low <= 0 <= high else low if low > 0 else high
    step = schema.get("multipleOf") or 1
    start = math.ceil(near / step) * step if near > 0 else math.floor(near / step) * step
    between = (low + high) / 2 if -math.inf < low and high < math.inf else near
    steps = (start + sign * n * step for n in range(MANY) for sign in (1, -1))
    for value in chain([near], [] if whole else [between], steps):
        yield int(value) if value == int(value) else value


def strings(schema: dict[str, Any]) -> Iterator[str]:
    """Texts in the format or the pattern asked for, then some of the least length."""
    least = min(schema.get("minLength", 0), 10**5)
    yield FORMATS.get(str(schema.get("format")), "").ljust(least, "-")
    for text in fitting(schema["pattern"], least) if isinstance(schema.get("pattern"), str) else ():
        yield text
        yield text.ljust(least, text[-1:] or "-")
    yield from (text.ljust(least, "-") for text in chain(["text"], map(str, range(MANY))))
