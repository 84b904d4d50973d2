"""Functions that are called from outside: which they are, and which of their parameters are untrusted."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from burnish.analysers.taint.things import Function, Obj
from burnish.analysers.taint.values import TAINTED, UNKNOWN, Cell, External, Origin, Taint, Value, of

if TYPE_CHECKING:
    from burnish.analysers.taint.frame import Engine
    from burnish.analysers.taint.modules import Module

ROUTES = frozenset(
    {"route", "get", "post", "put", "delete", "patch", "head", "options", "websocket", "api_route"}
)


@dataclass
class Entry:
    function: Function
    framework: str = ""
    names: dict[str, Value] = field(default_factory=dict)


def entry_of(engine: Engine, module: Module, function: Function) -> Entry:
    """The function with its parameters as whoever calls it from outside would give them."""
    framework = _framework(module, function)
    entry = Entry(function, framework)
    args = function.node.args
    for one in (*args.posonlyargs, *args.args, *args.kwonlyargs):
        entry.names[one.arg] = UNKNOWN
    for rest in (args.vararg, args.kwarg):
        if rest is not None:
            entry.names[rest.arg] = UNKNOWN
    if function.owner is not None and args.args and "staticmethod" not in function.marks:
        entry.names[args.args[0].arg] = of(Obj("instance", function.owner), sure=False)
    if framework in ("flask", "bottle"):
        for one in args.args:
            entry.names[one.arg] = untrusted(function, one, framework)
    if framework == "django" and args.args:
        entry.names[args.args[0].arg] = of(External("django.http.HttpRequest"))
    return entry


def untrusted(function: Function, one: ast.arg, framework: str) -> Value:
    cell = Cell(function.module.file, one.lineno, f"{one.arg} of the address", key=("parameter", one.arg))
    return Value(
        (Taint(Origin("request", f"parameter {one.arg}", framework), cell),), shape=TAINTED, sure=True
    )


def _framework(module: Module, function: Function) -> str:
    node = function.node
    if isinstance(node, ast.Lambda):
        return ""
    routed = any(
        isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) and one.func.attr in ROUTES
        for one in node.decorator_list
    )
    imported = {
        name.partition(".")[0]
        for value in module.names.values()
        if isinstance(value, Value)
        for ref in value.refs
        if isinstance(ref, External)
        for name in (ref.name,)
    }
    for framework in ("flask", "bottle", "fastapi"):
        if routed and framework in imported:
            return framework
    first = node.args.args[0].arg if node.args.args else ""
    if "django" in imported and first == "request":
        return "django"
    return ""
