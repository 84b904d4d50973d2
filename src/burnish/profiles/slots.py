"""Profile `slots` (seed 002): strict; a broken contract or a failing agent ends the slot."""

from __future__ import annotations

from burnish.model.outcome import Outcome
from burnish.model.profile import Limit, LimitUnit, OnError, OnViolation, Profile
from burnish.model.step import Role

PROFILE = Profile(
    name="slots",
    contract="json-verdict",
    limit=Limit(LimitUnit.FIXES, 5),
    reask=False,
    on_violation=OnViolation.FAIL_RUN,
    on_error={role: OnError(Outcome.FAILED) for role in (Role.IMPLEMENT, Role.REVIEW, Role.FIX)},
    on_timeout={},
    implement_subject="{title}",
    fix_subject="Fix drift (attempt {cycle})",
    final_verdicts={Outcome.PASSED: "pass", Outcome.EXHAUSTED: "drift"},
    review_optional=True,
    prompts={"implement": "slot_implement", "review": "slot_review", "fix": "slot_fix"},
)


def make() -> Profile:
    return PROFILE
