"""Names that are computed: getattr and setattr, vars, globals, imports by name, variables of a context."""

from __future__ import annotations

import ast

from burnish.analysers.taint.library import namespaces
from burnish.analysers.taint.library.members import attribute
from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.things import Class, Function, ModuleRef, Obj
from burnish.analysers.taint.memory.values import (
    HOLE,
    NEVER,
    NONE,
    TAINTED,
    UNKNOWN,
    External,
    Value,
    constant,
    join,
    of,
)

MAX_HANDLERS = 6


def _get_attribute(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    holder, name = given.get(0) or UNKNOWN, given.get(1) or UNKNOWN
    default = given.get(2)
    if name.consts and all(isinstance(const, str) for const in name.consts):
        found = NEVER
        for const in name.consts:
            found = join(found, attribute(at, holder, str(const), node))
        return found if default is None else join(found, default)
    methods = _by_prefix(at, holder, name.prefix, node)
    if methods is not NEVER:
        return methods
    return Value(at.passed(holder, name, node=node), shape=TAINTED if holder.taints else HOLE)


def _by_prefix(at: Frame, holder: Value, prefix: str, node: ast.AST) -> Value:
    """`getattr(self, "do_" + name)`: any method whose name begins so."""
    found, number = NEVER, 0
    for ref in holder.refs if prefix else ():
        cls = ref.cls if isinstance(ref, Obj) else ref if isinstance(ref, Class) else None
        for one in cls.line_of_bases() if cls else ():
            for name, value in list(one.table.items()):
                method = isinstance(value, Value) and any(isinstance(inner, Function) for inner in value.refs)
                if method and isinstance(name, str) and name.startswith(prefix) and number < MAX_HANDLERS:
                    found, number = join(found, attribute(at, of(ref), name, node)), number + 1
    return found


def _set_attribute(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    holder, name, value = (given.get(number) or UNKNOWN for number in range(3))
    namespaces.write(at, holder, name, value, node)
    return NONE


def attributes_of(ref: Obj) -> Value:
    """`vars(x)`, `x.__dict__`: a dict of what it has now."""
    made = Obj("dict")
    for key, value in ref.table.items():
        if isinstance(key, str) and key.startswith("."):
            made.table["k", key[1:]] = value
    return of(made)


def _vars(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    value = given.get(0)
    if value is None:
        return _names(at.names)
    found = NEVER
    for ref in value.refs:
        if isinstance(ref, Obj):
            found = join(found, attributes_of(ref))
        elif isinstance(ref, ModuleRef):
            at.engine.modules.load(ref.module)
            found = join(found, _names(ref.module.names))
    return found if found is not NEVER else Value(value.taints, shape=value.shape)


def _names(table: dict[str, Value]) -> Value:
    made = Obj("dict")
    made.table |= {("k", name): value for name, value in table.items() if isinstance(value, Value)}
    return of(made)


def _globals(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    return _names(at.module.names)


def _import_module(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    name = given.get(0) or UNKNOWN
    if name.text is None:
        # Whoever names the module does not write it.
        return UNKNOWN
    level = len(name.text) - len(name.text.lstrip("."))
    found = at.engine.modules.find(name.text.lstrip("."), level, at.module)
    return of(ModuleRef(found)) if found else of(External(name.text))


def _variable(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    """`ContextVar("x", default=...)`: what is set anywhere is got anywhere."""
    made = Obj("variable")
    made.table["rest"] = given.get("default") or constant(None)
    return of(made)


def _type(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    """`type(x)` is made of nothing that is in x; `type(name, bases, members)` is a class nobody knows."""
    first = given.get(0)
    if first is None or len(given.positional) != 1 or given.star:
        return Value(at.passed(*given.all(), node=node, doubts=1))
    made = [ref.cls for ref in first.refs if isinstance(ref, Obj) and ref.cls is not None]
    return of(*made) if made and len(made) == len(first.refs) else of(External("builtins.type()"))


FUNCTIONS = {
    "builtins.type": _type,
    "builtins.getattr": _get_attribute, "builtins.setattr": _set_attribute, "builtins.vars": _vars,
    "builtins.locals": _vars, "builtins.globals": _globals, "importlib.import_module": _import_module,
    "builtins.__import__": _import_module, "contextvars.ContextVar": _variable,
}  # fmt: skip
