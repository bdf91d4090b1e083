"""The smallest instance of a JSON schema: what a grammar lets a model write when it has nothing to say.

Left out: `not`, `if`, dependencies, and patterns with look-around; the caller checks with `schemas`.
"""

# ruff: noqa: E501 (a pattern or a table row is read as one line)

import math
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as regex  # type: ignore[attr-defined]
from typing import Any

from companion.lab.reader.turns import target
from companion.lab.schemas import validator

DEPTH = 14
FORMATS = {
    "date": "2000-01-01", "date-time": "2000-01-01T00:00:00Z", "time": "00:00:00Z", "email": "name@host.example", "uri": "https://host.example/",
    "uuid": "00000000-0000-4000-8000-000000000000", "ipv4": "127.0.0.1", "hostname": "host.example", "duration": "PT1H",
}  # fmt: skip


def valid(value: Any, schema: Any, root: Any = None) -> bool:
    """Does the value fit? A schema that cannot be read fits nothing."""
    if isinstance(schema, dict) and isinstance(root, dict):
        schema = {**{key: root[key] for key in ("$defs", "definitions") if key in root}, **schema}
    try:
        return validator(schema).is_valid(value)
    except Exception:  # broken schemas raise many kinds, and each means the same here
        return False


def minimal(schema: Any, root: Any, depth: int = 0) -> Any:
    """Return a small instance. Raises ValueError when none is found.

    >>> minimal({"type": "object", "properties": {"n": {"minimum": 3, "type": "integer"}}, "required": ["n"]}, {})
    {'n': 3}
    """
    if depth > DEPTH or schema is False:
        raise ValueError("the schema allows no small instance")
    if not isinstance(schema, dict):
        return ""
    schema = flat(schema, root)
    for key in ("anyOf", "oneOf"):
        if isinstance(schema.get(key), list):
            return option(schema, key, root, depth)
    if "const" in schema:
        return schema["const"]
    if isinstance(schema.get("enum"), list):
        rest = {key: value for key, value in schema.items() if key != "enum"}
        return next((label for label in schema["enum"] if valid(label, rest, root)), None)
    return of_type(schema, root, depth)


def flat(schema: dict[str, Any], root: Any) -> dict[str, Any]:
    """The schema with `$ref` followed and `allOf` merged in."""
    for _ in range(DEPTH):
        if "$ref" in schema:
            schema = merged({k: v for k, v in schema.items() if k != "$ref"}, target(schema["$ref"], root))
        elif isinstance(schema.get("allOf"), list):
            parts = schema["allOf"]
            schema = {k: v for k, v in schema.items() if k != "allOf"}
            for part in parts:
                schema = merged(schema, part if isinstance(part, dict) else {})
        else:
            break
    return schema


def merged(one: dict[str, Any], two: dict[str, Any]) -> dict[str, Any]:
    """Both schemas at once, as far as keywords can be joined."""
    out = {**one, **two}
    for key in one.keys() & two.keys():
        a, b = one[key], two[key]
        if key in ("properties", "$defs"):
            out[key] = {
                **a,
                **{
                    k: merged(a[k], v) if isinstance(a.get(k), dict) and isinstance(v, dict) else v
                    for k, v in b.items()
                },
            }
        elif key == "required":
            out[key] = list(dict.fromkeys([*a, *b]))
        elif key == "enum":
            out[key] = [label for label in a if label in b]
        elif key == "type":
            both = [kind for kind in listed(a) if kind in listed(b) or (kind == "integer" and "number" in listed(b))]
            out[key] = both or (["integer"] if "number" in listed(a) and "integer" in listed(b) else a)
        elif key.startswith(("min", "exclusiveMin")):
            out[key] = max(a, b)
        elif key.startswith(("max", "exclusiveMax")):
            out[key] = min(a, b)
        elif key in ("anyOf", "oneOf"):
            out[key] = [merged(x, y) for x in a for y in b if isinstance(x, dict) and isinstance(y, dict)]
    return out


def listed(kind: Any) -> list[Any]:
    """A type keyword as a list."""
    return kind if isinstance(kind, list) else [kind]


def option(schema: dict[str, Any], key: str, root: Any, depth: int) -> Any:
    """The first option that works out; deep inside, nothing at all is tried first."""
    rest = {k: v for k, v in schema.items() if k != key}
    options = [o for o in schema[key] if o is not False]
    if depth > 3:
        options.sort(
            key=lambda o: (
                not (
                    isinstance(o, dict)
                    and (
                        o.get("type") in ("null", "string", "number", "integer", "boolean")
                        or "const" in o
                        or "enum" in o
                    )
                )
            )
        )
    for choice in options:
        try:
            value = minimal(merged(rest, choice if isinstance(choice, dict) else {}), root, depth + 1)
        except ValueError:
            continue
        if valid(value, schema, root):
            return value
        spare = value
        for extra in spares(choice):
            if valid(extra, schema, root):
                return extra
        if key == "anyOf" and "$ref" in str(schema):
            return spare
    raise ValueError("no option of the schema works out")


def spares(choice: Any) -> list[Any]:
    """Other small values, for options that must not fit two at once."""
    kind = choice.get("type") if isinstance(choice, dict) else None
    values: dict[str, list[Any]] = {
        "string": ["-", "text", "a" * 20],
        "integer": [1, -1, 7, 100, -100],
        "number": [0.5, 1, -0.5, 100.5, -100.5],
    }
    return values.get(str(kind), [])


def of_type(schema: dict[str, Any], root: Any, depth: int) -> Any:
    """An instance of the schema's type; without one, of the type its keywords speak about."""
    kinds = schema.get("type")
    if isinstance(kinds, list):
        return option(
            {k: v for k, v in schema.items() if k != "type"} | {"anyOf": [{"type": kind} for kind in kinds]},
            "anyOf",
            root,
            depth,
        )
    kind = kinds or guess(schema)
    match kind:
        case "object":
            return record(schema, root, depth)
        case "array":
            return array(schema, root, depth)
        case "integer" | "number":
            return number(schema, whole=kind == "integer")
        case "boolean":
            return False
        case "null":
            return None
    return string(schema)


def guess(schema: dict[str, Any]) -> str:
    """The type that keywords speak about."""
    for kind, words in (
        ("object", ("properties", "required", "minProperties")),
        ("array", ("items", "minItems", "prefixItems")),
        ("number", ("minimum", "maximum", "multipleOf")),
    ):
        if any(word in schema for word in words):
            return kind
    return "string"


def record(schema: dict[str, Any], root: Any, depth: int) -> dict[str, Any]:
    """An object with just what it must have."""
    properties = schema.get("properties") or {}
    extra = schema.get("additionalProperties", True)
    out = {key: minimal(properties.get(key, extra), root, depth + 1) for key in schema.get("required") or []}
    names = [
        *(key for key in properties if key not in out),
        *(f"key{n}" for n in range(schema.get("minProperties", 0))),
    ]
    for key in names:
        if len(out) >= schema.get("minProperties", 0):
            break
        out[key] = minimal(properties.get(key, extra), root, depth + 1)
    return out


def array(schema: dict[str, Any], root: Any, depth: int) -> list[Any]:
    """A list as short as allowed."""
    out: list[Any] = []
    first = schema.get("prefixItems") or []
    for n in range(min(schema.get("minItems", 0), 1000)):
        item = first[n] if n < len(first) else schema.get("items", True)
        value = minimal(item, root, depth + 1)
        out.append(another(value, out, item, root) if schema.get("uniqueItems") else value)
    if "contains" in schema and not out:
        out.append(minimal(schema["contains"], root, depth + 1))
    return out


def another(value: Any, out: list[Any], item: Any, root: Any) -> Any:
    """A value that is not in the list yet."""
    if value not in out:
        return value
    labels = flat(item, root).get("enum", []) if isinstance(item, dict) else []
    tries = [
        *labels,
        *(value + n for n in range(1, 99) if isinstance(value, (int, float)) and not isinstance(value, bool)),
        *(f"{value}{n}" for n in range(99) if isinstance(value, str)),
        True,
    ]
    return next((t for t in tries if t not in out and valid(t, item, root)), value)


def number(schema: dict[str, Any], whole: bool) -> int | float:
    """Zero, or the allowed number next to it."""
    low = max(schema.get("minimum", -math.inf), schema.get("exclusiveMinimum", -math.inf))
    high = min(schema.get("maximum", math.inf), schema.get("exclusiveMaximum", math.inf))
    step: Any = schema.get("multipleOf") or (1 if whole else None)
    if whole and step != int(step):
        step = 1
    value: float = 0 if low <= 0 <= high else low if low > 0 else high
    if step:
        value = math.ceil(value / step) * step if value >= 0 else math.floor(value / step) * step
    if value == schema.get("exclusiveMinimum"):
        value += step or (min(1, (high - value) / 2) if high < math.inf else 1)
    if value == schema.get("exclusiveMaximum"):
        value -= step or (min(1, (value - low) / 2) if low > -math.inf else 1)
    return (
        int(value) if value == int(value) and (whole or isinstance(schema.get("minimum"), int) or value == 0) else value
    )


def string(schema: dict[str, Any]) -> str:
    """A string of the least length, in the format or pattern asked for."""
    least = schema.get("minLength", 0)
    if isinstance(schema.get("pattern"), str):
        try:
            return str(written(regex.parse(schema["pattern"]), least))
        except (ValueError, KeyError, RecursionError, OverflowError, regex.error):
            pass
    text = FORMATS.get(str(schema.get("format")), "")
    length: int = min(least, 10**5)
    return text.ljust(length, "-")


def written(parts: Any, least: int = 0) -> str:
    """A text that fits a parsed pattern."""
    text = ""
    for kind, value in parts:
        if kind is op.LITERAL:
            text += chr(value)
        elif kind is op.IN:
            text += member(value)
        elif kind in (op.MAX_REPEAT, op.MIN_REPEAT):
            low, high, inner = value
            once = written(inner)
            text += once * max(low, min(int(high), least - len(text)) if once else low)
        elif kind is op.SUBPATTERN:
            text += written(value[-1])
        elif kind is op.BRANCH:
            text += written(value[1][0])
        elif kind in (op.ANY, op.NOT_LITERAL):
            text += "a" if kind is op.ANY or value != ord("a") else "b"
    return text


def member(choices: Any) -> str:
    """A character of a class."""
    if choices[0][0] is op.NEGATE:
        return next(c for c in "aA0 -_.~" if not any(holds(choice, c) for choice in choices[1:]))
    kind, value = choices[0]
    if kind is op.LITERAL:
        return chr(value)
    return (
        chr(value[0])
        if kind is op.RANGE
        else {op.CATEGORY_DIGIT: "0", op.CATEGORY_SPACE: " ", op.CATEGORY_NOT_WORD: "-"}.get(value, "a")
    )


def holds(choice: Any, c: str) -> bool:
    """Is a character in one part of a class?"""
    kind, value = choice
    if kind is op.LITERAL:
        return bool(chr(value) == c)
    if kind is op.RANGE:
        return bool(value[0] <= ord(c) <= value[1])
    return {
        op.CATEGORY_DIGIT: c.isdigit(),
        op.CATEGORY_SPACE: c.isspace(),
        op.CATEGORY_WORD: c.isalnum() or c == "_",
    }.get(value, False)
