"""What one source says: settings by key, with unknown names, wrong types and double mention refused."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from burnish.config.aliases import ALIASES
from burnish.config.files import ConfigFile, read
from burnish.config.model_price import ModelPrice
from burnish.config.schema import FIELDS, SECTIONS
from burnish.config.taint_settings import TABLES, wrong_entry
from burnish.config.values import expected, fits, found, from_text
from burnish.errors import UsageError
from burnish.sanitise import clean_line

PREFIX = "BURNISH_"
# The only key whose names below it are the user's own.
PRICES = "prices"
# Two ways to say one thing: naming one takes the other's place.
TABLED = frozenset(f"taint.{name}" for name in TABLES)
EXCLUSIVE = (("limits.cycles", "limits.fixes"),)
_KNOWN = {*FIELDS, *ALIASES}
# Spellings that look like a key of ours work as variables too.
_TABLED_ALIASES = tuple(name for name in ALIASES if "." in name)
_TABLES = {name[:end] for name in _KNOWN for end, letter in enumerate(name) if letter == "."}


@dataclass(frozen=True)
class Entry:
    """One setting from one source. `place` and `spelled` are for messages."""

    key: str
    value: Any
    origin: str
    place: str
    spelled: str


def from_file(file: ConfigFile) -> dict[str, Entry]:
    document = read(file)
    given: dict[str, tuple[Any, str]] = {}
    for spelled, value in _leaves(document.content, ""):
        line = document.lines.get(spelled)
        place = f"{file.name}, line {line}" if line else file.name
        if spelled not in _KNOWN:
            raise _unknown(place, spelled, value)
        if spelled == PRICES:
            _check_prices(value, file.name, document.lines)
        given[spelled] = (value, place)
    return _by_key([_checked(spelled, value, file.name, place) for spelled, (value, place) in given.items()])


def variable_name(key: str) -> str:
    return PREFIX + key.upper().replace(".", "_")


def from_environ(environ: Mapping[str, str]) -> dict[str, Entry]:
    """`BURNISH_LIMITS_CYCLES` is limits.cycles. An empty variable is an unset one."""
    names = {variable_name(key): key for key in (*FIELDS, *_TABLED_ALIASES)}
    entries = []
    for name, text in sorted(environ.items()):
        place = f"environment variable {name}"
        if name in names and text:
            key = names[name]
            alias = ALIASES.get(key)
            value = from_text(alias.key if alias else key, text)
            entries.append(_checked(key, value, f"environment {name}", place))
        elif name not in names and name.startswith(tuple(f"{PREFIX}{table.upper()}_" for table in SECTIONS)):
            close = difflib.get_close_matches(name, names, n=1, cutoff=0)
            raise UsageError(f"{place} names no setting", hint=f"did you mean {close[0]}?")
    return _by_key(entries)


def from_flag(key: str, name: str, value: Any) -> Entry:
    place = f"flag {name}"
    return _checked(key, value, place, place)


def _checked(spelled: str, value: Any, origin: str, place: str) -> Entry:
    alias = ALIASES.get(spelled)
    key = alias.key if alias else spelled
    ours = value
    if alias and alias.factor and isinstance(value, int | float) and not isinstance(value, bool):
        ours = value * alias.factor
    if key in TABLED and (why := wrong_entry(key, ours)):
        words = f"{spelled} must be {expected(key)} that can be used: {clean_line(why)}"
        raise UsageError(f"{place}: {words}", hint="docs/concepts/dataflow.md shows what an entry may hold")
    if not fits(key, ours):
        raise UsageError(
            f"{place}: {spelled} must be {expected(key)}, found {found(value)}",
            hint=f"correct it, or remove it to have the default ({found(FIELDS[key].default)})",
        )
    return Entry(key, ours, origin, place, spelled)


def _by_key(entries: list[Entry]) -> dict[str, Entry]:
    by_key: dict[str, Entry] = {}
    for entry in entries:
        if before := by_key.get(entry.key):
            raise UsageError(
                f"{entry.place}: {entry.spelled} says again what {before.spelled} says",
                hint="keep one of the two",
            )
        by_key[entry.key] = entry
    for one, other in EXCLUSIVE:
        if one in by_key and other in by_key:
            names = f"{by_key[one].spelled} and {by_key[other].spelled}"
            raise UsageError(
                f"{by_key[other].place}: {names} are two ways to say one limit", hint="keep one of the two"
            )
    return by_key


def _leaves(table: dict[Any, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    """Values with their dotted names; a table is entered only where some known name goes through it."""
    for name, value in table.items():
        path = f"{prefix}{name}"
        if isinstance(value, dict) and path in _TABLES:
            yield from _leaves(value, f"{path}.")
        else:
            yield path, value


def _check_prices(said: Any, where: str, lines: Mapping[str, int]) -> None:
    """Told by model and key, because `prices` as a whole would say little."""
    for model, price in said.items() if isinstance(said, dict) else ():
        table = f'{PRICES}."{model}"'
        line = lines.get(f"{PRICES}.{model}")
        place = f"{where}, line {line}" if line else where
        hint = f'for example: [{PRICES}."some-model"] input = 1.25, output = 10'
        known = ModelPrice.model_fields
        for name, value in price.items() if isinstance(price, dict) else ():
            if name not in known:
                close = difflib.get_close_matches(name, known, n=1, cutoff=0)
                raise UsageError(
                    f"{place}: unknown key {found(name)} in {clean_line(table)}",
                    hint=f"did you mean {close[0]}?",
                )
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
                what = f"{clean_line(table)}.{name} must be dollars per million tokens, found {found(value)}"
                raise UsageError(f"{place}: {what}", hint=hint)
        if not isinstance(price, dict) or not {"input", "output"} <= price.keys():
            raise UsageError(f"{place}: {clean_line(table)} must have input and output", hint=hint)


def _unknown(place: str, spelled: str, value: Any) -> UsageError:
    if spelled in _TABLES:
        return UsageError(
            f"{place}: {spelled} must be a table of settings, found {found(value)}", hint=f"write [{spelled}]"
        )
    what = "table" if isinstance(value, dict) else "key"
    known = _TABLES if isinstance(value, dict) else _KNOWN
    close = difflib.get_close_matches(spelled, known, n=1)
    # A right name in the wrong table is as common as a misspelt one.
    by_name = {key.rpartition(".")[2]: key for key in reversed(FIELDS)}
    close = close or [
        by_name[name] for name in difflib.get_close_matches(spelled.rpartition(".")[2], by_name, n=1)
    ]
    return UsageError(f"{place}: unknown {what} {found(spelled)}", hint=_hint(close, spelled))


def _hint(close: list[str], spelled: str) -> str:
    if close:
        return f"did you mean {close[0]}?"
    table = spelled.rpartition(".")[0]
    inside = [key.removeprefix(f"{table}.") for key in FIELDS if key.startswith(f"{table}.")]
    beside = dict.fromkeys(key.partition(".")[0] for key in inside)
    where = f"in {table}" if beside else "at the top"
    top = [key for key in FIELDS if "." not in key]
    named = [key for key in top if key != PRICES]
    return f"known {where}: {', '.join(beside or [*named, *SECTIONS, PRICES])}"
