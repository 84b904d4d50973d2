"""Runs `burnish spec` in a process of its own, and dies there at the N-th side effect."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from burnish.app.spec_open import SpecRequest
from burnish.app.spec_session import Front, run_spec
from burnish.app.start import Hooks
from tests.cli import until_killed
from tests.e2e.killer import Counter


@dataclass(frozen=True)
class SpecDeed:
    """What to do, where, and at which side effect to die (0: at none)."""

    folder: str
    state: str
    document: str
    flags: dict[str, Any] = field(default_factory=dict)
    resume: bool = False
    deadly: int = 0
    # The name of a side effect, instead of its number: with several phases at once only that is sure.
    named: str = ""
    jobs: int = 1

    def do(self) -> tuple[int | None, list[str]]:
        """How it ended, and its side effects if it was not killed."""
        return until_killed(commit, self)


class Named(Counter):
    """Kills this process at the first side effect of a name."""

    def __init__(self, name: str) -> None:
        super().__init__(0)
        self.name = name

    def point(self, name: str) -> None:
        if name == self.name:
            os.kill(os.getpid(), signal.SIGKILL)


def commit(deed: SpecDeed, report: Any) -> None:
    os.chdir(deed.folder)
    os.environ["BURNISH_STATE"] = deed.state
    counter = Named(deed.named) if deed.named else Counter(deed.deadly)
    request = SpecRequest(Path(deed.document), deed.flags, resume=deed.resume, jobs=deed.jobs)
    front = Front(lambda recorded: None, lambda phase, past: lambda recorded: None)
    hooks = Hooks(counter.point, counter.decorate)
    code = asyncio.run(run_spec(request, front, hooks)).exit_code
    report.send(counter.names)
    sys.exit(code)
