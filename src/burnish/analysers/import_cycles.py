"""import-cycles: Python modules that import each other, from the graph that ruff draws."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from burnish import codec
from burnish.analysers import _imports_child
from burnish.analysers._cycles import cycles, knots
from burnish.analysers._program import (
    Call,
    ToolFailed,
    chunks,
    program_missing,
    relative,
    run_tool,
    version_of,
)
from burnish.analysers._setup import AnalyserSetup
from burnish.analysers._table import Hit, classify
from burnish.model.assessment import Analysis
from burnish.model.review import Finding
from burnish.ports import Source

MAX_FILES = 50_000
SHOWN = 6
FLAGS = ("--isolated", "--quiet")
Graph = dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class Statement:
    """One import; `now` when it runs as the module is loaded. `names` are what it could mean."""

    line: int
    now: bool
    names: tuple[str, ...]


Statements = Mapping[str, tuple[Statement, ...]]


@dataclass(frozen=True)
class ImportCycles:
    setup: AnalyserSetup
    program: Path | None
    name: str = "import-cycles"

    def missing(self) -> str:
        return program_missing("ruff", self.program)

    def wants(self, files: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(path for path in files if path.endswith((".py", ".pyi")))

    async def analyse(self, source: Source, files: tuple[str, ...]) -> Analysis:
        """The graph is of the whole tree: a cycle through a changed file mostly leads through others."""
        wanted = set(self.wants(files))
        if not wanted:
            return Analysis(self.name)
        everything = await asyncio.to_thread(_modules, source.root)
        try:
            graph = await self.graph(source, everything)
            tied = sorted({path for knot in knots(graph) if wanted & set(knot) for path in knot})
            statements = await self._statements(source, tuple(tied))
        except ToolFailed as failed:
            return Analysis(self.name, failed=str(failed))
        findings = await asyncio.to_thread(_found, graph, statements, wanted)
        version = version_of("ruff", self.program)
        return Analysis(self.name, version=version, findings=findings, files=len(everything))

    async def graph(self, source: Source, files: tuple[str, ...]) -> Graph:
        """`--isolated` keeps the repository's own settings out; files named one by one are never excluded."""
        argv = (str(self.program), "analyze", "graph", *FLAGS, "--")
        call = Call(self.name, argv, frozenset({0}), self.setup, cwd=source.root)
        graph: Graph = {}
        for chunk in chunks(tuple(f"./{path}" for path in files)):
            finished = await run_tool(call, chunk)
            try:
                graph.update(_edges(finished.stdout.text, source.root))
            except (ValueError, TypeError, AttributeError) as error:
                raise ToolFailed(f"ruff printed what is not a graph of imports ({error})") from None
        return graph

    async def _statements(self, source: Source, files: tuple[str, ...]) -> Statements:
        if not files:
            return {}
        argv = (sys.executable, "-I", "-P", str(Path(_imports_child.__file__)))
        call = Call(self.name, argv, frozenset({0}), self.setup, cwd=source.root, listed=True)
        finished = await run_tool(call, files)
        found: dict[str, list[Statement]] = {}
        for line in finished.stdout.text.splitlines():
            path, when, number, *names = line.split("\t")
            found.setdefault(path, []).append(Statement(int(number), when == "now", tuple(names)))
        return {path: tuple(statements) for path, statements in found.items()}


def make(setup: AnalyserSetup) -> ImportCycles:
    return ImportCycles(setup, setup.program("ruff"))


async def import_graph(setup: AnalyserSetup, source: Source) -> Graph:
    """Which Python files each Python file of a tree imports; empty where ruff cannot tell."""
    drawing = make(setup)
    if drawing.missing():
        return {}
    try:
        return await drawing.graph(source, await asyncio.to_thread(_modules, source.root))
    except ToolFailed:
        return {}


def _modules(root: Path) -> tuple[str, ...]:
    """Every Python file of the tree whose name can be printed."""
    found: list[str] = []
    for folder, names, files in os.walk(root):
        names[:] = sorted(name for name in names if name != ".git")
        above = Path(folder).relative_to(root)
        found += (str(above / name) for name in sorted(files) if name.endswith(".py") and name.isprintable())
        if len(found) > MAX_FILES:
            break
    return tuple(path for path in found if path.isprintable())[:MAX_FILES]


def _edges(text: str, root: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    for path, targets in codec.loads(text).items():
        yield relative(path, root), tuple(relative(target, root) for target in targets)


def _found(drawn: Graph, statements: Statements, wanted: set[str]) -> tuple[Finding, ...]:
    """Cycles of imports that run on loading; and those that only hold because an import waits.

    ruff also draws imports for the type checker alone. Those make no cycle: they are how one is avoided.
    """
    graph, now = _kept(drawn, statements, later=True), _kept(drawn, statements, later=False)
    tight = knots(now)
    within = {path: number for number, knot in enumerate(tight) for path in knot}
    told = [_finding("cycle", cycle, statements) for knot in tight for cycle in cycles(now, knot, wanted)]
    told += [
        _finding("deferred", cycle, statements)
        for knot in knots(graph)
        for cycle in cycles(graph, knot, wanted)
        if cycle[0] not in within or len({within.get(path) for path in cycle}) > 1
    ]
    return tuple(told)


def _kept(drawn: Graph, statements: Statements, *, later: bool) -> Graph:
    return {
        path: tuple(target for target in targets if _line(statements, path, target, later=later))
        for path, targets in drawn.items()
        if path in statements
    }


def _finding(rule: str, cycle: tuple[str, ...], statements: Statements) -> Finding:
    shown = cycle if len(cycle) <= SHOWN else (*cycle[: SHOWN - 1], f"... {len(cycle) - SHOWN + 1} more ...")
    way = " -> ".join((*shown, cycle[0]))
    line = _line(statements, cycle[0], cycle[1], later=True) or 1
    message = f"{len(cycle)} modules import each other: {way}"
    return classify("import-cycles", Hit(rule, cycle[0], line, message))


def _line(statements: Statements, path: str, target: str, *, later: bool) -> int:
    """The first line on which `path` imports `target`; 0 when it does not."""
    for statement in statements.get(path, ()):
        if (statement.now or later) and any(_means(name, path, target) for name in statement.names):
            return statement.line
    return 0


def _means(name: str, path: str, target: str) -> bool:
    """Whether a name of an import can be that file; ruff has already said that the module is imported."""
    module = target.removesuffix(".py").removesuffix("/__init__")
    bare = name.lstrip(".")
    if bare != name:
        folder = PurePosixPath(path)
        for _ in range(len(name) - len(bare)):
            folder = folder.parent
        return str(folder / bare.replace(".", "/")) == module
    return f"/{module}".endswith(f"/{bare.replace('.', '/')}")
