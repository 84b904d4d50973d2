"""Profile `review` (seed 004): the verdict is drawn from findings; a failed fix is tried again."""

from __future__ import annotations

from burnish.model.outcome import Outcome
from burnish.model.profile import Limit, LimitUnit, OnError, OnViolation, Profile
from burnish.model.step import Role

PROFILE = Profile(
    name="review",
    contract="findings",
    limit=Limit(LimitUnit.REVIEWS, 3),
    reask=True,
    on_violation=OnViolation.FAIL_RUN,
    on_error={
        Role.IMPLEMENT: OnError(Outcome.FAILED),
        Role.REVIEW: OnError(Outcome.FAILED),
        Role.FIX: OnError(Outcome.FAILED, retries=2),
    },
    on_timeout={Role.FIX: OnError(Outcome.FAILED)},
    implement_subject="{title}",
    fix_subject="fix(review): {title}",
    final_verdicts={Outcome.PASSED: "complete", Outcome.EXHAUSTED: "partial"},
)


def make() -> Profile:
    return PROFILE
