"""How a build stands, loop by loop: what it ends with, and what `burnish build status` shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from burnish.loops.work import PlannedTask
from burnish.model.exit_codes import ExitCode
from burnish.model.outcome import Outcome


class LoopState(StrEnum):
    """`passed` waits for the rest of its group; `blocked` waits for another loop."""

    WAITING = "waiting"
    AT_WORK = "at work"
    PASSED = "passed"
    MERGED = "merged"
    STUCK = "stuck"
    FAILED = "failed"
    SKIPPED = "skipped"
    BLOCKED = "blocked"


@dataclass(frozen=True)
class LoopReport:
    """`branch` keeps work that is not merged; `question` is what a person is asked."""

    number: int
    loop: str
    task: PlannedTask
    group: int
    state: LoopState = LoopState.WAITING
    attempts: int = 0
    run: str = ""
    commit: str = ""
    branch: str = ""
    iterations: int = 0
    revisions: int = 0
    cost_usd: float | None = None
    why: str = ""
    question: str = ""

    @property
    def needs_person(self) -> bool:
        return self.state in (LoopState.STUCK, LoopState.FAILED)

    @property
    def settled(self) -> bool:
        return self.state in (LoopState.MERGED, LoopState.SKIPPED)


@dataclass(frozen=True)
class BuildReport:
    """`outcome` is None while it can go on."""

    run: str
    path: str
    title: str
    effort: str
    onto: str
    loops: tuple[LoopReport, ...]
    outcome: Outcome | None
    exit_code: ExitCode
    message: str
    hints: tuple[str, ...] = ()
    cost_usd: float | None = None


def blocked(stuck: Sequence[LoopReport]) -> tuple[str, tuple[str, ...]]:
    """Why a build waits for a person, and what one can type: every loop is answered by its own name."""
    first, numbers = stuck[0], ", ".join(str(one.number) for one in stuck)
    who = f"loop {numbers} needs" if len(stuck) == 1 else f"loops {numbers} need"
    hints = (
        *(
            f"burnish answer {one.loop} 'what to do'   # tried again with your words, at once"
            for one in stuck
        ),
        f"burnish build resolve {first.number} 'what to do'   # the same, when the build goes on",
        f"burnish build resolve {first.number} --skip        # go on without it",
        "burnish build unblock                     # try all of them again, and go on",
    )
    return f"group {first.group} is blocked: {who} a person ({first.why})", hints
