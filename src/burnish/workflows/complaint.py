"""What was wrong with the form of an answer, in words that can be put before the agent again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from burnish.errors import ContractViolation

MOST_PROBLEMS = 50
ANSWER_CHARS = 5000


def complaint_of(problems: Sequence[str], answer: str = "") -> str:
    """One problem as it is, several as a list, with the answer that they are about.

    The session that is asked again is a fresh one: without its own answer it would judge from the beginning.
    """
    listed = problems[0] if len(problems) == 1 else "\n".join(f"- {problem}" for problem in problems)
    if not answer.strip():
        return listed
    cut = (
        ""
        if len(answer) <= ANSWER_CHARS
        else f"\n[{len(answer) - ANSWER_CHARS} characters before this are cut]\n"
    )
    return f"{listed}\n\nYour answer was:\n{cut}\n{answer[-ANSWER_CHARS:].strip()}"


def malformed(what: str, errors: Sequence[Mapping[str, Any]]) -> ContractViolation:
    """From pydantic's errors, each with the path of its value."""
    told = tuple(
        f"the {what} is not as asked: {'.'.join(map(str, error['loc']))}: {error['msg']}"
        for error in errors[:MOST_PROBLEMS]
    )
    return ContractViolation("malformed", told[0], told)
