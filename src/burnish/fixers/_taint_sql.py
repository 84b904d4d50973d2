"""SQL that is put together from text, wherever on the way, to a statement with placeholders."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace

from burnish.fixers import _sql_helper as helper
from burnish.fixers._locals import (
    bindings,
    fresh_name,
    function_of,
    is_parameter,
    line_after,
    readings,
    statement_of,
    still_holds,
    value_given,
)
from burnish.fixers._names import bring
from burnish.fixers._pieces import Slot
from burnish.fixers._python import Edit, Module, NotRepaired, dotted
from burnish.fixers._scene import Changes, Scene
from burnish.fixers._sql_carrier import Carrier, sink_of
from burnish.fixers._sql_clauses import gathered
from burnish.fixers._sql_driver import drivers
from burnish.fixers._sql_lists import listed
from burnish.fixers._sql_text import Binding, Bound, Dialect, Mark
from burnish.fixers._sql_values import passed
from burnish.fixers._strings import Built, behind, read, rewritten
from burnish.fixers._texts import is_constant, is_quoted

DEEPEST = 4
_TELLING = ("print", "log", "logger", "logging", "debug", "info")


def parameterised(scene: Scene) -> Changes:
    """Values become parameters: `execute("... = '%s'" % x)` to `execute("... = ?", (x,))`."""
    calls = scene.calls(scene.file, scene.line)
    sink = sink_of(scene.file, scene.sink, calls, lambda: dialect_of(scene, scene.file))
    repair = Repair(scene)
    repair.carry(sink)
    if sink.plain:
        imports, text = bring(scene.sink, "sqlalchemy", "text")
        start, end = scene.sink.start(sink.query), scene.sink.end(sink.query)
        # Behind the values in this list it comes before them in the text.
        repair.edit(scene.file, [Edit(start, start, f"{text}("), Edit(end, end, ")"), *imports])
    return repair.changes


def dialect_of(scene: Scene, file: str) -> Dialect:
    """By the imports of the module, else by those of the modules that it imports."""
    found = drivers(scene.module(file))
    near = [] if found else scene.neighbours(file)
    found = found or {one for other in near for one in drivers(scene.module(other))}
    found = found or {
        one for other in near for far in scene.neighbours(other) for one in drivers(scene.module(far))
    }
    if len(found) != 1:
        raise NotRepaired("which database driver is used here cannot be told")
    return next(iter(found))


@dataclass
class Repair:
    """Follows the statement from where it is run to where it is put together."""

    scene: Scene
    changes: Changes = field(default_factory=dict)
    depth: int = 0

    def edit(self, file: str, edits: list[Edit]) -> None:
        self.changes.setdefault(file, []).extend(edits)

    def carry(self, carrier: Carrier) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise NotRepaired("it passes through too many functions")
        query, module = carrier.query, self.scene.module(carrier.file)
        if isinstance(query, ast.Name):
            scope = function_of(module, query)
            if isinstance(scope, ast.Module) or not is_parameter(scope, query.id):
                self._variable(carrier, module, query, scope)
            elif bindings(scope, query.id):
                raise NotRepaired("the statement is changed on its way")
            else:
                extended, caller = helper.caller_of(self.scene, carrier, scope)
                self.edit(carrier.file, extended)
                self.carry(caller)
            return
        if isinstance(query, ast.Call) and self._from_builder(carrier, module, query, query):
            return
        built = read(module, query)
        bound, named = self._bound(carrier, module, built)
        self.edit(carrier.file, [*rewritten(module, built, bound.parts), *carrier.give(module, bound, named)])

    def _variable(self, carrier: Carrier, module: Module, query: ast.Name, scope: ast.AST) -> None:
        given = bindings(scope, query.id)
        self._refuse_other_readers(module, scope, query)
        if len(given) > 1:
            self._assembled(carrier, module, given)
            return
        value = value_given(module, given[0]) if given else None
        if value is None or given[0].lineno > query.lineno:
            raise NotRepaired("what the statement is cannot be told")
        if isinstance(value, ast.Call) and self._from_builder(carrier, module, value, query):
            return
        built = read(module, value)
        bound, named = self._bound(carrier, module, built)
        edits = rewritten(module, built, bound.parts)
        if all(still_holds(module, slot.node, value.lineno, carrier.holder) for slot in bound.slots):
            edits += carrier.give(module, bound, named)
        else:
            name = fresh_name(scope, "params")
            written = passed(carrier.dialect, bound, named) if carrier.dialect.opening else _tuple(bound)
            edits.append(line_after(module, statement_of(module, value), f"{name} = {written}"))
            edits += carrier.give(module, bound, named, name)
        self.edit(carrier.file, edits)

    def _bound(self, carrier: Carrier, module: Module, built: Built) -> tuple[Bound, bool]:
        # An empty list is no value, but the text is written for values: `%%` is a percent sign in it.
        had = carrier.given is not None and not isinstance(carrier.given, ast.Constant)
        gone: list[Edit] = []
        binding = _binding(carrier.dialect, module, built.node, gone, had_values=had)
        binding.none_yet = not getattr(carrier.given, "elts", True)
        bound = binding.bind(built.pieces)
        if not bound.fresh:
            raise NotRepaired("there is nothing to bind")
        self.edit(carrier.file, gone)
        return bound, binding.named

    def _refuse_other_readers(self, module: Module, scope: ast.AST, query: ast.Name) -> None:
        """Who else uses the text would miss the values; only who shows it may."""
        for one in readings(scope, query.id):
            parent = module.parents[one]
            if one is query or (isinstance(parent, ast.BinOp) and one is parent.left):
                continue
            called = dotted(parent.func).split(".") if isinstance(parent, ast.Call) else []
            if not any(word in _TELLING for word in called):
                raise NotRepaired("the statement is used elsewhere too")

    def _from_builder(self, carrier: Carrier, module: Module, call: ast.Call, place: ast.expr) -> bool:
        """A function that returns the statement returns its values too."""
        try:
            file, function = self.scene.definition(carrier.file, call.func)
        except NotRepaired:
            return False
        inner = helper.returned(self.scene, carrier, (file, function))
        for one in inner:
            self.carry(one)
        self.edit(file, helper.annotated(self.scene.module(file), function, inner[0].dialect))
        self.edit(carrier.file, helper.unpacked(module, carrier, call, place))
        return True

    def _assembled(self, carrier: Carrier, module: Module, given: list[ast.Name]) -> None:
        """A statement that grows: the values grow with it, in a list beside it."""
        if carrier.dialect.mark is Mark.DOLLAR or carrier.given is not None:
            raise NotRepaired("where the new values belong cannot be told")
        scope = function_of(module, given[0])
        name = fresh_name(scope, "params")
        edits: list[Edit] = []
        binding = _binding(carrier.dialect, module, given[0], edits)
        for at, one in enumerate(given):
            statement, value = _grown(module, one, first=at == 0)
            if at and not any(
                node is module.parents[statement_of(module, given[0])] for node in module.above(one)
            ):
                raise NotRepaired("the statement does not begin before it grows")
            built = _fragment(module, value, one.id) if at else read(module, value)
            binding.fragment = at > 0
            bound = binding.bind(built.pieces)
            edits += rewritten(module, built, bound.parts)
            told = _kept(name, bound, binding.named, first=at == 0)
            edits += [line_after(module, statement, told)] if told else []
        edits += carrier.give(module, Bound([], []), binding.named, name)
        self.edit(carrier.file, edits)


def _binding(
    dialect: Dialect, module: Module, near: ast.AST, gone: list[Edit], *, had_values: bool = False
) -> Binding:
    """`gone` gets what takes away variables that nobody needs afterwards."""

    def lists(slot: Slot) -> str:
        found = listed(module, slot.node, near)
        gone.extend(found[1] if found else ())
        return found[0] if found else ""

    def bind(condition: ast.expr) -> tuple[list[Edit], list[str]]:
        built = read(module, condition)
        binding = replace(_binding(dialect, module, condition, gone, had_values=had_values), fragment=True)
        bound = binding.bind(built.pieces)
        return rewritten(module, built, bound.parts), bound.fresh

    def gathers(slot: Slot) -> str | None:
        found = gathered(module, slot.node, near, bind)
        gone.extend(found[1] if found else ())
        return found[0] if found else None

    return Binding(
        dialect,
        keeps=lambda slot: not slot.conversion + slot.spec and is_constant(module, slot.node, near),
        refuses=lambda slot: is_quoted(module, slot.node, near),
        lists=lists,
        gathers=gathers,
        had_values=had_values,
    )


def _fragment(module: Module, value: ast.expr, name: str) -> Built:
    """What is added to a statement: all of it, or what stands behind the statement itself."""
    begins = value
    while isinstance(begins, ast.BinOp) and isinstance(begins.op, ast.Add):
        begins = begins.left
    if isinstance(begins, ast.Name) and begins.id == name:
        return behind(module, value)
    return read(module, value)


def _grown(module: Module, binding: ast.Name, *, first: bool) -> tuple[ast.stmt, ast.expr]:
    """The statement that gives or adds a text, and that text."""
    statement = module.parents[binding]
    looped = any(isinstance(node, ast.For | ast.AsyncFor | ast.While) for node in module.above(binding))
    value = value_given(module, binding)
    if first and value is not None and not looped and isinstance(statement, ast.stmt):
        return statement, value
    if not first and isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Add):
        return statement, statement.value
    begins = value
    while isinstance(begins, ast.BinOp) and isinstance(begins.op, ast.Add):
        begins = begins.left
    again = isinstance(begins, ast.Name) and begins.id == binding.id and begins is not value
    if not first and again and value is not None and isinstance(statement, ast.stmt):
        return statement, value
    raise NotRepaired("the statement is given several values")


def _kept(name: str, bound: Bound, named: bool, *, first: bool) -> str:
    told = ", ".join(bound.fresh)
    if named:
        return f"{name} = {{{told}}}" if first else f"{name}.update({{{told}}})" if told else ""
    if first:
        return f"{name} = [{told}]"
    if not told:
        return ""
    alone = len(bound.fresh) == 1 and not told.startswith("*")
    return f"{name}.append({told})" if alone else f"{name} += [{told}]"


def _tuple(bound: Bound) -> str:
    return f"({', '.join(bound.fresh)},)"
