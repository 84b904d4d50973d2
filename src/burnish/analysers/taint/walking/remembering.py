"""Calls that were followed once: the same function with the same arguments gives the same again.

What came back is kept with what else was changed; a call that depends on what cannot be compared is followed
each time.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from burnish.analysers.taint.memory.facts import cleared
from burnish.analysers.taint.memory.heap import ABSENT
from burnish.analysers.taint.memory.proofs import PROVED, unbound
from burnish.analysers.taint.memory.things import Class, Function, ModuleRef, Obj
from burnish.analysers.taint.memory.values import HARMLESS, NEVER, NONE, UNKNOWN, External, Ref, Value

if TYPE_CHECKING:
    from burnish.analysers.taint.memory.frame import Arguments, Frame
    from burnish.analysers.taint.memory.heap import Changes

MAX_OBJECTS = 24
MAX_PLACES = 60
MAX_KEPT = 30_000
MAX_EFFECTS = 40
Objects: TypeAlias = "dict[Obj, int]"
Effects: TypeAlias = "list[tuple[Any, Any, Any]]"
_PLAIN = {id(UNKNOWN): 1, id(HARMLESS): 2, id(NONE): 3, id(NEVER): 4}


class CannotCompare(Exception):
    """It holds too much, or something that has no equal."""


class Key:
    """`what` is equal for calls that are equal; `objects` those that the arguments lead to, in order."""

    __slots__ = ("objects", "what")

    def __init__(self, what: tuple[Any, ...], objects: Objects) -> None:
        self.what, self.objects = what, objects


class Kept:
    """What came back, and what else the call had changed: on which object of the arguments, or where."""

    __slots__ = ("cut", "depth", "effects", "objects", "result", "touched")

    def __init__(self, result: Value, depth: int, objects: list[Obj], effects: Effects) -> None:
        self.result, self.depth, self.objects, self.effects = result, depth, objects, effects
        self.cut = self.touched = False


class Remembered:
    def __init__(self) -> None:
        self._kept: dict[tuple[Any, ...], Kept] = {}
        # How often a call was not followed: what is made of that is not the whole truth.
        self.cuts = 0

    def key(self, at: Frame, function: Function, given: Arguments) -> Key | None:
        if function.home is not None:
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
                _said(at, function, given, objects),
            )
            hash(what)
        except (CannotCompare, TypeError):
            return None
        return Key(what, objects)

    def find(self, at: Frame, key: Key) -> Value | None:
        kept = self._kept.get(key.what)
        if kept is None or (kept.cut and kept.depth > at.depth):
            return None
        again = Again(dict(zip(kept.objects, key.objects, strict=True)))
        at.engine.known.touched += kept.touched
        objects = list(key.objects)
        for where, name, found in kept.effects:
            table = objects[where].table if isinstance(where, int) else where
            if found is ABSENT:
                at.heap.drop(table, name)
            else:
                at.heap.put(table, name, again.of(found))
        result: Value = again.of(kept.result)
        return result

    def counted(self, at: Frame) -> tuple[int, int]:
        """How often a call was not followed, and a source met, until now."""
        return self.cuts, at.engine.known.touched

    def keep(self, at: Frame, key: Key, result: Value, changes: Changes, before: tuple[int, int]) -> None:
        own = {id(one.table): number for one, number in key.objects.items()}
        again = Again({one: one for one in key.objects})
        effects: Effects = []
        try:
            for (place, name), (table, found) in changes.items():
                if place in own:
                    effects.append((own[place], name, again.of(found)))
                elif place in at.heap.shared or table is at.heap.facts:
                    effects.append((table, name, again.of(found)))
            frozen = again.of(result)
        except CannotCompare:
            return
        if len(effects) > MAX_EFFECTS:
            return
        if len(self._kept) > MAX_KEPT:
            self._kept.clear()
        made = self._kept[key.what] = Kept(frozen, at.depth, list(key.objects), effects)
        made.cut, made.touched = self.cuts != before[0], at.engine.known.touched != before[1]


class Again:
    """The same values for another call: its own arguments, and new objects where some were made."""

    def __init__(self, known: dict[Obj, Obj]) -> None:
        self._known = known

    def of(self, found: Any) -> Any:
        if isinstance(found, tuple):
            return type(found)(self.of(one) for one in found)
        if not isinstance(found, Value):
            return found
        # Another call binds its names anew.
        proof = unbound(found.proof)
        if not found.refs:
            return found if proof is found.proof else replace(found, proof=proof)
        return replace(found, refs=tuple(self._ref(ref) for ref in found.refs), proof=proof)

    def _ref(self, ref: Ref) -> Ref:
        if isinstance(ref, Function) and ref.home is not None:
            raise CannotCompare
        if not isinstance(ref, Obj):
            return ref
        if ref not in self._known:
            if len(self._known) > MAX_OBJECTS:
                raise CannotCompare
            made = self._known[ref] = Obj(ref.kind, ref.cls, ref.line)
            made.table = {key: self.of(inner) for key, inner in ref.table.items()}
        return self._known[ref]


def _said(at: Frame, function: Function, given: Arguments, objects: Objects) -> Any:
    """What guards have said of the arguments, or of anything they are made of."""
    if not at.heap.facts:
        return None
    values = [*given.all(), *([function.bound] if function.bound else [])]
    values += [one for ref in objects for found in ref.table.values() for one in _flat(found)]
    found: set[tuple[object, frozenset[str]]] = set()
    for value in values:
        for taint in value.taints:
            clean = cleared(taint, at.heap.facts)
            if clean:
                found.add((taint.cell, clean))
        if value.proof is not None and (words := at.heap.facts.get((PROVED, value.proof.subject))):
            found.add((value.proof, words))
    return frozenset(found)


def _flat(found: Any) -> list[Value]:
    if isinstance(found, tuple):
        return [inner for one in found for inner in _flat(one)]
    return [found] if isinstance(found, Value) else []


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
    return value.taints, consts, refs, value.shape, value.sure, value.proof


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
    if isinstance(found, frozenset):
        return found
    raise CannotCompare
