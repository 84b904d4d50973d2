"""Both isolations, and children to put into them."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

import burnish
from burnish.ports import Sandbox
from burnish.process import bubblewrap
from burnish.process.child import Command, Finished
from burnish.process.environment import child_environment
from burnish.process.supervisor import run

ENV = child_environment(os.environ)
# The scripted agent is a program of ours; where this checkout lies may be hidden in the sandbox.
PACKAGE = Path(burnish.__file__).parent


@dataclass(frozen=True)
class Room:
    """A workspace and the isolation that children run in."""

    workspace: Path
    sandbox: Sandbox | None

    def command(self, *argv: str, timeout_s: float = 60.0, **options: object) -> Command:
        command = Command(argv, self.workspace, ENV, timeout_s, sandbox=self.sandbox)
        return replace(command, **options)  # type: ignore[arg-type]

    def python(self, code: str, **options: object) -> Finished:
        return self.run(self.command(sys.executable, "-I", "-S", "-c", code, **options))

    def shell(self, script: str, **options: object) -> Finished:
        return self.run(self.command("/bin/sh", "-c", script, **options))

    def run(self, command: Command, on_line: Callable[[bytes], None] | None = None) -> Finished:
        return asyncio.run(run(command, on_line))


def make_room(kind: str, workspace: Path) -> Room:
    if kind == "guard":
        return Room(workspace, None)
    if not bubblewrap.usable():
        pytest.skip("bubblewrap is not usable here")
    return Room(workspace, Sandbox(writable=(workspace,), readable=(PACKAGE,)))


@pytest.fixture(params=["guard", "bubblewrap"])
def room(request: pytest.FixtureRequest, tmp_path: Path) -> Room:
    """A test that takes this runs twice."""
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    return make_room(request.param, workspace)


@pytest.fixture
def caged(tmp_path: Path) -> Room:
    """Bubblewrap only."""
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    return make_room("bubblewrap", workspace)
