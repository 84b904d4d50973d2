"""Where the pass stands: one activation of a function or module, with its names and ways out."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, TypeAlias

from burnish.analysers.taint.memory.conditions import answers
from burnish.analysers.taint.memory.facts import settled
from burnish.analysers.taint.memory.heap import Changes, Heap, Table
from burnish.analysers.taint.memory.proofs import bound
from burnish.analysers.taint.memory.values import (
    MAX_STEPS,
    NEVER,
    NONE,
    Cell,
    Key,
    Taint,
    Value,
    join_all,
    merge_taints,
)

if TYPE_CHECKING:
    from burnish.analysers.taint.finding.report import Report
    from burnish.analysers.taint.handlers.registering import Routes
    from burnish.analysers.taint.knowledge.tables import Knowledge
    from burnish.analysers.taint.memory.budget import Budget
    from burnish.analysers.taint.memory.modules import Module, Modules
    from burnish.analysers.taint.memory.things import Class, Function, Obj
    from burnish.analysers.taint.walking.remembering import Remembered
    from burnish.analysers.taint.walking.summaries import Summaries


_SUBJECTS = itertools.count(1)
# The steps made so far, so that a second round makes the same ones.
Cells: TypeAlias = "dict[tuple[object, ...], Cell]"


class Engine(Protocol):
    """What the parts of the pass ask of each other."""

    heap: Heap
    modules: Modules
    known: Knowledge
    report: Report
    budget: Budget
    cells: Cells
    routes: Routes
    # What is kept on objects from outside while a request is answered.
    state: Table
    remembered: Remembered
    summaries: Summaries
    # The one instance of a class that stands for any.
    selves: dict[Class, Obj]

    def evaluate(self, at: Frame, node: ast.expr) -> Value: ...
    def execute(self, at: Frame, body: Sequence[ast.stmt]) -> None: ...
    def call(self, at: Frame, callee: Value, given: Arguments, node: ast.AST) -> Value: ...
    def attribute(self, at: Frame, value: Value, name: str, node: ast.AST) -> Value: ...
    def known_function(self, function: Function) -> None: ...
    def known_class(self, cls: Class) -> None: ...
    def overriding(self, cls: Class, name: str) -> Value: ...
    def itself(self, cls: Class) -> Obj: ...
    def returned(self, at: Frame, value: Value, node: ast.AST) -> None: ...
    def raised(self, at: Frame, value: Value, node: ast.AST) -> None: ...


class Arguments:
    """What a call is given. `star` and `stars` are what stands behind `*` and `**`.

    `written` where the call stands in the program: then a value that has a name was given by that name.
    """

    __slots__ = ("keywords", "positional", "star", "stars", "written")

    def __init__(self, positional: Sequence[Value] = (), keywords: dict[str, Value] | None = None) -> None:
        self.positional = list(positional)
        self.keywords = keywords or {}
        self.star: Value | None = None
        self.stars: Value | None = None
        self.written = False

    def get(self, place: int | str) -> Value | None:
        if isinstance(place, str):
            return self.keywords.get(place)
        return self.positional[place] if place < len(self.positional) else self.star

    def all(self) -> list[Value]:
        more = [value for value in (self.star, self.stars) if value]
        return [*self.positional, *self.keywords.values(), *more]


class Loop:
    """The ways out of a loop that were met so far."""

    __slots__ = ("breaks", "continues", "mark", "times")

    def __init__(self, mark: int, times: int = 1) -> None:
        self.mark, self.times = mark, times
        self.breaks: list[Changes] = []
        self.continues: list[Changes] = []


class Frame:
    """`live` is False behind a return, a raise, a break. `exits` are returned values with the state then."""

    __slots__ = (
        "callers", "captured", "caught", "depth", "engine", "exits", "function", "globals", "live", "loops",
        "mark", "module", "names", "nonlocals", "outer", "raised", "tries", "yields",
    )  # fmt: skip

    def __init__(
        self, engine: Engine, module: Module, function: Function | None = None, depth: int = 0
    ) -> None:
        self.engine, self.module, self.function, self.depth = engine, module, function, depth
        self.outer: Frame | None = function.home if function else None
        self.names: Table = {}
        self.callers: tuple[ast.AST, ...] = ()
        self.live, self.captured = True, False
        self.exits: list[tuple[Value, Changes]] = []
        self.loops: list[Loop] = []
        # Each `try` around us: where it began, and the states that `raise` left it in.
        self.tries: list[tuple[int, list[Changes]]] = []
        self.yields: Value | None = None
        # What was raised here and not caught yet, and what the handler we are in has caught.
        self.raised = self.caught = NEVER
        self.globals: set[str] = set()
        self.nonlocals: set[str] = set()
        self.mark = engine.heap.mark()

    @property
    def heap(self) -> Heap:
        return self.engine.heap

    @property
    def file(self) -> str:
        return self.module.file

    def value(self, node: ast.expr) -> Value:
        return self.engine.evaluate(self, node)

    def run(self, body: Sequence[ast.stmt]) -> None:
        self.engine.execute(self, body)

    def lookup(self, name: str) -> Value | None:
        """As Python does: here, in the functions around, in the module."""
        frame: Frame | None = self
        while frame:
            if name in frame.names and name not in frame.globals:
                found: Value = frame.names[name]
                return found
            frame = frame.outer
        return self.module.get(name)

    def bind(self, name: str, value: Value) -> None:
        if name in self.globals:
            self.heap.put(self.module.names, name, named(value))
            self.heap.version += 1
            return
        frame: Frame | None = self
        if name in self.nonlocals:
            frame = self.outer
            while frame and name not in frame.names:
                frame = frame.outer
        self.heap.put((frame or self).names, name, named(value))

    def moved(self, value: Value, node: ast.AST, note: str = "") -> Value:
        """The same text under another name, and all that is proved of it."""
        return replace(self.step(value, node, note), proof=value.proof) if value.taints else value

    def step(self, value: Value, node: ast.AST, note: str = "", key: Key | None = None) -> Value:
        """The value one step on; on the line of the last one only where `key` tells them apart."""
        if not value.taints:
            return value
        place = Place(self.engine.cells, self.file, node)
        return _with(value, tuple(place.same(taint, note, key) for taint in value.taints))

    def other(self, taint: Taint, node: ast.AST, key: Key) -> Taint:
        """The same data one step on, known to guards by another key."""
        return Place(self.engine.cells, self.file, node).under(taint, key)

    def passed(self, *values: Value, node: ast.AST, doubts: int = 0, note: str = "") -> tuple[Taint, ...]:
        """The taints of what came out of something that took these in."""
        found: tuple[Taint, ...] = ()
        for value in values:
            found = merge_taints(found, value.taints)
        if doubts:
            found = tuple(Taint(t.origin, t.cell, t.clean, t.doubts + doubts) for t in found)
        if not found:
            return found
        place = Place(self.engine.cells, self.file, node)
        return tuple(place.derived(taint, note) for taint in found)

    def result(self) -> Value:
        """What the function gave back, whichever way it ended; the heap is as after any of them."""
        if self.live:
            self.exits.append((NONE, self.heap.since(self.mark)))
        self.heap.undo(self.mark)
        if not self.exits:
            self.live = False
            return NEVER
        self.heap.join([self._left(changes) for _, changes in self.exits])
        return returned(self.exits, self.heap)

    def _left(self, changes: Changes) -> Changes:
        """Names are gone with the frame, unless a function made in it has kept them."""
        if self.captured or self.function is None:
            return changes
        own = id(self.names)
        return {place: found for place, found in changes.items() if place[0] != own}


def named(value: Value) -> Value:
    """The value of a name, which guards can speak of from here on, until the name is bound again."""
    if not value.taints:
        return value
    return replace(value, proof=bound(value.proof, next(_SUBJECTS)))


def returned(exits: list[tuple[Value, Changes]], heap: Heap) -> Value:
    """The value, with what holds when it is true: what each exit knew that could have given that."""
    values = []
    for value, changes in exits:
        values.append(settled(value, heap.facts_in(changes)) if len(exits) > 1 else value)
    total = join_all(values)
    when = answers([(value, changes) for value, (_, changes) in zip(values, exits, strict=True)], heap)
    return replace(total, when=when) if when else total


def _with(value: Value, taints: tuple[Taint, ...]) -> Value:
    return Value(taints, value.consts, value.refs, value.shape, value.sure, value.when)


class Place:
    """Where a value goes on to. The same step is one cell, however often the program gets there."""

    __slots__ = ("cells", "column", "end", "file", "line")

    def __init__(self, cells: Cells, file: str, node: ast.AST) -> None:
        self.cells, self.file = cells, file
        self.line: int = getattr(node, "lineno", 0)
        self.column: int = getattr(node, "col_offset", 0)
        self.end: int = getattr(node, "end_col_offset", 0)

    def same(self, taint: Taint, note: str, key: Key | None) -> Taint:
        """The same data under another name, or (`key`) a part of it."""
        cell = taint.cell
        if key is None:
            if (not note and cell.line == self.line and cell.file == self.file) or cell.length > MAX_STEPS:
                return taint
            return self._next(taint, note, cell.key)
        return self._next(taint, note, (cell.key, *key))

    def under(self, taint: Taint, key: Key) -> Taint:
        return self._next(taint, "", key)

    def derived(self, taint: Taint, note: str) -> Taint:
        """Other data made of it."""
        cell = taint.cell
        if (not note and cell.line == self.line and cell.file == self.file) or cell.length > MAX_STEPS:
            return taint
        return self._next(taint, note, None)

    def _next(self, taint: Taint, note: str, key: Key | None) -> Taint:
        name = taint.cell, self.file, self.line, self.column, self.end, note, key
        cell = self.cells.get(name)
        if cell is None:
            cell = self.cells[name] = Cell(self.file, self.line, note, taint.cell, key)
        return Taint(taint.origin, cell, taint.clean, taint.doubts)
