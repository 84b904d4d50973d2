"""Comprehensions: their elements, under the conditions that let them in."""

from __future__ import annotations

import ast
from typing import TypeAlias

from burnish.analysers.taint.library.iterating import each, in_order
from burnish.analysers.taint.memory.conditions import facts, truth
from burnish.analysers.taint.memory.frame import Frame
from burnish.analysers.taint.memory.things import KEYS, REST, Obj, sequence, unordered
from burnish.analysers.taint.memory.values import NEVER, Value, of
from burnish.analysers.taint.walking.targets import assign

Comprehension: TypeAlias = "ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp"
_KINDS = {ast.ListComp: "list", ast.SetComp: "set", ast.GeneratorExp: "generator"}


def sequence_of(at: Frame, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> Value:
    kind = _KINDS[type(node)]
    known = _one_by_one(at, node)
    if known is not None:
        return of(sequence(kind, known, node.lineno))
    found = _within(at, node, [node.elt])
    return of(unordered(kind, found[0] if found else NEVER, node.lineno))


def mapping_of(at: Frame, node: ast.DictComp) -> Value:
    made = Obj("dict", line=node.lineno)
    items = _known_items(at, node)
    if items is not None:
        with _Scope(at, node):
            for item in items:
                # Whether one that nobody can tell of is there or not: it may be.
                for key, value in _of_one(at, node, item, [node.key, node.value]):
                    made.set_at(at.heap, key, value)
        return of(made)
    found = _within(at, node, [node.key, node.value])
    if found:
        made.table |= {KEYS: found[0], REST: found[1]}
    return of(made)


def _known_items(at: Frame, node: Comprehension) -> tuple[Value, ...] | None:
    """Over a sequence whose elements are known."""
    return in_order(at.value(node.generators[0].iter)) if len(node.generators) == 1 else None


def _of_one(at: Frame, node: Comprehension, item: Value, parts: list[ast.expr]) -> list[list[Value]]:
    """What the parts give for one element, under its conditions; nothing where they do not let it in."""
    mark = at.heap.mark()
    let_in = _let_in(at, node.generators[0], item)
    found = [[at.heap.settle(at.value(part)) for part in parts]] if let_in else []
    at.heap.take_back_facts(mark)
    return found


def _let_in(at: Frame, generator: ast.comprehension, item: Value) -> bool:
    """The element under its name, with what its conditions say of it; False where they keep it out."""
    assign(at, generator.target, item)
    for condition in generator.ifs:
        test = at.value(condition)
        if truth(test) is False:
            return False
        at.heap.assume(facts(test, true=True))
    return True


def _one_by_one(at: Frame, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> tuple[Value, ...] | None:
    """Each by itself, in order; None where nobody can tell which are there."""
    items = _known_items(at, node)
    if items is None:
        return None
    made: list[Value] = []
    with _Scope(at, node):
        for item in items:
            assign(at, node.generators[0].target, item)
            tests = [truth(at.value(condition)) for condition in node.generators[0].ifs]
            if False in tests:
                continue
            if None in tests:
                return None
            made.append(at.value(node.elt))
    return tuple(made)


def _within(at: Frame, node: Comprehension, parts: list[ast.expr]) -> list[Value]:
    """The values of these parts inside; empty where a condition lets nothing in."""
    mark = at.heap.mark()
    found: list[Value] = []
    with _Scope(at, node):
        if all(_let_in(at, one, each(at, at.value(one.iter), node)) for one in node.generators):
            found = [at.heap.settle(at.value(part)) for part in parts]
    at.heap.take_back_facts(mark)
    return found


class _Scope:
    """Names bound inside are gone, or what they were, outside."""

    def __init__(self, at: Frame, node: Comprehension) -> None:
        targets = (inner for generator in node.generators for inner in ast.walk(generator.target))
        self._at, self._names = at, [inner.id for inner in targets if isinstance(inner, ast.Name)]

    def __enter__(self) -> None:
        self._before = {name: self._at.names[name] for name in self._names if name in self._at.names}

    def __exit__(self, *_: object) -> None:
        for name in self._names:
            if name in self._before:
                self._at.heap.put(self._at.names, name, self._before[name])
            else:
                self._at.heap.drop(self._at.names, name)
