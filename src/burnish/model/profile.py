"""A profile: one seed's way of running the loop, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from burnish.model.change import FailureKind
from burnish.model.outcome import Outcome
from burnish.model.step import Role


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
    """`on_timeout` holds only the roles whose timeout is treated differently from another failure.

    `fix_subject` and `implement_subject` are commit subjects with the fields {title}, {cycle}, {phase} and
    {number}; `final_verdicts` are the seed's own words for how a run ended; `prompts` names the templates
    that stand in for those of a role: {"review": "spec_review"}. `review_file` is what a fixer's copy of the
    review is called in its inbox.
    """

    name: str
    contract: str
    limit: Limit
    reask: bool
    on_violation: OnViolation
    on_error: Mapping[Role, OnError]
    on_timeout: Mapping[Role, OnError]
    implement_subject: str
    fix_subject: str
    final_verdicts: Mapping[Outcome, str]
    review_optional: bool = False
    prompts: Mapping[str, str] = field(default_factory=dict)
    review_file: str = "review.md"

    def rule(self, role: Role, kind: FailureKind) -> OnError:
        if kind is FailureKind.TIMEOUT and role in self.on_timeout:
            return self.on_timeout[role]
        return self.on_error[role]
