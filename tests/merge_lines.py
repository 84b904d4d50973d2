"""Changes that wait to be merged, as runs leave them, and a line that lands them."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from burnish.app.merge_line import Candidate, Commits, Merged, MergeLine
from burnish.app.place import Place, find_place
from burnish.app.spec import Confinement, RunSpec, TimeLimits
from burnish.app.start import workspaces_of
from burnish.app.wiring import as_it_is
from burnish.git.forwarding import Point
from burnish.model.profile import Limit, LimitUnit
from burnish.model.task import Task
from tests.integration.git.sides import shell


def spec_of(place: Place, gate: str, mode: str = "off") -> RunSpec:
    head = place.repository.head
    return RunSpec(
        task=Task("Build it", head, "", head, ""),
        profile="loops",
        contract="loop_review",
        limit=Limit(LimitUnit.FIXES, 2),
        times=TimeLimits(60, 60, 60, 60),
        gate=gate,
        confinement=Confinement(mode),
    )


async def candidate(place: Place, run: str, base: str, scripts: Sequence[str]) -> Candidate:
    """One commit for each script, which only the run's own store has."""
    async with await workspaces_of(place, run, base) as workspaces:
        await workspaces.begin(base)
        at = base
        for number, script in enumerate(scripts, 1):
            async with workspaces.open(await workspaces.tree(at), "x") as workspace:
                shell(workspace.path, script)
                tree = (await workspace.snapshot()).tree
            message = f"Step {number} of {run}\n\nBurnish-Run: {run}\nStep-Id: {run}/{number}\n"
            made = await workspaces.commit(tree, at, message)
            await workspaces.advance(made, at)
            at = made
    return Candidate(run, base, at, f"The change of {run}")


@dataclass(frozen=True)
class Landing:
    """One candidate brought to one branch, by a process that may have been started for nothing else."""

    repo: Path
    target: str
    candidate: Candidate
    gate: str
    commits: Commits = Commits.ONE

    async def land(
        self,
        decorate: Callable[[str, Any], Any] = as_it_is,
        reached: Callable[[Point], None] | None = None,
    ) -> Merged:
        place = await find_place(self.repo)
        line = MergeLine(place, spec_of(place, self.gate), decorate, self.commits, reached)
        return await line.land(self.target, self.candidate)


@dataclass(frozen=True)
class Deed:
    """A landing, and the point at which its process is killed; empty for none."""

    landing: Landing
    point: str = ""
    # Processes are forked from one that was started for another test.
    environ: dict[str, str] = field(default_factory=lambda: dict(os.environ))


def land_until(deed: Deed, report: Any) -> None:
    """In a process of its own: sends what became of the change, unless it is killed before."""
    os.environ.clear()
    os.environ.update(deed.environ)

    def reached(point: str) -> None:
        if point == deed.point:
            os.kill(os.getpid(), signal.SIGKILL)

    merged = asyncio.run(deed.landing.land(lambda name, part: _Watched(part, reached), reached))
    report.send([merged.fate])


class _Watched:
    """As it is, except for what happens before and after it moves a branch."""

    def __init__(self, part: Any, reached: Callable[[str], None]) -> None:
        self._part, self._reached = part, reached

    def __getattr__(self, name: str) -> Any:
        return getattr(self._part, name)

    async def advance(self, *args: str) -> str:
        self._reached("advance:before")
        found: str = await self._part.advance(*args)
        self._reached("advance:after")
        return found
