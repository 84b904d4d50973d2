"""The gate as a command, run in a fresh checkout of the tree with the base's judges."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from burnish.errors import GateError
from burnish.gates.additions import only_adds_tests
from burnish.gates.base_files import BaseFiles
from burnish.gates.canary import Canary
from burnish.gates.examples import DOCUMENTED, keeps_examples
from burnish.gates.judge_files import INTRUDERS, SETTINGS, SHARED, TESTS, shadows
from burnish.gates.reached import Reached, reached
from burnish.gates.second_look import Known, SecondLook, Seen
from burnish.gates.sections import merged
from burnish.model.change import Dropped
from burnish.model.gate import GateResult
from burnish.model.judges import Judged, Judges
from burnish.ports import Sandbox, Workspace, Workspaces
from burnish.process.child import Command, Finished
from burnish.process.supervisor import run

OUTPUT_CAP = 64_000
# What a shell answers when it cannot find or start the program.
CANNOT_START = (126, 127)
BASE_USED = "the base's version was used"
LEFT_OUT = "green with it, red without"
UNKEPT = "it edits, skips or removes examples that the gate runs"
INTRUDES = "it would run instead of the gate's own programs"


@dataclass(frozen=True)
class CommandGate:
    """Runs through `sh -c`: the command is the user's own, and people write `make lint && make test`."""

    command: str
    workspaces: Workspaces
    env: Mapping[str, str]
    timeout_s: float
    sandbox: Sandbox | None
    protect: tuple[str, ...] = ()
    allow_test_edits: bool = False
    # By base: what its command line reaches, and what was seen of it. A resumed run looks again.
    _reached: dict[str, Reached] = field(default_factory=dict, compare=False, repr=False)
    _known: dict[str, Known] = field(default_factory=dict, compare=False, repr=False)

    async def check(self, tree: str, base: str) -> GateResult:
        """The result for a tree; that of the base itself is remembered, for what is compared with it."""
        if tree == base:
            return self._result(tree, Seen(await self._checked_base(base)), Judged(tree), protected=False)
        judges, canary = await self._judges(base)
        judged = await self.workspaces.judge_tree(tree, base, judges)
        known = self._known.setdefault(base, Known())
        words = frozenset(self._reached[base].words)
        seen = await SecondLook(
            self, tree, judged, base, canary, known, words, allowed=self.allow_test_edits
        ).taken()
        return self._result(tree, seen, judged, protected=True)

    def _result(self, tree: str, seen: Seen, judged: Judged, *, protected: bool) -> GateResult:
        finished = seen.finished
        code = finished.exit if finished.exit is not None else 128
        edited = () if self.allow_test_edits else judged.edited
        brought = () if self.allow_test_edits else judged.intruders
        unkept = () if self.allow_test_edits else judged.unkept
        own = tuple(path for path in seen.own if path not in (*edited, *brought))
        return GateResult(
            tree=tree,
            command=self.command,
            exit=None if finished.timed_out else code or int(bool(seen.fault)),
            output=_output(finished),
            duration_s=round(finished.duration_s, 3),
            restored=tuple(Dropped(path, BASE_USED) for path in edited)
            + tuple(Dropped(path, INTRUDES) for path in brought)
            + tuple(Dropped(path, UNKEPT) for path in unkept)
            + tuple(Dropped(path, LEFT_OUT) for path in own),
            isolation=finished.isolation,
            fault=seen.fault,
            protected=protected and not self.allow_test_edits,
            doubts=seen.doubts,
        )

    async def checked_after(self, tree: str, edit: Callable[[Path], bool]) -> Finished | None:
        """The gate on a checkout that was edited first; None when there was nothing to edit."""
        async with self.workspaces.open(tree, "gate") as workspace:
            edited = await asyncio.to_thread(edit, workspace.path)
            return await self._run(workspace) if edited else None

    async def checked(self, tree: str) -> Finished:
        async with self.workspaces.open(tree, "gate") as workspace:
            return await self._run(workspace)

    async def _checked_base(self, base: str) -> Finished:
        """Raises GateError when the command cannot be started at all."""
        async with self.workspaces.open(base, "gate") as workspace:
            await self._read(base, workspace)
            finished = await self._run(workspace)
        self._known.setdefault(base, Known()).runs["plain"] = finished
        if finished.exit in CANNOT_START:
            raise GateError(
                f"the gate {self.command!r} cannot run: {_last_line(finished)}",
                hint="it runs in a fresh checkout: name a program on PATH, or a file that is committed",
            )
        return finished

    async def _read(self, base: str, workspace: Workspace) -> None:
        if base not in self._reached:
            files = await asyncio.to_thread(BaseFiles, workspace.path)
            self._reached[base] = await asyncio.to_thread(reached, self.command, files)

    async def _judges(self, base: str) -> tuple[Judges, Canary]:
        """Which files judge at a base, and the canary that knows its tests."""
        if base not in self._reached:
            async with self.workspaces.open(base, "gate") as workspace:
                await self._read(base, workspace)
        found = self._reached[base]
        shared = {glob.rpartition("/")[2] for glob in SHARED}
        files = (path for path in found.files if path.rpartition("/")[2] not in shared)
        named = (*(_literal(path) for path in files), *found.tests)
        judges = Judges(
            whole=(*TESTS, *SETTINGS, *named, *self.protect),
            parts=SHARED,
            intruders=(*INTRUDERS, *shadows(tuple(found.roots))),
            merge=merged,
            extends=only_adds_tests,
            documented=DOCUMENTED if found.examples else (),
            keeps=keeps_examples,
        )
        return judges, Canary(tuple(found.tests), tuple(found.scripts), examples=found.examples)

    async def _run(self, workspace: Workspace) -> Finished:
        sandbox = self.sandbox and replace(self.sandbox, writable=(*self.sandbox.writable, workspace.path))
        argv = ("/bin/sh", "-c", self.command)
        return await run(Command(argv, workspace.path, self.env, self.timeout_s, sandbox=sandbox))


def _literal(path: str) -> str:
    """A glob that means just this path."""
    return re.sub(r"([*?\[\\])", r"\\\1", path)


def _output(finished: Finished) -> str:
    text = finished.stdout.text
    errors = finished.stderr.text
    if errors.strip():
        text = f"{text.rstrip()}\n{errors}"
    return text[-OUTPUT_CAP:].strip()


def _last_line(finished: Finished) -> str:
    lines = finished.stderr.text.strip().splitlines()
    return lines[-1] if lines else f"exit {finished.exit}"
