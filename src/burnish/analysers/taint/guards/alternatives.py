"""One name for several untrusted things: a check of it says nothing of each of them by itself."""

from __future__ import annotations

import ast
from dataclasses import replace

from burnish.analysers.taint.memory.frame import Frame
from burnish.analysers.taint.memory.marks import FILLED
from burnish.analysers.taint.memory.things import ITEMS, Obj
from burnish.analysers.taint.memory.values import Key, Value

EITHER = "either"
_MADE_HERE = (ast.Tuple, ast.List, ast.Dict, ast.Set)


def as_one(at: Frame, value: Value, node: ast.AST) -> Value:
    """`x = a or b` read as `x`: what guards find out of `x` holds for it, and for what is made of it.

    The same things together are the same one, under whichever name they are read.
    """
    if len(value.taints) < 2:
        return value
    keys = [taint.cell.key for taint in value.taints]
    if len(set(keys)) < 2:
        return value
    group = (EITHER, hash(frozenset(_alone(key) for key in keys)))
    taints = {}
    for taint in value.taints:
        key = (_alone(taint.cell.key), *group)
        one = taint if taint.cell.key == key else at.other(taint, node, key)
        taints[one.same] = one
    return replace(value, taints=tuple(taints.values()))


def is_filled(at: Frame, value: Value) -> bool:
    """Whether guards found it to be one of ours, none of which is empty: `x or other` is `x`."""
    return bool(value.taints) and all(FILLED in at.heap.clean(taint) for taint in value.taints)


def settled_whole(at: Frame, value: Value, node: ast.expr | None) -> Value:
    """What leaves a function under guards: they speak of what lies in `key, value` as well.

    Only of what is made there and then: nobody else has it yet.
    """
    if isinstance(node, _MADE_HERE) and at.heap.facts:
        for ref in value.refs:
            if isinstance(ref, Obj):
                _settle_inside(at, ref)
    return at.heap.settle(value)


def _settle_inside(at: Frame, ref: Obj) -> None:
    for key, found in ref.table.items():
        if isinstance(found, Value):
            ref.table[key] = at.heap.settle(found)
        elif key == ITEMS and type(found) is tuple:
            ref.table[key] = tuple(at.heap.settle(one) for one in found)


def _alone(key: Key) -> Key:
    """The key without the others it was met with."""
    while len(key) == 3 and key[1] == EITHER and isinstance(key[0], tuple):
        key = key[0]
    return key
