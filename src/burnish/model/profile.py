"""A profile: one seed's way of running the loop, as data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from burnish.model.outcome import Outcome


class LimitUnit(StrEnum):
    REVIEWS = "reviews"
    FIXES = "fixes"


@dataclass(frozen=True)
class Limit:
    unit: LimitUnit
    n: int

    @property
    def reviews(self) -> int:
        return self.n if self.unit is LimitUnit.REVIEWS else self.n + 1

    @property
    def fixes(self) -> int:
        return self.n if self.unit is LimitUnit.FIXES else self.n - 1


@dataclass(frozen=True)
class OnError:
    """What an agent's failure leads to: asked again `retries` times, then the outcome, or None to go on."""

    outcome: Outcome | None
    retries: int = 0


class OnViolation(StrEnum):
    """What words that do not fit the contract lead to, after the one re-ask."""

    FAIL_RUN = "fail_run"
    REVISE = "revise"


@dataclass(frozen=True)
class Profile:
    name: str
    contract: str
    limit: Limit
    exhausted: Outcome
    reask: bool
    on_violation: OnViolation
    on_implement_error: OnError
    on_reviewer_error: OnError
    on_fixer_error: OnError
    on_fixer_timeout: OnError
    implement_subject: str
    fix_subject: str
    exhausted_verdict: str
    review_optional: bool = False
