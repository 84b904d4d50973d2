"""One function as if called from outside: what runs before it, itself, what was registered inside of it."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

from burnish.analysers.taint.finding.judging import hurts
from burnish.analysers.taint.handlers.answers import check_answer, judge_response
from burnish.analysers.taint.handlers.entries import entry_of
from burnish.analysers.taint.handlers.parameters import Entry, every_parameter, is_method
from burnish.analysers.taint.handlers.registering import Route
from burnish.analysers.taint.library.members import attribute
from burnish.analysers.taint.memory.budget import ENDS
from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.things import Class, Function, Obj
from burnish.analysers.taint.memory.values import UNKNOWN, External, Value, of
from burnish.analysers.taint.walking.invoking import run

if TYPE_CHECKING:
    from burnish.analysers.taint.engine import Pass
    from burnish.analysers.taint.memory.modules import Module

# Methods that a framework calls before the one for a request, on the same object.
_SETUP = ("__init__", "setup", "initialize", "prepare", "initial", "dispatch", "set_default_headers")
MAX_HOOKS = 8
MAX_NESTED = 300


def follow(engine: Pass, module: Module, function: Function) -> None:
    engine.routes.forget(function)
    try:
        entry = entry_of(engine, module, function)
        if entry.framework:
            _before(engine, module, entry)
        engine.entry = entry
        _itself(engine, module, entry)
        if entry.answer is not None and module.frame is not None:
            judge_response(module.frame, entry.answer)
    finally:
        engine.entry = None
    _inside(engine, module, function)


def _inside(engine: Pass, module: Module, function: Function) -> None:
    """Handlers that were made while it ran: each by itself, and what one keeps is not there for the next."""
    inside = engine.routes.inside(function)
    if len(inside) > MAX_NESTED:
        why = f"{function.name}(): only {MAX_NESTED} of {len(inside)} handlers inside of it were followed"
        engine.report.left_out(module.file, getattr(inside[MAX_NESTED].node, "lineno", 1), why)
    for one in inside[:MAX_NESTED]:
        before = dict(engine.state)
        try:
            engine.budget.function()
            follow(engine, module, one)
        except ENDS as ended:
            line = getattr(one.node, "lineno", 1)
            engine.report.ended(module.file, line, f"{one.name}()", ended)
        engine.heap.version += engine.state != before
        engine.state.clear()
        engine.state.update(before)


def _itself(engine: Pass, module: Module, entry: Entry) -> None:
    function = entry.function
    if entry.value is None:
        inner = Frame(engine, module, function)
        inner.names |= entry.names
        run(inner, inner, function.node)
        return
    args = function.node.args
    plain = [one.arg for one in (*args.posonlyargs, *args.args)]
    # What nobody outside gives is given by a decorator; what they do give goes by name behind that.
    first = next((number for number, name in enumerate(plain) if entry.names[name] is UNKNOWN), len(plain))
    rest = [*plain[first:], *(one.arg for one in args.kwonlyargs)]
    keywords = {name: entry.names[name] for name in rest if entry.names[name] is not UNKNOWN}
    given = Arguments([entry.names[name] for name in plain[:first]], keywords)
    engine.call(Frame(engine, module), entry.value, given, function.node)


def given_back(engine: Pass, at: Frame, value: Value, node: ast.AST) -> None:
    """What decorators let through is told where the function itself says it."""
    entry, function = engine.entry, at.function
    if entry is None or function is None:
        return
    if entry.value is not None and function.node is entry.function.node:
        entry.given_back.append((at.module, at.heap.settle(value), node))
    if at.depth > 1 or function.node is not _answering(entry):
        return
    inside = [one for one in entry.given_back if one[1].taints]
    if not inside or not value.taints:
        check_answer(at, entry, value, node)
    elif any(hurts(at, taint, "xss") for taint in value.taints):
        for module, own, place in inside:
            check_answer(Frame(engine, module), entry, own, place)


def _answering(entry: Entry) -> ast.AST:
    """The function whose results are answers: the outermost one."""
    for ref in entry.value.refs if entry.value else ():
        if isinstance(ref, Function):
            return ref.node
        called = ref.cls.find("__call__") if isinstance(ref, Obj) and ref.cls else None
        for one in called.refs if called else ():
            if isinstance(one, Function):
                return one.node
    return entry.function.node


def _before(engine: Pass, module: Module, entry: Entry) -> None:
    at = Frame(engine, module)
    near = [hook for hook in engine.routes.hooks if _near(hook, module)]
    for hook in near[:MAX_HOOKS]:
        if hook.function.node is not entry.function.node:
            given = _given(hook.function, of(External(hook.framework.request)))
            engine.call(at, hook.value, given, hook.function.node)
    if not is_method(entry.function):
        return
    itself = entry.names[entry.function.node.args.args[0].arg]
    owner = entry.function.owner
    for name in _SETUP:
        if name == "initialize" and owner and id(engine.itself(owner).table) in engine.routes.initialized:
            continue
        found = owner.find(name) if owner and name != entry.function.name else None
        functions = [ref for ref in found.refs if isinstance(ref, Function)] if found else []
        if functions:
            request = entry.request or of(External(""))
            bound = attribute(at, itself, name, entry.function.node)
            engine.call(at, bound, _given(functions[0], request), entry.function.node)


def _given(function: Function, request: Value) -> Arguments:
    """The request, where one is taken; nobody knows the rest."""
    given = Arguments()
    for one in every_parameter(function)[1 if is_method(function) else 0 :]:
        if one.arg in ("request", "req", "_request", "environ"):
            given.keywords[one.arg] = request
    return given


def _near(hook: Route, module: Module) -> bool:
    """Of the same application: the same module, or a folder around it."""
    home = Path(hook.function.module.file)
    if home.as_posix() == module.file:
        return True
    return home.parent != Path() and home.parent in (Path(module.file).parent, *Path(module.file).parents)


def is_of(value: Value, wanted: Value) -> bool:
    """Whether it can be an instance of one of these classes."""
    classes = {ref for ref in wanted.refs if isinstance(ref, Class)}
    found = (ref.cls for ref in value.refs if isinstance(ref, Obj) and ref.cls)
    return any(classes & set(cls.line_of_bases()) for cls in found)
