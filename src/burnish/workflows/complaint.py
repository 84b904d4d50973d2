"""What was wrong with the form of an answer, in words that can be put before the agent again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from burnish.errors import ContractViolation

MOST_PROBLEMS = 50


def complaint_of(problems: Sequence[str]) -> str:
    """One problem as it is, several as a list: an agent that is told all of them repairs all of them."""
    return problems[0] if len(problems) == 1 else "\n".join(f"- {problem}" for problem in problems)


def malformed(what: str, errors: Sequence[Mapping[str, Any]]) -> ContractViolation:
    """From pydantic's errors, each with the path of its value."""
    told = tuple(
        f"the {what} is not as asked: {'.'.join(map(str, error['loc']))}: {error['msg']}"
        for error in errors[:MOST_PROBLEMS]
    )
    return ContractViolation("malformed", told[0], told)
