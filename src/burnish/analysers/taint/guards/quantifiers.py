"""`all` and `any`: what each element's answer says, said of all of them; words of a command."""

from __future__ import annotations

import ast
import shlex
from collections.abc import Callable
from dataclasses import replace

from burnish.analysers.taint.memory.conditions import NO_FACTS, either, every, truth
from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.things import Obj, sequence, unordered
from burnish.analysers.taint.memory.values import HARMLESS, HOLE, TAINTED, UNKNOWN, Value, constant, of

Model = Callable[[Frame, Value | None, Arguments, ast.AST], Value]


def _all(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    return _asked(given, wanted=True)


def _any(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    return _asked(given, wanted=False)


def _asked(given: Arguments, *, wanted: bool) -> Value:
    value = given.get(0) or UNKNOWN
    ref = value.refs[0] if len(value.refs) == 1 else None
    if not isinstance(ref, Obj):
        return HARMLESS if value.sure else UNKNOWN
    items = ref.items()
    if items is not None and "rest" not in ref.table:
        known = [truth(item) for item in items]
        if all(one is wanted for one in known):
            return constant(wanted)
        if (not wanted) in known:
            return constant(not wanted)
        when = (every if wanted else either)(list(items))
        return Value(sure=all(item.sure for item in items), when=when)
    each = ref.everything()
    if each.when is None:
        return HARMLESS if each.sure else UNKNOWN
    # Nobody knows how many there are: only "all of them" and "none of them" say something of each.
    when = (each.when[0], NO_FACTS) if wanted else (NO_FACTS, each.when[1])
    return Value(sure=each.sure, when=when)


def _bool(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    """The same answer."""
    value = given.get(0) or constant(False)
    known = truth(value)
    return replace(constant(known) if known is not None else Value(sure=value.sure), when=value.when)


def _words(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    """`shlex.split`: a command as the list of its words."""
    value = given.get(0) or UNKNOWN
    if value.text is not None:
        try:
            return of(sequence("list", tuple(constant(word) for word in shlex.split(value.text))))
        except ValueError:
            return UNKNOWN
    taints = at.passed(value, node=node)
    head = value.shape.split(" ", 1)[0]
    made = unordered("list", Value(taints, shape=TAINTED if taints else HOLE, sure=value.sure))
    if head and len(head) < len(value.shape) and not {HOLE, TAINTED} & set(head):
        # The program's name is written out before the first space.
        made.table["items"] = (constant(head),)
    return of(made)


FUNCTIONS: dict[str, Model] = {
    "shlex.split": _words,
    "builtins.all": _all,
    "builtins.any": _any,
    "builtins.bool": _bool,
}
