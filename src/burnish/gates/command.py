"""The gate as a command, run in a fresh checkout of the tree with the base's judges."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from burnish.errors import GateError
from burnish.gates.judge_files import JUDGE_FILES, SETTINGS, named_files
from burnish.gates.second_look import SecondLook, Seen
from burnish.model.change import Dropped
from burnish.model.gate import GateResult
from burnish.ports import Sandbox, Workspace, Workspaces
from burnish.process.child import Command, Finished
from burnish.process.supervisor import run

OUTPUT_CAP = 64_000
# What a shell answers when it cannot find or start the program.
CANNOT_START = (126, 127)
BASE_USED = "the base's version was used"
LEFT_OUT = "green with it, red without"


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

    async def check(self, tree: str, base: str) -> GateResult:
        judged: str = tree
        restored: tuple[str, ...] = ()
        protected = tree != base and not self.allow_test_edits
        if protected:
            judged, restored = await self.workspaces.judge_tree(tree, base, self._judges)
        seen = Seen(await self.checked(judged))
        if protected and seen.finished.ok:
            seen = await SecondLook(self, tree, judged, base).taken(seen)
        finished = seen.finished
        if tree == base and finished.exit in CANNOT_START:
            raise GateError(
                f"the gate {self.command!r} cannot run: {_last_line(finished)}",
                hint="it runs in a fresh checkout: name a program on PATH, or a file that is committed",
            )
        code = finished.exit if finished.exit is not None else 128
        return GateResult(
            tree=tree,
            command=self.command,
            exit=None if finished.timed_out else code or int(bool(seen.fault)),
            output=_output(finished),
            duration_s=round(finished.duration_s, 3),
            restored=tuple(Dropped(path, BASE_USED) for path in restored)
            + tuple(Dropped(path, LEFT_OUT) for path in seen.own if path not in restored),
            isolation=finished.isolation,
            fault=seen.fault,
            protected=protected,
        )

    async def without_its_own_judges(self, tree: str, base: str) -> tuple[str, tuple[str, ...]]:
        """The change before the base's tests and settings alone, and what it brought of its own.

        New tests and settings can disarm the old ones; an honest change is green without them too.
        """
        return await self.workspaces.judge_tree(tree, base, (*self._judges, *SETTINGS), keep_new=False)

    async def checked_after(self, tree: str, edit: Callable[[Path], bool]) -> Finished | None:
        """The gate on a checkout that was edited first; None when there was nothing to edit."""
        async with self.workspaces.open(tree, "gate") as workspace:
            edited = await asyncio.to_thread(edit, workspace.path)
            return await self._run(workspace) if edited else None

    @property
    def _judges(self) -> tuple[str, ...]:
        return (*JUDGE_FILES, *named_files(self.command), *self.protect)

    async def checked(self, tree: str) -> Finished:
        async with self.workspaces.open(tree, "gate") as workspace:
            return await self._run(workspace)

    async def _run(self, workspace: Workspace) -> Finished:
        sandbox = self.sandbox and replace(self.sandbox, writable=(*self.sandbox.writable, workspace.path))
        argv = ("/bin/sh", "-c", self.command)
        return await run(Command(argv, workspace.path, self.env, self.timeout_s, sandbox=sandbox))


def _output(finished: Finished) -> str:
    text = finished.stdout.text
    errors = finished.stderr.text
    if errors.strip():
        text = f"{text.rstrip()}\n{errors}"
    return text[-OUTPUT_CAP:].strip()


def _last_line(finished: Finished) -> str:
    lines = finished.stderr.text.strip().splitlines()
    return lines[-1] if lines else f"exit {finished.exit}"
