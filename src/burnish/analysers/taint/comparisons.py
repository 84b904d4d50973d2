"""Comparisons: what they give for constants, and what they say of untrusted data that passed them."""

from __future__ import annotations

import ast
from dataclasses import replace

from burnish.analysers.taint.conditions import NO_FACTS, When, about, compared, every
from burnish.analysers.taint.frame import Frame
from burnish.analysers.taint.things import Obj
from burnish.analysers.taint.values import EVERYTHING, HARMLESS, UNKNOWN, Value, constant

ALL = frozenset({EVERYTHING})


def compare(at: Frame, node: ast.Compare) -> Value:
    left = at.value(node.left)
    results: list[Value] = []
    for op, comparator in zip(node.ops, node.comparators, strict=True):
        right = at.value(comparator)
        results.append(_one(type(op).__name__, left, right))
        left = right
    if len(results) == 1:
        return results[0]
    known = [result.const for result in results if result.is_const]
    if False in known:
        return constant(False)
    total = constant(True) if len(known) == len(results) else HARMLESS
    return replace(total, when=every(results))


def _one(operator: str, left: Value, right: Value) -> Value:
    found = _constant(operator, left, right)
    sure = left.sure and right.sure
    answer = constant(found) if found is not None else HARMLESS if sure else UNKNOWN
    return replace(answer, when=_facts(operator, left, right))


def _constant(operator: str, left: Value, right: Value) -> bool | None:
    if operator in ("In", "NotIn") and left.consts:
        inside = _members(right)
        if inside is not None:
            found = {(const in inside) == (operator == "In") for const in left.consts}
            return found.pop() if len(found) == 1 else None
    if not left.consts or not right.consts or left.refs or right.refs:
        return None
    found = set()
    for one in left.consts:
        for other in right.consts:
            answer = compared(operator, one, other)
            if answer is None:
                return None
            found.add(answer)
    return found.pop() if len(found) == 1 else None


def _members(value: Value) -> list[object] | None:
    """Everything in a container, where all of it is constant."""
    found: list[object] = []
    for ref in value.refs:
        if not isinstance(ref, Obj) or "rest" in ref.table:
            return None
        if ref.kind == "dict":
            found += ref.known_keys()
            continue
        items = ref.items()
        if items is None or not all(item.is_const for item in items):
            return None
        found += [item.const for item in items]
    return found if value.refs else None


def _facts(operator: str, left: Value, right: Value) -> When | None:
    """Equal to something we wrote, or one of the things we wrote: then it is ours, for every class."""
    if operator in ("In", "NotIn"):
        facts = about(left, ALL) if left.taints and _ours(right) else NO_FACTS
    elif operator in ("Eq", "NotEq", "Is", "IsNot"):
        facts = NO_FACTS
        for one, other in ((left, right), (right, left)):
            if one.taints and not other.taints and (other.consts or other.sure):
                facts |= about(one, ALL)
    else:
        return None
    if not facts:
        return None
    return (facts, NO_FACTS) if operator in ("In", "Eq", "Is") else (NO_FACTS, facts)


def _ours(container: Value) -> bool:
    """A collection that nothing untrusted went into; a text is no collection of ours: `"a" in text`."""
    if container.taints or container.consts:
        return False
    objects = [ref for ref in container.refs if isinstance(ref, Obj)]
    if objects:
        return all(not ref.everything().taints for ref in objects)
    return bool(container.refs)
