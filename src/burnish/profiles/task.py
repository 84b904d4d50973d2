"""Profile `task` (seed 001): fire and forget; running out of cycles is complete but wants attention."""

from __future__ import annotations

from burnish.model.outcome import Outcome
from burnish.model.profile import Limit, LimitUnit, OnError, OnViolation, Profile
from burnish.model.step import Role

# A phase that times out keeps its progress and wants attention (G-70); any other failure ends the task.
_ATTENTION = OnError(Outcome.ESCALATED)

PROFILE = Profile(
    name="task",
    contract="verdict-line",
    limit=Limit(LimitUnit.REVIEWS, 3),
    reask=True,
    on_violation=OnViolation.REVISE,
    on_error={role: OnError(Outcome.FAILED) for role in (Role.IMPLEMENT, Role.REVIEW, Role.FIX)},
    on_timeout=dict.fromkeys((Role.IMPLEMENT, Role.REVIEW, Role.FIX), _ATTENTION),
    implement_subject="{title}",
    fix_subject="Address review feedback (cycle {cycle})",
    final_verdicts={
        Outcome.PASSED: "APPROVED",
        Outcome.EXHAUSTED: "MAX_CYCLES_REACHED",
        Outcome.ESCALATED: "CHANGES_REQUESTED",
        Outcome.FAILED: "CHANGES_REQUESTED",
    },
)


def make() -> Profile:
    return PROFILE
