"""Comparisons: what they give for constants, and what they say of untrusted data that passed them."""

from __future__ import annotations

import ast
from dataclasses import replace

from burnish.analysers.taint.finding.judging import names_of
from burnish.analysers.taint.guards.provenance import contained_path, host_facts, speaks_of
from burnish.analysers.taint.memory import proofs
from burnish.analysers.taint.memory.conditions import NO_FACTS, When, about, compared, every, negated
from burnish.analysers.taint.memory.frame import Frame
from burnish.analysers.taint.memory.inside import parts
from burnish.analysers.taint.memory.marks import CHECKED, FILLED, SPECIAL, UP, only, without
from burnish.analysers.taint.memory.things import Obj
from burnish.analysers.taint.memory.values import EVERYTHING, HARMLESS, UNKNOWN, Fact, Value, constant

# One of ours: harmless for every class, however it is written.
ALL = frozenset({EVERYTHING})
# What a request says our own host is: as good as ours for where to send it back to.
_OWN_HOST = (".host", ".host_url", ".get_host", ".get_host()", ".netloc", ".server_name")


def compare(at: Frame, node: ast.Compare) -> Value:
    left = at.value(node.left)
    results: list[Value] = []
    for op, comparator in zip(node.ops, node.comparators, strict=True):
        right = at.value(comparator)
        result = _one(type(op).__name__, left, right, comparator)
        if isinstance(comparator, ast.Subscript) and left.text in ("'", '"'):
            result = _between(at, result, left.text, comparator, positive=isinstance(op, ast.In))
        results.append(result)
        left = right
    if len(results) == 1:
        return results[0]
    known = [result.const for result in results if result.is_const]
    if False in known:
        return constant(False)
    total = constant(True) if len(known) == len(results) else HARMLESS
    return replace(total, when=every(results))


def _between(at: Frame, result: Value, quote: str, node: ast.Subscript, *, positive: bool) -> Value:
    """`"'" in text[1:-1]`: whether a text in quotes ends before its end."""
    if not isinstance(node.slice, ast.Slice) or ast.unparse(node.slice) != "1:-1":
        return result
    facts = about(at.value(node.value), frozenset({f"inside:no:{quote}"}))
    when = result.when or (NO_FACTS, NO_FACTS)
    return replace(result, when=(when[0], when[1] | facts) if positive else (when[0] | facts, when[1]))


def _one(operator: str, left: Value, right: Value, node: ast.expr) -> Value:
    found = _constant(operator, left, right)
    sure = left.sure and right.sure
    answer = constant(found) if found is not None else HARMLESS if sure else UNKNOWN
    return replace(answer, when=_facts(operator, left, right, node))


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


def _facts(operator: str, left: Value, right: Value, node: ast.expr) -> When | None:
    """What holds when it is true, and when it is false."""
    positive = operator in ("In", "Eq", "Is", "LtE", "Lt")
    if operator in ("In", "NotIn"):
        when = _inside(left, right, node)
    elif operator in ("Eq", "NotEq", "Is", "IsNot"):
        when = _truth(left, right) or (_equal(left, right), NO_FACTS)
    elif operator in ("LtE", "Lt"):
        when = _subset(left, right), NO_FACTS
    else:
        return None
    if not any(when):
        return None
    return when if positive else negated(when)


def _inside(left: Value, right: Value, node: ast.expr) -> When:
    if left.taints:
        if right.text is not None:
            # A part of a text of ours has no characters but those of it.
            part = proofs.Part(proofs.SPECIAL - set(right.text), frozenset({proofs.TEXT}))
            marks = about(left, only(right.text) | {CHECKED}) if right.text else NO_FACTS
            return marks | proofs.facts(left.proof, part), NO_FACTS
        if not _ours(right, node):
            return NO_FACTS, NO_FACTS
        members = _members(right)
        filled = frozenset({FILLED}) if members and all(members) else frozenset()
        proved = proofs.facts(left.proof, proofs.OURS_PART) if _surely_ours(right) else NO_FACTS
        return about(left, ALL | filled) | host_facts(left, members) | proved, NO_FACTS
    if left.refs and all(isinstance(ref, Obj) and ref.kind == "tuple" for ref in left.refs):
        # `(module, name) in ALLOWED`
        return (about(parts(left), ALL) if _ours(right, node) else NO_FACTS), NO_FACTS
    found = contained_path(left, right)
    if found is not None:
        return found
    if left.text is not None and right.taints and not any(isinstance(ref, Obj) for ref in right.refs):
        return NO_FACTS, _without(left.text, right) | _proved_without(left.text, right)
    return NO_FACTS, NO_FACTS


def _without(text: str, value: Value) -> frozenset[Fact]:
    """What `"'" in value` being false says."""
    if (len(text) == 1 and text in SPECIAL) or text == UP:
        return about(value, without((text,)))
    if text in ("//", "://"):
        return about(value, frozenset({"not:begins://"}))
    if text == "../":
        return about(value, without((UP,)))
    return NO_FACTS


def _proved_without(text: str, value: Value) -> frozenset[Fact]:
    """Of a text only: a list has no element `"'"` and may be full of them."""
    if len(text) != 1 or not proofs.is_surely_text(value.proof):
        return NO_FACTS
    return proofs.facts(value.proof, proofs.Part(frozenset(text) & proofs.SPECIAL))


def _truth(left: Value, right: Value) -> When | None:
    """`match is None`, `valid == True`: the answer of what is compared, or its opposite."""
    for one, other in ((left, right), (right, left)):
        if one.when is not None and other.is_const and (other.const is None or other.const is False):
            return one.when[1], one.when[0]
        if one.when is not None and other.is_const and other.const is True:
            return one.when
    return None


def _equal(left: Value, right: Value) -> frozenset[Fact]:
    """Equal to something of ours it is ours; equal to what it became when it was cleaned it is clean."""
    facts: frozenset[Fact] = NO_FACTS
    for one, other in ((left, right), (right, left)):
        if one.taints and not other.taints and (other.consts or other.sure or other.refs):
            facts |= about(one, ALL) | host_facts(one, other.consts) | speaks_of(one, ("path",), "common")
            facts |= frozenset(_resolved_from(one))
            if other.seen and not other.refs:
                facts |= proofs.facts(one.proof, proofs.OURS_PART)
        elif one.taints and other.taints:
            keys = {taint.cell.key for taint in one.taints}
            if any(name.endswith(_OWN_HOST) for name in names_of(other)):
                facts |= host_facts(one)
            common = frozenset.intersection(*(taint.clean for taint in other.taints))
            common = frozenset(mark for mark in common if mark[:3] != "is:")
            if common and all(keys & {cell.key for cell in t.cell.way()} for t in other.taints):
                facts |= about(one, common)
    return facts


def _resolved_from(value: Value) -> list[Fact]:
    """`commonpath([base, path]) == base` speaks of the path, and of what that was resolved from."""
    found: list[Fact] = []
    for taint in value.taints:
        if any(cell.key[1:] == ("common",) for cell in taint.cell.way()):
            found += [
                (cell.key[0], "path")
                for cell in taint.cell.way()
                if cell.key[1:] == ("resolved",) and isinstance(cell.key[0], tuple)
            ]
    return found


def _subset(left: Value, right: Value) -> frozenset[Fact]:
    """`set(text) <= set("abc")`."""
    inside = _members(right)
    if inside is None or not left.refs or not all(isinstance(one, str) and len(one) == 1 for one in inside):
        return NO_FACTS
    return about(parts(left), only(str(one) for one in inside) | {CHECKED})


def subset(left: Value, right: Value) -> Value:
    """`set(text).issubset(...)`."""
    return Value(sure=left.sure and right.sure, when=(_subset(left, right), NO_FACTS))


def _surely_ours(container: Value) -> bool:
    """A collection that was seen whole."""
    if not container.sure or not container.refs:
        return False
    return all(
        isinstance(ref, Obj)
        and ref.cls is None
        and ref.kind not in ("open", "encoded")
        and (ref.keys() if ref.kind == "dict" else ref.everything()).seen
        for ref in container.refs
    )


def _ours(container: Value, node: ast.expr) -> bool:
    """A collection that nothing untrusted went into; a text is no collection of ours: `"a" in text`."""
    if container.taints or container.consts:
        return False
    objects = [ref for ref in container.refs if isinstance(ref, Obj)]
    if objects:
        return all(not (ref.keys() if ref.kind == "dict" else ref.everything()).taints for ref in objects)
    if container.refs:
        return True
    # Nobody knows what it is; what is written in capitals is a constant of somebody.
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    return name.isupper()
