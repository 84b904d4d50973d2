"""The settings of the data-flow pass, and what users may add to what it knows."""

from __future__ import annotations

import difflib
import re
from enum import StrEnum
from typing import Annotated, Any

from pydantic import BaseModel, Field, ValidationError

from burnish.config.section import Section

# Several names can be one entry's.
Names = Annotated[str, Field(min_length=1)] | list[Annotated[str, Field(min_length=1)]]
Position = Annotated[int, Field(ge=0, le=255)] | Annotated[str, Field(min_length=1)]


class TaintSources(StrEnum):
    """Kinds of untrusted input. Files and the network are followed only where somebody asks for it."""

    REQUEST = "request"
    ARGV = "argv"
    ENVIRONMENT = "environment"
    FILES = "files"
    NETWORK = "network"


class TaintClass(StrEnum):
    """What can be wrong at the end of a flow."""

    COMMAND = "command"
    CODE = "code"
    SQL = "sql"
    PATH = "path"
    LDAP = "ldap"
    XPATH = "xpath"
    XXE = "xxe"
    XSS = "xss"
    REDIRECT = "redirect"
    SSRF = "ssrf"
    DESERIALISATION = "deserialisation"
    LOG = "log"
    TRUST_BOUNDARY = "trust_boundary"
    WEAK_HASH = "weak_hash"
    WEAK_CIPHER = "weak_cipher"
    WEAK_RANDOM = "weak_random"
    INSECURE_COOKIE = "insecure_cookie"


Class = Annotated[TaintClass, Field(strict=False)]
Clean = Class | list[Class]


class SourceEntry(Section):
    """`call`: its result is untrusted; `name`: the attribute is."""

    call: Names | None = None
    name: Names | None = None
    kind: Annotated[TaintSources, Field(strict=False)] = TaintSources.REQUEST
    what: str = ""
    framework: str = ""


class SinkEntry(Section):
    """A call that hurts when one of `arguments` (places or names) is untrusted."""

    call: Names
    flaw: Class = Field(alias="class")
    arguments: Position | list[Position] = 0
    shape: str | None = None
    fixed_start: str | None = None
    when: dict[str, Any] = Field(default={})
    unless: dict[str, Any] = Field(default={})
    framework: str = ""


class SanitizerEntry(Section):
    """A call whose result is safe for the classes of `clean`."""

    call: Names
    clean: Clean
    argument: Position = 0
    when: dict[str, Any] = Field(default={})


class GuardEntry(Section):
    """A call that says whether `argument` is safe; with `true = false` it is safe when it says no."""

    call: Names
    clean: Clean
    argument: Position = 0
    true: bool = True


class Taint(Section):
    enabled: bool = True
    """Whether untrusted input is followed through Python code to where it hurts."""
    max_time_s: float = Field(default=10.0, gt=0, le=600)
    """Seconds for one file; what is not reached by then is told as not reviewed."""
    max_steps: int = Field(default=20_000, ge=1000)
    """Steps for one function; one that takes more is told as not reviewed."""
    sources: tuple[Annotated[TaintSources, Field(strict=False)], ...] = Field(
        default=(TaintSources.REQUEST, TaintSources.ARGV, TaintSources.ENVIRONMENT), strict=False
    )
    """What counts as untrusted. `files` and `network` are off unless you name them."""
    files: tuple[Annotated[str, Field(min_length=1)], ...] = Field(
        default=(), strict=False, examples=["security/flows.toml"]
    )
    """TOML files of the repository, read at the base, with the same tables as below (`[[sink]]`, ...)."""
    source: tuple[SourceEntry, ...] = Field(default=(), strict=False)
    """`[[taint.source]]`: further untrusted input, such as `call = "mylib.read_form"`."""
    sink: tuple[SinkEntry, ...] = Field(default=(), strict=False)
    """`[[taint.sink]]`: further places that hurt: `call = "mydb.run"`, `class = "sql"`, `arguments = 0`."""
    sanitizer: tuple[SanitizerEntry, ...] = Field(default=(), strict=False)
    """`[[taint.sanitizer]]`: calls that make a value safe: `call = "mylib.quote"`, `clean = ["command"]`."""
    guard: tuple[GuardEntry, ...] = Field(default=(), strict=False)
    """`[[taint.guard]]`: calls that say if a value is safe: `call = "mylib.is_name"`, `clean = "path"`."""


TABLES: dict[str, type[Section]] = {
    "source": SourceEntry,
    "sink": SinkEntry,
    "sanitizer": SanitizerEntry,
    "guard": GuardEntry,
}


def both(repositorys: Any, users: Any) -> Any:
    """What holds of `[taint]` where the user's own file says something, too: nothing of that is lost.

    Lists hold together, and limits are the larger ones. The user's entries stand last: of two about one call
    the later one holds.
    """
    if isinstance(users, list | tuple):
        return [*(one for one in repositorys if one not in users), *users]
    return users if isinstance(users, bool) else max(repositorys, users)


def plain_entries(entries: tuple[BaseModel, ...]) -> list[dict[str, Any]]:
    """As the engine's own files have them."""
    return [entry.model_dump(mode="json", by_alias=True, exclude_unset=True) for entry in entries]


def wrong_entry(table: str, entries: Any) -> str:
    """What is wrong with the first entry that is, in words; empty where all of them can be used."""
    if not isinstance(entries, list | tuple):
        return "it is no list"
    for number, entry in enumerate(entries, 1):
        why = _wrong(TABLES[table.rpartition(".")[2]], entry)
        if why:
            return f"entry {number} {why}"
    return ""


def _wrong(kind: type[Section], entry: Any) -> str:
    if not isinstance(entry, dict):
        return "is not a table"
    known = [field.alias or name for name, field in kind.model_fields.items()]
    for name in entry:
        if name not in known:
            close = difflib.get_close_matches(str(name), known, n=1, cutoff=0)
            return f"has the unknown key {name!a}; did you mean {close[0]}?"
    try:
        made = kind.model_validate(entry)
    except ValidationError as error:
        first = error.errors()[0]
        key = str(first["loc"][0]) if first["loc"] else ""
        if first["type"] == "missing":
            return f"has no {key!r}"
        if key in ("class", "clean"):
            return f"has {ascii(entry[key])[:60]} as {key!r}; there are {', '.join(TaintClass)}"
        return f"has {ascii(entry[key])[:60]} as {key!r}, which cannot be used there"
    if isinstance(made, SourceEntry) and made.call is None and made.name is None:
        return "names no source: it needs 'call' or 'name'"
    for key in ("shape", "fixed_start"):
        try:
            re.compile(getattr(made, key, None) or "")
        except re.error as error:
            return f"has {ascii(entry[key])[:60]} as {key!r}, which is no pattern: {error}"
    return ""
