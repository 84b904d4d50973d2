"""Who uses a file of a tree, and where else a rule fires in it: looked up once, when somebody asks."""

from __future__ import annotations

import asyncio
import os
import re
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import islice
from keyword import iskeyword
from pathlib import Path, PurePosixPath

from burnish.analysers.import_cycles import import_graph
from burnish.model.review import Finding
from burnish.ports import Analyser, Source
from burnish.process.tool_setup import ToolSetup
from burnish.repository_files import read_below

MOST_FILES = 20_000
MOST_BYTES = 1024 * 1024
MOST_FOUND = 50
PYTHON = (".py", ".pyi")
# Languages that can import one another's files, by how their files end.
FAMILIES = (
    (".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts", ".vue", ".svelte"),
    (".go",),
    (".java", ".kt", ".kts", ".scala", ".groovy"),
    (".rs",),
    (".rb", ".rake"),
    (".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh"),
    (".cs",),
    (".php",),
    (".sh", ".bash"),
    (".css", ".scss", ".sass", ".less"),
)
# A line that brings another file in; a quoted text alone on its line stands in an import block of Go.
_IMPORT = re.compile(
    r"""^\s*(?:import|from|export|(?:pub\s+)?mod|use|using|require\w*|include\w*|load|source|\.\s|\#\s*include"""
    r"""|@import|@use|(?:[\w.]+\s+)?")|\b(?:require|import)\s*\(|\bfrom\s+["']"""
)
LINE_CHARS = 1000
# Files that stand for their folder.
_INDEX = ("index", "mod", "lib", "__init__")
# Rules of these can be looked for in some hundred files within a second.
QUICK = ("ruff", "ast-grep")
MOST_LOOKED = 200
_CALL = re.compile(r"[A-Za-z_][\w.]*(?=\()", re.A)
_NAME = re.compile(r"[A-Za-z_]\w{3,}", re.A)


@dataclass
class Importers:
    """Called with a path of the tree, answers with the paths of those that import it."""

    setup: ToolSetup
    source: Source
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _python: dict[str, list[str]] | None = None
    _others: dict[str, tuple[str, ...]] = field(default_factory=dict)

    async def __call__(self, file: str) -> tuple[str, ...]:
        async with self._lock:
            if file.endswith(PYTHON):
                return tuple((await self._users()).get(file, ()))[:MOST_FOUND]
            if file not in self._others:
                self._others[file] = await asyncio.to_thread(named_in, self.source.root, file)
            return self._others[file]

    async def _users(self) -> dict[str, list[str]]:
        if self._python is None:
            graph = await import_graph(self.setup, self.source)
            users: dict[str, list[str]] = defaultdict(list)
            for path in sorted(graph):
                for target in graph[path]:
                    users[target].append(path)
            self._python = users
        return self._python


@dataclass
class SamePlaces:
    """Called with a finding, answers with every place of the tree where its rule fires, `path:line`.

    Only files that have the telling word of its line are read by the tool: a tree may be large.
    """

    analysers: tuple[Analyser, ...]
    source: Source
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _found: dict[tuple[str, str], dict[str, tuple[str, ...]]] = field(default_factory=dict)

    async def __call__(self, finding: Finding) -> tuple[str, ...]:
        tool, word = finding.rule.partition(":")[0], telling_word(finding.snippet)
        analyser = next((one for one in self.analysers if one.name == tool and tool in QUICK), None)
        if analyser is None or not word or analyser.missing():
            return ()
        async with self._lock:
            if (tool, word) not in self._found:
                self._found[tool, word] = await self._look(analyser, word)
            return self._found[tool, word].get(finding.rule, ())

    async def _look(self, analyser: Analyser, word: str) -> dict[str, tuple[str, ...]]:
        paths = await asyncio.to_thread(paths_of, self.source.root)
        wanted = await asyncio.to_thread(self._with, analyser.wants(paths), word)
        places: dict[str, list[str]] = defaultdict(list)
        for found in (await analyser.analyse(self.source, wanted)).findings if wanted else ():
            places[found.rule].append(f"{found.file}:{found.line or 0}")
        return {rule: tuple(some[:MOST_FOUND]) for rule, some in places.items()}

    def _with(self, paths: tuple[str, ...], word: str) -> tuple[str, ...]:
        found = (path for path in paths if word in text_of(self.source.root, path))
        return tuple(islice(found, MOST_LOOKED))


def telling_word(snippet: str) -> str:
    """The longest name that is called on the first line, else the longest name."""
    line = next((line for line in snippet.splitlines() if line.strip()), "")[:LINE_CHARS]
    names = [name for name in _NAME.findall(line) if not iskeyword(name)]
    return max(_CALL.findall(line) or names, key=len, default="")


def paths_of(root: Path) -> tuple[str, ...]:
    found: list[str] = []
    for folder, names, files in os.walk(root):
        names[:] = sorted(name for name in names if name != ".git")
        above = Path(folder).relative_to(root)
        found += ((above / name).as_posix() for name in sorted(files))
        if len(found) > MOST_FILES:
            break
    return tuple(found[:MOST_FILES])


def named_in(root: Path, file: str) -> tuple[str, ...]:
    """Files of the same family that name this one's module on a line that imports. By text: no more."""
    pure = PurePosixPath(file)
    family = next((family for family in FAMILIES if pure.suffix in family), None)
    if family is None:
        return ()
    # A Go package is its folder, and so is a module that is called index.
    by_folder = pure.suffix == ".go" or pure.stem in _INDEX
    name = pure.parent.name if by_folder else pure.stem
    if not name:
        return ()
    word = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    found = []
    for path in paths_of(root):
        inside = pure.suffix == ".go" and PurePosixPath(path).parent == pure.parent
        if path != file and not inside and path.endswith(family) and _names(root, path, word):
            found.append(path)
        if len(found) == MOST_FOUND:
            break
    return tuple(found)


def text_of(root: Path, path: str) -> str:
    """The beginning of a file, or nothing where it cannot be read."""
    try:
        return read_below(root, path, MOST_BYTES).decode("utf8", "replace")
    except OSError:
        return ""


def _names(root: Path, path: str, word: re.Pattern[str]) -> bool:
    text = text_of(root, path)
    return any(_IMPORT.search(_line_at(text, found.start())) for found in word.finditer(text))


def _line_at(text: str, place: int) -> str:
    begin = max(text.rfind("\n", 0, place) + 1, place - LINE_CHARS)
    end = text.find("\n", place)
    return text[begin : end if 0 <= end < place + LINE_CHARS else place + LINE_CHARS]
