"""Forms of answers as JSON Schema, in the strict dialect that agents can be held to, and their check.

Strict: every property is required (what may be missing is null) and no other is allowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from burnish.contracts._fields import kind

Schema = Mapping[str, Any]
MOST_PROBLEMS = 50
_KINDS: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "null": (type(None),),
}
_WORDS = {
    "object": "an object",
    "array": "an array",
    "string": "a string",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "null": "null",
}


def record(**properties: Schema) -> Schema:
    """An object with exactly these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def array(items: Schema, about: str = "") -> Schema:
    return _about({"type": "array", "items": items}, about)


def value(name: str, about: str = "") -> Schema:
    """A scalar: `string`, `integer`, `number` or `boolean`."""
    return _about({"type": name}, about)


def maybe(name: str, about: str = "") -> Schema:
    """The same, or null."""
    return _about({"type": [name, "null"]}, about)


def one_of(words: Iterable[str], about: str = "") -> Schema:
    return _about({"type": "string", "enum": [str(word) for word in words]}, about)


def one_of_or_none(words: Iterable[str], about: str = "") -> Schema:
    return _about({"type": ["string", "null"], "enum": [*map(str, words), None]}, about)


def problems(found: Any, schema: Schema) -> tuple[str, ...]:
    """Everything about `found` that the schema does not allow, each with its path."""
    told: list[str] = []
    for problem in _problems(found, schema, ""):
        if len(told) == MOST_PROBLEMS:
            return (*told, "and more of the kind")
        told.append(problem)
    return tuple(told)


def _problems(found: Any, schema: Schema, path: str) -> Iterator[str]:
    named = schema["type"]
    kinds = [named] if isinstance(named, str) else list(named)
    if not any(_is(found, name) for name in kinds):
        wanted = " or ".join(_WORDS[name] for name in kinds)
        yield f"{path or 'the answer'} must be {wanted}, found {kind(found)}"
    elif "enum" in schema and found not in schema["enum"]:
        words = ", ".join("null" if word is None else f'"{word}"' for word in schema["enum"])
        yield f"{path or 'the answer'} must be one of {words}, found {kind(found)}"
    elif isinstance(found, dict):
        yield from _in_record(found, schema, path)
    elif isinstance(found, list):
        for number, item in enumerate(found):
            yield from _problems(item, schema["items"], f"{path}[{number}]")


def _in_record(found: dict[str, Any], schema: Schema, path: str) -> Iterator[str]:
    properties = schema["properties"]
    for name, inner in properties.items():
        inside = f"{path}.{name}" if path else name
        if name in found:
            yield from _problems(found[name], inner, inside)
        else:
            yield f"{inside} is missing"
    for name in found:
        if name not in properties:
            yield f"{f'{path}.' if path else ''}{str(name)[:60]!r} is not a key here"


def _is(found: Any, name: str) -> bool:
    # In Python true and false are numbers; in JSON they are not.
    if isinstance(found, bool):
        return name == "boolean"
    return isinstance(found, _KINDS[name])


def _about(schema: dict[str, Any], about: str) -> Schema:
    return {**schema, "description": about} if about else schema
