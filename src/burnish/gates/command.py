"""The gate as a command, run in a fresh checkout of the tree with the base's judges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from burnish.errors import GateError
from burnish.gates.judge_files import JUDGE_FILES, named_files
from burnish.model.change import Dropped
from burnish.model.gate import GateResult
from burnish.ports import Sandbox, Workspace, Workspaces
from burnish.process.child import Command, Finished
from burnish.process.supervisor import run

OUTPUT_CAP = 64_000
# What a shell answers when it cannot find or start the program.
CANNOT_START = (126, 127)


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
        if tree != base and not self.allow_test_edits:
            patterns = (*JUDGE_FILES, *named_files(self.command), *self.protect)
            judged, restored = await self.workspaces.judge_tree(tree, base, patterns)
        async with self.workspaces.open(judged, "gate") as workspace:
            finished = await self._run(workspace)
        if tree == base and finished.exit in CANNOT_START:
            raise GateError(
                f"the gate {self.command!r} cannot run: {_last_line(finished)}",
                hint="it runs in a fresh checkout: name a program on PATH, or a file that is committed",
            )
        return GateResult(
            tree=tree,
            command=self.command,
            exit=None if finished.timed_out else finished.exit if finished.exit is not None else 128,
            output=_output(finished),
            duration_s=round(finished.duration_s, 3),
            restored=tuple(Dropped(path, "the base's version was used") for path in restored),
            isolation=finished.isolation,
        )

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
