"""Methods of lists, dicts and sets of the tree: elements are put where they go, and found again."""

from __future__ import annotations

import ast

from burnish.analysers.taint.frame import Arguments, Frame
from burnish.analysers.taint.members import element
from burnish.analysers.taint.things import ITEMS, REST, Obj, sequence, unordered
from burnish.analysers.taint.values import HARMLESS, NEVER, NONE, UNKNOWN, Value, constant, join, join_all, of


def container(at: Frame, ref: Obj, name: str, given: Arguments, node: ast.AST) -> Value:
    handler = _METHODS.get(name)
    if handler is None:
        return of(ref) if name in ("__enter__", "__iter__") else ref.everything()
    return handler(at, ref, given, node)


def _append(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    ref.add(at.heap, given.get(0) or UNKNOWN)
    return NONE


def _insert(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    index, value = given.get(0) or UNKNOWN, given.get(1) or UNKNOWN
    if index.is_const and isinstance(index.const, int):
        ref.add(at.heap, value, index.const)
    else:
        _blur(at, ref, value)
    return NONE


def _blur(at: Frame, ref: Obj, more: Value = NEVER) -> None:
    """Nobody knows any more what is where."""
    everything = join(ref.everything(), more)
    at.heap.drop(ref.table, ITEMS)
    if everything is not NEVER:
        at.heap.put(ref.table, REST, everything)


def _extend(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    other = given.get(0) or UNKNOWN
    more = other.refs[0] if len(other.refs) == 1 else None
    items = more.items() if isinstance(more, Obj) and REST not in more.table else None
    if items is None:
        at.heap.put(ref.table, REST, join(ref.rest(), element(at, other, UNKNOWN, node)))
        return NONE
    for item in items:
        ref.add(at.heap, item)
    return NONE


def _pop(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    if ref.kind == "dict":
        found = _get(at, ref, given, node)
        key = given.get(0)
        if key is not None and key.is_const:
            at.heap.drop(ref.table, ("k", key.const))
        return found
    items = ref.items()
    index = given.get(0) or constant(0 if ref.kind == "deque" else -1)
    if not items or not index.is_const or not isinstance(index.const, int):
        return ref.everything()
    if not -len(items) <= index.const < len(items):
        return UNKNOWN
    at_index = index.const % len(items)
    at.heap.put(ref.table, ITEMS, (*items[:at_index], *items[at_index + 1 :]))
    return join(items[at_index], ref.rest())


def _remove(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    items, value = ref.items(), given.get(0) or UNKNOWN
    if items is not None and value.is_const and all(item.is_const for item in items):
        left = list(items)
        for number, item in enumerate(left):
            if item.const == value.const:
                del left[number]
                break
        at.heap.put(ref.table, ITEMS, tuple(left))
    elif items is not None:
        _blur(at, ref)
    return NONE


def _clear(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    for key in [key for key in ref.table if isinstance(key, tuple) or key == REST]:
        at.heap.drop(ref.table, key)
    if ref.kind != "dict":
        at.heap.put(ref.table, ITEMS, ())
    return NONE


def _get(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    key = given.get(0) or UNKNOWN
    default = given.get(1) or given.get("default") or NONE
    if key.consts is None:
        return join(ref.everything(), default)
    total = NEVER
    for const in key.consts:
        known = ("k", const) in ref.table
        total = join(total, ref.at(const) if known else join(ref.rest(), default))
    return total


def _set_default(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    found = _get(at, ref, given, node)
    ref.set_at(at.heap, given.get(0) or UNKNOWN, found)
    return found


def _update(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    for name, value in given.keywords.items():
        ref.set_at(at.heap, constant(name), value)
    for other in given.positional:
        known = [inner for inner in other.refs if isinstance(inner, Obj) and inner.kind == "dict"]
        for inner in known:
            for key in inner.known_keys():
                ref.set_at(at.heap, constant(key), inner.at(key))
            if REST in inner.table:
                ref.set_at(at.heap, UNKNOWN, inner.rest())
        if not known:
            ref.set_at(at.heap, UNKNOWN, element(at, other, UNKNOWN, node))
    return NONE


def _add(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    ref.add(at.heap, given.get(0) or UNKNOWN)
    return NONE


def _keys(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    if REST in ref.table:
        return of(unordered("list", UNKNOWN))
    return of(sequence("list", tuple(constant(key) for key in ref.known_keys())))


def _values(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    if REST in ref.table:
        return of(unordered("list", ref.everything()))
    return of(sequence("list", tuple(ref.at(key) for key in ref.known_keys())))


def _items(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    pairs = [of(sequence("tuple", (constant(key), ref.at(key)))) for key in ref.known_keys()]
    if REST in ref.table:
        pairs.append(of(sequence("tuple", (UNKNOWN, ref.rest()))))
        return of(unordered("list", join_all(pairs)))
    return of(sequence("list", tuple(pairs)))


def _copy(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    made = Obj(ref.kind, ref.cls, ref.line)
    made.table = dict(ref.table)
    return of(made)


def _blurred(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    _blur(at, ref)
    return NONE


def _number(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    return HARMLESS


_METHODS = {
    "append": _append, "appendleft": lambda at, ref, given, node: _insert_first(at, ref, given),
    "insert": _insert, "extend": _extend, "pop": _pop, "popleft": _pop, "popitem": None, "remove": _remove,
    "clear": _clear, "get": _get, "setdefault": _set_default, "update": _update, "add": _add, "put": _add,
    "keys": _keys, "values": _values, "items": _items, "copy": _copy, "sort": _blurred, "reverse": _blurred,
    "index": _number, "count": _number, "__len__": _number, "discard": _remove,
}  # fmt: skip


def _insert_first(at: Frame, ref: Obj, given: Arguments) -> Value:
    ref.add(at.heap, given.get(0) or UNKNOWN, 0)
    return NONE
