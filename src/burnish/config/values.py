"""One value of a setting: read from text, checked, and described in words when it does not fit."""

from __future__ import annotations

import re
import types
from enum import Enum
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import ValidationError

from burnish.config.schema import FIELDS, Settings
from burnish.config.section import Section
from burnish.config.tables import nested

_WORDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    tuple: "a list of texts",
    dict: "a table for each model (dollars per million tokens)",
}
_BOUNDS = (("ge", "from"), ("gt", "above"), ("le", "up to"))
_TRUE, _FALSE = {"1", "true", "yes", "on"}, {"0", "false", "no", "off"}
MAX_SHOWN = 60


def fits(key: str, value: Any) -> bool:
    """Whether a value may be used for a key."""
    try:
        Settings.model_validate(nested(key, value))
    except (ValidationError, OverflowError):
        return False
    return True


def from_text(key: str, text: str) -> Any:
    """What an environment variable means; text that cannot be read comes back as it is, for the message."""
    kind = _kind(key)
    if kind is bool and text.lower() in _TRUE | _FALSE:
        return text.lower() in _TRUE
    if kind is int and re.fullmatch(r"[+-]?[0-9]{1,18}", text):
        return int(text)
    if kind is float and re.fullmatch(r"[+-]?([0-9]{1,18}(\.[0-9]*)?|\.[0-9]+)", text):
        return float(text)
    if kind is tuple:
        return [part.strip() for part in text.split(",") if part.strip()]
    return text


def expected(key: str) -> str:
    """What a key takes, in words."""
    kind = _kind(key)
    if issubclass(kind, Enum):
        return "one of " + ", ".join(repr(member.value) for member in kind)
    words = _WORDS[kind]
    item = _item(key) if kind is tuple else str
    if issubclass(item, Enum):
        words = "a list of " + ", ".join(repr(member.value) for member in item)
    if kind is tuple and issubclass(item, Section):
        words = "a list of tables"
    for constraint in FIELDS[key].metadata:
        words += "".join(
            f" {word} {getattr(constraint, name):g}" for name, word in _BOUNDS if hasattr(constraint, name)
        )
        words += " that is not empty" if hasattr(constraint, "min_length") else ""
    examples = FIELDS[key].examples
    return f"{words} such as {examples[0]!r}" if examples else words


def found(value: Any) -> str:
    """What was given instead, short and safe to print."""
    match value:
        case None:
            return "nothing"
        case bool():
            return str(value).lower()
        case dict():
            return "a table"
        case float():
            words = f"{value:g}"
        case int():
            words = f"{value}" if abs(value) < 10**15 else "a far larger number"
        case str():
            words = ascii(value)
        case list() | tuple():
            words = "the list " + ascii([str(part) if isinstance(part, Enum) else part for part in value])
        case _:
            words = f"the {type(value).__name__} {value}"
    return words if len(words) <= MAX_SHOWN else words[: MAX_SHOWN - 3] + "..."


def _kind(key: str) -> type:
    """The type of a setting without its `| None`."""
    annotation = FIELDS[key].annotation
    if get_origin(annotation) in (Union, types.UnionType):
        annotation = next(part for part in get_args(annotation) if part is not type(None))
    return _plain(annotation)


def _item(key: str) -> type:
    """What a list holds."""
    return _plain(get_args(FIELDS[key].annotation)[0])


def _plain(annotation: Any) -> type:
    """A type without what is said about it."""
    if get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    kind: type = get_origin(annotation) or annotation
    return kind
