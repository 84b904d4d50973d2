"""Streams and variables of a context: what was written is what is read."""

from __future__ import annotations

import ast
from dataclasses import replace

from burnish.analysers.taint.memory import texts
from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.inside import parts
from burnish.analysers.taint.memory.things import REST, Obj, unordered
from burnish.analysers.taint.memory.values import HARMLESS, HOLE, TAINTED, UNKNOWN, Value, constant, of


def write(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    for value in given.positional:
        ref.add(at.heap, value)
    return HARMLESS


def written(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    """All that was written, one after the other."""
    items = ref.items()
    if items is None or REST in ref.table:
        found = parts(ref.everything())
        return Value(at.passed(found, node=node), None, (), TAINTED if found.taints else HOLE, found.sure)
    total = constant("")
    for item in items:
        total = texts.concatenated(at, total, item, node)
    # A `seek` may have written over a part of it.
    return replace(total, proof=None)


def lines(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    return of(unordered("list", written(at, ref, given, node)))


def put_in(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    at.heap.put(ref.table, REST, given.get(0) or UNKNOWN)
    return HARMLESS


def held(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    return ref.rest() if REST in ref.table else UNKNOWN
