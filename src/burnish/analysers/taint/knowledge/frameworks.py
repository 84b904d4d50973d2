"""What knowledge says of frameworks: how functions are registered, what they are given, what is an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

Place = int | str
NO_PLACES: tuple[Place, ...] = ()


class Parameters(StrEnum):
    """Where parameters come from: the address, their annotations, the request, all from outside, nobody."""

    ADDRESS = "address"
    TYPED = "typed"
    REQUEST = "request"
    ALL = "all"
    NONE = "none"


@dataclass(frozen=True, eq=False)
class Framework:
    """`words` are decorators that make a handler, `calls` where a handler is given to one.

    `views` are base classes with the methods that are called; `request` is what a request is called, and
    `by_name` whether a first parameter of that name is one although nobody registered the function.
    """

    name: str
    imports: frozenset[str]
    parameters: Parameters = Parameters.NONE
    request: str = ""
    requests: frozenset[str] = frozenset()
    response: str = ""
    words: frozenset[str] = frozenset()
    attributes: frozenset[str] = frozenset()
    by_name: bool = False
    calls: Mapping[str, tuple[Place, ...]] = field(default_factory=dict)
    views: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    hooks: frozenset[str] = frozenset()
    hook_views: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    errors: frozenset[str] = frozenset()
    error_argument: int = 0

    def methods(self, bases: list[str]) -> frozenset[str]:
        """The methods that are called from outside in a class with these bases."""
        return frozenset(name for base in bases for name in _of_base(self.views, base))

    def hook_methods(self, bases: list[str]) -> frozenset[str]:
        return frozenset(name for base in bases for name in _of_base(self.hook_views, base))


def _of_base(table: Mapping[str, tuple[str, ...]], base: str) -> tuple[str, ...]:
    """By the whole name, else with the last words left open: `django.views.generic.*`."""
    if base in table:
        return table[base]
    above = base.rpartition(".")[0]
    return table.get(f"{above}.*") or table.get(f"{above.rpartition('.')[0]}.*.*") or ()


@dataclass(frozen=True)
class Answer:
    """A call that makes an answer: its text, and where its type is said. `default` is the type otherwise."""

    body: tuple[Place, ...]
    type: tuple[Place, ...]
    default: str
    gives: str


def framework(entry: Mapping[str, Any]) -> Framework:
    """One `[[entry]]` of a file."""
    hook, error = entry.get("hook", {}), entry.get("error", {})
    return Framework(
        name=entry["framework"],
        imports=frozenset(entry["imports"]),
        parameters=Parameters(entry.get("parameters", "none")),
        request=entry.get("request", ""),
        requests=frozenset(entry.get("requests", ())),
        response=entry.get("response", ""),
        words=frozenset(entry.get("words", ())),
        attributes=frozenset(entry.get("attributes", ())),
        by_name=bool(entry.get("by_name", False)),
        calls={name: tuple(places) for name, places in entry.get("call", {}).items()},
        views={name: tuple(methods) for name, methods in entry.get("view", {}).items()},
        hooks=frozenset(hook.get("words", ())),
        hook_views={name: tuple(methods) for name, methods in hook.get("view", {}).items()},
        errors=frozenset(error.get("words", ())),
        error_argument=int(error.get("argument", 0)),
    )


def answers(entry: Mapping[str, Any]) -> dict[str, Answer]:
    """One `[[answer]]` of a file, by the names of its calls."""
    made = Answer(
        tuple(entry.get("body", ())), tuple(entry.get("type", ())), entry.get("default", ""), entry["gives"]
    )
    return dict.fromkeys(entry["call"], made)
