"""Lists, tuples, sets and dicts as they are written: `[a, *b]`, `{**a, "key": b}`."""

from __future__ import annotations

import ast

from burnish.analysers.taint.library.members import element
from burnish.analysers.taint.memory.frame import Frame
from burnish.analysers.taint.memory.things import Obj, sequence
from burnish.analysers.taint.memory.values import NEVER, UNKNOWN, Value, join, join_all, of


def sequence_of(at: Frame, node: ast.List | ast.Tuple | ast.Set) -> Value:
    kind = type(node).__name__.lower()
    items: list[Value] = []
    rest = NEVER
    for part in node.elts:
        value = at.value(part)
        if isinstance(part, ast.Starred):
            known = spread(value)
            if known is None or rest is not NEVER:
                rest = join(rest, element(at, value, UNKNOWN, node))
            else:
                items += known
        else:
            items.append(value)
    made = sequence(kind, tuple(items), node.lineno)
    if rest is not NEVER:
        made.table["rest"] = rest
    return of(made)


def mapping_of(at: Frame, node: ast.Dict) -> Value:
    made = Obj("dict", line=node.lineno)
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            other = at.value(value)
            for number, ref in enumerate(other.refs):
                if isinstance(ref, Obj) and not number:
                    made.put_all(at.heap, ref)
                elif isinstance(ref, Obj):
                    made.set_at(at.heap, UNKNOWN, ref.everything())
            if other.taints or not other.refs:
                made.set_at(at.heap, UNKNOWN, element(at, other, UNKNOWN, node))
        else:
            made.set_at(at.heap, at.value(key), at.value(value))
    return of(made)


def spread(value: Value) -> tuple[Value, ...] | None:
    if len(value.refs) == 1 and isinstance(value.refs[0], Obj) and not value.refs[0].table.get("rest"):
        return value.refs[0].items()
    return None


def spread_any(value: Value) -> tuple[tuple[Value, ...] | None, Value | None]:
    """The same for one of several: place by place as far as all have one, then whatever comes behind."""
    known = [spread(of(ref)) for ref in value.refs] if not value.taints else []
    lists = [items for items in known if items is not None]
    if not lists or len(lists) < len(known):
        return spread(value), None
    size = min(len(items) for items in lists)
    behind = join_all(one for items in lists for one in items[size:])
    return tuple(join_all(places) for places in zip(*lists, strict=False)), (
        behind if behind is not NEVER else None
    )
