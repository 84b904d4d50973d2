"""An analyser that is one program, as data: most tools differ only in their options and their output."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from burnish.analysers._program import (
    RAW_CHARS,
    Answer,
    Call,
    Reader,
    ToolFailed,
    over_files,
    program_missing,
    run_tool,
    understood,
)
from burnish.analysers._setup import AnalyserSetup
from burnish.analysers._unsilenced import Silencer, over_unsilenced
from burnish.model.assessment import Analysis
from burnish.ports import Sandbox, Source
from burnish.process import bubblewrap

ONLY_BOXED = "only in a sandbox"


@dataclass(frozen=True)
class Place:
    """Where a call happens: an empty folder of ours, and the tree (to be read only)."""

    scratch: Path
    root: Path


def _as_they_are(files: tuple[str, ...]) -> tuple[str, ...]:
    return files


@dataclass(frozen=True)
class Tool:
    """`options` come before the files, `targets` makes of the files what the tool wants named,
    if anything (`takes_files`).

    `silences` is a comment that no option overrules. `boxed` tools load or build what they read, so they run
    in a sandbox without a network or not at all. `needs` says why it cannot work although it is there.
    """

    name: str
    setup: AnalyserSetup
    looks_at: Callable[[str], bool]
    options: Callable[[Place], tuple[str, ...]]
    read: Callable[[str, Path], Answer]
    exits: frozenset[int] = frozenset({0, 1})
    command: str = ""
    targets: Callable[[tuple[str, ...]], tuple[str, ...]] = _as_they_are
    takes_files: bool = True
    silences: re.Pattern[bytes] | None = None
    boxed: bool = False
    needs: str = ""
    env: Mapping[str, str] = field(default_factory=dict)

    @property
    def program(self) -> Path | None:
        return self.setup.program(self.command or self.name)

    def missing(self) -> str:
        why = program_missing(self.name, self.program) or self.needs
        if not why and self.boxed and (self.setup.sandbox is None or bubblewrap.usable() is None):
            return ONLY_BOXED
        return why

    def wants(self, files: tuple[str, ...]) -> tuple[str, ...]:
        """Nothing where it is not installed: nobody was promised it, so its absence is no news."""
        if self.program is None:
            return ()
        return tuple(name for name in files if self.looks_at(name))

    async def analyse(self, source: Source, files: tuple[str, ...]) -> Analysis:
        missing = self.missing()
        if missing:
            return Analysis(self.name, failed=missing)
        wanted = self.wants(files)
        with self.setup.temporary("tool") as folder:
            place = Place(folder, source.root)
            call = Call(
                self.name,
                (str(self.program), *self.options(place)),
                self.exits,
                self.setup,
                env={name: value.replace("{scratch}", str(folder)) for name, value in self.env.items()},
                sandbox=self._box(place),
            )
            if self.silences is not None:
                silencer = Silencer(self.silences, place.scratch / "copies")
                return await over_unsilenced(call, source, wanted, self.read, silencer)
            if self.takes_files:
                found = await over_files(call, source, self.targets(wanted), self._reader(source))
            else:
                found = await self._whole(replace(call, cwd=source.root), self._reader(source))
        return replace(found, files=0 if found.failed else len(wanted))

    def _reader(self, source: Source) -> Reader:
        return lambda text: self.read(text, source.root)

    async def _whole(self, call: Call, read: Reader) -> Analysis:
        """One call that names no files."""
        try:
            finished = await run_tool(call)
            answer = understood(self.name, finished, read)
        except ToolFailed as failed:
            return Analysis(self.name, failed=str(failed))
        return Analysis(
            self.name,
            findings=answer.findings,
            not_reviewed=answer.not_reviewed,
            raw=finished.stdout.text[:RAW_CHARS],
            duration_s=finished.duration_s,
            isolation=finished.isolation,
        )

    def _box(self, place: Place) -> Sandbox | None:
        if not self.boxed or self.setup.sandbox is None:
            return None
        given = self.setup.sandbox
        return replace(
            given,
            writable=(*given.writable, place.scratch),
            readable=(*given.readable, place.root),
            network=False,
        )
