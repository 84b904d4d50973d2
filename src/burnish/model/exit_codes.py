"""The only exit codes of Burnish, and the table that picks one for an ended run."""

from __future__ import annotations

from enum import IntEnum

from burnish.model.outcome import Outcome


class ExitCode(IntEnum):
    OK = 0
    FAILED = 1
    USAGE = 2
    BUG = 3
    STOPPED = 4
    NEEDS_PERSON = 5
    INTERRUPTED = 130


_BY_OUTCOME = {
    Outcome.PASSED: ExitCode.OK,
    Outcome.STOPPED: ExitCode.STOPPED,
    Outcome.ESCALATED: ExitCode.NEEDS_PERSON,
    Outcome.FAILED: ExitCode.FAILED,
    Outcome.CANCELLED: ExitCode.INTERRUPTED,
    Outcome.UNREVIEWED: ExitCode.OK,
}
_EXHAUSTED = {
    "spec": ExitCode.NEEDS_PERSON,
    "task": ExitCode.OK,
    "slots": ExitCode.FAILED,
    "loops": ExitCode.STOPPED,
    "review": ExitCode.FAILED,
}


def exit_code(profile: str, outcome: Outcome, *, strict: bool = False, landed: bool = True) -> ExitCode:
    """`strict` refuses to call anything but a pass that landed as asked a success."""
    code = _EXHAUSTED[profile] if outcome is Outcome.EXHAUSTED else _BY_OUTCOME[outcome]
    if strict and code is ExitCode.OK and not (outcome is Outcome.PASSED and landed):
        return ExitCode.STOPPED
    return code
