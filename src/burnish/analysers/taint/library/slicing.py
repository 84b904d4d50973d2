"""`value[start:stop]`: a part of a text or of a list."""

from __future__ import annotations

import ast
from typing import Any

from burnish.analysers.taint.memory.frame import Frame
from burnish.analysers.taint.memory.marks import taken_apart
from burnish.analysers.taint.memory.proofs import is_surely_text, piece
from burnish.analysers.taint.memory.things import Obj
from burnish.analysers.taint.memory.values import NEVER, TAINTED, Ref, Value, constant

MAX_SLICE = 2000


def sliced(at: Frame, value: Value, node: ast.AST) -> Value:
    """A part of a text or of a list."""
    bounds = getattr(node, "slice", None)
    assert isinstance(bounds, ast.Slice)
    ends = [at.value(part) if part else constant(None) for part in (bounds.lower, bounds.upper, bounds.step)]
    known = all(end.is_const and isinstance(end.const, int | None) for end in ends)
    cut: Any = slice(*(end.const for end in ends)) if known else None
    if cut and value.is_const and isinstance(value.const, str | bytes) and cut.step != 0:
        return constant(value.const[cut][:MAX_SLICE])
    if cut and not value.refs and _within(cut, value.prefix):
        return constant(value.prefix[cut])
    refs: list[Ref] = []
    for ref in value.refs:
        items = ref.items() if isinstance(ref, Obj) else None
        if isinstance(ref, Obj) and ref.kind != "encoded" and ref.cls is None:
            made = Obj(ref.kind)
            if cut and items is not None and cut.step != 0 and "rest" not in ref.table:
                made.table["items"] = items[cut]
            elif (rest := ref.everything()) is not NEVER:
                made.table["rest"] = rest
            refs.append(made)
    taints = at.passed(taken_apart(value), node=node)
    proof = at.heap.proof(value)
    cut_out = piece(proof) if is_surely_text(proof) and not refs else None
    # A class of the tree may cut itself as it likes.
    sure = value.sure and not any(isinstance(ref, Obj) and ref.cls is not None for ref in value.refs)
    return Value(taints, None, tuple(refs), TAINTED if taints else "\x00", sure, proof=cut_out)


def _within(cut: slice, prefix: str) -> bool:
    """Whether only of what a text surely begins with."""
    stop, start = cut.stop, cut.start or 0
    return cut.step is None and stop is not None and start >= 0 and 0 < stop <= len(prefix)
