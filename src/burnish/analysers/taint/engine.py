"""The pass put together: files in, every function followed as if called from outside, a report out."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

from burnish.analysers.taint.finding.report import Report
from burnish.analysers.taint.handlers.answers import check_answer, judge_response
from burnish.analysers.taint.handlers.entries import PAGES
from burnish.analysers.taint.handlers.parameters import Entry
from burnish.analysers.taint.handlers.registering import Routes, load_registrations
from burnish.analysers.taint.handlers.responses import Response
from burnish.analysers.taint.knowledge.tables import Knowledge
from burnish.analysers.taint.library import members
from burnish.analysers.taint.memory.budget import ENDS, Budget
from burnish.analysers.taint.memory.frame import Arguments, Cells, Frame
from burnish.analysers.taint.memory.heap import Heap, Table
from burnish.analysers.taint.memory.modules import Module, Modules
from burnish.analysers.taint.memory.things import Class, Function, ModuleRef, Obj
from burnish.analysers.taint.memory.values import External, Value, join_all, of
from burnish.analysers.taint.walking import expressions, statements
from burnish.analysers.taint.walking.calls import call_value
from burnish.analysers.taint.walking.following import follow, given_back, is_of
from burnish.analysers.taint.walking.remembering import Remembered
from burnish.analysers.taint.walking.summaries import Summaries

MAX_BELOW = 6


class Pass:
    def __init__(self, root: Path, files: tuple[str, ...], known: Knowledge, budget: Budget) -> None:
        self.known, self.budget = known, budget
        self.heap, self.report = Heap(), Report()
        self.modules = Modules(root, files)
        self.modules.engine = self
        self.functions: dict[str, list[Function]] = {}
        self.entry: Entry | None = None
        self.cells: Cells = {}
        self.remembered, self.summaries = Remembered(), Summaries()
        self.below: dict[Class, list[Class]] = {}
        self.selves: dict[Class, Obj] = {}
        self.seen: list[Module] = []
        # What each of them left where others look.
        self.stirred: list[set[int]] = []
        self.routes = Routes()
        self.state: Table = {}
        self.heap.shared[id(self.state)] = self.state

    def evaluate(self, at: Frame, node: ast.expr) -> Value:
        return expressions.evaluate(at, node)

    def execute(self, at: Frame, body: Sequence[ast.stmt]) -> None:
        statements.execute(at, body)

    def call(self, at: Frame, callee: Value, given: Arguments, node: ast.AST) -> Value:
        return call_value(at, callee, given, node)

    def attribute(self, at: Frame, value: Value, name: str, node: ast.AST) -> Value:
        return members.attribute(at, value, name, node)

    def known_function(self, function: Function) -> None:
        """Every function met while modules are run; nested ones are met when their function is."""
        if function.home is None:
            self.functions.setdefault(function.module.file, []).append(function)

    def known_class(self, cls: Class) -> None:
        """A class of the tree, so that its bases find what it overrides."""
        for base in cls.line_of_bases()[1:]:
            self.below.setdefault(base, []).append(cls)

    def overriding(self, cls: Class, name: str) -> Value:
        """What the classes below have under this name, where the class itself has nothing to say."""
        found = [below.table[name] for below in self.below.get(cls, ()) if name in below.table]
        return join_all(found[:MAX_BELOW])

    def returned(self, at: Frame, value: Value, node: ast.AST) -> None:
        """What an entry answers goes to whoever asked."""
        given_back(self, at, value, node)

    def raised(self, at: Frame, value: Value, node: ast.AST) -> None:
        """An error that a handler of the tree answers."""
        for ref in value.refs:
            if isinstance(ref, Response) and self.entry is not None:
                judge_response(at, ref)
        for wanted, route in self.routes.errors:
            if self.entry is not None and is_of(value, wanted):
                request = [of(External(route.framework.request))] if route.framework.request else []
                answered = self.call(at, route.value, Arguments([*request, value]), node)
                pages = route.framework.name in PAGES
                check_answer(at, Entry(route.function, route.framework.name, pages=pages), answered, node)

    def look_at(self, file: str) -> None:
        """One file: its module level, then each of its functions as if called from outside."""
        try:
            self._look_at(self.modules.of_file(file), file)
        except ENDS as ended:
            self.report.ended(file, 1, "the file", ended)

    def _look_at(self, module: Module, file: str) -> None:
        self.budget.file()
        if self.modules.parse(module) is None:
            self.report.left_out(file, 1, module.failed)
            return
        self.modules.load(module)
        load_registrations(self.modules, module)
        before = set(self.routes.initialized)
        stirred = self._round(module)
        stirred |= self.routes.initialized - before
        if stirred & self._reached(module):
            stirred |= self._round(module)
        self.stirred.append(stirred)
        self.seen.append(module)

    def finish(self) -> None:
        """What one file left where others look is seen by those that were looked at before."""
        later: set[int] = set()
        for module, stirred in zip(reversed(self.seen), reversed(self.stirred), strict=True):
            if later & self._reached(module):
                self.budget.file()
                try:
                    self._round(module)
                except ENDS as ended:
                    self.report.ended(module.file, 1, "the file", ended)
            later |= stirred

    def doubtful(self) -> set[str]:
        """Files of which a part was not followed, and those they import: a flow may lead there unseen."""
        found: set[str] = set()
        waiting = [file for file, _ in self.report.undone]
        while waiting:
            file = waiting.pop()
            if file not in found:
                found.add(file)
                waiting += self.modules.imported_by(self.modules.of_file(file))
        return found

    def _reached(self, module: Module) -> set[int]:
        """The tables that its functions see: its own, those of what it names, of the classes it has."""
        found = {id(module.names)}
        for value in list(module.names.values()):
            for ref in value.refs if isinstance(value, Value) else ():
                found |= {id(table) for table in self._tables(ref)}
        return found

    def _tables(self, ref: object) -> list[Table]:
        if isinstance(ref, ModuleRef):
            return [ref.module.names]
        if isinstance(ref, Class):
            return [ref.table, *([self.selves[ref].table] if ref in self.selves else [])]
        if isinstance(ref, Obj):
            inner = [one.table for value in ref.table.values() if isinstance(value, Value)
                     for one in value.refs if isinstance(one, Obj)]  # fmt: skip
            return [ref.table, *inner]
        return []

    def _round(self, module: Module) -> set[int]:
        """Each function once; the tables that one has left untrusted data in."""
        found: set[int] = set()
        for function in self.functions.get(module.file, ()):
            found |= self._follow(module, function)
        return found

    def _follow(self, module: Module, function: Function) -> set[int]:
        line = getattr(function.node, "lineno", 1)
        stirred, before = set[int](), dict(self.state)
        self.cells.clear()
        with self.heap.apart():
            try:
                self.budget.function((getattr(function.node, "end_lineno", 0) or 0) - line)
                follow(self, module, function)
            except ENDS as ended:
                self.report.ended(file_of(function), line, f"{function.name}()", ended)
            finally:
                stirred = self.heap.keep()
                # What a request kept is gone with it.
                self.heap.version += self.state != before
                self.state.clear()
                self.state.update(before)
        return stirred

    def itself(self, cls: Class) -> Obj:
        """Any instance of a class: what one of its methods keeps, the others find."""
        if cls not in self.selves:
            made = self.selves[cls] = Obj("instance", cls)
            self.heap.shared[id(made.table)] = made.table
        return self.selves[cls]


def file_of(function: Function) -> str:
    return function.module.file
