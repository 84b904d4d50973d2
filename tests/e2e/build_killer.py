"""Runs `burnish build` in a process of its own, and dies there at the N-th side effect."""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from burnish.app.build_open import BuildRequest
from burnish.app.build_session import Front, run_build
from burnish.app.start import Hooks
from burnish.loops.effort import Effort
from tests.cli import until_killed
from tests.e2e.killer import Counter


@dataclass(frozen=True)
class BuildDeed:
    """What to do, where, and at which side effect to die (0: at none)."""

    folder: str
    state: str
    flags: dict[str, Any] = field(default_factory=dict)
    resume: bool = False
    deadly: int = 0
    # A file for the id of the process, for agents that want to kill it.
    pid: str = ""
    loops: int = 1

    def do(self) -> tuple[int | None, list[str]]:
        """How it ended, and its side effects if it was not killed."""
        return until_killed(commit, self)


def commit(deed: BuildDeed, report: Any) -> None:
    os.chdir(deed.folder)
    os.environ["BURNISH_STATE"] = deed.state
    if deed.pid:
        Path(deed.pid).write_text(str(os.getpid()))
    counter = Counter(deed.deadly)
    request = BuildRequest(Path("shop.md"), deed.flags, Effort.HIGH, max_loops=deed.loops, resume=deed.resume)
    front = Front(lambda recorded: None, lambda loop, past: lambda recorded: None)
    code = asyncio.run(run_build(request, front, Hooks(counter.point, counter.decorate))).exit_code
    report.send(counter.names)
    sys.exit(code)
