"""Profile `loops` (seed 003): a failed revision counts as an attempt; out of attempts, the loop is stuck."""

from __future__ import annotations

from burnish.loops.effort import PRESETS, Effort
from burnish.model.outcome import Outcome
from burnish.model.profile import Limit, LimitUnit, OnError, OnViolation, Profile
from burnish.model.step import Role

# Revisions a loop may take, by effort (P-39..42).
MAX_REVISIONS = {str(effort): preset.max_revision_attempts for effort, preset in PRESETS.items()}

# What a loop of a build is told in each role; a run by itself is told what all runs are.
PROMPTS = {"implement": "loop_build", "review": "loop_review", "fix": "loop_revise"}
CHECKPOINT_PROMPTS = {"review": "loop_checkpoint"}

PROFILE = Profile(
    name="loops",
    contract="loop-result",
    limit=Limit(LimitUnit.FIXES, PRESETS[Effort.MEDIUM].max_revision_attempts),
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
