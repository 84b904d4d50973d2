"""Where it hurts: calls and stores that untrusted data must not reach, and calls wrong by themselves."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from burnish.analysers.taint.finding import cookies, purposes
from burnish.analysers.taint.finding.checks import CHECKS
from burnish.analysers.taint.finding.judging import hurts, judge, matches, names_of, surely_matches
from burnish.analysers.taint.finding.proving import is_proved
from burnish.analysers.taint.knowledge.tables import Misuse, Place, Sink, find
from burnish.analysers.taint.memory import marks
from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.inside import parts
from burnish.analysers.taint.memory.things import Obj
from burnish.analysers.taint.memory.values import UNKNOWN, External, Value, constant

__all__ = ["check_call", "check_store", "hurts", "judge", "matches"]
# What these give back was looked up or computed elsewhere: it is not what they were given.
OPAQUE = frozenset({"command", "sql", "path", "ldap", "xpath", "ssrf"})
EVERY = "every"
# Libraries whose names say what they are; the value of any other name is unknown.
_LIBRARIES = ("hashlib.", "cryptography.", "Crypto.", "Cryptodome.", "hmac.", "passlib.", "ssl.", "crypt.")


def check_call(
    at: Frame, names: tuple[str, ...], receiver: Value | None, given: Arguments, node: ast.AST
) -> None:
    known = at.engine.known
    for sink in find(known.sinks, names) or ():
        _check_sink(at, sink, names[0], receiver, given, node)
    for misuse in find(known.misuses, names) or ():
        _check_misuse(at, misuse, names[0], given, node)
    purposes.check_call(at, names[0], given, node)
    cookies.check_call(at, given, node)
    for key, value in cookies.headers(names[0], given):
        cookies.check_header(at, key, value, node)
        check_store(at, "*.headers", value, node, constant(key))


def is_opaque(at: Frame, names: tuple[str, ...], receiver: Value | None, node: ast.AST) -> bool:
    """Whether what a call gives is not made of what it was given."""
    known = at.engine.known
    if (receiver is None or not receiver.taints) and any(name in known.opaque for name in names):
        return True
    found = [sink for sink in find(known.sinks, names) or () if _on_receiver(sink, node)]
    return any(sink.flaw in OPAQUE and not sink.passes for sink in found)


def _check_sink(
    at: Frame, sink: Sink, name: str, receiver: Value | None, given: Arguments, node: ast.AST
) -> None:
    if not _on_receiver(sink, node) or not matches(given, sink.keywords):
        return
    if sink.unless and matches(given, sink.unless):
        _told_safe(at, sink.flaw, given, sink.unless, node)
        return
    values = [parts(value) for value in _arguments(sink.arguments, receiver, given)]
    if sink.check:
        CHECKS[sink.check](at, sink, name, receiver, given, node)
        return
    for whole in values:
        place = f"{sink.flaw}:{sink.context}" if sink.context else sink.flaw
        if (sink.shape and not sink.shape.search(whole.shape)) or (
            sink.fixed_start and sink.fixed_start.search(marks.lead(whole.shape))
        ):
            if not is_proved(place, whole, at.heap.proof(whole)):
                at.engine.report.open(at.file, getattr(node, "lineno", 0), sink.flaw)
            continue
        judge(at, place, whole, node, what=name, framework=sink.framework)


def _told_safe(at: Frame, flaw: str, given: Arguments, wanted: Mapping[str, Any], node: ast.AST) -> None:
    """Safe by constants it is given; where those may be others, that is not proved."""
    say = at.engine.report.clean if surely_matches(given, wanted) else at.engine.report.open
    say(at.file, getattr(node, "lineno", 0), flaw)


def _on_receiver(sink: Sink, node: ast.AST) -> bool:
    """By the words before the dot, where the name of the method alone says too little."""
    if sink.receiver is None:
        return True
    function = getattr(node, "func", None)
    if not isinstance(function, ast.Attribute):
        return False
    return bool(sink.receiver.search(last_word(function.value)))


def last_word(node: ast.expr) -> str:
    """What a thing is called where it stands: `self.app.logger` is `logger`, `get_log()` is `get_log`."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=inner) | ast.Await(value=inner):
            return last_word(inner)
        case ast.Subscript(value=inner, slice=index):
            return str(index.value) if isinstance(index, ast.Constant) else last_word(inner)
    return ""


def _arguments(places: tuple[Place, ...], receiver: Value | None, given: Arguments) -> Iterator[Value]:
    for place in places:
        if place == EVERY:
            yield from given.all()
        elif place == "self":
            if receiver is not None:
                yield receiver
        elif (value := given.get(place)) is not None:
            yield value


def _check_misuse(at: Frame, misuse: Misuse, name: str, given: Arguments, node: ast.AST) -> None:
    line = getattr(node, "lineno", 0)
    if not matches(given, misuse.keywords):
        at.engine.report.open(at.file, line, misuse.flaw)
        return
    if misuse.unless and matches(given, misuse.unless):
        _told_safe(at, misuse.flaw, given, misuse.unless, node)
        return
    if misuse.argument is not None:
        value = given.get(misuse.argument) or UNKNOWN
        if misuse.pattern is None:
            return
        said = [*(str(const) for const in value.consts or ()), *names_of(value)]
        if not any(misuse.pattern.search(one) for one in said):
            named = bool(value.refs) and all(name.startswith(_LIBRARIES) for name in names_of(value))
            if not value.taints and ((value.sure and value.consts) or named):
                at.engine.report.clean(at.file, line, misuse.flaw)
            else:
                at.engine.report.open(at.file, line, misuse.flaw)
            return
    if misuse.check and not purposes.CHECKS[misuse.check](at, given, node):
        # By the words around it, which prove nothing.
        at.engine.report.open(at.file, line, misuse.flaw)
        return
    at.engine.report.misused(at, misuse.flaw, node, misuse.what or name)


def check_store(at: Frame, name: str, value: Value, node: ast.AST, key: Value | None = None) -> None:
    """`session[key] = value` and the like; what data says of one key goes before what it says of all."""
    last = name.rpartition(".")[2]
    names = [name, f"*.{last}"]
    if key is not None and key.text is not None:
        keyed = f"['{key.text.lower()}']"
        names = [name + keyed, f"*.{last}{keyed}", f"*{keyed}", *names]
    sink = find(at.engine.known.stores, names)
    if sink is None:
        return
    whole = parts(value)
    if sink.fixed_start is None or not sink.fixed_start.search(marks.lead(whole.shape)):
        judge(at, sink.flaw, whole, node, what=name)
    if key is not None and key.taints:
        judge(at, sink.flaw, key, node, what=name)


def check_named_store(at: Frame, target: ast.Subscript, holder: Value, value: Value, key: Value) -> None:
    """`session["x"] = ...` of something nobody knows: by what it is called."""
    if any(isinstance(ref, Obj | External) for ref in holder.refs):
        return
    check_store(at, f"*.{last_word(target.value)}", value, target, key)
