"""Calls of frameworks that mean more than a result: handlers registered, answers made, options declared."""

from __future__ import annotations

import ast
from dataclasses import replace

from burnish.analysers.taint.handlers.answers import check_written
from burnish.analysers.taint.handlers.options import note_option, parsed
from burnish.analysers.taint.handlers.responses import Headers, Response, make_response, written
from burnish.analysers.taint.knowledge.tables import find
from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.inside import parts
from burnish.analysers.taint.memory.state import exact
from burnish.analysers.taint.memory.texts import number_of
from burnish.analysers.taint.memory.things import Function
from burnish.analysers.taint.memory.values import HOLE, NEVER, TAINTED, UNKNOWN, External, Value, join

_NUMBERS = frozenset({"builtins.int", "builtins.float", "builtins.bool", "uuid.UUID", "decimal.Decimal"})
_RENDERS = frozenset({"render", "render_template", "render_to_string", "render_async", "render_string"})
_LOOKS_UP = frozenset({"get", "pop", "setdefault"})


def special(
    at: Frame, names: tuple[str, ...], receiver: Value | None, given: Arguments, node: ast.AST
) -> Value | None:
    """What such a call gives; None where it is a call like any other."""
    name = names[0]
    at.engine.routes.called(at, names, given, node)
    note_option(at, name, given)
    check_written(at, name, given, node)
    method = name.rpartition(".")[2]
    for ref in receiver.refs if receiver else ():
        if isinstance(ref, Response | Headers):
            written(at, ref if isinstance(ref, Response) else ref.response, method, given, node)
    answer = find(at.engine.known.answers, names)
    if answer is not None:
        return make_response(at, answer, given, node)
    return (
        parsed(at, name, node)
        or _rendered(at, names, receiver, given, node)
        or _converted(at, method, receiver, given, node)
        or _looked_up(at, names, receiver, given, node)
    )


def _rendered(
    at: Frame, names: tuple[str, ...], receiver: Value | None, given: Arguments, node: ast.AST
) -> Value | None:
    """`template.render(...)` of a template in a file: escaped, as is usual; nobody reads it here."""
    known = at.engine.known
    if names[0].rpartition(".")[2] not in _RENDERS or receiver is None or receiver.taints:
        return None
    if any(name in known.sinks or name in known.harmless or name in known.gives for name in names):
        return None
    taints = at.passed(*(parts(value) for value in given.all()), node=node, doubts=1)
    clean = tuple(replace(taint, clean=taint.clean | {"xss"}) for taint in taints)
    return Value(clean, shape=TAINTED if clean else HOLE)


def _converted(
    at: Frame, method: str, receiver: Value | None, given: Arguments, node: ast.AST
) -> Value | None:
    """`request.args.get(name, default, int)`."""
    kind = given.get("type") or given.get(2)
    if method not in ("get", "getlist") or kind is None or receiver is None or not receiver.taints:
        return None
    names = [ref.name for ref in kind.refs if isinstance(ref, External)]
    if names and all(name in _NUMBERS for name in names):
        default = given.get(1) or given.get("default")
        return number_of(UNKNOWN) if default is None else join(number_of(UNKNOWN), default)
    if not any(isinstance(ref, Function) for ref in kind.refs):
        return None
    text = Value(at.passed(receiver, node=node), shape=TAINTED, sure=True)
    return at.engine.call(at, kind, Arguments([text]), node)


def _looked_up(
    at: Frame, spellings: tuple[str, ...], receiver: Value | None, given: Arguments, node: ast.AST
) -> Value | None:
    """`holder.get(key)`, where more is known of that key than of the holder."""
    key, name = given.get(0), spellings[0]
    method = name.rpartition(".")[2]
    if key is None or (method not in _LOOKS_UP and name != "os.getenv"):
        return None
    names = [ref.name for ref in receiver.refs if isinstance(ref, External)] if receiver else []
    if name in ("os.getenv", "os.environ.get"):
        names = ["os.environ"]
    total = NEVER
    for holder in names:
        found = exact(at, holder, key, node)
        if found is None:
            return None
        total = join(total, found)
    default = given.get(1) or given.get("default")
    return None if total is NEVER else join(total, default) if default is not None else total
