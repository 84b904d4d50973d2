"""Objects that are handed to unknown code: their content may be something else afterwards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from burnish.analysers.taint.memory.frame import Frame
from burnish.analysers.taint.memory.heap import FILLED_LATER, OVER
from burnish.analysers.taint.memory.things import ITEMS, REST, Obj
from burnish.analysers.taint.memory.values import UNKNOWN, Value

MAX_DEPTH = 3


def lend(at: Frame, values: Iterable[Value], depth: int = MAX_DEPTH) -> None:
    """Nothing in these is sure any more; what stood there may stand there still."""
    for value in values:
        for ref in value.refs:
            if isinstance(ref, Obj) and depth:
                _lend(at, ref, depth)


def _lend(at: Frame, ref: Obj, depth: int) -> None:
    inside = [one for one in ref.held() if one.refs]
    for key, found in list(ref.table.items()):
        unsure = _unsure(found)
        if unsure is not found:
            at.heap.put(ref.table, key, unsure)
    if ref.cls is None and ref.kind in FILLED_LATER and REST not in ref.table:
        if ref.kind == "dict":
            # Under the keys that are known lies what lay there, or another.
            at.heap.put(ref.table, OVER, frozenset(("k", key) for key in ref.known_keys()))
            at.heap.put(ref.table, REST, UNKNOWN)
        elif not ref.table.get(ITEMS):
            at.heap.put(ref.table, REST, UNKNOWN)
    lend(at, inside, depth - 1)


def _unsure(found: Any) -> Any:
    if isinstance(found, Value):
        return replace(found.blurred(), sure=False) if found.sure or found.proof else found
    if isinstance(found, tuple):
        made = type(found)(_unsure(one) for one in found)
        return made if any(a is not b for a, b in zip(made, found, strict=True)) else found
    return found
