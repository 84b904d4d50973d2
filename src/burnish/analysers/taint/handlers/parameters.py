"""What a handler is given: parameters from the address, each untrusted unless a number or a plain word."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from burnish.analysers.taint.handlers.addresses import harmless_names, harmless_places, names, number_names
from burnish.analysers.taint.handlers.responses import Response
from burnish.analysers.taint.memory.things import Function, unordered
from burnish.analysers.taint.memory.values import (
    NEVER,
    NUMBER,
    TAINTED,
    UNKNOWN,
    UNPROVED,
    Cell,
    Origin,
    Taint,
    Value,
    join,
    of,
)

if TYPE_CHECKING:
    from burnish.analysers.taint.memory.frame import Frame
    from burnish.analysers.taint.memory.modules import Module

REQUESTS = ("request", "req", "_request")
# What a parameter is called that is a number almost always.
_NUMBERS = ("id", "pk", "number", "year", "month", "day", "page", "count", "index")
_OBJECTS = frozenset({
    "cls", "obj", "instance", "form", "queryset", "user", "context", "model", "object", "db", "session",
    "response", "serializer", "formset", "placeholder", "exception", "exc", "error", "err", "e", "handler",
    "view_func", "callback", "next", "get_response", "call_next", "app", "settings", "config", "items",
})  # fmt: skip
METHODS = frozenset({
    "get", "post", "put", "delete", "patch", "head", "options", "dispatch", "dispatch_request", "list",
    "create", "retrieve", "update", "partial_update", "destroy", "index", "show", "open", "on_message",
})  # fmt: skip
_ANSWERS = ("render", "redirect", "response", "jsonify", "json", "html", "text", "abort")


@dataclass
class Entry:
    """`value` is what is called where decorators of the tree stand around the function."""

    function: Function
    framework: str = ""
    names: dict[str, Value] = field(default_factory=dict)
    value: Value | None = None
    # Whether a text it gives back is a page.
    pages: bool = False
    answer: Response | None = None
    # What the function itself gave back, where decorators stand around it.
    given_back: list[tuple[Module, Value, ast.AST]] = field(default_factory=list)
    request: Value | None = None


def every_parameter(function: Function) -> list[ast.arg]:
    args = function.node.args
    rest = [one for one in (args.vararg, args.kwarg) if one is not None]
    return [*args.posonlyargs, *args.args, *args.kwonlyargs, *rest]


def is_method(function: Function) -> bool:
    if function.owner is None or "staticmethod" in function.marks:
        return False
    return bool(function.node.args.args)


def untrusted(at: Frame, name: str, line: int, framework: str = "", kind: str = "request") -> Value:
    """A parameter that somebody outside decides."""
    cell = Cell(at.file, line, f"{name} comes from outside", key=("parameter", name))
    taint = Taint(Origin(kind, f"parameter {name}", framework), cell)
    return Value((taint,), shape=TAINTED, sure=True)


def from_address(at: Frame, entry: Entry, framework: str, rest: list[ast.arg], addresses: list[str]) -> None:
    args = entry.function.node.args
    for place, one in enumerate((*rest, *args.kwonlyargs)):
        entry.names[one.arg] = _parameter(at, entry, framework, one, place, addresses)
    for more in (args.vararg, args.kwarg):
        if more is not None:
            inner = untrusted(at, more.arg, more.lineno, framework)
            holder = unordered("dict" if more is args.kwarg else "tuple", inner)
            for name in {name for address in addresses for name in harmless_names(address)}:
                holder.table["k", name] = UNPROVED
            entry.names[more.arg] = of(holder)


def _parameter(
    at: Frame, entry: Entry, framework: str, one: ast.arg, place: int, addresses: list[str]
) -> Value:
    value = untrusted(at, one.arg, one.lineno, framework)
    default = entry.function.defaults.get(one.arg, NEVER)
    if not addresses:
        known = framework == "cherrypy" or (is_view(entry.function) and _may_be_text(one))
        return join(value, default) if known else entry.names[one.arg]
    mentioned = [address for address in addresses if one.arg in names(address)]
    if mentioned:
        harmless = all(one.arg in harmless_names(address) for address in mentioned)
        if harmless:
            number = all(one.arg in number_names(address) for address in mentioned)
            return join(NUMBER if number else UNPROVED, default)
        return join(value, default)
    unnamed = [address for address in addresses if "(" in address and not names(address)]
    if unnamed:
        return UNPROVED if all(place in harmless_places(address) for address in unnamed) else value
    # Nobody outside gives it: a decorator does, or its default holds.
    return UNKNOWN if default is NEVER else default


def _may_be_text(one: ast.arg) -> bool:
    """By its name and annotation: no number, and no object that a program hands on."""
    if one.annotation is not None and getattr(one.annotation, "id", "") not in ("str", "bytes", "Any"):
        return False
    return one.arg.rpartition("_")[2] not in _NUMBERS and one.arg not in _OBJECTS


def is_view(function: Function) -> bool:
    """A method for a method of HTTP, or a function that gives an answer back."""
    if function.owner is not None:
        named = function.name in METHODS or function.name.startswith("on_")
        return named or bool(getattr(function.node, "decorator_list", ()))
    for inner in ast.walk(function.node):
        if isinstance(inner, ast.Return) and isinstance(inner.value, ast.Call):
            target = inner.value.func
            word = getattr(target, "attr", getattr(target, "id", ""))
            if word.lower().endswith(_ANSWERS) or "Response" in word:
                return True
    return bool(getattr(function.node, "decorator_list", ()))
