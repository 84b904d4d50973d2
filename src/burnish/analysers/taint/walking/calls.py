"""Calls: of functions and classes of the tree, of methods, of what comes from outside."""

from __future__ import annotations

import ast

from burnish.analysers.taint.handlers.forms import dumped
from burnish.analysers.taint.handlers.typed import validated
from burnish.analysers.taint.library import containers, encoding, handing, models
from burnish.analysers.taint.library.foreign import call_foreign
from burnish.analysers.taint.library.members import attribute
from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.lending import lend
from burnish.analysers.taint.memory.things import Class, Function, ModuleRef, Obj, Super
from burnish.analysers.taint.memory.values import NEVER, TAINTED, UNKNOWN, External, Ref, Value, join, of
from burnish.analysers.taint.walking.invoking import instantiate, invoke


def call_value(at: Frame, callee: Value, given: Arguments, node: ast.AST) -> Value:
    """A call of whatever this can be; nothing behind it is reached where none of them returns."""
    total, returns = NEVER, not callee.refs
    for ref in callee.refs:
        result = _call_ref(at, ref, given, node)
        total = join(total, result)
        returns = returns or result is not NEVER
    if not callee.refs or callee.taints:
        taints = at.passed(callee, *given.all(), node=node, doubts=1)
        lend(at, given.all())
        total = join(total, Value(taints, shape=TAINTED if taints else "\x00"))
    at.live = at.live and returns
    return total


def _super(at: Frame, given: Arguments) -> Value:
    """`super()` or `super(C, self)`, in whatever method we are."""
    frame: Frame | None = at
    while frame and not (frame.function and frame.function.owner):
        frame = frame.outer
    if frame is None or frame.function is None or frame.function.owner is None:
        return UNKNOWN
    after, args = frame.function.owner, frame.function.node.args
    first = [*args.posonlyargs, *args.args][:1]
    itself = frame.names.get(first[0].arg, UNKNOWN) if first else UNKNOWN
    if len(given.positional) == 2:
        itself = given.positional[1]
        after = next((ref for ref in given.positional[0].refs if isinstance(ref, Class)), after)
    return of(Super(itself, after))


def _call_ref(at: Frame, ref: Ref, given: Arguments, node: ast.AST) -> Value:
    match ref:
        case External(name="builtins.super"):
            return _super(at, given)
        case Function():
            return invoke(at, ref, given, node)
        case Class():
            return instantiate(at, ref, given, node)
        case External():
            return call_foreign(at, ref.name, None, given, node)
        case Obj(cls=Class() as cls):
            caller = cls.find("__call__")
            return call_value(at, bound(caller, ref), given, node) if caller else UNKNOWN
        case Obj(kind="partial"):
            return handing.call_partial(at, ref, given, node)
        case Obj(kind="itemgetter" | "attrgetter"):
            return handing.call_getter(at, ref, given, node)
    return call_foreign(at, "", None, given, node)


def bound(found: Value, ref: Obj) -> Value:
    return of(*(one.bind(of(ref)) if isinstance(one, Function) and one.owner else one for one in found.refs))


def call_method(at: Frame, receiver: Value, name: str, given: Arguments, node: ast.AST) -> Value:
    """`receiver.name(...)`: by what the receiver can be; by the name alone where nobody knows."""
    opened = [ref for ref in receiver.refs if isinstance(ref, Obj) and ref.kind == "open"]
    if opened:
        others = tuple(ref for ref in receiver.refs if ref not in opened)
        base = Value(receiver.taints, None, others, receiver.shape, receiver.sure)
        found = call_method(at, base, name, given, node)
        for one in opened if name in containers.METHODS else ():
            found = join(found, containers.container(at, one, name, given, node))
        return found
    total, returns, plain = NEVER, False, not receiver.refs
    for ref in receiver.refs:
        result = _method_of(at, ref, receiver, name, given, node)
        if result is None:
            plain = True
        else:
            total = join(total, result)
            returns = returns or result is not NEVER
    if plain:
        total = join(total, models.method(at, receiver, name, given, node))
        returns = True
    at.live = at.live and returns
    return total


def _method_of(
    at: Frame, ref: Ref, receiver: Value, name: str, given: Arguments, node: ast.AST
) -> Value | None:
    match ref:
        case External():
            return call_foreign(at, f"{ref.name}.{name}", receiver, given, node)
        case Class() if (read := validated(at, ref, name, given, node)) is not None:
            return read
        case ModuleRef() | Class() | Super():
            return call_value(at, attribute(at, of(ref), name, node), given, node)
        case Obj(kind="encoded"):
            return None
        case Obj(kind="template" | "config"):
            return encoding.CALLS[ref.kind](at, ref, name, given, node)
        case Obj(kind="namespace"):
            return call_value(at, attribute(at, of(ref), name, node), given, node)
        case Obj(cls=None):
            return models.container(at, ref, name, given, node)
        case Obj() if name == "_replace" and ref.items() is not None:
            changed = ref.copy()
            changed.table |= {f".{key}": value for key, value in given.keywords.items()}
            return of(changed)
        case Obj():
            return _method_of_class(at, ref, receiver, name, given, node)
    return None


def _method_of_class(
    at: Frame, ref: Obj, receiver: Value, name: str, given: Arguments, node: ast.AST
) -> Value | None:
    if ref.cls is not None and ref.cls.find(name) is None:
        if (made := dumped(ref, name)) is not None:
            return made
        if receiver.taints:
            # A text of a class of the tree: what that does not say is done as with any text.
            return None
    found = attribute(at, of(ref), name, node)
    return call_value(at, found, given, node) if found.refs else None
