"""Objects and modules that are written by way of their dictionary, or under a name nobody knows."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from burnish.analysers.taint.library.members import attribute, store_attribute
from burnish.analysers.taint.memory.inside import parts
from burnish.analysers.taint.memory.things import Class, Function, ModuleRef, Obj
from burnish.analysers.taint.memory.values import UNKNOWN, Value, join, of

if TYPE_CHECKING:
    from burnish.analysers.taint.memory.frame import Arguments, Frame

MAX_NAMES = 200
WRITES = frozenset({"update", "setdefault", "__setitem__"})
_CALLABLE = (Function, Class, ModuleRef)


def owner(at: Frame, node: ast.expr) -> Value | None:
    """Whose names these are: `x.__dict__`, `vars(x)`, `globals()`; None for a dictionary like any other."""
    match node:
        case ast.Attribute(value=ast.Name() | ast.Attribute() as inner, attr="__dict__"):
            return _module(at, inner) or at.value(inner)
        case ast.Call(func=ast.Name(id="vars"), args=[ast.Name() | ast.Attribute() as inner]):
            return at.value(inner)
        case ast.Call(func=ast.Name(id="globals"), args=[]):
            return of(ModuleRef(at.module))
    return _module(at, node)


def _module(at: Frame, node: ast.expr) -> Value | None:
    """`sys.modules[__name__]`."""
    match node:
        case ast.Subscript(value=ast.Attribute(attr="modules"), slice=ast.Name(id="__name__")):
            return of(ModuleRef(at.module))
    return None


def write(at: Frame, holder: Value, key: Value, value: Value, node: ast.AST) -> None:
    """Under its name, or under any that there is."""
    if key.text is not None:
        store_attribute(at, holder, key.text, value, node)
        return
    for ref in holder.refs:
        for name in _names(ref)[:MAX_NAMES]:
            store_attribute(at, of(ref), name, join(attribute(at, of(ref), name, node), value), node)
        if isinstance(ref, Obj):
            at.heap.put(ref.table, "rest", join(ref.rest(), value))


def write_all(at: Frame, holder: Value, given: Arguments, node: ast.AST) -> None:
    """`holder.update(...)`: each by its name where names are known."""
    for name, value in given.keywords.items():
        store_attribute(at, holder, name, value, node)
    for value in (*given.positional, *([given.stars] if given.stars else [])):
        rest = [ref for ref in value.refs if not (isinstance(ref, Obj) and ref.kind == "dict")]
        for ref in value.refs:
            if isinstance(ref, Obj) and ref.kind == "dict":
                for key, inner in list(ref.table.items()):
                    if type(key) is tuple and isinstance(key[1], str) and isinstance(inner, Value):
                        store_attribute(at, holder, key[1], inner, node)
                if "rest" in ref.table:
                    write(at, holder, UNKNOWN, ref.rest(), node)
        if rest or not value.refs:
            write(at, holder, UNKNOWN, parts(value), node)


def _names(ref: object) -> list[str]:
    """What it has that is no function: fields, constants of its classes, globals."""
    if isinstance(ref, ModuleRef):
        return [name for name, value in ref.module.names.items() if _plain(value)]
    if not isinstance(ref, Obj):
        return []
    found = [key[1:] for key in ref.table if isinstance(key, str) and key.startswith(".")]
    for one in ref.cls.line_of_bases() if ref.cls else ():
        found += [name for name, value in one.table.items() if isinstance(name, str) and _plain(value)]
    return list(dict.fromkeys(found))


def _plain(value: object) -> bool:
    return isinstance(value, Value) and not any(isinstance(ref, _CALLABLE) for ref in value.refs)
