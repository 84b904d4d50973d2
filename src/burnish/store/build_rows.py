"""Rows of a build as a whole: its tasks and groups, what phase it is in, what each phase came to and cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from burnish import codec
from burnish.loops.state import CHECKPOINT
from burnish.loops.work import PlanGroup, PlannedTask
from burnish.model.events import Recorded, RunFinished, RunStarted, StepFailed, StepFinished
from burnish.model.review import Review
from burnish.model.step import Role, Step
from burnish.store.loop_reviews import write_run_review
from burnish.store.loop_schema import pending_conflicts, phase_costs, phase_history, plan_groups, tasks
from burnish.store.queue_schema import spending
from burnish.store.schema import runs

# The results of a build's own steps, by the name of their type, and the phase each of them ends.
_PHASES = {
    "Enumerated": "enumerate",
    "Grouped": "plan",
    "Outline": "plan",
    "LoopEnded": "build",
    "Merged": "merge",
}
LANDED = "landed"
_OF_ROLE = {Role.IMPLEMENT: "build", Role.REVIEW: "review", Role.FIX: "revise", Role.GATE: "build"}


def take(connection: sa.Connection, build: Mapping[str, Any], one: Recorded) -> None:
    match one.event:
        case RunStarted():
            _begin(connection, build, one.run)
        case StepFinished() as finished:
            _finished(connection, one, finished)
        case StepFailed(step, _, message):
            add_cost(connection, one.run, step, step_cost(connection, one.run, step.key))
            _remember(connection, one, step.phase or _OF_ROLE.get(step.role, ""), message, success=False)
        case RunFinished() as finished:
            done = finished.outcome == "passed"
            _remember(connection, one, "complete" if done else "stopped", finished.message, success=done)
        case _:
            pass


def add_cost(connection: sa.Connection, run: str, step: Step, cost: float) -> None:
    """To what the phase of a step has cost so far, in the build `run`."""
    phase = "review" if step.part == CHECKPOINT else step.phase or _OF_ROLE.get(step.role, "")
    if not cost or not phase:
        return
    row = sa.and_(phase_costs.c.run_id == run, phase_costs.c.phase == phase)
    more = phase_costs.update().where(row).values(cost_usd=phase_costs.c.cost_usd + cost)
    if connection.execute(more).rowcount == 0:
        connection.execute(phase_costs.insert().values(run_id=run, phase=phase, cost_usd=cost))


def _begin(connection: sa.Connection, build: Mapping[str, Any], run: str) -> None:
    connection.execute(
        runs.update()
        .where(runs.c.id == run)
        .values(
            spec_path=build.get("path", ""),
            effort=build.get("effort", "medium"),
            max_loops=build.get("max_loops", 4),
            max_iterations=build.get("max_iterations", 20),
            base_branch=build.get("onto"),
            phase="enumerate",
        )
    )


def _finished(connection: sa.Connection, one: Recorded, event: StepFinished) -> None:
    step, result = event.step, event.result
    add_cost(connection, one.run, step, step_cost(connection, one.run, step.key))
    if event.result_type == Review.__name__:
        _reviewed(connection, one, step, codec.validate(Review, result))
        return
    phase = _PHASES.get(event.result_type)
    if phase is None:
        return
    if not result.get("problems"):
        _replace_tasks(connection, one.run, result.get("tasks"))
        _replace_groups(connection, one.run, result.get("groups"))
    if event.result_type == "Merged":
        _conflict(connection, one, step, result)
    good, said = _came_to(event.result_type, result)
    _remember(connection, one, phase, said, success=good)


def _came_to(kind: str, result: Mapping[str, Any]) -> tuple[bool, str]:
    """Whether a phase's step did its part, and what to say about it."""
    match kind:
        case "LoopEnded":
            return bool(result.get("passed")), str(result.get("why", ""))
        case "Merged":
            return result.get("fate") == LANDED, str(result.get("message", ""))
        case _:
            problems = result.get("problems") or ()
            count = len(result.get("tasks") or result.get("groups") or ())
            return not problems, str(problems[0]) if problems else f"{count} found"


def _conflict(connection: sa.Connection, one: Recorded, step: Step, result: Mapping[str, Any]) -> None:
    """What did not go together waits in the queue until its loop has landed."""
    of_loop = sa.and_(pending_conflicts.c.run_id == one.run, pending_conflicts.c.loop_id == step.phase)
    connection.execute(pending_conflicts.delete().where(of_loop))
    if result.get("fate") == LANDED:
        return
    files = codec.dumps(list(result.get("paths") or ()))
    connection.execute(
        pending_conflicts.insert().values(
            id=f"{one.run}-{one.seq}", run_id=one.run, loop_id=step.phase, files=files, created_at=one.at
        )
    )


def _reviewed(connection: sa.Connection, one: Recorded, step: Step, review: Review) -> None:
    write_run_review(connection, one, step.phase or "review", review)
    satisfied = None if review.intent_satisfied is None else int(review.intent_satisfied)
    values: dict[str, Any] = {"interpreted_intent": review.intent or None, "intent_satisfied": satisfied}
    if not review.passed:
        values["revision_count"] = runs.c.revision_count + 1
    connection.execute(runs.update().where(runs.c.id == one.run).values(**values))
    _remember(connection, one, "review", review.summary, success=review.passed)


def _remember(connection: sa.Connection, one: Recorded, phase: str, summary: str, *, success: bool) -> None:
    step = getattr(one.event, "step", None)
    connection.execute(
        phase_history.insert().values(
            id=f"{one.run}-{one.seq}",
            run_id=one.run,
            phase=phase,
            success=int(success),
            cost_usd=step_cost(connection, one.run, step.key) if step else 0.0,
            summary=summary,
            at=one.at,
        )
    )
    connection.execute(runs.update().where(runs.c.id == one.run).values(phase=phase))


def _replace_tasks(connection: sa.Connection, run: str, found: Any) -> None:
    """Those of the last enumeration, with what is known already of how they went."""
    if found is None:
        return
    known = {row.id: row for row in connection.execute(sa.select(tasks).where(tasks.c.run_id == run))}
    connection.execute(tasks.delete().where(tasks.c.run_id == run))
    for value in found:
        task = codec.validate(PlannedTask, value)
        before = known.get(task.id)
        connection.execute(
            tasks.insert().values(
                id=task.id,
                run_id=run,
                title=task.title,
                description=task.description,
                status=before.status if before else "pending",
                assigned_loop_id=before.assigned_loop_id if before else None,
                dependencies=codec.dumps(list(task.dependencies)),
                estimated_iterations=task.estimated_iterations,
            )
        )


def _replace_groups(connection: sa.Connection, run: str, found: Any) -> None:
    if found is None:
        return
    connection.execute(plan_groups.delete().where(plan_groups.c.run_id == run))
    for value in found:
        group = codec.validate(PlanGroup, value)
        ids = codec.dumps(list(group.task_ids))
        connection.execute(plan_groups.insert().values(run_id=run, group_index=group.index, task_ids=ids))


def step_cost(connection: sa.Connection, run: str, key: str) -> float:
    """Of the step that was just finished: its spending is written in the same transaction, before this."""
    last = (
        sa.select(spending.c.cost_usd)
        .where(spending.c.spent_by == run, spending.c.key == key)
        .order_by(spending.c.seq.desc())
        .limit(1)
    )
    return float(connection.execute(last).scalar() or 0.0)
