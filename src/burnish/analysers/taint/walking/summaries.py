"""Functions in short: what one gives for arguments nobody knows; a harmless call need not be followed.

A call matters where untrusted data goes in, where the function or anything it calls reads some, where it is
handed functions, or where it changes what it is given. All other calls give what the summary says.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from burnish.analysers.taint.memory.budget import ENDS, bug_report
from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.inside import carries
from burnish.analysers.taint.memory.things import Class, Function, Obj
from burnish.analysers.taint.memory.values import UNKNOWN, External, Value, of
from burnish.analysers.taint.walking.remembering import Again, CannotCompare

if TYPE_CHECKING:
    from collections.abc import Callable

SMALL = 6
STEPS = 4_000
_FILLS = frozenset({
    "append", "appendleft", "add", "update", "insert", "extend", "setdefault", "put", "write", "pop", "clear",
    "remove", "set", "popleft", "__setitem__", "put_nowait", "writelines", "discard", "popitem", "sort",
})  # fmt: skip


class Summary:
    """`quiet` where following it with harmless arguments can tell nothing about untrusted data."""

    __slots__ = ("quiet", "result")

    def __init__(self, result: Value, quiet: bool) -> None:
        self.result, self.quiet = result, quiet


class Written:
    """What can be read off a function without running it."""

    __slots__ = ("changes_others", "changes_self", "statements")

    def __init__(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        args = node.args
        named = [one.arg for one in (*args.posonlyargs, *args.args, *args.kwonlyargs)]
        named += [one.arg for one in (args.vararg, args.kwarg) if one is not None]
        changed: set[str] = set()
        self.statements = 0
        for inner in ast.walk(node):
            if isinstance(inner, ast.stmt):
                self.statements += 1
            if isinstance(inner, ast.Attribute | ast.Subscript) and not isinstance(inner.ctx, ast.Load):
                changed.add(_root(inner))
            elif isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute):
                if inner.func.attr in _FILLS:
                    changed.add(_root(inner.func))
            elif isinstance(inner, ast.Global | ast.Nonlocal | ast.Yield | ast.YieldFrom):
                changed |= set(named)
        self.changes_self = bool(named) and named[0] in changed
        self.changes_others = bool(changed & set(named[1:]))


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


class Summaries:
    def __init__(self) -> None:
        # What a method calls on `self` is the method of the class that `self` has.
        self._known: dict[tuple[ast.AST, Class | None], Summary] = {}
        self._written: dict[ast.AST, Written] = {}
        self._open: set[ast.AST] = set()

    def of_call(
        self, at: Frame, function: Function, given: Arguments, run: Callable[[Frame, Frame, ast.AST], Value]
    ) -> Value | None:
        """What the call gives, where there is nothing to see in it; None where it must be followed."""
        node = function.node
        if isinstance(node, ast.Lambda) or function.home is not None or at.function is None:
            return None
        values = given.all()
        if any(_matters(at, value) for value in values) or not self._leaves_alone(at, function):
            return None
        if function.bound is not None and (carries(function.bound) or len(_classes(function)) > 1):
            return None
        known = any(value.consts for value in (*values, *function.defaults.values()))
        if self._written[node].statements <= SMALL and known:
            return None
        found = self._summary(at, function, run)
        return _anew(at, found.result) if found.quiet else None

    def _leaves_alone(self, at: Frame, function: Function) -> bool:
        """Whether it changes none of its arguments; what it keeps on `self` its own turn has shown."""
        node = function.node
        assert not isinstance(node, ast.Lambda)
        if node not in self._written:
            self._written[node] = Written(node)
        written = self._written[node]
        if written.changes_others:
            return False
        if not written.changes_self:
            return True
        refs = function.bound.refs if function.bound else ()
        return bool(refs) and all(_stands_for_any(at, ref) for ref in refs)

    def _summary(
        self, at: Frame, function: Function, run: Callable[[Frame, Frame, ast.AST], Value]
    ) -> Summary:
        node = function.node
        if node in self._open:
            return Summary(UNKNOWN, quiet=True)
        key = node, next(iter(_classes(function)), function.owner)
        if key not in self._known:
            self._open.add(node)
            try:
                self._known[key] = self._made(at, function, run, key[1])
            finally:
                self._open.discard(node)
        return self._known[key]

    def _made(
        self,
        at: Frame,
        function: Function,
        run: Callable[[Frame, Frame, ast.AST], Value],
        owner: Class | None,
    ) -> Summary:
        engine = at.engine
        touched = engine.known.touched
        inner = Frame(engine, function.module, function, at.depth + 1)
        for one in _parameters(function.node.args):
            inner.names[one] = UNKNOWN
        first = [*function.node.args.posonlyargs, *function.node.args.args][:1]
        if first and owner is not None and "staticmethod" not in function.marks:
            cls = "classmethod" in function.marks
            itself = of(owner) if cls else of(engine.itself(owner), sure=False)
            inner.names[first[0].arg] = itself
        try:
            with engine.budget.apart(STEPS), engine.heap.apart():
                inner.mark = 0
                result = run(at, inner, function.node)
                engine.heap.keep()
        except ENDS as ended:
            if bug_report(ended):
                # The caller must not take this for an answer.
                raise
            return Summary(UNKNOWN, quiet=engine.known.touched == touched)
        quiet = engine.known.touched == touched and not result.taints and not inner.raised.taints
        return Summary(result, quiet)


def _classes(function: Function) -> set[Class]:
    """Of what the function is bound to."""
    refs = function.bound.refs if function.bound is not None else ()
    found = (ref.cls if isinstance(ref, Obj) else ref for ref in refs)
    return {one for one in found if isinstance(one, Class)}


def _parameters(args: ast.arguments) -> list[str]:
    rest = [one for one in (args.vararg, args.kwarg) if one is not None]
    return [one.arg for one in (*args.posonlyargs, *args.args, *args.kwonlyargs, *rest)]


def _matters(at: Frame, value: Value) -> bool:
    """Untrusted, or something that may be called, or an object of its own."""
    for ref in value.refs:
        if isinstance(ref, Obj):
            if ref.cls is not None and not _stands_for_any(at, ref):
                return True
        elif type(ref) is not External or at.engine.known.leads_to_source(ref.name):
            return True
    return bool(value.taints or (value.refs and carries(value)))


def _stands_for_any(at: Frame, ref: object) -> bool:
    return isinstance(ref, Obj) and ref.cls is not None and ref is at.engine.selves.get(ref.cls)


def _anew(at: Frame, result: Value) -> Value | None:
    """The same with objects of its own; None where it holds what cannot be made again."""
    objects = [ref for ref in result.refs if isinstance(ref, Obj)]
    try:
        made: Value = Again({ref: ref for ref in objects if id(ref.table) in at.heap.shared}).of(result)
    except CannotCompare:
        return None
    return made
