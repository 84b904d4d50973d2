"""Iteration: every element in order where that is known, else any of them."""

from __future__ import annotations

import ast

from burnish.analysers.taint.library.members import attribute, element
from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.things import REST, Obj
from burnish.analysers.taint.memory.values import NEVER, UNKNOWN, Value, constant, join, of

MAX_TEXT_ITEMS = 64


def in_order(value: Value) -> tuple[Value, ...] | None:
    """All that iterating gives, in order, where nothing else can be there."""
    if value.taints:
        return None
    if not value.refs:
        if value.is_const and isinstance(value.const, str) and len(value.const) <= MAX_TEXT_ITEMS:
            return tuple(constant(character) for character in value.const)
        return None
    ref = value.refs[0]
    if len(value.refs) != 1 or not isinstance(ref, Obj) or REST in ref.table:
        return None
    if ref.cls is not None and ref.cls.find("__iter__"):
        return None
    return tuple(constant(key) for key in ref.known_keys()) if ref.kind == "dict" else ref.items()


def each(at: Frame, value: Value, node: ast.AST) -> Value:
    """Any element that iterating gives."""
    total = NEVER
    others = []
    for ref in value.refs:
        if isinstance(ref, Obj):
            total = join(total, _of_object(at, ref, node))
        else:
            others.append(ref)
    if others or value.taints or not value.refs:
        plain = Value(value.taints, value.consts, tuple(others), value.shape, value.sure)
        total = join(total, element(at, plain, UNKNOWN, node, iterated=True))
    return UNKNOWN if total is NEVER else total


def _of_object(at: Frame, ref: Obj, node: ast.AST) -> Value:
    if ref.cls is not None:
        for name in ("__iter__", "__next__", "__aiter__", "__anext__"):
            if ref.cls.find(name):
                found = at.engine.call(at, attribute(at, of(ref), name, node), Arguments(), node)
                inner = any(isinstance(one, Obj) and one is not ref for one in found.refs)
                if name in ("__next__", "__anext__"):
                    return found
                if inner:
                    return each(at, found, node)
        if ref.items() is None:
            return UNKNOWN
    if ref.kind == "dict":
        return ref.keys()
    found = ref.everything()
    return UNKNOWN if found is NEVER and not ref.table else found
