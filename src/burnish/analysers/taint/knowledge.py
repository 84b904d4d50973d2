"""Sources, sinks, sanitizers, guards: reviewed data, read from knowledge/*.toml and from `[taint]`.

Names are dotted as Python would import them; an instance is named like its class, so that
`sqlite3.Cursor.execute` is the method of any cursor. `*.execute` is that method of something unknown.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, TypeVar

FLAWS = (
    "command", "code", "sql", "path", "ldap", "xpath", "xxe", "xss", "redirect", "ssrf", "deserialisation",
    "log", "trust_boundary", "weak_hash", "weak_cipher", "weak_random", "insecure_cookie",
)  # fmt: skip
# Kinds of sources that are followed unless a user says otherwise.
KINDS = ("request", "argv", "environment", "weak")
Place = int | str
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Source:
    """An attribute that is read, or (`called`) the result of a call."""

    kind: str
    what: str
    framework: str = ""
    called: bool = False


@dataclass(frozen=True, slots=True)
class Sink:
    """A call that hurts when one of `arguments` is untrusted.

    `shape` is what the text must look like, `keywords` constants that must have been given, `unless` those
    that make it safe; with `fixed_start` a known beginning makes it safe (a host, a path of ours).
    """

    flaw: str
    arguments: tuple[Place, ...] = (0,)
    shape: re.Pattern[str] | None = None
    keywords: Mapping[str, Any] = field(default_factory=dict)
    unless: Mapping[str, Any] = field(default_factory=dict)
    fixed_start: re.Pattern[str] | None = None
    framework: str = ""


@dataclass(frozen=True, slots=True)
class Sanitizer:
    clean: frozenset[str]
    argument: Place = 0
    keywords: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Guard:
    """A call that says whether `argument` is safe. `true` is the answer that means safe; None: it raises."""

    clean: frozenset[str]
    argument: Place = 0
    true: bool | None = True


@dataclass(frozen=True, slots=True)
class Misuse:
    """A call that is wrong by what it is, or by a constant it is given."""

    flaw: str
    argument: Place | None = None
    pattern: re.Pattern[str] | None = None
    keywords: Mapping[str, Any] = field(default_factory=dict)
    unless: Mapping[str, Any] = field(default_factory=dict)
    what: str = ""


@dataclass
class Knowledge:
    kinds: tuple[str, ...] = KINDS
    sources: dict[str, Source] = field(default_factory=dict)
    sinks: dict[str, list[Sink]] = field(default_factory=dict)
    stores: dict[str, str] = field(default_factory=dict)
    sanitizers: dict[str, Sanitizer] = field(default_factory=dict)
    guards: dict[str, Guard] = field(default_factory=dict)
    misuses: dict[str, list[Misuse]] = field(default_factory=dict)
    gives: dict[str, str] = field(default_factory=dict)
    harmless: set[str] = field(default_factory=set)
    never: set[str] = field(default_factory=set)

    def source(self, name: str, *, called: bool) -> Source | None:
        found = self.sources.get(name)
        return found if found and found.called == called and found.kind in self.kinds else None

    def add(self, table: Mapping[str, Any]) -> None:
        """One file's or one user's entries; raises ValueError, KeyError or TypeError for what is no entry."""
        for entry in table.get("source", ()):
            self._source(entry)
        for entry in table.get("sink", ()):
            self._sink(entry)
        for entry in table.get("sanitizer", ()):
            made = Sanitizer(_flaws(entry["clean"]), entry.get("argument", 0), entry.get("when", {}))
            self.sanitizers |= dict.fromkeys(_list(entry["call"]), made)
        for entry in table.get("guard", ()):
            true = None if entry.get("true", True) == "raises" else bool(entry.get("true", True))
            guard = Guard(_flaws(entry["clean"]), entry.get("argument", 0), true)
            self.guards |= dict.fromkeys(_list(entry["call"]), guard)
        for entry in table.get("misuse", ()):
            self._misuse(entry)
        self.gives |= table.get("gives", {})
        self.harmless |= set(table.get("harmless", {}).get("call", ()))
        self.never |= set(table.get("never", {}).get("call", ()))

    def _source(self, entry: Mapping[str, Any]) -> None:
        for called in (False, True):
            made = Source(entry["kind"], entry.get("what", ""), entry.get("framework", ""), called)
            self.sources |= dict.fromkeys(_list(entry.get("call" if called else "name", ())), made)

    def _sink(self, entry: Mapping[str, Any]) -> None:
        flaw = _flaw(entry["class"])
        self.stores |= dict.fromkeys(_list(entry.get("store", ())), flaw)
        made = Sink(
            flaw,
            tuple(_list(entry.get("arguments", 0))),
            _pattern(entry.get("shape")),
            entry.get("when", {}),
            entry.get("unless", {}),
            _pattern(entry.get("fixed_start")),
            entry.get("framework", ""),
        )
        for name in _list(entry.get("call", ())):
            self.sinks.setdefault(name, []).append(made)

    def _misuse(self, entry: Mapping[str, Any]) -> None:
        made = Misuse(
            _flaw(entry["class"]),
            entry.get("argument"),
            _pattern(entry.get("pattern")),
            entry.get("when", {}),
            entry.get("unless", {}),
            entry.get("what", ""),
        )
        for name in _list(entry["call"]):
            self.misuses.setdefault(name, []).append(made)


def built_in() -> Knowledge:
    """What Burnish knows itself."""
    known = Knowledge()
    folder = files("burnish.analysers.taint") / "knowledge"
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(".toml"):
            known.add(tomllib.loads(entry.read_text("utf8")))
    return known


def find(table: Mapping[str, T], names: Iterable[str]) -> T | None:
    """By its whole name; else as the method or function of something unknown."""
    for name in names:
        if name in table:
            return table[name]
    return None


def _list(found: Any) -> Any:
    return found if isinstance(found, list | tuple) else (found,)


def _flaw(name: str) -> str:
    if name not in FLAWS:
        raise ValueError(f"{name!r} is not a class of flaws; there are {', '.join(FLAWS)}")
    return name


def _flaws(found: Any) -> frozenset[str]:
    return frozenset("*" if name == "*" else _flaw(name) for name in _list(found))


def _pattern(text: str | None) -> re.Pattern[str] | None:
    return re.compile(text) if text else None
