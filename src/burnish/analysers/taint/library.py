"""Functions of the standard library whose effect on a value is more than data can say."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import replace

from burnish.analysers.taint import folding
from burnish.analysers.taint.frame import Arguments, Frame
from burnish.analysers.taint.members import attribute, element
from burnish.analysers.taint.texts import told
from burnish.analysers.taint.things import Obj, parts, sequence, unordered
from burnish.analysers.taint.values import (
    HOLE,
    NEVER,
    TAINTED,
    UNKNOWN,
    External,
    Value,
    constant,
    join,
    join_all,
    of,
)

_FIELD = re.compile(r"\{\{|\}\}|\{([^{}!:]*)(![rsa])?(?::([^{}]*))?\}")


def format_text(at: Frame, receiver: Value, given: Arguments, node: ast.AST) -> Value:
    """`text.format(...)`: each field gets the shape of what goes there."""
    used: list[Value] = []
    counted = iter(range(1000))

    def fill(match: re.Match[str]) -> str:
        if match[0] in ("{{", "}}"):
            return match[0][0]
        name = match[1] or str(next(counted))
        first = re.split(r"[.\[]", name, maxsplit=1)[0]
        value = given.get(int(first)) if first.isdigit() else given.keywords.get(first)
        value = folding.formatted(at, value or given.stars or UNKNOWN, match[3], (match[2] or " ")[1:], node)
        used.append(value)
        return folding.hole(value)

    shape = _FIELD.sub(fill, receiver.shape)
    if not used:
        used = [parts(value) for value in given.all()]
    if receiver.is_const and all(value.is_const for value in used):
        return constant(shape)
    sure = receiver.seen and all(value.seen for value in used)
    made = Value(at.passed(receiver, *used, node=node), None, (), folding.capped(shape), sure)
    return told(at, made, node)


def stripped_newlines(receiver: Value, name: str, given: Arguments) -> Value:
    """`replace("\\n", "")` makes text safe for a log."""
    first = given.get(0)
    if name != "replace" or first is None or first.text not in ("\n", "\r", "\r\n"):
        return receiver
    taints = tuple(replace(taint, clean=taint.clean | {"log"}) for taint in receiver.taints)
    return replace(receiver, taints=taints)


def _path_join(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    total = constant("")
    for number, value in enumerate(given.positional):
        if number:
            total = folding.concatenated(at, total, constant("/"), node)
        total = folding.concatenated(at, total, value, node)
    return total


def _path(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    joined = _path_join(at, receiver, given, node)
    return Value(joined.taints, None, (External("pathlib.Path"),), joined.shape, joined.sure)


def _text(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    value = given.get(0) or constant("")
    if value.consts is not None and not value.refs:
        return join_all(constant(str(const)) for const in value.consts)
    whole = parts(value)
    return Value(at.passed(whole, node=node), None, (), whole.shape, whole.sure)


def _list(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    value = given.get(0)
    if value is None:
        return of(sequence("list", ()))
    ref = value.refs[0] if len(value.refs) == 1 else None
    if isinstance(ref, Obj) and ref.items() is not None and "rest" not in ref.table:
        return of(sequence("list", ref.items() or ()))
    return of(unordered("list", element(at, value, UNKNOWN, node)))


def _dict(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    made = Obj("dict")
    for value in given.positional:
        for ref in value.refs:
            if isinstance(ref, Obj):
                made.table |= {key: found for key, found in ref.table.items() if key != "items"}
        if value.taints:
            made.table["rest"] = join(made.rest(), element(at, value, UNKNOWN, node))
    made.table |= {("k", name): value for name, value in given.keywords.items()}
    return of(made)


def _get_attribute(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    holder, name = given.get(0) or UNKNOWN, given.get(1) or UNKNOWN
    if name.text is not None:
        return attribute(at, holder, name.text, node)
    return Value(at.passed(holder, name, node=node), shape=TAINTED if holder.taints else HOLE)


def _map(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    callee, items = given.get(0) or UNKNOWN, given.get(1) or UNKNOWN
    item = element(at, items, UNKNOWN, node)
    return of(unordered("list", at.engine.call(at, callee, Arguments([item]), node)))


def _any_of(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    """`next(...)`, `max(...)`: one of the elements, or of the arguments."""
    found = NEVER
    for value in given.positional:
        found = join(found, element(at, value, UNKNOWN, node) if value.refs else value)
    return UNKNOWN if found is NEVER else found


def _same(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    return given.get(0) or UNKNOWN


Model = Callable[[Frame, Value | None, Arguments, ast.AST], Value]
FUNCTIONS: dict[str, Model] = {
    "os.path.join": _path_join,
    "posixpath.join": _path_join,
    "pathlib.Path": _path,
    "pathlib.PurePath": _path,
    "builtins.str": _text,
    "builtins.list": _list,
    "builtins.tuple": _list,
    "builtins.set": _list,
    "builtins.frozenset": _list,
    "builtins.sorted": _list,
    "builtins.reversed": _list,
    "builtins.iter": _list,
    "builtins.dict": _dict,
    "collections.OrderedDict": _dict,
    "collections.defaultdict": lambda *_: of(Obj("dict")),
    "builtins.getattr": _get_attribute,
    "builtins.map": _map,
    "builtins.next": _any_of,
    "builtins.max": _any_of,
    "builtins.min": _any_of,
    "typing.cast": lambda at, receiver, given, node: given.get(1) or UNKNOWN,
    "copy.copy": _same,
    "copy.deepcopy": _same,
}
