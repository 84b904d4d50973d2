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

from burnish.analysers.taint.knowledge.frameworks import Answer, Framework, answers, framework

FLAWS = (
    "command", "code", "sql", "path", "ldap", "xpath", "xxe", "xss", "redirect", "ssrf", "deserialisation",
    "log", "trust_boundary", "weak_hash", "weak_cipher", "weak_random", "insecure_cookie",
)  # fmt: skip
# Checks that data cannot say: what each looks at is in checks.py.
CHECKS = frozenset({"program", "words", "log", "template", "page", "cookie", "hash", "file"})
# Kinds of sources that are followed unless a user says otherwise.
KINDS = ("request", "argv", "environment", "weak")
Place = int | str
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Source:
    """An attribute that is read, or (`called`) the result of a call. `clean` are classes it cannot hurt."""

    kind: str
    what: str
    framework: str = ""
    called: bool = False
    clean: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Sink:
    """A call that hurts when one of `arguments` is untrusted.

    `shape` is what the text must look like, `keywords` constants that must have been given, `unless` those
    that make it safe; with `fixed_start` a known beginning makes it safe (a host, a path of ours).
    `context` is where in the language it stands (`dn` of LDAP): only what is clean for `<class>:<context>`
    is clean there. `receiver` is what the expression before the dot must look like, `check` a check in code.
    With `passes` what goes in comes out, although it is a sink.
    """

    flaw: str
    arguments: tuple[Place, ...] = (0,)
    shape: re.Pattern[str] | None = None
    keywords: Mapping[str, Any] = field(default_factory=dict)
    unless: Mapping[str, Any] = field(default_factory=dict)
    fixed_start: re.Pattern[str] | None = None
    framework: str = ""
    context: str = ""
    receiver: re.Pattern[str] | None = None
    check: str = ""
    passes: bool = False


@dataclass(frozen=True, slots=True)
class Sanitizer:
    """`without` are characters that what comes out cannot have.

    With `proof` all of that is certain for any text that goes in: only then do patterns give way behind it.
    """

    clean: frozenset[str]
    argument: Place = 0
    keywords: Mapping[str, Any] = field(default_factory=dict)
    unless: Mapping[str, Any] = field(default_factory=dict)
    proof: bool = False


@dataclass(frozen=True, slots=True)
class Guard:
    """A call that says whether `argument` is safe. `true` is the answer that means safe; None: it raises."""

    clean: frozenset[str]
    argument: Place = 0
    true: bool | None = True
    proof: bool = False


@dataclass(frozen=True, slots=True)
class Misuse:
    """A call that is wrong by what it is, or by a constant it is given."""

    flaw: str
    argument: Place | None = None
    pattern: re.Pattern[str] | None = None
    keywords: Mapping[str, Any] = field(default_factory=dict)
    unless: Mapping[str, Any] = field(default_factory=dict)
    what: str = ""
    check: str = ""


@dataclass(frozen=True, slots=True)
class Variant:
    """What a call gives is named `name` where it was given these constants: a parser that loads entities."""

    name: str
    keywords: Mapping[str, Any]
    unless: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class Knowledge:
    kinds: tuple[str, ...] = KINDS
    sources: dict[str, Source] = field(default_factory=dict)
    sinks: dict[str, list[Sink]] = field(default_factory=dict)
    stores: dict[str, Sink] = field(default_factory=dict)
    sanitizers: dict[str, list[Sanitizer]] = field(default_factory=dict)
    guards: dict[str, Guard] = field(default_factory=dict)
    misuses: dict[str, list[Misuse]] = field(default_factory=dict)
    gives: dict[str, str] = field(default_factory=dict)
    harmless: set[str] = field(default_factory=set)
    # While the tables of Burnish itself are read.
    own: bool = False
    # How often a source was met.
    touched: int = 0
    never: set[str] = field(default_factory=set)
    # Calls whose result is not made of what they are given: rows that were looked up, a file's text.
    opaque: set[str] = field(default_factory=set)
    # Calls that give their first argument in another form: a request with that address.
    wraps: set[str] = field(default_factory=set)
    variants: dict[str, list[Variant]] = field(default_factory=dict)
    constants: dict[str, Any] = field(default_factory=dict)
    frameworks: list[Framework] = field(default_factory=list)
    answers: dict[str, Answer] = field(default_factory=dict)
    state: set[str] = field(default_factory=set)
    # How many names there were, and those before the dots of what is a source.
    _leading: tuple[int, frozenset[str]] = (0, frozenset())

    def source(self, name: str, *, called: bool) -> Source | None:
        found = self.sources.get(name)
        if found is None or found.called != called or found.kind not in self.kinds:
            return None
        self.touched += 1
        return found

    def leads_to_source(self, name: str) -> bool:
        """Whether something from outside can be read of what has this name: a request, a generator."""
        size = len(self.sources) + len(self.gives)
        if size != self._leading[0]:
            found = {one[:at] for one in self.sources for at, dot in enumerate(one) if dot in ".["}
            for _ in range(3):
                given = [one for one, what in self.gives.items() if what in found or what in self.sources]
                found |= {one[:at] for one in given for at, dot in enumerate(one) if dot in ".["}
            self._leading = size, frozenset(found) - {"*"}
        return name in self._leading[1] or name in self.sources

    def add(self, table: Mapping[str, Any]) -> None:
        """One file's or one user's entries; raises ValueError for what is no entry."""
        try:
            self._add(table)
        except KeyError as missing:
            raise ValueError(f"an entry of [taint] needs {missing.args[0]!r}") from None
        except (TypeError, AttributeError, re.error) as error:
            raise ValueError(f"an entry of [taint] is not as expected: {error}") from None

    def _add(self, table: Mapping[str, Any]) -> None:
        for entry in table.get("source", ()):
            self._source(entry)
        for entry in table.get("sink", ()):
            self._sink(entry)
        for entry in table.get("sanitizer", ()):
            self._sanitizer(entry)
        for entry in table.get("guard", ()):
            true = None if entry.get("true", True) == "raises" else bool(entry.get("true", True))
            clean, proof = _flaws(entry.get("clean", ())) | _without(entry), self._proof(entry)
            guard = Guard(clean, entry.get("argument", 0), true, proof)
            self.guards |= dict.fromkeys(_list(entry["call"]), guard)
        for entry in table.get("misuse", ()):
            self._misuse(entry)
        self.gives |= table.get("gives", {})
        self.harmless |= set(table.get("harmless", {}).get("call", ()))
        self.never |= set(table.get("never", {}).get("call", ()))
        self.opaque |= set(table.get("opaque", {}).get("call", ()))
        self.wraps |= set(table.get("wraps", {}).get("call", ()))
        self.constants |= table.get("constants", {})
        for entry in table.get("variant", ()):
            made = Variant(entry["name"], entry.get("when", {}), entry.get("unless", {}))
            for name in _list(entry["call"]):
                self.variants.setdefault(name, []).append(made)
        self.state |= set(table.get("state", {}).get("name", ()))
        self.frameworks += [framework(entry) for entry in table.get("entry", ())]
        for entry in table.get("answer", ()):
            self.answers |= answers(entry)

    def _source(self, entry: Mapping[str, Any]) -> None:
        for called in (False, True):
            clean = _flaws(entry.get("clean", ()))
            kind = entry.get("kind", KINDS[0])
            made = Source(kind, entry.get("what", ""), entry.get("framework", ""), called, clean)
            self.sources |= dict.fromkeys(_list(entry.get("call" if called else "name", ())), made)

    def _proof(self, entry: Mapping[str, Any]) -> bool:
        """An entry of the settings is taken at its word; an entry of Burnish only where it says so."""
        return bool(entry.get("proof", not self.own))

    def _sanitizer(self, entry: Mapping[str, Any]) -> None:
        clean = _flaws(entry.get("clean", ())) | _without(entry)
        when, unless = entry.get("when", {}), entry.get("unless", {})
        made = Sanitizer(clean, entry.get("argument", 0), when, unless, self._proof(entry))
        for name in _list(entry["call"]):
            self.sanitizers.setdefault(name, []).append(made)

    def _sink(self, entry: Mapping[str, Any]) -> None:
        flaw = _flaw(entry["class"])
        made = Sink(
            flaw,
            tuple(_list(entry.get("arguments", 0))),
            _pattern(entry.get("shape")),
            entry.get("when", {}),
            entry.get("unless", {}),
            _pattern(entry.get("fixed_start")),
            entry.get("framework", ""),
            entry.get("context", ""),
            _pattern(entry.get("receiver")),
            _check(entry.get("check", "")),
            bool(entry.get("passes", False)),
        )
        self.stores |= dict.fromkeys(_list(entry.get("store", ())), made)
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
            _check(entry.get("check", "")),
        )
        for name in _list(entry["call"]):
            self.misuses.setdefault(name, []).append(made)


def built_in() -> Knowledge:
    """What Burnish knows itself."""
    known = Knowledge(own=True)
    folder = files("burnish.analysers.taint") / "knowledge"
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(".toml"):
            known.add(tomllib.loads(entry.read_text("utf8")))
    known.own = False
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
    """Classes, or a class in one of its contexts (`ldap:dn`), or `*`, or what a value is (`is:resolved`)."""
    return frozenset(name for name in _list(found) if name == "*" or name[:3] == "is:" or _in_context(name))


def _in_context(name: str) -> str:
    return _flaw(name.partition(":")[0]) and name


def _without(entry: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(f"no:{character}" for character in entry.get("without", ""))


def _check(name: str) -> str:
    if name and name not in CHECKS:
        raise ValueError(f"{name!r} is no check; there are {', '.join(sorted(CHECKS))}")
    return name


def _pattern(text: str | None) -> re.Pattern[str] | None:
    return re.compile(text) if text else None
