"""What lies inside of a value, however deep: for whoever takes it whole, or asks whether it is untrusted."""

from __future__ import annotations

from burnish.analysers.taint.memory.things import KEYS, Obj
from burnish.analysers.taint.memory.values import NEVER, Value, join


def carries(value: Value, depth: int = 4) -> bool:
    """Whether anything untrusted lies in it, as `parts` would say."""
    layer, seen = [value], set[int]()
    while layer:
        if any(one.taints for one in layer):
            return True
        objects = {id(ref): ref for one in layer for ref in one.refs if isinstance(ref, Obj)}
        fresh = [ref for key, ref in objects.items() if key not in seen and ref.kind != "encoded"]
        seen |= objects.keys()
        depth -= 1
        layer = [one for ref in fresh for one in ref.held()] if depth >= 0 else []
    return False


def parts(value: Value, depth: int = 4) -> Value:
    """The value with everything that lies inside of it, for whoever takes it whole."""
    return _parts(value, depth, {}) if value.refs else value


def _parts(value: Value, depth: int, known: dict[tuple[int, int], Value]) -> Value:
    total = value
    for ref in value.refs:
        if isinstance(ref, Obj) and not depth and ref.table:
            # Nobody looked further down.
            total = Value(total.taints, None, (), total.shape, sure=False)
        if isinstance(ref, Obj) and depth and ref.kind != "encoded":
            total = join(_without_refs(total), _inside(ref, depth, known))
    return total


def _inside(ref: Obj, depth: int, known: dict[tuple[int, int], Value]) -> Value:
    """What lies in an object; one that many others have is looked into once."""
    place = id(ref), depth
    if place not in known:
        total = _parts(ref.everything(), depth - 1, known)
        if KEYS in ref.table:
            total = join(total, _parts(ref.table[KEYS], depth - 1, known))
        for key, inner in ref.table.items():
            if isinstance(key, str) and key.startswith(".") and isinstance(inner, Value):
                total = join(total, _parts(inner, depth - 1, known))
        known[place] = total
    return known[place]


def _without_refs(value: Value) -> Value:
    return Value(value.taints, value.consts if not value.refs else NEVER.consts, (), value.shape, value.sure)
