"""tests: runs the repository's test command in a copy, sandboxed; each test that fails is a finding."""

from __future__ import annotations

import asyncio
import hashlib
import re
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from burnish.analysers._program import RAW_CHARS, WHOLE_TREE, ToolFailed
from burnish.analysers._setup import AnalyserSetup
from burnish.analysers._table import Hit, classify
from burnish.model.assessment import Analysis
from burnish.model.review import Finding
from burnish.ports import Source
from burnish.process.child import CannotStart, Command, Finished
from burnish.process.supervisor import run
from burnish.repository_files import read_below
from burnish.suite_output import Failure, Layout, failures

KEEP_BYTES = 8 * 1024 * 1024
MAX_FAILURES = 200
MAX_FILE_BYTES = 4 * 1024 * 1024
TAIL_CHARS = 1500
CANNOT_START = (126, 127)
NO_TESTS_EXIT = 5
NO_TESTS = re.compile(r"no tests ran|collected 0 items|NO TESTS RAN|No test files found|no test files")
# No colours, no watching, wide lines: what test runners do off a terminal and in CI.
ENV = {"CI": "true", "NO_COLOR": "1", "PY_COLORS": "0", "TERM": "dumb", "COLUMNS": "240", "FORCE_COLOR": "0"}
_NOT_INSTALLED = re.compile(
    r"(?:ModuleNotFoundError: )?No module named '?([\w.]+)'?|Cannot find module '([^'./][^']*)'"
)


@dataclass(frozen=True)
class Tests:
    setup: AnalyserSetup
    name: str = "tests"

    def missing(self) -> str:
        return self.setup.tests_off or ("" if self.setup.test_command else "no test command is known")

    def wants(self, files: tuple[str, ...]) -> tuple[str, ...]:
        """A suite speaks about the whole tree, also where all files are new or deleted.

        Without a command it says nothing, and nobody failed.
        """
        return (WHOLE_TREE,) if self.setup.test_command or self.setup.tests_off else ()

    async def analyse(self, source: Source, files: tuple[str, ...]) -> Analysis:
        if why := self.missing():
            return Analysis(self.name, failed=why)
        async with _copy_place(self.setup.scratch) as folder:
            try:
                await asyncio.to_thread(shutil.copytree, source.root, folder, symlinks=True)
                finished = await self._run(folder)
                layout = Layout(str(folder), await asyncio.to_thread(_files_of, source.root))
                findings = await asyncio.to_thread(_judge, finished, layout, source.root)
            except ToolFailed as failed:
                return Analysis(self.name, failed=str(failed))
            except (OSError, shutil.Error) as error:
                return Analysis(self.name, failed=f"the tree could not be copied to run its tests: {error}")
        return Analysis(
            self.name,
            findings=findings,
            files=len(layout.files),
            raw=_text(finished)[-RAW_CHARS:],
            duration_s=finished.duration_s,
            isolation=finished.isolation,
        )

    async def _run(self, folder: Path) -> Finished:
        """The command is the user's or the base commit's, so a shell reads it, as at the gate."""
        held = self.setup.sandbox
        command = Command(
            argv=("/bin/sh", "-c", self.setup.test_command),
            cwd=folder,
            env={**self.setup.env, **ENV},
            timeout_s=self.setup.timeout_s,
            sandbox=held and replace(held, writable=(*held.writable, folder)),
            keep_bytes=KEEP_BYTES,
        )
        try:
            finished = await run(command)
        except CannotStart as error:
            raise ToolFailed(f"the test command cannot start: {error.message}") from None
        if finished.timed_out:
            raise ToolFailed(f"the tests did not end within {self.setup.timeout_s:g} s")
        return finished


def make(setup: AnalyserSetup) -> Tests:
    return Tests(setup)


@asynccontextmanager
async def _copy_place(scratch: Path | None) -> AsyncIterator[Path]:
    """A folder that does not exist yet, in one that goes when we are done."""
    if scratch:
        scratch.mkdir(parents=True, exist_ok=True)
    above = tempfile.TemporaryDirectory(prefix="tests-", dir=scratch, ignore_cleanup_errors=True)
    try:
        yield Path(above.name).resolve() / "tree"
    finally:
        await asyncio.to_thread(above.cleanup)


def _files_of(root: Path) -> frozenset[str]:
    return frozenset(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())


def _judge(finished: Finished, layout: Layout, root: Path) -> tuple[Finding, ...]:
    """The findings; raises ToolFailed where the run says nothing about the code."""
    text = _text(finished)
    if finished.exit == 0:
        return ()
    if finished.exit in CANNOT_START:
        raise ToolFailed(f"the test command cannot start: {_last_line(text)}")
    found = failures(text)
    if not found and (finished.exit == NO_TESTS_EXIT or NO_TESTS.search(text)):
        raise ToolFailed("the test command found no tests")
    _installed(found, text, layout)
    collecting = tuple(failure for failure in found if failure.collecting)
    if collecting or not found:
        return (_suite(collecting, finished, layout),)
    return tuple(_failing(failure, layout, root) for failure in found[:MAX_FAILURES])


def _installed(found: tuple[Failure, ...], text: str, layout: Layout) -> None:
    """Tests that miss a package of somebody else's were not run, which says nothing about the change."""
    said = [failure.said for failure in found] or text.strip().splitlines()[-1:]
    absent = {match[1] or match[2] for line in said if (match := _NOT_INSTALLED.search(line))}
    foreign = {name for name in absent if not _own(name.split(".")[0], layout)}
    if foreign and all(_NOT_INSTALLED.search(line) for line in said):
        names = ", ".join(sorted(foreign))
        raise ToolFailed(f"the tests need what is not installed here: {names}")


def _own(package: str, layout: Layout) -> bool:
    return any(f"/{package}/" in f"/{path}" or f"/{path}".endswith(f"/{package}.py") for path in layout.files)


def _failing(failure: Failure, layout: Layout, root: Path) -> Finding:
    place = layout.innermost(failure.block, last=failure.innermost_last)
    file = place.file if place else layout.known(failure.file)
    line = place.line if place else _defined(root, file, failure.name) if file else None
    title = f"Test fails: {failure.name}"
    said = f"{title}\n{failure.said}" if failure.said else title
    return replace(classify("tests", Hit("failing", file, line, said)), identity=_identity(failure.name))


def _defined(root: Path, path: str, name: str) -> int | None:
    """The line of the test itself, where no traceback tells one."""
    test = re.split(r"::|\.", name.split("[")[0])[-1]
    try:
        lines = read_below(root, path, MAX_FILE_BYTES).decode("utf8", "replace").splitlines()
    except OSError:
        return None
    return next((at for at, line in enumerate(lines, 1) if re.search(rf"\b{re.escape(test)}\b", line)), 1)


def _suite(collecting: tuple[Failure, ...], finished: Finished, layout: Layout) -> Finding:
    text = _text(finished)
    block = collecting[0].block if collecting else tuple(text.splitlines())
    place = layout.innermost(block, last=bool(collecting) and collecting[0].innermost_last)
    names = ", ".join(failure.name for failure in collecting[:5])
    said = f"Cannot be loaded: {names}\n{collecting[0].said}" if collecting else f"Exit {finished.status}"
    file = place.file if place else layout.known(collecting[0].file) if collecting else ""
    hit = Hit("suite", file, place.line if place else None, f"{said}\n{text.strip()[-TAIL_CHARS:]}")
    return replace(classify("tests", hit), identity=_identity("suite"))


def _identity(name: str) -> str:
    """A test is the same one wherever its traceback ends."""
    return hashlib.sha256(f"tests\0{name}".encode("utf8", "backslashreplace")).hexdigest()[:16]


def _text(finished: Finished) -> str:
    return f"{finished.stdout.text}\n{finished.stderr.text}".strip("\n")


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["it printed nothing"])[-1]
