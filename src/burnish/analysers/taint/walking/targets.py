"""Assignment: to names, to attributes, to elements, to several at once."""

from __future__ import annotations

import ast

from burnish.analysers.taint.finding import assigned
from burnish.analysers.taint.library import namespaces
from burnish.analysers.taint.library.iterating import each, in_order
from burnish.analysers.taint.library.members import element, store_attribute, store_element
from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.things import ITEMS, REST, Obj, sequence, unordered
from burnish.analysers.taint.memory.values import NONE, Value, constant, join, of


def assign(at: Frame, target: ast.expr, value: Value) -> None:
    match target:
        case ast.Name(id=name):
            at.bind(name, value)
            assigned.to_name(at, target, value)
        case ast.Attribute(value=inner, attr=name):
            assigned.to_name(at, target, value)
            held = namespaces.owner(at, target if name == "__dict__" else inner)
            if held is not None and name == "__dict__":
                namespaces.write_all(at, held, Arguments([value]), target)
            else:
                store_attribute(at, held or opened(at, inner, value), name, value, target)
        case ast.Subscript(value=inner, slice=ast.Slice() as cut):
            store_slice(at, at.value(inner), cut, value, target)
        case ast.Subscript(value=inner, slice=index):
            holder, key = opened(at, inner, value), at.value(index)
            if (held := namespaces.owner(at, inner)) is not None:
                namespaces.write(at, held, key, value, target)
            assigned.to_element(at, target, holder, key, value)
            store_element(at, holder, key, value, target)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            _apart(at, parts, value, target)
        case ast.Starred(value=inner):
            assign(at, inner, of(unordered("list", each(at, value, target))))


def opened(at: Frame, node: ast.expr, value: Value) -> Value:
    """What is changed. Where nobody knows what that is, it is from here on something that holds `value`."""
    holder = at.value(node)
    if holder.refs or holder.consts is not None or not value.taints:
        return holder
    made = Value(holder.taints, None, (Obj("open"),), holder.shape, sure=False)
    if isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
        assign(at, node, made)
    return made


def _apart(at: Frame, parts: list[ast.expr], value: Value, node: ast.expr) -> None:
    starred = next((number for number, part in enumerate(parts) if isinstance(part, ast.Starred)), len(parts))
    items = in_order(value)
    if items is None:
        value = _as_sequence(at, value, node)
    for number, part in enumerate(parts):
        if isinstance(part, ast.Starred):
            behind = len(parts) - starred - 1
            if items is None:
                taken = unordered("list", each(at, value, node))
            else:
                taken = sequence("list", items[starred : len(items) - behind])
            assign(at, part.value, of(taken))
        else:
            index = number if number < starred else number - len(parts)
            known = items is not None and -len(items) <= index < len(items)
            found = items[index] if items is not None and known else element(at, value, constant(index), node)
            # Parts of one text are different data: a guard on one says nothing of the others.
            assign(at, part, at.step(found, node, key=(f"[{number}]",)) if items is None else found)


def _as_sequence(at: Frame, value: Value, node: ast.expr) -> Value:
    """Dicts give their keys when taken apart, objects what they iterate over."""
    if any(isinstance(ref, Obj) and (ref.cls is not None or ref.kind == "dict") for ref in value.refs):
        return of(unordered("list", each(at, value, node)), sure=value.sure)
    return value


def forget(at: Frame, target: ast.expr) -> None:
    """`del`: a name, an attribute, a key of a dict, a part of a list."""
    if isinstance(target, ast.Name):
        at.heap.drop(at.names, target.id)
    elif isinstance(target, ast.Attribute):
        for ref in at.value(target.value).refs:
            if isinstance(ref, Obj):
                at.heap.drop(ref.table, f".{target.attr}")
    elif isinstance(target, ast.Tuple | ast.List):
        for part in target.elts:
            forget(at, part)
    elif isinstance(target, ast.Subscript):
        holder, key = at.value(target.value), at.value(target.slice)
        for ref in holder.refs:
            if isinstance(ref, Obj):
                ref.remove_at(at.heap, _cut(at, target.slice) if isinstance(target.slice, ast.Slice) else key)


def _cut(at: Frame, node: ast.Slice) -> slice | None:
    ends = [at.value(part) if part else NONE for part in (node.lower, node.upper, node.step)]
    if all(end.is_const and isinstance(end.const, int | None) for end in ends) and ends[2].const != 0:
        return slice(*(end.const for end in ends))
    return None


def store_slice(at: Frame, holder: Value, node: ast.Slice, value: Value, target: ast.AST) -> None:
    """`xs[1:2] = ys`."""
    cut, new = _cut(at, node), in_order(value)
    for ref in holder.refs:
        if not isinstance(ref, Obj):
            continue
        items = ref.items()
        if cut is None or new is None or items is None or (cut.step not in (None, 1)):
            at.heap.put(ref.table, REST, join(ref.everything(), each(at, value, target)))
            continue
        changed = list(items)
        changed[cut] = new
        at.heap.put(ref.table, ITEMS, tuple(changed))
