"""`match`: cases that a known subject cannot reach are left out, the others are branches."""

from __future__ import annotations

import ast

from burnish.analysers.taint.guards.comparisons import ALL
from burnish.analysers.taint.library.members import attribute, element
from burnish.analysers.taint.memory.conditions import about, facts, truth
from burnish.analysers.taint.memory.frame import Frame
from burnish.analysers.taint.memory.heap import Changes
from burnish.analysers.taint.memory.values import UNKNOWN, Value, constant


def run_match(at: Frame, node: ast.Match) -> None:
    subject = at.value(node.subject)
    start = at.heap.mark()
    branches: list[Changes] = []
    for case in node.cases:
        fits = _fits(at, case.pattern, subject)
        if fits is False:
            continue
        here = at.heap.mark()
        _capture(at, case.pattern, subject)
        if isinstance(case.pattern, ast.MatchValue | ast.MatchOr | ast.MatchSingleton):
            at.heap.assume(about(subject, ALL))
        guard = at.value(case.guard) if case.guard else None
        if guard is not None and truth(guard) is False:
            at.heap.undo(here)
            continue
        if guard is not None:
            at.heap.assume(facts(guard, true=True))
        at.run(case.body)
        if at.live:
            branches.append(at.heap.since(start))
        at.heap.undo(here)
        at.live = True
        if fits is True and (guard is None or truth(guard) is True):
            at.live = False
            break
    if at.live:
        branches.append(at.heap.since(start))
    at.heap.undo(start)
    at.live = bool(branches)
    if branches:
        at.heap.join(branches)


def _fits(at: Frame, pattern: ast.pattern, subject: Value) -> bool | None:
    match pattern:
        case ast.MatchAs(pattern=None):
            return True
        case ast.MatchAs(pattern=ast.pattern() as inner):
            return _fits(at, inner, subject)
        case ast.MatchValue(value=node):
            wanted = at.value(node)
            if wanted.is_const and subject.consts:
                found = {wanted.const == const for const in subject.consts}
                return found.pop() if len(found) == 1 else None
        case ast.MatchSingleton(value=value):
            if subject.consts:
                found = {value is const for const in subject.consts}
                return found.pop() if len(found) == 1 else None
        case ast.MatchOr(patterns=patterns):
            answers = [_fits(at, one, subject) for one in patterns]
            return True if True in answers else None if None in answers else False
    return None


def _capture(at: Frame, pattern: ast.pattern, subject: Value) -> None:
    """Names in a pattern get the part of the subject they stand for."""
    match pattern:
        case ast.MatchAs(pattern=inner, name=name):
            if name:
                at.bind(name, subject)
            if inner:
                _capture(at, inner, subject)
        case ast.MatchStar(name=name):
            if name:
                at.bind(name, subject)
        case ast.MatchSequence(patterns=patterns):
            for number, one in enumerate(patterns):
                whole = (
                    subject
                    if isinstance(one, ast.MatchStar)
                    else element(at, subject, constant(number), pattern)
                )
                _capture(at, one, whole)
        case ast.MatchMapping(keys=keys, patterns=patterns, rest=rest):
            for key, one in zip(keys, patterns, strict=True):
                _capture(at, one, element(at, subject, at.value(key), pattern))
            if rest:
                at.bind(rest, subject)
        case ast.MatchClass(patterns=patterns, kwd_attrs=names, kwd_patterns=keyed):
            for one in patterns:
                _capture(at, one, subject if subject.taints else UNKNOWN)
            for name, one in zip(names, keyed, strict=True):
                _capture(at, one, attribute(at, subject, name, pattern))
        case ast.MatchOr(patterns=patterns):
            for one in patterns:
                _capture(at, one, subject)
