"""The gate's answers to the cheats of the corpus: each in a repository of its own, by the real tools."""

from __future__ import annotations

import asyncio
import base64
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from burnish.gates.command import CommandGate
from burnish.git.call import Git, Place
from burnish.git.mirror import Mirror
from burnish.git.repository import discover
from burnish.git.workspaces import Workspaces
from burnish.model.gate import GateResult
from burnish.model.sandbox_mode import SandboxMode
from burnish.ports import Sandbox
from burnish.process.child import Command
from burnish.process.environment import child_environment
from burnish.process.isolation import usable_sandbox
from burnish.process.supervisor import run
from burnish.workflows.tests_told import beside_base

TIMEOUT_S = 120.0
Row = Mapping[str, Any]
_AUTHOR = {
    "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.com",
    "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.com",
}  # fmt: skip


def missing(row: Row) -> tuple[str, ...]:
    """The programs that a row needs and this machine does not have."""
    search = _environment()["PATH"]
    return tuple(name for name in row.get("needs", ()) if shutil.which(name, path=search) is None)


def answer(row: Row, mode: SandboxMode = SandboxMode.AUTO) -> bool:
    """Whether the change of a row passes the gate: green, and no edit of a judge that blocks it."""
    return passes(asyncio.run(judged(row, mode)))


def naive(row: Row) -> bool:
    """The exit status of the gate's command on the changed tree, as a script would take it."""
    with tempfile.TemporaryDirectory(prefix="burnish-cheat-") as folder:
        root = Path(folder).resolve()
        _write(root, row["base"])
        _write(root, row["change"])
        command = Command(("/bin/sh", "-c", row["gate"]), root, _environment(), TIMEOUT_S)
        return asyncio.run(run(command)).ok


def passes(result: GateResult) -> bool:
    return result.green and not result.restored


async def judged(row: Row, mode: SandboxMode = SandboxMode.AUTO) -> GateResult:
    """The gate's result for the change of a row. Raises ValueError when the gate is red on its base."""
    with tempfile.TemporaryDirectory(prefix="burnish-cheat-") as folder:
        async with _repository(Path(folder).resolve(), row["base"]) as workspaces:
            base = await workspaces.tree(workspaces.base)
            sandbox = usable_sandbox(mode, Sandbox(readable=(workspaces.borrowed,)))
            gate = CommandGate(
                row["gate"], workspaces, _environment(), TIMEOUT_S, sandbox,
                allow_test_edits=bool(row.get("allow_test_edits")),
            )  # fmt: skip
            before = await gate.check(base, base)
            if not before.green:
                raise ValueError(f"{row['id']}: the gate is red on the base: {before.output[-500:]}")
            async with workspaces.open(base, "change") as workspace:
                _write(workspace.path, row["change"])
                tree = (await workspace.snapshot()).tree
            return beside_base(await gate.check(tree, base), before)


@asynccontextmanager
async def _repository(folder: Path, base: Mapping[str, Any]) -> AsyncIterator[Workspaces]:
    user, state = folder / "user", folder / "state"
    user.mkdir()
    git = await Git.start(state)
    place = Place(user / ".git", work_tree=user)
    await git("init", "-q", "-b", "main", user, at=Place(None, work_tree=folder))
    _write(user, base)
    await git("add", "-A", "-f", at=place)
    await git("commit", "-q", "-m", "base", at=place, env=_AUTHOR)
    repository = await discover(git, user)
    mirror = Mirror(repository, state / "mirror.git")
    commit = await repository.resolve("HEAD")
    await mirror.pin(commit, "corpus")
    async with Workspaces(mirror, state / "run", await repository.identity(), commit) as workspaces:
        await workspaces.begin(commit)
        yield workspaces


def _write(root: Path, change: Mapping[str, Any]) -> None:
    for name, file in change.items():
        path = root / name
        if path.is_symlink() or path.is_file():
            path.unlink()
        elif path.is_dir() and not isinstance(file, dict):
            shutil.rmtree(path)
        if file is None:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(file, str):
            path.write_text(file, "utf8")
        elif "link" in file:
            path.symlink_to(file["link"])
        else:
            data = base64.b64decode(file["base64"]) if "base64" in file else file["text"].encode()
            path.write_bytes(data)
            path.chmod(int(file.get("mode", "644"), 8))


def _environment() -> dict[str, str]:
    """This machine's, with the programs beside this interpreter first: rows say `python3`."""
    env = dict(child_environment(os.environ))
    beside = Path(sys.executable).parent
    return env | {
        "PATH": f"{beside}{os.pathsep}{env.get('PATH', os.defpath)}",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
