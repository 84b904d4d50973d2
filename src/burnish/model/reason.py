"""Why a run ended: stable codes for programs. The sentence for people is `Stop.message`."""

from enum import StrEnum


class Reason(StrEnum):
    REVIEW_PASSED = "review_passed"
    CYCLES_EXHAUSTED = "cycles_exhausted"
    FIXES_EXHAUSTED = "fixes_exhausted"
    NEEDS_DISCUSSION = "needs_discussion"
    BLOCKING_FINDINGS = "blocking_findings"
    EMPTY_CHANGE = "empty_change"
    NO_PROGRESS = "no_progress"
    OUT_OF_PATIENCE = "out_of_patience"
    OUT_OF_BUDGET = "out_of_budget"
    REVIEW_SKIPPED = "review_skipped"
    NO_FIXER = "no_fixer"
    IMPLEMENTER_FAILED = "implementer_failed"
    IMPLEMENTER_TIMEOUT = "implementer_timeout"
    REVIEWER_FAILED = "reviewer_failed"
    REVIEWER_TIMEOUT = "reviewer_timeout"
    CONTRACT_VIOLATION = "contract_violation"
    FIXER_FAILED = "fixer_failed"
    FIXER_TIMEOUT = "fixer_timeout"
    GATE_UNUSABLE = "gate_unusable"
    CANCELLED_BY_USER = "cancelled_by_user"
