"""Profile `spec` (seed 000): graded review cycles; only PASS proceeds, all else needs a person."""

from __future__ import annotations

from burnish.model.outcome import Outcome
from burnish.model.profile import Limit, LimitUnit, OnError, OnViolation, Profile
from burnish.model.step import Role

PROFILE = Profile(
    name="spec",
    contract="grade",
    limit=Limit(LimitUnit.REVIEWS, 3),
    reask=True,
    on_violation=OnViolation.REVISE,
    on_error={
        Role.IMPLEMENT: OnError(Outcome.FAILED),
        Role.REVIEW: OnError(Outcome.ESCALATED, retries=1),
        Role.FIX: OnError(Outcome.ESCALATED),
    },
    on_timeout={Role.FIX: OnError(Outcome.ESCALATED, retries=1)},
    implement_subject="spec({number}): IMPLEMENT phase-{phase} - {title}",
    fix_subject="spec({number}): FIX phase-{phase} cycle-{cycle} - {title}",
    final_verdicts={
        Outcome.PASSED: "PASS",
        Outcome.EXHAUSTED: "STAGE_FAILED",
        Outcome.ESCALATED: "STAGE_FAILED",
    },
    prompts={"implement": "spec_implement", "review": "spec_review", "fix": "spec_fix"},
    review_file="reviews/phase-{phase}-review-{cycle}.md",
)


def make() -> Profile:
    return PROFILE
