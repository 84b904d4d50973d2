"""Functions, classes and imports: what a name stands for from here on."""

from __future__ import annotations

import ast
from functools import partial
from typing import Any

from burnish.analysers.taint.handlers.options import note_decorator
from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.things import Class, Function, ModuleRef, Obj
from burnish.analysers.taint.memory.values import UNKNOWN, External, Value, join, of
from burnish.analysers.taint.walking.expressions import arguments, defaults

# Decorators that say how a function is called; any other of the tree is called with it.
MARKS = frozenset({
    "property", "staticmethod", "classmethod", "cached_property", "contextmanager", "asynccontextmanager",
    "setter", "abstractmethod", "dataclass",
})  # fmt: skip


def define(at: Frame, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    at.bind(node.name, decorated(at, node, make(at, node, None)))


def make(at: Frame, node: ast.FunctionDef | ast.AsyncFunctionDef, owner: Class | None) -> Function:
    home = at if at.function is not None else None
    at.captured = True
    made = Function(node, at.module, home, owner)
    made.defaults = defaults(at, node.args)
    made.marks = frozenset(mark_of(one) for one in node.decorator_list) & MARKS
    if "cached_property" in made.marks:
        made.marks |= {"property"}
    at.engine.known_function(made)
    at.engine.routes.method(at, made)
    return made


def mark_of(decorator: ast.expr) -> str:
    """The last word of a decorator's name."""
    target = decorator.func if isinstance(decorator, ast.Call) else decorator
    return (
        target.attr
        if isinstance(target, ast.Attribute)
        else target.id
        if isinstance(target, ast.Name)
        else ""
    )


def decorated(at: Frame, node: ast.FunctionDef | ast.AsyncFunctionDef, made: Function) -> Value:
    """What the name stands for: a decorator of the tree is called, one from outside leaves the function."""
    value: Value = of(made)
    for decorator in reversed(node.decorator_list):
        if mark_of(decorator) in MARKS or _registered(at, decorator, value):
            continue
        wrapper = at.value(decorator)
        at.engine.routes.decorated(at, decorator, wrapper, value, made)
        if isinstance(decorator, ast.Call):
            note_decorator(at, wrapper, made, partial(arguments, at, decorator))
        if any(isinstance(ref, Function | Class | Obj) for ref in wrapper.refs):
            wrapped = at.engine.call(at, wrapper, Arguments([value]), decorator)
            if wrapped.refs:
                value = wrapped
    return value


def _registered(at: Frame, decorator: ast.expr, value: Value) -> bool:
    """`@show.register`: another body of the function `show`."""
    target = decorator.func if isinstance(decorator, ast.Call) else decorator
    if not (isinstance(target, ast.Attribute) and target.attr == "register"):
        return False
    if not isinstance(target.value, ast.Name):
        return False
    known = at.lookup(target.value.id)
    if known is None or not any(isinstance(ref, Function) for ref in known.refs):
        return False
    at.bind(target.value.id, join(known, value))
    return True


def define_class(at: Frame, node: ast.ClassDef) -> None:
    made = Class(node, at.module, tuple(at.value(base) for base in node.bases))
    inner = Frame(at.engine, at.module, at.function, at.depth)
    inner.outer, inner.names = at, made.table
    inner.callers = at.callers
    for statement in node.body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            function = make(at, statement, made)
            value = decorated(at, statement, function)
            made.table[("setter", statement.name) if "setter" in function.marks else statement.name] = value
        elif isinstance(statement, ast.AnnAssign) and statement.value is None:
            continue
        else:
            inner.run([statement])
    at.engine.known_class(made)
    at.bind(node.name, of(made))


def import_names(at: Frame, node: ast.Import) -> None:
    for alias in node.names:
        first = alias.name.partition(".")[0]
        name = alias.asname or first
        wanted = alias.name if alias.asname else first
        found = at.engine.modules.find(wanted, 0, at.module)
        at.bind(name, of(ModuleRef(found)) if found else of(External(wanted)))


def import_from(at: Frame, node: ast.ImportFrom) -> None:
    base = node.module or ""
    found = at.engine.modules.find(base, node.level, at.module) if base or node.level else None
    for alias in node.names:
        if alias.name == "*":
            if found:
                at.engine.modules.load(found)
                for name, value in list(found.names.items()):
                    at.bind(name, value)
            continue
        at.bind(alias.asname or alias.name, _imported(at, node, base, alias.name, found))


def _imported(at: Frame, node: ast.ImportFrom, base: str, name: str, found: Any) -> Value:
    if found is not None:
        value = found.get(name)
        if value is not None:
            return value  # type: ignore[no-any-return]
    below = at.engine.modules.find(f"{base}.{name}".strip("."), node.level, at.module)
    if below is not None:
        return of(ModuleRef(below))
    if found is not None:
        return UNKNOWN
    return of(External(f"{'.' * node.level}{base}.{name}"))
