"""Attributes and elements: read from and written to whatever a value can be."""

from __future__ import annotations

import ast
from typing import Any

from burnish.analysers.taint.frame import Arguments, Frame
from burnish.analysers.taint.sinks import check_store
from burnish.analysers.taint.things import Class, Function, ModuleRef, Obj
from burnish.analysers.taint.values import (
    NEVER,
    TAINTED,
    UNKNOWN,
    Cell,
    External,
    Origin,
    Ref,
    Taint,
    Value,
    constant,
    join,
    of,
)

MAX_SLICE = 2000


def attribute(at: Frame, value: Value, name: str, node: ast.AST) -> Value:
    total = NEVER
    for ref in value.refs:
        total = join(total, _attribute_of(at, ref, value, name, node))
    if value.taints:
        inner = at.step(value, node, key=(f".{name}",))
        total = join(total, Value(inner.taints, shape=TAINTED, sure=value.sure))
    return UNKNOWN if total is NEVER else total


def _attribute_of(at: Frame, ref: Ref, value: Value, name: str, node: ast.AST) -> Value:
    match ref:
        case External():
            return external(at, f"{ref.name}.{name}", node)
        case ModuleRef():
            return resolved(at, ref.module.member(name))
        case Class():
            found = ref.find(name)
            return _bound(found, of(ref), only="classmethod") if found else _foreign(ref, name)
        case Obj():
            return _of_object(at, ref, name, node)
    return UNKNOWN


def resolved(at: Frame, value: Value) -> Value:
    return value


def external(at: Frame, name: str, node: ast.AST) -> Value:
    """A name from outside the tree; a source where knowledge says so."""
    source = at.engine.known.source(name, called=False)
    given = at.engine.known.gives.get(name, name)
    if source is None:
        return of(External(given))
    cell = Cell(at.file, getattr(node, "lineno", 0), source.what or name, key=("source", name))
    taint = Taint(Origin(source.kind, source.what or name, source.framework), cell)
    return Value((taint,), refs=(External(given),), shape=TAINTED, sure=True)


def _foreign(cls: Class, name: str) -> Value:
    """What a class inherits from outside the tree."""
    found = [of(External(f"{base}.{name}")) for base in cls.foreign()]
    return found[0] if found else UNKNOWN


def _of_object(at: Frame, ref: Obj, name: str, node: ast.AST) -> Value:
    if f".{name}" in ref.table:
        found: Value = ref.table[f".{name}"]
        return found
    if ref.cls is None:
        return UNKNOWN
    inherited = ref.cls.find(name)
    if inherited is None:
        own = [external(at, f"{base}.{name}", node) for base in ref.cls.foreign()]
        return own[0] if own else UNKNOWN
    bound = _bound(inherited, of(ref))
    getter = next((one for one in bound.refs if isinstance(one, Function) and "property" in one.marks), None)
    return at.engine.call(at, of(getter), Arguments(), node) if getter else bound


def _bound(found: Value, to: Value, only: str = "") -> Value:
    """Methods with their object; `only` those so marked, where the class itself was asked."""
    refs = tuple(_method(ref, to, only) for ref in found.refs)
    return Value(found.taints, found.consts, refs, found.shape, found.sure)


def _method(ref: Ref, to: Value, only: str) -> Ref:
    if not isinstance(ref, Function) or not ref.owner or ref.bound is not None or "staticmethod" in ref.marks:
        return ref
    if "classmethod" in ref.marks:
        return ref.bind(of(ref.owner))
    return ref if only else ref.bind(to)


def element(at: Frame, value: Value, key: Value, node: ast.AST, *, iterated: bool = False) -> Value:
    """`value[key]`, or any element where the key is not known."""
    if not iterated and isinstance(getattr(node, "slice", None), ast.Slice):
        return sliced(at, value, node)
    total = NEVER
    for ref in value.refs:
        if isinstance(ref, Obj):
            total = join(total, _of_container(at, ref, key, node))
        elif isinstance(ref, External):
            total = join(total, external(at, f"{ref.name}[]", node))
    if value.taints:
        name = f"[{key.const!r}]" if key.is_const else "[]"
        inner = at.step(value, node, key=(name,) if key.is_const else None)
        total = join(total, Value(inner.taints, shape=TAINTED, sure=value.sure))
    if total is NEVER and value.consts:
        return _of_constant(value, key)
    return UNKNOWN if total is NEVER else total


def _of_container(at: Frame, ref: Obj, key: Value, node: ast.AST) -> Value:
    if ref.cls is not None:
        getter = ref.cls.find("__getitem__")
        return at.engine.call(at, _bound(getter, of(ref)), Arguments([key]), node) if getter else UNKNOWN
    if key.consts:
        total = NEVER
        for const in key.consts:
            total = join(total, ref.at(const))
        return UNKNOWN if total is NEVER else total
    found = ref.everything()
    return UNKNOWN if found is NEVER and not ref.table else found


def _of_constant(value: Value, key: Value) -> Value:
    if key.is_const and value.is_const and isinstance(value.const, str | bytes | tuple):
        try:
            return constant(value.const[key.const])  # type: ignore[index]
        except (IndexError, TypeError):
            return UNKNOWN
    return Value(sure=value.sure)


def sliced(at: Frame, value: Value, node: ast.AST) -> Value:
    """A part of a text or of a list."""
    bounds = getattr(node, "slice", None)
    assert isinstance(bounds, ast.Slice)
    ends = [at.value(part) if part else constant(None) for part in (bounds.lower, bounds.upper, bounds.step)]
    known = all(end.is_const and isinstance(end.const, int | None) for end in ends)
    cut: Any = slice(*(end.const for end in ends)) if known else None
    if cut and value.is_const and isinstance(value.const, str | bytes) and cut.step != 0:
        return constant(value.const[cut][:MAX_SLICE])
    refs: list[Ref] = []
    for ref in value.refs:
        items = ref.items() if isinstance(ref, Obj) else None
        if isinstance(ref, Obj):
            made = Obj(ref.kind)
            if cut and items is not None and cut.step != 0:
                made.table["items"] = items[cut]
            elif (rest := ref.everything()) is not NEVER:
                made.table["rest"] = rest
            refs.append(made)
    taints = at.passed(value, node=node)
    return Value(taints, None, tuple(refs), TAINTED if taints else "\x00", value.sure)


def store_attribute(at: Frame, holder: Value, name: str, value: Value, node: ast.AST) -> None:
    for ref in holder.refs:
        if isinstance(ref, Obj):
            strong = len(holder.refs) == 1
            before = ref.table.get(f".{name}", NEVER)
            at.heap.put(ref.table, f".{name}", value if strong else join(before, value))
        elif isinstance(ref, Class):
            at.heap.put(ref.table, name, join(ref.table.get(name, NEVER), value))
        elif isinstance(ref, ModuleRef):
            at.heap.put(ref.module.names, name, value)
        elif isinstance(ref, External):
            check_store(at, f"{ref.name}.{name}", value, node)


def store_element(at: Frame, holder: Value, key: Value, value: Value, node: ast.AST) -> None:
    for ref in holder.refs:
        if isinstance(ref, Obj):
            ref.set_at(at.heap, key, value)
        elif isinstance(ref, External):
            check_store(at, ref.name, value, node, key)
