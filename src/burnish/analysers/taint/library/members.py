"""Attributes and elements: read from and written to whatever a value can be."""

from __future__ import annotations

import ast
from dataclasses import replace

from burnish.analysers.taint.finding.sinks import check_store
from burnish.analysers.taint.guards.provenance import read
from burnish.analysers.taint.handlers import forms
from burnish.analysers.taint.handlers.responses import Headers, Response, store, store_header
from burnish.analysers.taint.library.slicing import sliced
from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.proofs import SOME_TEXT
from burnish.analysers.taint.memory.state import exact, external, harmless, holds_texts, keep, keyed
from burnish.analysers.taint.memory.things import Class, Function, ModuleRef, Obj, Super
from burnish.analysers.taint.memory.values import (
    NEVER,
    NUMBER,
    TAINTED,
    UNKNOWN,
    Const,
    External,
    Ref,
    Value,
    constant,
    join,
    of,
)


def attribute(at: Frame, value: Value, name: str, node: ast.AST) -> Value:
    total = NEVER
    for ref in value.refs:
        total = join(total, _attribute_of(at, ref, value, name, node))
    if value.taints and harmless(at, value, name):
        return NUMBER
    if value.taints:
        inner = at.step(value, node, key=(f".{name}",))
        total = join(total, Value(inner.taints, shape=TAINTED, sure=value.sure))
        return read(at, value, name, total)
    return UNKNOWN if total is NEVER else total


def _attribute_of(at: Frame, ref: Ref, value: Value, name: str, node: ast.AST) -> Value:
    match ref:
        case Response() if name == "headers":
            return of(Headers(ref))
        case External():
            return external(at, f"{ref.name}.{name}", node)
        case ModuleRef():
            return ref.module.member(name)
        case Class():
            found = ref.find(name)
            return _bound(found, of(ref), only="classmethod") if found else _foreign(ref, name)
        case Obj():
            return _of_object(at, ref, name, node)
        case Super():
            return _above(at, ref, name, node)
        case Function():
            return _of_function(ref, name)
    return UNKNOWN


def _of_function(ref: Function, name: str) -> Value:
    """Functions that stand for themselves: `f.__wrapped__`, `f.delay`."""
    return of(ref) if name in ("__wrapped__", "__func__", "delay", "apply_async", "__call__") else UNKNOWN


def _above(at: Frame, ref: Super, name: str, node: ast.AST) -> Value:
    """What the classes behind the one we are in have under this name."""
    total = NEVER
    for one in ref.of.refs:
        cls = one.cls if isinstance(one, Obj) else one if isinstance(one, Class) else None
        if cls is None:
            continue
        found = cls.find(name, after=ref.after)
        if found is not None:
            total = join(total, _read(at, _bound(found, of(one)), node))
        else:
            foreign = [external(at, f"{base}.{name}", node) for base in ref.after.foreign()]
            total = join(total, foreign[0] if foreign else UNKNOWN)
    return UNKNOWN if total is NEVER else total


def _foreign(cls: Class, name: str) -> Value:
    """What a class inherits from outside the tree."""
    found = [of(External(f"{base}.{name}")) for base in cls.foreign()]
    return found[0] if found else UNKNOWN


def _of_object(at: Frame, ref: Obj, name: str, node: ast.AST) -> Value:
    if f".{name}" in ref.table:
        found: Value = ref.table[f".{name}"]
        return found
    if name == "__dict__":
        return _as_dict(ref)
    if ref.cls is None:
        inside = ref.kind == "namespace" and "rest" in ref.table
        return at.step(ref.rest(), node, key=(f".{name}",)) if inside else UNKNOWN
    if name == "__class__":
        return of(ref.cls)
    inherited = ref.cls.find(name)
    # One that stands for any instance may be of a class below.
    if inherited is None or is_abstract(inherited) or ref is at.engine.selves.get(ref.cls):
        inherited = join(inherited or NEVER, at.engine.overriding(ref.cls, name))
    if inherited is NEVER:
        return _missing(at, ref, name, node)
    return _read(at, _bound(inherited, of(ref)), node)


def _as_dict(ref: Obj) -> Value:
    """`x.__dict__`: a dict of what it has now."""
    made = Obj("dict")
    for key, value in ref.table.items():
        if isinstance(key, str) and key.startswith("."):
            made.table["k", key[1:]] = value
    return of(made)


def _missing(at: Frame, ref: Obj, name: str, node: ast.AST) -> Value:
    assert ref.cls is not None
    getter = ref.cls.find("__getattr__")
    if getter is not None:
        return at.engine.call(at, _bound(getter, of(ref)), Arguments([constant(name)]), node)
    checked = forms.inherited(at, ref, name, node)
    if checked is not None:
        return checked
    own = [external(at, f"{base}.{name}", node) for base in ref.cls.foreign()]
    if own:
        return next((value for value in own if value.taints), own[0])
    return at.step(ref.rest(), node, key=(f".{name}",)) if "rest" in ref.table else UNKNOWN


def _read(at: Frame, bound: Value, node: ast.AST) -> Value:
    """A property is called where it is read."""
    getters = [one for one in bound.refs if isinstance(one, Function) and "property" in one.marks]
    return at.engine.call(at, of(*getters), Arguments(), node) if getters else bound


def is_abstract(found: Value) -> bool:
    """A method that says nothing but that others must say it."""
    functions = [ref for ref in found.refs if isinstance(ref, Function)]
    return bool(functions) and all("abstractmethod" in one.marks or _empty(one) for one in functions)


def _empty(function: Function) -> bool:
    body = function.node.body
    last = body[-1] if isinstance(body, list) and len(body) <= 2 else None
    if isinstance(last, ast.Raise):
        names = [inner.id for inner in ast.walk(last) if isinstance(inner, ast.Name)]
        return "NotImplementedError" in names
    return False


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
            known = exact(at, ref.name, key, node)
            if known is not None:
                return known
            total = join(total, external(at, f"{ref.name}[]", node))
    if value.taints:
        name = f"[{key.const!r}]" if key.is_const else "[]"
        inner = at.step(value, node, key=(name,) if key.is_const else None)
        total = join(total, Value(inner.taints, shape=TAINTED, sure=value.sure))
        if not iterated and holds_texts(value):
            total = replace(total, proof=SOME_TEXT)
    if total is NEVER and value.consts:
        return _of_constant(value, key)
    return UNKNOWN if total is NEVER else total


def _of_container(at: Frame, ref: Obj, key: Value, node: ast.AST) -> Value:
    if ref.cls is not None:
        getter = ref.cls.find("__getitem__")
        if getter is not None:
            return at.engine.call(at, _bound(getter, of(ref)), Arguments([key]), node)
        if ref.items() is None:
            return UNKNOWN
    if key.consts:
        total = NEVER
        for const in key.consts:
            total = join(total, _under(at, ref, const, node))
        return UNKNOWN if total is NEVER else total
    found = ref.everything()
    return UNKNOWN if found is NEVER and not ref.table else found


def _under(at: Frame, ref: Obj, const: Const, node: ast.AST) -> Value:
    """The element under a known key: a part of its own, even where only the whole is known."""
    known = ref.items() is not None or ("k", const) in ref.table
    if not known and "factory" in ref.table:
        made = at.engine.call(at, ref.table["factory"], Arguments(), node)
        ref.set_at(at.heap, constant(const), made)
        return join(made, ref.rest())
    found = ref.at(const)
    if known or not found.taints:
        return found
    return replace(at.step(found, node, key=(f"[{const!r}]",)), proof=found.proof)


def _of_constant(value: Value, key: Value) -> Value:
    if key.is_const and value.is_const and isinstance(value.const, str | bytes | tuple):
        try:
            return constant(value.const[key.const])  # type: ignore[index]
        except (IndexError, TypeError):
            return UNKNOWN
    # A letter picked by a number that can be guessed.
    weak = tuple(taint for taint in key.taints if taint.origin.kind == "weak")
    return Value(weak, shape=TAINTED if weak else "\x00", sure=value.sure)


def store_attribute(at: Frame, holder: Value, name: str, value: Value, node: ast.AST) -> None:
    for ref in holder.refs:
        if isinstance(ref, Obj):
            setter = ref.cls.find(("setter", name)) if ref.cls else None
            if setter is not None:
                at.engine.call(at, _bound(setter, of(ref)), Arguments([value]), node)
                continue
            strong = len(holder.refs) == 1
            before = ref.table.get(f".{name}", NEVER)
            at.heap.put(ref.table, f".{name}", value if strong else join(before, value))
        elif isinstance(ref, Class):
            at.heap.put(ref.table, name, join(ref.table.get(name, NEVER), value))
        elif isinstance(ref, ModuleRef):
            at.heap.put(ref.module.names, name, value)
        elif isinstance(ref, External):
            check_store(at, f"{ref.name}.{name}", value, node)
            keep(at, ref.name, f".{name}", value)
            if isinstance(ref, Response):
                store(at, ref, name, value, node)


def store_element(at: Frame, holder: Value, key: Value, value: Value, node: ast.AST) -> None:
    for ref in holder.refs:
        if isinstance(ref, Obj) and ref.cls is not None and ref.cls.find("__setitem__"):
            setter = ref.cls.find("__setitem__") or UNKNOWN
            at.engine.call(at, _bound(setter, of(ref)), Arguments([key, value]), node)
        elif isinstance(ref, Obj):
            before = ref.at(key.const) if key.is_const and len(holder.refs) > 1 else NEVER
            ref.set_at(at.heap, key, join(before, value))
        elif isinstance(ref, External):
            check_store(at, ref.name, value, node, key)
            keep(at, ref.name, keyed(key), value)
            if isinstance(ref, Response | Headers):
                store_header(at, ref if isinstance(ref, Response) else ref.response, key, value)
