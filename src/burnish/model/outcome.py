"""How a run can end."""

from enum import StrEnum


class Outcome(StrEnum):
    PASSED = "passed"
    EXHAUSTED = "exhausted"
    STOPPED = "stopped"
    ESCALATED = "escalated"
    FAILED = "failed"
    CANCELLED = "cancelled"
    UNREVIEWED = "unreviewed"
