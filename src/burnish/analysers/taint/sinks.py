"""Where it hurts: calls, stores and answers that untrusted data must not reach."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from burnish.analysers.taint.frame import Arguments, Frame
from burnish.analysers.taint.knowledge import Misuse, Sink, find
from burnish.analysers.taint.things import parts
from burnish.analysers.taint.values import HOLE, UNKNOWN, Taint, Value


def check_call(
    at: Frame, names: tuple[str, ...], receiver: Value | None, given: Arguments, node: ast.AST
) -> None:
    known = at.engine.known
    for sink in find(known.sinks, names) or ():
        _check_sink(at, sink, names[0], receiver, given, node)
    for misuse in find(known.misuses, names) or ():
        _check_misuse(at, misuse, names[0], given, node)


def _check_sink(
    at: Frame, sink: Sink, name: str, receiver: Value | None, given: Arguments, node: ast.AST
) -> None:
    if not matches(given, sink.keywords) or (sink.unless and matches(given, sink.unless)):
        return
    for place in sink.arguments:
        value = receiver if place == "self" else given.get(place)
        if value is None:
            continue
        whole = parts(value)
        if sink.shape and not sink.shape.search(whole.shape):
            continue
        if sink.fixed_start and sink.fixed_start.search(whole.prefix):
            continue
        judge(at, sink.flaw, whole, node, what=name, framework=sink.framework)


def judge(at: Frame, flaw: str, value: Value, node: ast.AST, *, what: str, framework: str = "") -> None:
    """A finding for the shortest way that nobody cleared; else that this place is clean, or not known."""
    line = getattr(node, "lineno", 0)
    bad = [taint for taint in value.taints if hurts(at, taint, flaw)]
    if bad:
        shortest = min(bad, key=lambda taint: (taint.doubts, taint.cell.length))
        at.engine.report.found(at, flaw, shortest, node, what)
    elif value.seen or value.consts is not None:
        at.engine.report.clean(at.file, line, flaw)
    else:
        at.engine.report.open(at.file, line, flaw)


def hurts(at: Frame, taint: Taint, flaw: str) -> bool:
    if (taint.origin.kind == "weak") != (flaw == "weak_random"):
        return False
    clean = at.heap.clean(taint)
    return flaw not in clean and "*" not in clean


def _check_misuse(at: Frame, misuse: Misuse, name: str, given: Arguments, node: ast.AST) -> None:
    line = getattr(node, "lineno", 0)
    if not matches(given, misuse.keywords) or (misuse.unless and matches(given, misuse.unless)):
        at.engine.report.clean(at.file, line, misuse.flaw)
        return
    if misuse.argument is None:
        at.engine.report.misused(at, misuse.flaw, node, misuse.what or name)
        return
    value = given.get(misuse.argument) or UNKNOWN
    if value.consts is None or misuse.pattern is None:
        return
    if any(misuse.pattern.search(str(const)) for const in value.consts):
        at.engine.report.misused(at, misuse.flaw, node, misuse.what or name)
    else:
        at.engine.report.clean(at.file, line, misuse.flaw)


def matches(given: Arguments, wanted: Mapping[str, Any]) -> bool:
    """Whether these arguments were given these constants; a list holds alternatives, None is "not given"."""
    for place, constants in wanted.items():
        value = given.get(int(place) if place.isdigit() else place)
        allowed = constants if isinstance(constants, list) else [constants]
        if value is None:
            if "absent" not in allowed:
                return False
        elif value.consts is None or not any(const in allowed for const in value.consts):
            return False
    return True


def check_store(at: Frame, name: str, value: Value, node: ast.AST, key: Value | None = None) -> None:
    """`session[key] = value` and the like."""
    flaw = at.engine.known.stores.get(name)
    if flaw is None:
        return
    judge(at, flaw, parts(value), node, what=name)
    if key is not None and key.taints:
        judge(at, flaw, key, node, what=name)


def looks_like_text(value: Value) -> bool:
    return bool(value.shape.strip(HOLE))
