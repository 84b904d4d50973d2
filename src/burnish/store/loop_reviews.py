"""Rows of reviews: of a loop, with what was found replaced; of a whole build, which belong to no loop."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from burnish import codec
from burnish.loops.checkpoints import Checkpoint
from burnish.loops.part import LoopPart
from burnish.loops.state import CHECKPOINT, review_id
from burnish.model.change import FailureKind
from burnish.model.events import Recorded, StepFailed, StepFinished
from burnish.model.review import Finding, Review
from burnish.model.step import Role
from burnish.store.loop_schema import loop_reviews, review_issues

ISSUE_TYPES = (
    "over-engineering", "missing-error-handling", "pattern-violation", "dead-code", "spec-intent-mismatch",
)  # fmt: skip
# What comes from elsewhere (a red gate, a reviewer that wrote) is not what was intended.
OTHER = "spec-intent-mismatch"


def write_review(connection: sa.Connection, run: str, part: LoopPart, one: Recorded, cost: float) -> None:
    """A finished step of a loop, where it is a review or a checkpoint."""
    event = one.event
    assert isinstance(event, StepFinished)
    review = _review_of(event)
    if review is None:
        return
    task = part.task_id if event.step.part != CHECKPOINT else None
    values = {
        "task_id": task,
        "passed": int(review.passed),
        "interpreted_intent": review.intent or None,
        "intent_satisfied": None if review.intent_satisfied is None else int(review.intent_satisfied),
        "cost_usd": cost,
    }
    name = review_id(one.run, event.step)
    _write(connection, {"id": name, "run_id": run, "loop_id": part.loop_id, "reviewed_at": one.at, **values})
    of_loop = review_issues.c.loop_id == part.loop_id
    connection.execute(review_issues.delete().where(of_loop))
    about = {"run_id": run, "task_id": task, "loop_id": part.loop_id, "loop_review_id": name}
    _write_issues(connection, name, review.findings, {**about, "created_at": one.at})


def _review_of(event: StepFinished) -> Review | None:
    found: Review | None = None
    match event.result_type:
        case Review.__name__:
            found = codec.validate(Review, event.result)
        case Checkpoint.__name__:
            found = codec.validate(Checkpoint, event.result).review
    return found


def write_failed(connection: sa.Connection, run: str, part: LoopPart, one: Recorded, cost: float) -> None:
    """Words that did not fit, also when asked again, are a review that failed without issues."""
    event = one.event
    assert isinstance(event, StepFailed)
    step = event.step
    misfit = step.role is Role.REVIEW and event.failure == FailureKind.VIOLATION and step.ask > 1
    if not misfit or step.part == CHECKPOINT:
        return
    values: dict[str, Any] = {"task_id": part.task_id, "passed": 0, "cost_usd": cost, "reviewed_at": one.at}
    _write(connection, {"id": review_id(one.run, step), "run_id": run, "loop_id": part.loop_id, **values})
    connection.execute(review_issues.delete().where(review_issues.c.loop_id == part.loop_id))


def write_run_review(connection: sa.Connection, one: Recorded, phase: str, review: Review) -> None:
    """A review of enumerated tasks or of a plan: its issues belong to no loop, and replace those before."""
    of_phase = review_issues.c.id.startswith(f"{one.run}-{phase}-", autoescape=True)
    connection.execute(
        review_issues.delete().where(
            review_issues.c.run_id == one.run, review_issues.c.loop_id.is_(None), of_phase
        )
    )
    about = {"run_id": one.run, "task_id": None, "loop_id": None, "loop_review_id": None}
    _write_issues(connection, f"{one.run}-{phase}", review.findings, {**about, "created_at": one.at})


def _write(connection: sa.Connection, row: dict[str, Any]) -> None:
    connection.execute(loop_reviews.delete().where(loop_reviews.c.id == row["id"]))
    connection.execute(loop_reviews.insert().values(**row))


def _write_issues(
    connection: sa.Connection, name: str, findings: tuple[Finding, ...], about: dict[str, Any]
) -> None:
    rows = [
        {
            **about,
            "id": f"{name}-{number}",
            "file": finding.file,
            "line": finding.line,
            "type": finding.category if finding.category in ISSUE_TYPES else OTHER,
            "description": finding.detail or finding.title,
            "suggestion": finding.suggestion,
        }
        for number, finding in enumerate(findings, 1)
    ]
    if rows:
        connection.execute(review_issues.insert(), rows)
