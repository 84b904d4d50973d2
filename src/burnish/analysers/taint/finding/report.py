"""What the pass says in the end: findings with their ways, clean places, and what it did not look at."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from burnish.analysers.taint.memory.budget import bug_report, why_ended
from burnish.analysers.taint.memory.values import Cell, Origin, Taint

if TYPE_CHECKING:
    from burnish.analysers.taint.memory.frame import Frame


@dataclass(frozen=True)
class Found:
    flaw: str
    file: str
    line: int
    end_line: int
    what: str
    origin: Origin | None
    way: tuple[Cell, ...] = ()
    doubts: int = 0
    weak_guards: int = 0


class Report:
    """One finding a place and class: the shortest way there."""

    def __init__(self) -> None:
        self.findings: dict[tuple[str, int, str], Found] = {}
        self.cleared: set[tuple[str, int, str]] = set()
        self.opened: set[tuple[str, int, str]] = set()
        self.undone: dict[tuple[str, int], str] = {}
        self.bugs: dict[tuple[str, int], str] = {}

    def found(
        self, at: Frame, flaw: str, taint: Taint, node: ast.AST, what: str, *, weak_guards: int = 0
    ) -> None:
        line = getattr(node, "lineno", 0)
        way = (*taint.cell.way(), Cell(at.file, line, what))
        made = Found(
            flaw, at.file, line, getattr(node, "end_lineno", line) or line, what, taint.origin, way,
            taint.doubts, weak_guards,
        )  # fmt: skip
        self._keep(made)

    def found_at_source(self, at: Frame, flaw: str, taint: Taint, node: ast.AST, what: str) -> None:
        """Where the value began is what is wrong; the way says what became of it."""
        way = (*taint.cell.way(), Cell(at.file, getattr(node, "lineno", 0), what))
        first = way[0]
        self._keep(Found(flaw, first.file, first.line, first.line, what, taint.origin, way, taint.doubts))

    def misused(self, at: Frame, flaw: str, node: ast.AST, what: str) -> None:
        line = getattr(node, "lineno", 0)
        self._keep(Found(flaw, at.file, line, getattr(node, "end_lineno", line) or line, what, None))

    def _keep(self, made: Found) -> None:
        key = made.file, made.line, made.flaw
        known = self.findings.get(key)
        if known is None or _order(made) < _order(known):
            self.findings[key] = made

    def clean(self, file: str, line: int, flaw: str) -> None:
        self.cleared.add((file, line, flaw))

    def open(self, file: str, line: int, flaw: str) -> None:
        self.opened.add((file, line, flaw))

    def ended(self, file: str, line: int, what: str, error: BaseException) -> None:
        """Not followed to its end: told where people look, and a mistake of ours in the log as well."""
        self.left_out(file, line, f"{what}: {why_ended(error)}")
        if bug := bug_report(error):
            self.bugs.setdefault((file, line), f"{file}:{line} {what}: {bug}")

    def left_out(self, file: str, line: int, why: str) -> None:
        self.undone.setdefault((file, line), why)

    def clean_places(self) -> list[tuple[str, int, str]]:
        """Seen, and never anything but clean."""
        return sorted(self.cleared - self.opened - set(self.findings))


def _order(found: Found) -> tuple[int, int, int, int]:
    """What is worst and surest, then what is shortest."""
    return (found.origin.rank if found.origin else 0, found.weak_guards, found.doubts, len(found.way))
