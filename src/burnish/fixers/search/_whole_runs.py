"""Any test command: each job is a run of all of it, in a copy of the workspace, sandboxed as tests are."""

from __future__ import annotations

import asyncio
import os
import shutil
import stat
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from burnish.errors import WorkspaceError
from burnish.fixers._edit import Text, read_text, write_text
from burnish.fixers.search._copies import Copy, laid, test_child
from burnish.fixers.search._editable import editable_files, text_of
from burnish.fixers.search._jobs import MOST_CHARS, Edits, Job, NotServed, Replacement, Told, read_told
from burnish.fixers.search._outcomes import Before, Printed, again, first
from burnish.process.child import CannotStart, Command
from burnish.process.supervisor import run
from burnish.process.tool_setup import ToolSetup
from burnish.suite_output import Layout

WATCH = "import burnish_search_watch\n\nburnish_search_watch.begin({site!r})\n"
PLACE, ROOT, MEMORY = "BURNISH_SEARCH_LINES", "BURNISH_SEARCH_ROOT", "BURNISH_SEARCH_MEMORY"
# Python takes a compiled file for fresh by the second of the source: no two candidates share one.
FIRST_SECOND = 1_000_000_000
# How much longer than a run by itself one may take that is watched.
WATCHED_TIMES = 5.0
NOT_FILES = frozenset({".git", "node_modules"})


@dataclass
class WholeRuns:
    """One copy of the workspace. `before` is shared by all copies of a search."""

    copy: Copy
    child: Command
    layout: Layout
    before: Before
    selects = False
    _last: tuple[Edits, Told] | None = None
    _second: int = FIRST_SECOND

    async def do(self, job: Job) -> Told:
        """What came of it. It runs all tests whichever are asked for, so it need not run twice for that."""
        if job.edits and self._last is not None and self._last[0] == job.edits:
            return self._last[1]
        try:
            told = await self._looked(job) if not self.before.known else await self._edited(job)
        except (CannotStart, WorkspaceError, OSError) as error:
            raise NotServed(f"the test command could not be run: {error}") from None
        self._last = (job.edits, told)
        return told

    async def _looked(self, job: Job) -> Told:
        """The tests as they are, watched; where that takes too long, without being watched."""
        printed, watched = await self._watched(job)
        if not printed.ended:
            printed = await self._run(job, {})
        texts = await asyncio.to_thread(_texts, self.copy.tree)
        return await asyncio.to_thread(first, printed, watched, self.layout, texts, self.before)

    async def _edited(self, job: Job) -> Told:
        originals = await asyncio.to_thread(self._written, job.edits)
        try:
            printed = await self._run(job, {MEMORY: str(job.memory_bytes)})
            told = await asyncio.to_thread(again, printed, self.layout, self.before)
            if job.edits and told.passing and not self.before.tells:
                # Nothing is said of what passes: a program that ends early would look like a repair.
                _, watched = await self._watched(replace(job, limit_s=WATCHED_TIMES * job.limit_s))
                told = told if self.before.proven(watched, told) else Told(finished=told.finished)
            return told
        finally:
            await asyncio.to_thread(self._put_back, originals)

    async def _watched(self, job: Job) -> tuple[Printed, Told]:
        lines = self.copy.desk / "lines"
        shutil.rmtree(lines, ignore_errors=True)
        lines.mkdir()
        printed = await self._run(job, {PLACE: str(lines), ROOT: str(self.copy.tree)})
        return printed, await asyncio.to_thread(lambda: read_told(b"".join(_contents(lines))))

    async def _run(self, job: Job, env: dict[str, str]) -> Printed:
        finished = await run(replace(self.child, env={**self.child.env, **env}, timeout_s=job.limit_s))
        text = f"{finished.stdout.text}\n{finished.stderr.text}"
        return Printed(text, finished.exit, not finished.timed_out, finished.duration_s)

    def _written(self, edits: Edits) -> list[tuple[Text, int]]:
        """Nothing of the command runs now, so what is checked here stays so until it is written."""
        before = []
        for name, changes in edits.items():
            text = read_text(self.copy.tree, name)
            before.append((text, (self.copy.tree / name).stat().st_mtime_ns))
            write_text(self.copy.tree, text, _changed(text.data, changes).decode(text.encoding))
            self._second += 1
            os.utime(self.copy.tree / name, (self._second, self._second), follow_symlinks=False)
        return before

    def _put_back(self, originals: list[tuple[Text, int]]) -> None:
        for text, stamp in originals:
            write_text(self.copy.tree, read_text(self.copy.tree, text.name), text.text)
            os.utime(self.copy.tree / text.name, ns=(stamp, stamp), follow_symlinks=False)


@asynccontextmanager
async def whole_runs(
    setup: ToolSetup, workspace: Path, folder: Path, command: str, before: Before
) -> AsyncIterator[WholeRuns]:
    """`folder` is ours and empty."""
    copy = await asyncio.to_thread(laid, workspace, folder)
    site = folder / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(WATCH.format(site=str(site)), "utf8")
    child = test_child(setup, copy, command, python_path=(site, copy.injected))
    files = await asyncio.to_thread(lambda: frozenset(_files(copy.tree)))
    yield WholeRuns(copy, child, Layout(str(copy.tree), files), before)


def _changed(data: bytes, changes: Iterable[Replacement]) -> bytes:
    for one in sorted(changes, key=lambda one: (one.start, one.end), reverse=True):
        data = data[: one.start] + one.text + data[one.end :]
    return data


def _files(tree: Path) -> Iterator[str]:
    for folder, folders, names in os.walk(tree):
        folders[:] = [name for name in folders if name not in NOT_FILES]
        for name in names:
            yield Path(folder, name).relative_to(tree).as_posix()


def _texts(tree: Path) -> dict[str, str]:
    return {name: text for name in editable_files(tree) if (text := text_of(tree, name)) is not None}


def _contents(place: Path) -> Iterator[bytes]:
    """The files of a folder that the tests could write into: only regular ones, and not without end."""
    left = MOST_CHARS
    for entry in sorted(os.scandir(place), key=lambda one: one.name):
        handle = os.open(entry.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(handle, "rb") as file:
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode) and left > 0:
                data = file.read(left)
                left -= len(data)
                yield data
