"""lizard: how complex and how long functions and classes are, in about thirty languages."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

from burnish.analysers import _lizard_child
from burnish.analysers._program import Answer, Call, over_files, relative, version_of, with_suffix
from burnish.analysers._setup import AnalyserSetup
from burnish.analysers._table import Hit, classify
from burnish.model.assessment import Analysis
from burnish.model.review import Finding
from burnish.model.subject import NotReviewed
from burnish.ports import Source

_SUFFIXES = """
    .c .cpp .cc .cxx .h .hh .hpp .java .cs .js .cjs .mjs .py .m .mm .rb .php .swift .scala .gd .go .lua .rs
    .ts .f90 .f95 .f03 .f08 .f .for .ftn .kt .kts .sol .erl .zig .tsx .jsx .vue .pl .pm .r .pks .pkb .pls .plb
"""
SUFFIXES = frozenset(_SUFFIXES.split())
# More than this much is worth that word, the worst first.
COMPLEXITY = ((20, "complexity-critical"), (10, "complexity-high"), (5, "complexity-medium"))
LENGTH = ((200, "long-method-critical"), (100, "long-method-high"), (50, "long-method-medium"))
CLASS_LINES = 500


@dataclass(frozen=True)
class Lizard:
    setup: AnalyserSetup
    name: str = "lizard"

    def missing(self) -> str:
        return "" if find_spec("lizard") else "lizard is not installed"

    def wants(self, files: tuple[str, ...]) -> tuple[str, ...]:
        return with_suffix(files, SUFFIXES)

    async def analyse(self, source: Source, files: tuple[str, ...]) -> Analysis:
        argv = (sys.executable, "-I", "-P", str(Path(_lizard_child.__file__)))
        call = Call(self.name, argv, frozenset({0}), self.setup, listed=True)
        found = await over_files(call, source, self.wants(files), lambda text: _read(text, source.root))
        return replace(found, version=version_of(self.name, Path(sys.executable)))


def make(setup: AnalyserSetup) -> Lizard:
    return Lizard(setup)


def _read(text: str, root: Path) -> Answer:
    findings: list[Finding] = []
    unread: list[NotReviewed] = []
    for line in text.splitlines():
        kind, path, *rest = line.split("\t")
        path = relative(path, root)
        if kind == "unread":
            unread.append(NotReviewed(path, f"lizard could not read it ({rest[0]})"))
        else:
            name, *numbers = rest
            first, last, complexity, lines = map(int, numbers)
            hits = _class(name, lines) if kind == "class" else _function(name, complexity, lines)
            # The name, not the line, tells which one it is: a new argument makes no new finding.
            shown = f"class {name}" if kind == "class" else f"{name}(...)"
            findings += (classify("lizard", Hit(rule, path, first, said, last, shown)) for rule, said in hits)
    return Answer(tuple(findings), tuple(unread))


def _function(name: str, complexity: int, lines: int) -> Iterator[tuple[str, str]]:
    for limit, rule in COMPLEXITY:
        if complexity > limit:
            yield rule, f"{name} has a cyclomatic complexity of {complexity} (more than {limit})"
            break
    for limit, rule in LENGTH:
        if lines > limit:
            yield rule, f"{name} has {lines} lines of code (more than {limit})"
            break


def _class(name: str, lines: int) -> Iterator[tuple[str, str]]:
    if lines > CLASS_LINES:
        yield "large-class", f"{name} has {lines} lines (more than {CLASS_LINES})"
