"""Functions of the standard library whose effect on a value is more than data can say."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import replace

from burnish.analysers.taint.finding.texts import told
from burnish.analysers.taint.library import decoding, encoding, handing, objects, reflection
from burnish.analysers.taint.library.members import attribute, element
from burnish.analysers.taint.memory import texts
from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.inside import parts
from burnish.analysers.taint.memory.marks import joined
from burnish.analysers.taint.memory.proofs import as_text
from burnish.analysers.taint.memory.putting_in import put_in
from burnish.analysers.taint.memory.texts import Row, interleaved
from burnish.analysers.taint.memory.things import Obj
from burnish.analysers.taint.memory.values import (
    TAINTED,
    UNKNOWN,
    External,
    Value,
    capped,
    constant,
    join_all,
)

_FIELD = re.compile(r"\{\{|\}\}|\{([^{}!:]*)(![rsa])?(?::([^{}]*))?\}")


def format_text(at: Frame, receiver: Value, given: Arguments, node: ast.AST) -> Value:
    """`text.format(...)`: each field gets the shape of what goes there."""
    used: list[Value] = []
    counted = iter(range(1000))

    def fill(match: re.Match[str]) -> str:
        if match[0] in ("{{", "}}"):
            row.append((match, constant(match[0][0])))
            return match[0][0]
        name = match[1] or str(next(counted))
        value = _field(at, name, given, node)
        value = texts.formatted(at, value or given.stars or UNKNOWN, match[3], (match[2] or " ")[1:], node)
        used.append(value)
        row.append((match, value))
        return texts.hole(value)

    row: Row = []
    shape = _FIELD.sub(fill, receiver.shape if receiver.text is None else receiver.text)
    if not used or receiver.text is None:
        used += [parts(value) for value in given.all()]
    if receiver.is_const and all(value.is_const for value in used):
        return constant(shape)
    sure = receiver.seen and all(value.seen for value in used)
    proof = interleaved(at, receiver.text, row) if receiver.text is not None else None
    made = Value(at.passed(receiver, *used, node=node), None, (), capped(shape), sure, proof=proof)
    return told(at, made, node)


def _field(at: Frame, name: str, given: Arguments, node: ast.AST) -> Value | None:
    """`0.name[key]`: an argument, and a part of it."""
    first, *rest = re.split(r"(?=[.\[])", name)
    value = given.get(int(first)) if first.isdigit() else given.keywords.get(first)
    for part in rest:
        if value is None:
            break
        key = part[1:].rstrip("]")
        if part.startswith("."):
            value = attribute(at, value, key, node)
        else:
            value = element(at, value, constant(int(key) if key.isdigit() else key), node)
    return value


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
            total = texts.concatenated(at, total, constant("/"), node)
        total = texts.concatenated(at, total, joined(value) if number else value, node)
    if given.star is not None:
        # Any number of parts: `join(folder, *text.split("/"))` is the text again.
        total = texts.concatenated(at, total, constant("/"), node)
        total = texts.concatenated(at, total, joined(put_in(at, given.star, node, "/")), node)
        return replace(total, proof=None)
    return total


def _path(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    alone = len(given.positional) == 1 and given.star is None
    whole = given.positional[0] if alone else _path_join(at, receiver, given, node)
    return Value(whole.taints, None, (External("pathlib.Path"),), whole.shape, whole.sure)


def _joined_path(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    first = [receiver] if receiver is not None else []
    whole = Arguments([*first, *given.positional])
    whole.star = given.star
    return _path(at, None, whole, node)


def _same_path(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    """`with_suffix`, `expanduser`: another path in the same place."""
    more = [value for value in given.positional if value.taints]
    whole = receiver or UNKNOWN
    taints = at.passed(whole, *more, node=node)
    return Value(taints, None, (External("pathlib.Path"),), whole.shape if not more else TAINTED, whole.sure)


def _text(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    value = given.get(0) or constant("")
    if value.consts is not None and not value.refs:
        return join_all(constant(str(const)) for const in value.consts)
    whole = texts.text_of(at, value, node)
    proof = at.heap.proof(value) if texts.is_text(value) and len(given.all()) == 1 else None
    return Value(at.step(whole, node).taints, None, (), whole.shape, whole.sure, proof=as_text(proof))


def _shown(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    """`repr(value)`: with quotes of its own."""
    return replace(_text(at, receiver, given, node), proof=None)


def _copied(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    value = given.get(0) or UNKNOWN
    refs = tuple(ref.copy() if isinstance(ref, Obj) else ref for ref in value.refs)
    return Value(value.taints, value.consts, refs, value.shape, value.sure)


Model = Callable[[Frame, Value | None, Arguments, ast.AST], Value]
FUNCTIONS: dict[str, Model] = {
    "os.path.join": _path_join,
    "posixpath.join": _path_join,
    "pathlib.Path": _path,
    "pathlib.PurePath": _path,
    "pathlib.PurePosixPath": _path,
    "pathlib.PosixPath": _path,
    "pathlib.Path.joinpath": _joined_path,
    "pathlib.Path.with_name": _same_path,
    "pathlib.Path.with_suffix": _same_path,
    "pathlib.Path.with_stem": _same_path,
    "pathlib.Path.expanduser": _same_path,
    "os.fspath": _text,
    "builtins.str": _text,
    "builtins.repr": _shown,
    "builtins.ascii": _shown,
    "builtins.format": _shown,
    "typing.cast": lambda at, receiver, given, node: given.get(1) or UNKNOWN,
    "copy.copy": _copied,
    "copy.deepcopy": _copied,
    **objects.FUNCTIONS,
    **handing.FUNCTIONS,
    **reflection.FUNCTIONS,
    **encoding.FUNCTIONS,
    **decoding.FUNCTIONS,
}
