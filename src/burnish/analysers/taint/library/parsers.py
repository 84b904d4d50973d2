"""Parsers of XML whose features are set one by one: an object that remembers whether it loads entities."""

from __future__ import annotations

import ast
from collections.abc import Callable

from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.things import Obj
from burnish.analysers.taint.memory.values import NONE, External, Value, constant, of

KIND = "xml parser"
OPEN, CLOSED = "xml.sax.parser:open", "xml.sax.parser"
_EXTERNAL = (
    "external-general-entities",
    "external-parameter-entities",
    "feature_external_ges",
    "feature_external_pes",
)
Model = Callable[[Frame, Value | None, Arguments, ast.AST], Value]


def _made(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    made = Obj(KIND, line=getattr(node, "lineno", 0))
    made.table[".called"] = constant(CLOSED)
    return of(made)


def method(at: Frame, ref: Obj, name: str, given: Arguments, node: ast.AST) -> Value:
    """`setFeature` is remembered; anything else is a method of what it is by then."""
    if name == "setFeature":
        feature, wanted = given.get(0), given.get(1)
        if feature is not None and wanted is not None and _is_external(feature):
            opened = wanted.consts is not None and any(wanted.consts)
            at.heap.put(ref.table, ".called", constant(OPEN if opened else CLOSED))
        return NONE
    called = ref.table.get(".called")
    kind = called.text if isinstance(called, Value) and called.text else OPEN
    holder = of(External(kind))
    return at.engine.call(at, of(External(f"{kind}.{name}")), given, node) if holder else NONE


def _is_external(feature: Value) -> bool:
    names = [ref.name for ref in feature.refs if isinstance(ref, External)]
    said = [*names, *([feature.text] if feature.text else [])]
    return any(one.endswith(_EXTERNAL) for one in said)


FUNCTIONS: dict[str, Model] = dict.fromkeys(
    ("xml.sax.make_parser", "xml.sax.expatreader.create_parser", "xml.sax.expatreader.ExpatParser"), _made
)
