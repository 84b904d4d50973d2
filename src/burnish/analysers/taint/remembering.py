"""Calls that were followed once: the same function with the same arguments gives the same again.

Only what came back is kept, so a call that changed something others see, or that depends on what cannot be
compared, is followed each time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from burnish.analysers.taint.things import Class, Function, ModuleRef, Obj
from burnish.analysers.taint.values import HARMLESS, NEVER, NONE, UNKNOWN, External, Ref, Value

if TYPE_CHECKING:
    from burnish.analysers.taint.frame import Arguments, Frame
    from burnish.analysers.taint.heap import Changes

MAX_OBJECTS = 12
MAX_PLACES = 60
MAX_KEPT = 30_000
Objects: TypeAlias = "dict[Obj, int]"
_PLAIN = {id(UNKNOWN): 1, id(HARMLESS): 2, id(NONE): 3, id(NEVER): 4}


class CannotCompare(Exception):
    """It holds too much, or something that has no equal."""


class Key:
    """`what` is equal for calls that are equal; `objects` those that the arguments lead to, in order."""

    __slots__ = ("objects", "what")

    def __init__(self, what: tuple[Any, ...], objects: Objects) -> None:
        self.what, self.objects = what, objects


class Kept:
    __slots__ = ("cut", "depth", "objects", "result")

    def __init__(self, result: Value, depth: int, cut: bool, objects: list[Obj]) -> None:
        self.result, self.depth, self.cut, self.objects = result, depth, cut, objects


class Remembered:
    def __init__(self) -> None:
        self._kept: dict[tuple[Any, ...], Kept] = {}
        # How often a call was not followed: what is made of that is not the whole truth.
        self.cuts = 0

    def key(self, at: Frame, function: Function, given: Arguments) -> Key | None:
        if function.home is not None or at.engine.state:
            return None
        objects: Objects = {}
        try:
            what = (
                function.node,
                function.owner,
                at.heap.version,
                _values([function.bound] if function.bound else [], objects),
                _values(given.positional, objects),
                tuple((name, _value(value, objects)) for name, value in given.keywords.items()),
                _values([one for one in (given.star, given.stars) if one is not None], objects),
                given.star is None,
            )
            hash(what)
        except (CannotCompare, TypeError):
            return None
        return Key(what, objects)

    def find(self, at: Frame, key: Key) -> Value | None:
        kept = self._kept.get(key.what)
        if kept is None or (kept.cut and kept.depth > at.depth):
            return None
        if kept.result.taints and at.heap.facts:
            return None
        return _for_this_call(kept, list(key.objects))

    def keep(self, at: Frame, key: Key, result: Value, changes: Changes, cuts: int) -> None:
        if at.heap.version != key.what[2] or (result.taints and at.heap.facts):
            return
        own = {id(one.table) for one in key.objects} | {id(at.heap.facts), id(at.engine.state)}
        if any(place in own or place in at.heap.shared for place, _ in changes):
            return
        if any(not _simple(ref, key.objects) for ref in result.refs):
            return
        if len(self._kept) > MAX_KEPT:
            self._kept.clear()
        self._kept[key.what] = Kept(result, at.depth, self.cuts != cuts, list(key.objects))


def _simple(ref: Ref, objects: Objects) -> bool:
    """Nothing of its own inside that somebody could change."""
    if isinstance(ref, Obj) and ref not in objects:
        return all(not inner.refs for inner in ref.table.values() if isinstance(inner, Value)) and not any(
            one.refs for found in ref.table.values() if isinstance(found, tuple) for one in found
        )
    if isinstance(ref, Function):
        return ref.home is None
    return True


def _for_this_call(kept: Kept, objects: list[Obj]) -> Value:
    """An object of the arguments is that of these arguments; one that was made is made again."""
    found = kept.result
    if not any(isinstance(ref, Obj) for ref in found.refs):
        return found
    refs: list[Ref] = []
    for ref in found.refs:
        if isinstance(ref, Obj):
            known = ref in kept.objects
            refs.append(objects[kept.objects.index(ref)] if known else ref.copy())
        else:
            refs.append(ref)
    return Value(found.taints, found.consts, tuple(refs), found.shape, found.sure, found.when)


def _values(values: list[Value], objects: Objects) -> tuple[Any, ...]:
    return tuple(_value(value, objects) for value in values)


def _value(value: Value, objects: Objects) -> Any:
    plain = _PLAIN.get(id(value))
    if plain is not None:
        return plain
    if value.when is not None:
        raise CannotCompare
    consts = None if value.consts is None else tuple((type(one), one) for one in value.consts)
    refs = tuple(_ref(ref, objects) for ref in value.refs)
    return value.taints, consts, refs, value.shape, value.sure


def _ref(ref: Ref, objects: Objects) -> Any:
    kind = type(ref)
    if kind is External or isinstance(ref, Class):
        return ref
    if isinstance(ref, ModuleRef):
        return ref.module
    if isinstance(ref, Function):
        if ref.home is not None:
            raise CannotCompare
        return ref.node, ref.owner, _value(ref.bound, objects) if ref.bound else None
    if not isinstance(ref, Obj):
        raise CannotCompare
    if ref in objects:
        return objects[ref]
    number = objects[ref] = len(objects)
    if number >= MAX_OBJECTS or len(ref.table) > MAX_PLACES:
        raise CannotCompare
    inside = tuple((key, _inside(found, objects)) for key, found in ref.table.items())
    return number, ref.kind, ref.cls, inside


def _inside(found: Any, objects: Objects) -> Any:
    if isinstance(found, Value):
        return _value(found, objects)
    if isinstance(found, tuple):
        return type(found), tuple(_inside(one, objects) for one in found)
    raise CannotCompare
