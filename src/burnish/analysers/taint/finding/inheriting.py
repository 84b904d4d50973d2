"""Classes of the tree that inherit from dangerous ones: making one is as dangerous, unless it checks."""

from __future__ import annotations

import ast

from burnish.analysers.taint.finding.sinks import check_call
from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.inside import parts
from burnish.analysers.taint.memory.things import Class, Function
from burnish.analysers.taint.memory.values import TAINTED, UNKNOWN, Value, of

# Readers that ask a method of theirs for every class that the data names.
_ASKS = {"pickle.Unpickler": "find_class", "_pickle.Unpickler": "find_class", "dill.Unpickler": "find_class"}


def made(at: Frame, cls: Class, itself: Value, given: Arguments, node: ast.AST) -> None:
    """`Reader(stream)` of `class Reader(pickle.Unpickler)`."""
    for base in cls.foreign():
        asked = cls.find(_ASKS[base]) if base in _ASKS else None
        methods = [ref for ref in asked.refs if isinstance(ref, Function)] if asked else []
        if not methods:
            check_call(at, (base,), None, given, node)
            continue
        data = parts(given.get(0) or given.get("file") or UNKNOWN)
        if data.taints:
            names = [_named(at, data, part, node) for part in ("module", "name")]
            mark = at.heap.mark()
            for method in methods:
                at.engine.call(at, of(method.bind(itself)), Arguments(names), node)
            # What it found out of one class says nothing of the next.
            at.heap.take_back_facts(mark)


def _named(at: Frame, data: Value, part: str, node: ast.AST) -> Value:
    """What the data says of a class: each its own thing."""
    return Value(at.step(data, node, key=(part,)).taints, shape=TAINTED, sure=data.sure)
