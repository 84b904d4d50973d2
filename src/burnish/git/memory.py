"""Trees and commits without git, for the library and tests: the shipped fake of `Workspaces`."""

from __future__ import annotations

import difflib
import hashlib
import re
import shutil
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from burnish.errors import WorkspaceError
from burnish.model.change import Snapshot
from burnish.model.judges import Judged, Judges
from burnish.model.task import Task
from burnish.ports import Diff, Touched, Workspace

Files = Mapping[str, str]


def _hash(text: str) -> str:
    return hashlib.sha1(text.encode("utf8", "surrogateescape"), usedforsecurity=False).hexdigest()


@dataclass(frozen=True)
class MemoryWorkspace:
    """A real folder, so that any agent can work in it."""

    path: Path
    trees: dict[str, Files]

    async def snapshot(self) -> Snapshot:
        files = {
            path.relative_to(self.path).as_posix(): path.read_text("utf8", "surrogateescape")
            for path in sorted(self.path.rglob("*"))
            if path.is_file() and not path.is_symlink()
        }
        return Snapshot(remember(self.trees, files))

    async def restore(self, tree: str) -> None:
        shutil.rmtree(self.path)
        _write(self.path, self.trees[tree])


class MemoryWorkspaces:
    """Keeps every tree it has seen by its hash."""

    def __init__(self, files: Files) -> None:
        self.trees: dict[str, Files] = {}
        self.kept: dict[str, str] = {}
        self.messages: dict[str, str] = {}
        self.base_tree = remember(self.trees, files)
        self.base = _hash(self.base_tree)
        self._head = self.base

    def task(self, prompt: str) -> Task:
        """A task that starts at the files given."""
        return Task(prompt, self.base, self.base_tree, self.base, self.base_tree)

    @asynccontextmanager
    async def open(self, tree: str, label: str) -> AsyncIterator[Workspace]:
        with tempfile.TemporaryDirectory(prefix="burnish-") as folder:
            path = Path(folder, "work")
            _write(path, self.trees[tree])
            yield MemoryWorkspace(path, self.trees)

    async def commit(self, tree: str, parent: str, message: str) -> str:
        commit = _hash(f"{tree}\n{parent}\n{message}")
        self.messages[commit] = message
        return commit

    async def advance(self, new: str, old: str) -> None:
        if self._head not in (old, new):
            raise WorkspaceError(f"the run's head is at {self._head}, expected {old}")
        self._head = new

    async def head(self) -> str:
        return self._head

    async def keep(self, tree: str, label: str) -> str:
        ref = f"refs/burnish/salvage/{label}"
        self.kept[ref] = tree
        return ref

    async def last_subject(self, workspace: Path) -> str:
        return ""

    async def diff(self, before: str, after: str, cap: int) -> Diff:
        old, new = self.trees[before], self.trees[after]
        names = tuple(name for name in sorted({*old, *new}) if old.get(name) != new.get(name))
        texts = [_diff(name, old.get(name, ""), new.get(name, "")) for name in names]
        shown = [name for index, name in enumerate(names) if sum(map(len, texts[: index + 1])) <= cap]
        text = "".join(text for name, text in zip(names, texts, strict=True) if name in shown)
        return Diff(text, names, tuple(name for name in names if name not in shown))

    async def touched(self, before: str, after: str) -> Touched:
        old, new = self.trees[before], self.trees[after]
        edited = tuple(name for name in sorted(old) if new.get(name) != old[name])
        return Touched(edited, tuple(sorted({*new} - {*old})))

    async def judge_tree(self, tree: str, base: str, judges: Judges) -> Judged:
        old, new = self.trees[base], dict(self.trees[tree])
        edited, brought, extended, intruders = list[str](), list[str](), list[str](), list[str]()
        for name in sorted(name for name in {**old, **new} if new.get(name) != old.get(name)):
            was, now = old.get(name), new.get(name)
            put = was
            if _matches(name, judges.parts) and now is not None and judges.merge:
                before = None if was is None else was.encode("utf8", "surrogateescape")
                made = judges.merge(name, before, now.encode("utf8", "surrogateescape"))
                put = None if made is None else made.decode("utf8", "surrogateescape")
            elif not _matches(name, judges.whole) and (
                was is not None or not _matches(name, judges.intruders)
            ):
                continue
            if put != now:
                adds = was is not None and now is not None and judges.extends is not None
                adds = adds and judges.extends(
                    name, *(str(text).encode("utf8", "surrogateescape") for text in (was, now))
                )  # type: ignore[misc]
                (brought if was is None else extended if adds else edited).append(name)
                intruders += [name] if was is None and _matches(name, judges.intruders) else []
                new = {key: text for key, text in new.items() if key != name}
                new |= {} if put is None else {name: put}
        lists = (tuple(each) for each in (edited, brought, extended, intruders))
        return Judged(remember(self.trees, new), *lists)

    async def carry(self, onto: str, before: str, after: str) -> tuple[str, tuple[str, ...]]:
        was, here, there = self.trees[before], self.trees[onto], self.trees[after]
        moved = [name for name in {*was, *there} if was.get(name) != there.get(name)]
        both = [name for name in moved if here.get(name) not in (was.get(name), there.get(name))]
        if both:
            return onto, tuple(sorted(both))
        rest = {name: text for name, text in here.items() if name not in moved}
        return remember(self.trees, rest | {name: there[name] for name in moved if name in there}), ()


def remember(trees: dict[str, Files], files: Files) -> str:
    tree = _hash("\0".join(f"{name}\0{text}" for name, text in sorted(files.items())))
    trees[tree] = dict(files)
    return tree


def _write(folder: Path, files: Files) -> None:
    folder.mkdir(parents=True)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf8", "surrogateescape")


def _diff(name: str, old: str, new: str) -> str:
    lines = difflib.unified_diff(old.splitlines(True), new.splitlines(True), f"a/{name}", f"b/{name}")
    return "".join(line if line.endswith("\n") else line + "\n" for line in lines)


def _matches(name: str, patterns: tuple[str, ...]) -> bool:
    return any(_glob(pattern).fullmatch(name) for pattern in patterns)


def _glob(pattern: str) -> re.Pattern[str]:
    """Git's globs, as far as our own patterns use them."""
    glob = pattern.removeprefix(":(glob,icase)")
    parts = re.split(r"(\*\*/|\*\*|\*)", glob)
    known = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*"}
    flags = re.IGNORECASE if glob != pattern else re.NOFLAG
    return re.compile("".join(known.get(part) or re.escape(part) for part in parts), flags)
