"""Our types to JSON and back: the only module that touches a JSON decoder."""

from __future__ import annotations

import json
import re
import types
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, Union, get_args, get_origin

if TYPE_CHECKING:
    from pydantic import TypeAdapter

MAX_DEPTH = 200
# At the end of a line, where no text can stand: that ends with a quotation mark.
_NO_NUMBER = re.compile(r"(?:NaN|Infinity),?$", re.MULTILINE)
_NOT_PLAIN_ASCII = re.compile(r"[^\n -~]+")


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    # Here, because commands that only read or write plain data start in half the time without it.
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


def _adapter_of(value: Any) -> TypeAdapter[Any]:
    kind: Any = type(value)
    return _adapter(kind)


def plain(value: Any) -> Any:
    """A value of one of our types as dicts, lists and scalars."""
    return _adapter_of(value).dump_python(value, mode="json")


def dumps(value: Any, *, indent: int | None = None, sort_keys: bool = False) -> str:
    """Plain data as JSON text; lone surrogates are escaped, so the text can always be written as UTF-8."""
    if indent is not None:
        return _indented(value, indent)
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"), sort_keys=sort_keys)


def _indented(value: Any, indent: int) -> str:
    """The same text as `json.dumps` makes, which indents in Python: seconds for a review of ten megabytes."""
    from pydantic_core import to_json

    try:
        text = to_json(value, indent=indent).decode()
    except (ValueError, TypeError):  # lone surrogates, or what is not plain data: told in json's words
        return json.dumps(value, ensure_ascii=True, allow_nan=False, indent=indent)
    if ("NaN" in text or "Infinity" in text) and _NO_NUMBER.search(text):
        return json.dumps(value, ensure_ascii=True, allow_nan=False, indent=indent)
    if text.isascii() and "\x7f" not in text:
        return text
    return _NOT_PLAIN_ASCII.sub(lambda found: json.dumps(found[0])[1:-1], text)


def loads(text: str) -> Any:
    """Strict JSON: no NaN, no duplicate keys. Raises ValueError, also for input that is too deep."""
    try:
        return _DECODER.decode(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def loads_from(text: str, start: int) -> tuple[Any, int]:
    """The JSON value that begins at `start`, and where it ends; as strict as `loads`. Raises ValueError."""
    try:
        return _DECODER.raw_decode(text, start)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def encode(value: Any) -> str:
    """A step's result, with the name of its type."""
    return dumps({"type": type(value).__name__, "value": plain(value)})


def decode(text: str, hint: Any) -> Any:
    """Read a step's result back; `hint` is the return annotation of the function that made it."""
    stored = loads(text)
    if not isinstance(stored, dict) or not {"type", "value"} <= stored.keys():
        raise ValueError("expected a stored result with its type and value")
    for kind in _members(hint):
        if getattr(kind, "__name__", "") == stored["type"]:
            return _adapter(kind).validate_python(stored["value"])
    raise ValueError(f"stored result is a {stored['type']!r}, expected {hint!r}")


def validate(kind: Any, value: Any) -> Any:
    """Plain data as one of our types; raises ValueError with pydantic's words."""
    from pydantic import ValidationError

    try:
        return _adapter(kind).validate_python(value)
    except ValidationError as error:
        raise ValueError(str(error)) from None


def _members(hint: Any) -> Iterator[Any]:
    if get_origin(hint) in (Union, types.UnionType):
        yield from get_args(hint)
    else:
        yield type(None) if hint is None else hint


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise ValueError(f"duplicate key {twice!r}")
    return found


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


# Made once: a review can hold thousands of small objects, and making a decoder costs more than using it.
_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refuse)
