"""Assignment: to names, to attributes, to elements, to several at once."""

from __future__ import annotations

import ast

from burnish.analysers.taint.frame import Frame
from burnish.analysers.taint.members import element, store_attribute, store_element
from burnish.analysers.taint.things import Obj, unordered
from burnish.analysers.taint.values import UNKNOWN, Value, constant, of


def assign(at: Frame, target: ast.expr, value: Value) -> None:
    match target:
        case ast.Name(id=name):
            at.bind(name, value)
        case ast.Attribute(value=inner, attr=name):
            store_attribute(at, at.value(inner), name, value, target)
        case ast.Subscript(value=inner, slice=index):
            store_element(at, at.value(inner), at.value(index), value, target)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            _apart(at, parts, value, target)
        case ast.Starred(value=inner):
            assign(at, inner, of(unordered("list", element(at, value, UNKNOWN, target))))


def _apart(at: Frame, parts: list[ast.expr], value: Value, node: ast.expr) -> None:
    starred = next((number for number, part in enumerate(parts) if isinstance(part, ast.Starred)), len(parts))
    for number, part in enumerate(parts):
        if isinstance(part, ast.Starred):
            inner = element(at, value, UNKNOWN, node)
            assign(at, part.value, of(unordered("list", inner)))
        else:
            index = number if number < starred else number - len(parts)
            assign(at, part, element(at, value, constant(index), node))


def forget(at: Frame, target: ast.expr) -> None:
    """`del`: a name, or a key of a dict."""
    if isinstance(target, ast.Name):
        at.heap.drop(at.names, target.id)
    elif isinstance(target, ast.Subscript):
        key = at.value(target.slice)
        for ref in at.value(target.value).refs:
            if isinstance(ref, Obj) and key.is_const:
                at.heap.drop(ref.table, ("k", key.const))
