"""Methods of lists, dicts and sets of the tree: elements are put where they go, and found again."""

from __future__ import annotations

import ast
from collections.abc import Callable

from burnish.analysers.taint.guards.comparisons import subset
from burnish.analysers.taint.library import parsers
from burnish.analysers.taint.library.iterating import each, in_order
from burnish.analysers.taint.library.members import element
from burnish.analysers.taint.library.streams import held, lines, put_in, write, written
from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.inside import parts
from burnish.analysers.taint.memory.things import ITEMS, KEYS, REST, Obj, sequence, unordered
from burnish.analysers.taint.memory.values import (
    NEVER,
    NONE,
    NUMBER,
    UNKNOWN,
    Value,
    constant,
    join,
    join_all,
    of,
)


def container(at: Frame, ref: Obj, name: str, given: Arguments, node: ast.AST) -> Value:
    if ref.kind == parsers.KIND:
        return parsers.method(at, ref, name, given, node)
    handler = KINDS.get(ref.kind, {}).get(name) or METHODS.get(name)
    if handler is None:
        if name in ("__enter__", "__iter__", "__aenter__"):
            return of(ref)
        found = parts(ref.everything()) if ref.kind in KINDS else ref.everything()
        return UNKNOWN if found is NEVER else found
    return handler(at, ref, given, node)


def _is_subset(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    return subset(of(ref), given.get(0) or UNKNOWN)


def _append(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    ref.add(at.heap, given.get(0) or UNKNOWN)
    return NONE


def _insert(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    index, value = given.get(0) or UNKNOWN, given.get(1) or UNKNOWN
    if index.is_const and isinstance(index.const, int):
        ref.add(at.heap, value, index.const)
    else:
        ref.blur(at.heap, value)
    return NONE


def _append_left(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    ref.add(at.heap, given.get(0) or UNKNOWN, 0)
    return NONE


def extend(at: Frame, ref: Obj, other: Value, node: ast.AST) -> None:
    """In place, as `extend` and `+=` do."""
    items = in_order(other)
    if items is None:
        at.heap.put(ref.table, REST, join(ref.rest(), each(at, other, node)))
        return
    for item in items:
        ref.add(at.heap, item)


def _extend(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    for other in given.positional:
        extend(at, ref, other, node)
    return NONE


def _pop(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    if ref.kind == "dict":
        found = _get(at, ref, given, node)
        key = given.get(0)
        if key is not None and key.is_const:
            at.heap.drop(ref.table, ("k", key.const))
        return found
    return _pop_at(at, ref, given.get(0) or constant(-1))


def _pop_at(at: Frame, ref: Obj, index: Value) -> Value:
    items = ref.items()
    if items is None or not index.is_const or not isinstance(index.const, int):
        found = ref.everything()
        ref.blur(at.heap)
        return UNKNOWN if found is NEVER else found
    if not -len(items) <= index.const < len(items):
        return ref.rest() if REST in ref.table else UNKNOWN
    at_index = index.const % len(items)
    at.heap.put(ref.table, ITEMS, (*items[:at_index], *items[at_index + 1 :]))
    return join(items[at_index], ref.rest())


def _pop_left(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    return _pop_at(at, ref, constant(0))


def _pop_item(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    return of(sequence("tuple", (ref.keys(), ref.everything())))


def _remove(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    """The first that is equal; where that cannot be told, any may be gone."""
    items, value = ref.items(), given.get(0) or UNKNOWN
    for number, item in enumerate(items or ()):
        if not item.is_const or not value.is_const:
            break
        if item.const == value.const:
            at.heap.put(ref.table, ITEMS, (*(items or ())[:number], *(items or ())[number + 1 :]))
            return NONE
    else:
        return NONE
    ref.blur(at.heap)
    return NONE


def _clear(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    for key in [key for key in ref.table if isinstance(key, tuple) or key in (REST, KEYS)]:
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
        # Another key, another thing: what is found out of one says nothing of the next.
        other = at.step(ref.rest(), node, key=(f"[{const!r}]",))
        total = join(total, ref.at(const) if known else join(other, default))
        if ("maybe", const) in ref.table:
            total = join(total, default)
    return total


def _set_default(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    found = _get(at, ref, given, node)
    ref.set_at(at.heap, given.get(0) or UNKNOWN, found)
    return found


def update(at: Frame, ref: Obj, other: Value, node: ast.AST) -> None:
    """In place, as `update` and `|=` do."""
    known = [inner for inner in other.refs if isinstance(inner, Obj)]
    for inner in known:
        if ref.kind != "dict":
            extend(at, ref, of(inner), node)
            continue
        if inner.kind != "dict":
            pairs(at, ref, of(inner), node)
            continue
        ref.put_all(at.heap, inner)
    if not known:
        ref.set_at(at.heap, UNKNOWN, element(at, other, UNKNOWN, node))


def pairs(at: Frame, ref: Obj, other: Value, node: ast.AST) -> None:
    """Keys and values that come in twos."""
    items = in_order(other)
    for pair in items if items is not None else (each(at, other, node),):
        if pair.refs or pair.taints:
            key, value = (element(at, pair, constant(number), node) for number in (0, 1))
            ref.set_at(at.heap, key, value)


def _update(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    for other in given.positional:
        update(at, ref, other, node)
    for name, value in given.keywords.items():
        ref.set_at(at.heap, constant(name), value)
    if given.stars is not None:
        ref.set_at(at.heap, UNKNOWN, given.stars)
    return NONE


def _keys(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    if REST in ref.table:
        return of(unordered("list", ref.keys()))
    return of(sequence("list", tuple(constant(key) for key in ref.known_keys())))


def _values(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    if REST in ref.table:
        return of(unordered("list", ref.everything()))
    return of(sequence("list", tuple(ref.at(key) for key in ref.known_keys())))


def _items(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    found = [of(sequence("tuple", (constant(key), ref.at(key)))) for key in ref.known_keys()]
    if REST in ref.table:
        found.append(of(sequence("tuple", (ref.table.get(KEYS, UNKNOWN), ref.rest()))))
        return of(unordered("list", join_all(found)))
    return of(sequence("list", tuple(found)))


def _copy(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    return of(ref.copy())


def _sort(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    ref.blur(at.heap)
    return NONE


def _reverse(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    items = ref.items()
    if items is not None:
        at.heap.put(ref.table, ITEMS, items[::-1])
    return NONE


def _number(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    return NUMBER


def _index(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    """Known where everything before it is a constant, and another one."""
    wanted = given.get(0) or UNKNOWN
    for number, item in enumerate(ref.items() or ()):
        if not item.is_const or not wanted.is_const:
            break
        if item.const == wanted.const:
            return constant(number)
    return NUMBER


def _union(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    made = ref.copy()
    for other in (*given.positional, *([given.star] if given.star else [])):
        extend(at, made, other, node)
    return of(made)


METHODS: dict[str, Callable[[Frame, Obj, Arguments, ast.AST], Value]] = {
    "append": _append, "appendleft": _append_left, "insert": _insert, "extend": _extend, "pop": _pop,
    "popleft": _pop_left, "popitem": _pop_item, "remove": _remove, "clear": _clear, "get": _get,
    "setdefault": _set_default, "update": _update, "add": _append, "keys": _keys, "values": _values,
    "items": _items, "copy": _copy, "sort": _sort, "reverse": _reverse, "index": _index, "count": _number,
    "issubset": _is_subset,
    "__len__": _number, "discard": _remove, "union": _union, "__getitem__": _get,
    "extendleft": _extend,
    "difference": _copy, "intersection": _copy, "symmetric_difference": _union, "qsize": _number,
    "most_common": _items, "rotate": _sort, "intersection_update": _number, "difference_update": _number,
}  # fmt: skip
# Objects of the standard library that are filled and read again.
KINDS: dict[str, dict[str, Callable[[Frame, Obj, Arguments, ast.AST], Value]]] = {
    "queue": {
        "put": _append, "put_nowait": _append, "get": _pop_left, "get_nowait": _pop_left, "empty": _number,
        "full": _number, "join": _number, "task_done": _number,
    },
    "variable": {"set": put_in, "get": held, "reset": _number},
    "future": {"result": held},
    "stream": {
        "write": write, "writelines": _extend, "getvalue": written, "read": written, "seek": _number,
        "readline": written, "readlines": lines, "getbuffer": written, "tell": _number, "close": _number,
        "truncate": _number, "flush": _number,
    },
}  # fmt: skip
