"""A JSON schema without `$ref` and `allOf` at its top: what several schemas say at once, as far as it can be joined."""

from typing import Any

from companion.lab.reader.turns import target

DEPTH = 12


def flat(schema: dict[str, Any], root: Any) -> dict[str, Any]:
    """The schema with `$ref` followed and `allOf` merged in."""
    for _ in range(DEPTH):
        if "$ref" in schema:
            parts = [target(schema["$ref"], root)]
        elif isinstance(schema.get("allOf"), list):
            parts = schema["allOf"]
        else:
            break
        schema = {key: value for key, value in schema.items() if key != ("$ref" if "$ref" in schema else "allOf")}
        for part in parts:
            schema = merged(schema, part)
    return schema


def merged(one: dict[str, Any], two: Any) -> dict[str, Any]:
    """Both schemas at once."""
    two = two if isinstance(two, dict) else {}
    return {**one, **two, **{key: joined(key, one[key], two[key]) for key in one.keys() & two.keys()}}


def joined(key: str, one: Any, two: Any) -> Any:
    """Both values of a keyword at once, the second where nothing better is known."""
    match key:
        case "properties" | "$defs":
            return {**one, **two, **{name: {"allOf": [one[name], two[name]]} for name in one.keys() & two.keys()}}
        case "required":
            return list(dict.fromkeys([*one, *two]))
        case "enum":
            return [label for label in one if label in two]
        case "type":
            ones, twos = kinds(one), kinds(two)
            return [kind for kind in dict.fromkeys(ones + twos) if kind in ones and kind in twos]
        case "anyOf" | "oneOf":
            return [{"allOf": [first, second]} for first in one for second in two]
    if key.startswith(("min", "exclusiveMin")):
        return max(one, two)
    return min(one, two) if key.startswith(("max", "exclusiveMax")) else two


def kinds(types: Any) -> list[Any]:
    """A type keyword as a list in which every number is also an integer."""
    listed = types if isinstance(types, list) else [types]
    return [*listed, "integer"] if "number" in listed and "integer" not in listed else listed
