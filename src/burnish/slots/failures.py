"""Why a slot failed, in the words of its origin."""

from __future__ import annotations

import re

from burnish.model.change import Failure, FailureKind
from burnish.model.step import Role

_WHO = {Role.IMPLEMENT: "implementer", Role.REVIEW: "reviewer", Role.FIX: "fixer"}
_VIOLATION = re.compile(r"reviewer contract violation \(([a-z_]+)\): (.*)", re.S)
EMPTY = "the answer is empty"
_WHYS = {
    "no_json": "no JSON object found",
    "malformed": "not a valid JSON object",
    "bad_verdict": "invalid verdict",
    "bad_followup": "missing or invalid followUpPrompt",
}


def failure_reason(failure: Failure) -> str:
    """One line: who, and what became of it; what it printed stands behind it."""
    who = _WHO.get(failure.role, str(failure.role))
    match failure.kind:
        case FailureKind.VIOLATION:
            return _violation(failure.message)
        case FailureKind.EXIT if failure.agent_exit is not None:
            return f"{who} process exited with status {failure.agent_exit}"
        case FailureKind.TIMEOUT:
            return f"{who} process ran out of time"
        case _:
            return f"{who}: {failure.message}"


def _violation(message: str) -> str:
    found = _VIOLATION.match(message)
    if found is None:
        return message
    code, why = found.groups()
    known = "empty reviewer output" if why == EMPTY else _WHYS.get(code)
    return f"reviewer contract violation: {known} ({why})" if known else f"reviewer contract violation: {why}"
