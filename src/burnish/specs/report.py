"""How the phases of a spec ended, for people and programs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from burnish.model.outcome import Outcome
from burnish.model.review import Verdict
from burnish.specs.phase import Phase


class PhaseState(StrEnum):
    """Blocked: a phase that it needs did not pass. Waiting: nobody asked for it yet."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    BLOCKED = "blocked"
    WAITING = "waiting"


@dataclass(frozen=True)
class PhaseReport:
    """`run` is its last attempt; `commit` the branch's tip when it was put there; `why` it did not pass."""

    phase: Phase
    state: PhaseState
    grade: Verdict | None = None
    cycles: int = 0
    attempts: int = 0
    run: str = ""
    commit: str = ""
    branch: str = ""
    receipt: str = ""
    why: str = ""

    @property
    def settled(self) -> bool:
        """Whether what needs it may begin."""
        return self.state in (PhaseState.PASSED, PhaseState.SKIPPED)


@dataclass(frozen=True)
class SpecReport:
    """`outcome` is None while phases are left that nobody asked for; `hints` are commands to go on with."""

    run: str
    path: str
    number: str
    title: str
    branch: str
    folder: str
    phases: tuple[PhaseReport, ...]
    outcome: Outcome | None
    exit_code: int
    message: str
    hints: tuple[str, ...] = ()
