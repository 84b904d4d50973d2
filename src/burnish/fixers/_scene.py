"""The place of a finding and the way that led there: modules, functions and who calls them."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from burnish.errors import WorkspaceError
from burnish.fixers._edit import MAX_BYTES, Text, read_text
from burnish.fixers._locals import Function
from burnish.fixers._python import Edit, Module, NotRepaired
from burnish.model.review import Finding

Changes = dict[str, list[Edit]]
NEVER_ENTERED = frozenset({".git", "node_modules", ".venv", "venv", ".tox", "__pycache__"})
MOST_FILES = 5000
MOST_CALLS = 50


@dataclass(frozen=True)
class Scene:
    """A finding in a workspace. Files are read once, so that edits fit what was looked at."""

    workspace: Path
    finding: Finding
    texts: dict[str, Text] = field(default_factory=dict)
    modules: dict[str, Module] = field(default_factory=dict)

    @property
    def file(self) -> str:
        return self.finding.file

    @property
    def line(self) -> int:
        assert self.finding.line is not None
        return self.finding.line

    @property
    def sink(self) -> Module:
        return self.module(self.file)

    def module(self, file: str) -> Module:
        if file not in self.modules:
            if not file.endswith((".py", ".pyw")):
                raise NotRepaired("it is not Python")
            try:
                self.texts[file] = read_text(self.workspace, file)
            except WorkspaceError as error:
                raise NotRepaired(error.message) from None
            self.modules[file] = Module(self.texts[file].text, self.line if file == self.file else 1)
            self.modules[file].tree  # noqa: B018  (raises where it does not parse)
        return self.modules[file]

    def calls(self, file: str, line: int) -> list[ast.Call]:
        """The calls that reach over a line: those that begin there first, then the smallest."""
        module = self.module(file)
        found = [
            node
            for node in ast.walk(module.tree)
            if isinstance(node, ast.Call)
            and node.lineno <= line <= (node.end_lineno or node.lineno)
            # Before Python 3.12 the places of what stands in an f-string cannot be trusted.
            and not any(isinstance(parent, ast.JoinedStr) for parent in module.above(node))
        ]
        found.sort(key=lambda one: (one.lineno != line, module.end(one) - module.start(one)))
        return found[:MOST_CALLS]

    def callers(self, function: Function) -> list[tuple[str, ast.Call]]:
        """Calls of a function on the way of the finding, the nearest to its end first."""
        found: list[tuple[str, ast.Call]] = []
        for step in reversed(self.finding.flow):
            try:
                calls = self.calls(step.file, step.line)
            except NotRepaired:
                continue
            named = [(step.file, call) for call in calls if _last_name(call.func) == function.name]
            found += [one for one in named if one not in found]
        return found

    def everywhere(self, name: str) -> list[tuple[str, ast.Call]]:
        """All calls of a name in the workspace."""
        return [
            (file, node)
            for file in self.mentioning(name)
            for node in ast.walk(self.module(file).tree)
            if isinstance(node, ast.Call) and _last_name(node.func) == name
        ]

    def mentioning(self, name: str) -> list[str]:
        """Files of the workspace that have the name in them; raises NotRepaired where there are too many."""
        word = re.compile(rf"\b{re.escape(name)}\b".encode())
        found = []
        for count, file in enumerate(self._files()):
            if count > MOST_FILES:
                raise NotRepaired("the workspace is too large to know all who call it")
            try:
                path = self.workspace / file
                data = path.read_bytes() if path.stat().st_size <= MAX_BYTES else b""
            except OSError:
                continue
            if word.search(data):
                found.append(file)
        return found

    def _files(self) -> Iterator[str]:
        for folder, folders, names in os.walk(self.workspace, followlinks=False):
            folders[:] = sorted(name for name in folders if name not in NEVER_ENTERED)
            for name in sorted(names):
                path = Path(folder) / name
                if name.endswith(".py") and path.is_file() and not path.is_symlink():
                    yield path.relative_to(self.workspace).as_posix()

    def definition(self, file: str, called: ast.expr) -> tuple[str, Function]:
        """The function that a call in a file means, where the workspace has it."""
        module = self.module(file)
        if isinstance(called, ast.Name):
            here = _function(module.tree, called.id)
            if here is not None:
                return file, here
            for node in ast.walk(module.tree):
                if isinstance(node, ast.ImportFrom):
                    for alias in node.names:
                        if (alias.asname or alias.name) == called.id:
                            return self._in(self.imported(file, node), alias.name)
        if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
            if called.value.id in ("self", "cls"):
                return file, _method(module, called)
            for node in ast.walk(module.tree):
                if isinstance(node, ast.Import | ast.ImportFrom):
                    for alias in node.names:
                        if (alias.asname or alias.name) == called.value.id:
                            return self._in(self.imported(file, node, alias.name), called.attr)
        raise NotRepaired("which function is called cannot be told")

    def _in(self, file: str, name: str) -> tuple[str, Function]:
        found = _function(self.module(file).tree, name)
        if found is None:
            raise NotRepaired("which function is called cannot be told")
        return file, found

    def imported(self, file: str, node: ast.Import | ast.ImportFrom, name: str = "") -> str:
        """The file of the workspace that an import means."""
        if isinstance(node, ast.ImportFrom):
            dotted = ".".join(one for one in (node.module or "", name) if one)
            level = node.level
        else:
            dotted, level = name, 0
        parts = PurePosixPath(*dotted.split(".")) if dotted else PurePosixPath()
        folders = list(PurePosixPath(file).parents)
        roots = folders[level - 1 : level] if level else [*folders, PurePosixPath("src")]
        for root in roots:
            for path in (f"{root / parts}.py", str(root / parts / "__init__.py")):
                if (self.workspace / path).is_file():
                    return path
        raise NotRepaired("the module is not in the workspace")

    def neighbours(self, file: str) -> list[str]:
        """The modules of the workspace that a file imports."""
        found = []
        for node in ast.walk(self.module(file).tree):
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [alias.name for alias in node.names]
                for name in ["", *names] if isinstance(node, ast.ImportFrom) else names:
                    try:
                        found.append(self.imported(file, node, name))
                        self.module(found[-1])
                    except NotRepaired:
                        continue
        return [name for name in dict.fromkeys(found) if name in self.modules]


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _function(tree: ast.Module, name: str) -> Function | None:
    found = [node for node in tree.body if isinstance(node, Function) and node.name == name]
    return found[0] if len(found) == 1 else None


def _method(module: Module, called: ast.Attribute) -> Function:
    for parent in module.above(called):
        if isinstance(parent, ast.ClassDef):
            found = [node for node in parent.body if isinstance(node, Function) and node.name == called.attr]
            if len(found) == 1:
                return found[0]
            break
    raise NotRepaired("which method is called cannot be told")
