"""The files of the tree as Python modules: found by dotted path, parsed once, run when first needed."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from burnish.analysers.taint.memory.budget import ENDS
from burnish.analysers.taint.memory.frame import Frame
from burnish.analysers.taint.memory.things import Class, Function, ModuleRef
from burnish.analysers.taint.memory.values import UNKNOWN, External, Value, join, of

if TYPE_CHECKING:
    from burnish.analysers.taint.memory.frame import Engine
    from burnish.analysers.taint.memory.heap import Table

MAX_BYTES = 2_000_000
MAX_LOADING = 40
_DEFINED = (Function, Class, ModuleRef)
# A module in which this stands may have other constants than those it was written with.
_LOOK = re.compile(r"globals\(\)|sys\.modules")
_REWRITES_ITSELF = re.compile(
    r"globals\(\)\s*(?:\[[^\]]*\]\s*=[^=]|\.(?:update|setdefault|__setitem__)\b)"
    r"|sys\.modules\[[^\]]*\]\s*\.\s*\w+(?:\s*=[^=]|\.update\b|\[)"
    r"|setattr\(\s*sys\.modules"
)
UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError, UnicodeError)


class Module:
    """`dotted` is how others import it; `names` are its globals once it was run."""

    def __init__(self, modules: Modules, file: str, dotted: str) -> None:
        self._modules, self.file, self.dotted = modules, file, dotted
        self.names: Table = {}
        self.tree: ast.Module | None = None
        self.lines: list[str] = []
        self.failed = ""
        self.frame: Frame | None = None

    @property
    def is_package(self) -> bool:
        return self.file.endswith("__init__.py")

    def get(self, name: str) -> Value | None:
        self._modules.load(self)
        if name in self.names:
            found: Value = self.names[name]
            return found
        return None

    def member(self, name: str) -> Value:
        """`name` as others see it: a global, else a module below this one."""
        found = self.get(name)
        if found is not None:
            return found
        below = (
            self._modules.by_path(f"{Path(self.file).parent.as_posix()}/{name}") if self.is_package else None
        )
        return of(ModuleRef(below)) if below else of(External(f"{self.dotted}.{name}"), sure=False)


class Modules:
    def __init__(self, root: Path, files: tuple[str, ...]) -> None:
        self._root, self._files = root, frozenset(files)
        self._known: dict[str, Module] = {}
        self._loading = 0
        self.engine: Engine

    def of_file(self, file: str) -> Module:
        if file not in self._known:
            dotted = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            self._known[file] = Module(self, file, dotted)
        return self._known[file]

    def by_path(self, stem: str) -> Module | None:
        stem = stem.removeprefix("./")
        for file in (f"{stem}.py", f"{stem}/__init__.py"):
            if file in self._files:
                return self.of_file(file)
        return None

    def find(self, dotted: str, level: int, asker: Module) -> Module | None:
        """The module an import means: relative to its package, or below a folder it could run from."""
        path = dotted.replace(".", "/")
        folder = Path(asker.file).parent
        if level:
            for _ in range(level - 1):
                folder = folder.parent
            here = "" if folder == Path() else folder.as_posix()
            return self.by_path("/".join(part for part in (here, path) if part) or "__init__")
        if dotted.partition(".")[0] in sys.stdlib_module_names:
            return None
        for above in (folder, *folder.parents):
            found = self.by_path(path if above == Path() else f"{above.as_posix()}/{path}")
            if found and found is not asker:
                return found
        return None

    def imported_by(self, module: Module) -> list[str]:
        """The files of the tree that it imports, anywhere in it."""
        found: list[Module | None] = []
        for node in ast.walk(module.tree) if module.tree is not None else ():
            if isinstance(node, ast.Import):
                found += [self.find(alias.name, 0, module) for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                base = node.module or ""
                inside = [f"{base}.{alias.name}".removeprefix(".") for alias in node.names]
                found += [self.find(one, node.level, module) for one in (base, *inside)]
        return [one.file for one in found if one is not None]

    def parse(self, module: Module) -> ast.Module | None:
        """Its syntax; None, and why in `failed`, where there is none to be had."""
        if module.tree is None and not module.failed:
            try:
                data = (self._root / module.file).read_bytes()
                if len(data) > MAX_BYTES:
                    raise ValueError(f"it has more than {MAX_BYTES} bytes")
                module.tree = ast.parse(data)
                module.lines = data.decode("utf8", "replace").splitlines()
            except OSError as error:
                module.failed = error.strerror or "it cannot be read"
            except UNREADABLE as error:
                module.failed = f"not parsed: {str(error) or type(error).__name__}"
        return module.tree

    def load(self, module: Module) -> None:
        """Run what stands outside of functions, once; a module in a circle sees what is there so far."""
        if module.frame is not None or self._loading > MAX_LOADING:
            return
        tree = self.parse(module)
        module.frame = Frame(self.engine, module)
        if tree is None:
            return
        module.frame.names = module.names
        self._loading += 1
        try:
            with self.engine.budget.apart(), self.engine.heap.apart():
                module.frame.mark = 0
                module.frame.run(tree.body)
        except ENDS as ended:
            self.engine.report.ended(module.file, 1, "module level", ended)
        finally:
            self._loading -= 1
            shared = self.engine.heap.shared
            shared[id(module.names)] = module.names
            self.engine.heap.share(tuple(module.names.values()))
        rewritten = any(_REWRITES_ITSELF.search(line) for line in module.lines if _LOOK.search(line))
        for name in list(module.names) if rewritten else _rebound(tree, module.lines):
            found = module.names.get(name)
            callable_ = isinstance(found, Value) and any(isinstance(ref, _DEFINED) for ref in found.refs)
            if isinstance(found, Value) and not (rewritten and callable_):
                # Whatever a function puts there later is not what stood there first.
                module.names[name] = join(found, UNKNOWN)


def _rebound(tree: ast.Module, lines: list[str]) -> set[str]:
    """Globals that functions of the module assign to; most modules have none, which is quick to see."""
    if not any("global " in line for line in lines):
        return set()
    return {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}
