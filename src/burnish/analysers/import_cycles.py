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
FLAGS = ("--isolated", "--quiet", "--no-type-checking-imports")
Graph = dict[str, tuple[str, ...]]
# The import statements that run when a module is loaded: file -> (line, the names it could mean).
Loading = Mapping[str, tuple[tuple[int, tuple[str, ...]], ...]]


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
            graph = await self._graph(source, everything)
            tied = sorted({path for knot in knots(graph) for path in knot})
            loading = await self._loading(source, tuple(tied))
        except ToolFailed as failed:
            return Analysis(self.name, failed=str(failed))
        findings = await asyncio.to_thread(_found, graph, loading, wanted)
        version = version_of("ruff", self.program)
        return Analysis(self.name, version=version, findings=findings, files=len(everything))

    async def _graph(self, source: Source, files: tuple[str, ...]) -> Graph:
        """`--isolated` keeps the repository's own settings out; files named one by one are never excluded.

        What only a type checker imports is no cycle: it is the usual way to avoid one.
        """
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

    async def _loading(self, source: Source, files: tuple[str, ...]) -> Loading:
        if not files:
            return {}
        argv = (sys.executable, "-I", "-P", str(Path(_imports_child.__file__)))
        call = Call(self.name, argv, frozenset({0}), self.setup, cwd=source.root, listed=True)
        finished = await run_tool(call, files)
        found: dict[str, tuple[tuple[int, tuple[str, ...]], ...]] = {}
        for line in finished.stdout.text.splitlines():
            path, number, *names = line.split("\t")
            found[path] = (*found.get(path, ()), (int(number), tuple(names)))
        return found


def make(setup: AnalyserSetup) -> ImportCycles:
    return ImportCycles(setup, setup.program("ruff"))


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


def _found(graph: Graph, loading: Loading, wanted: set[str]) -> tuple[Finding, ...]:
    """Cycles of imports that run on loading; and those that only hold because an import waits."""
    hard = {
        path: tuple(target for target in targets if _line(loading, path, target))
        for path, targets in graph.items()
    }
    tight = knots(hard)
    within = {path: number for number, knot in enumerate(tight) for path in knot}
    told = [_finding("cycle", cycle, loading) for knot in tight for cycle in cycles(hard, knot)]
    told += [
        _finding("deferred", cycle, loading)
        for knot in knots(graph)
        for cycle in cycles(graph, knot)
        if cycle[0] not in within or len({within.get(path) for path in cycle}) > 1
    ]
    return tuple(finding for finding, members in told if members & wanted)


def _finding(rule: str, cycle: tuple[str, ...], loading: Loading) -> tuple[Finding, set[str]]:
    shown = cycle if len(cycle) <= SHOWN else (*cycle[: SHOWN - 1], f"... {len(cycle) - SHOWN + 1} more ...")
    way = " -> ".join((*shown, cycle[0]))
    why = (
        "" if rule == "cycle" else " (at least one of these imports waits inside a function or is for types)"
    )
    line = _line(loading, cycle[0], cycle[1]) or 1
    message = f"{len(cycle)} modules import each other: {way}"
    return classify("import-cycles", Hit(rule, cycle[0], line, message)), set(cycle)


def _line(loading: Loading, path: str, target: str) -> int:
    """The line on which `path` imports `target` while it is loaded; 0 when it does not."""
    for line, names in loading.get(path, ()):
        if any(_means(name, path, target) for name in names):
            return line
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
