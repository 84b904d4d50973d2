"""Profile `loops` (seed 003): a failed revision counts as an attempt; out of attempts, the loop is stuck."""

from __future__ import annotations

from burnish.model.outcome import Outcome
from burnish.model.profile import Limit, LimitUnit, OnError, OnViolation, Profile
from burnish.model.step import Role

# Revisions a loop may take, by effort (P-39..42).
MAX_REVISIONS = {"low": 2, "medium": 3, "high": 4, "max": 5}

PROFILE = Profile(
    name="loops",
    contract="loop-result",
    limit=Limit(LimitUnit.FIXES, MAX_REVISIONS["medium"]),
    reask=True,
    on_violation=OnViolation.REVISE,
    on_error={
        Role.IMPLEMENT: OnError(Outcome.FAILED),
        Role.REVIEW: OnError(Outcome.FAILED, retries=1),
        Role.FIX: OnError(None),
    },
    on_timeout={},
    implement_subject="{title}",
    fix_subject="Revise after review (attempt {cycle})",
    final_verdicts={Outcome.PASSED: "passed", Outcome.EXHAUSTED: "stuck"},
)


def make() -> Profile:
    return PROFILE
