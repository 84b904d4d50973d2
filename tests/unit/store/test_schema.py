"""The tables of seed 003, by its names."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa

from burnish.store.loop_schema import (
    loop_reviews,
    loops,
    pending_conflicts,
    plan_groups,
    review_issues,
    tasks,
)
from burnish.store.schema import runs
from tests.unit.store.journals import Bench

NOW = "2026-11-15T10:00:00.000Z"
REVIEW: dict[str, Any] = {"id": "v-1", "run_id": "r-1", "loop_id": "loop-1", "passed": 1, "reviewed_at": NOW}


@pytest.fixture
def seeded(bench: Bench) -> Bench:
    with bench.database.write() as connection:
        connection.execute(runs.insert().values(id="r-1", state="running", created_at=NOW, updated_at=NOW))
        connection.execute(loops.insert().values(id="loop-1", run_id="r-1"))
    return bench


def _insert(bench: Bench, table: sa.Table, **values: object) -> Any:
    with bench.database.write() as connection:
        connection.execute(table.insert().values(values))
    with bench.database.read() as connection:
        return connection.execute(sa.select(table).where(table.c.id == values["id"])).one()


def _types(bench: Bench, table: str) -> dict[str, str]:
    with bench.database.read() as connection:
        return {row.name: row.type for row in connection.exec_driver_sql(f"PRAGMA table_info({table})")}


@pytest.mark.conformance("P-06", "P-07", "P-08")
def test_a_loop_review_has_its_own_id_and_belongs_to_a_run_and_a_loop(seeded: Bench) -> None:
    assert _insert(seeded, loop_reviews, **REVIEW).loop_id == "loop-1"
    for wrong in (
        {"id": "v-1"},
        {"id": None},
        {"run_id": "r-x"},
        {"run_id": None},
        {"loop_id": "x"},
        {"loop_id": None},
    ):
        with pytest.raises(sa.exc.IntegrityError):
            _insert(seeded, loop_reviews, **{**REVIEW, "id": "v-2", **wrong})


@pytest.mark.conformance("P-09", "P-10", "P-11")
def test_a_checkpoint_review_has_no_task_and_passed_is_0_or_1(seeded: Bench) -> None:
    row = _insert(seeded, loop_reviews, **REVIEW, task_id=None, interpreted_intent="wanted a check")
    assert (row.task_id, row.passed, row.interpreted_intent) == (None, 1, "wanted a check")
    for wrong in (2, None):
        with pytest.raises(sa.exc.IntegrityError):
            _insert(seeded, loop_reviews, **{**REVIEW, "id": "v-2", "passed": wrong})
    types = _types(seeded, "loop_reviews")
    assert (types["task_id"], types["passed"], types["interpreted_intent"]) == ("TEXT", "INTEGER", "TEXT")


@pytest.mark.conformance("P-12", "P-13", "P-14")
def test_intent_may_be_unknown_the_time_may_not_and_cost_begins_at_0(seeded: Bench) -> None:
    for number, intent in enumerate((0, 1, None)):
        row = _insert(seeded, loop_reviews, **{**REVIEW, "id": f"v-{number}", "intent_satisfied": intent})
        assert (row.intent_satisfied, row.cost_usd) == (intent, 0)
    with pytest.raises(sa.exc.IntegrityError):
        _insert(seeded, loop_reviews, **{**REVIEW, "id": "v-9", "reviewed_at": None})
    types = _types(seeded, "loop_reviews")
    assert (types["intent_satisfied"], types["reviewed_at"], types["cost_usd"]) == ("INTEGER", "TEXT", "REAL")


@pytest.mark.conformance("P-29", "P-30", "P-31")
def test_a_loop_knows_its_review_status_last_review_and_revisions(seeded: Bench) -> None:
    new = _insert(seeded, loops, id="loop-2", run_id="r-1")
    assert (new.review_status, new.last_review_id, new.revision_attempts) == ("pending", None, 0)
    for number, status in enumerate(("pending", "in_progress", "passed", "failed")):
        values = {"review_status": status, "last_review_id": "v-1", "revision_attempts": 2}
        assert _insert(seeded, loops, id=f"loop-s{number}", run_id="r-1", **values).review_status == status
    with pytest.raises(sa.exc.IntegrityError):
        _insert(seeded, loops, id="loop-9", run_id="r-1", review_status="done")


@pytest.mark.conformance("P-32")
def test_a_loop_keeps_its_id_status_iteration_and_last_checkpoint(seeded: Bench) -> None:
    row = _insert(seeded, loops, id="loop-2", run_id="r-1", status="needs_revision", iteration=7)
    assert (row.id, row.status, row.iteration, row.last_checkpoint_review_at) == (
        "loop-2",
        "needs_revision",
        7,
        0,
    )
    with pytest.raises(sa.exc.IntegrityError):
        _insert(seeded, loops, id="loop-9", run_id="r-1", status="asleep")


def test_two_runs_may_name_their_tasks_alike_and_groups_are_unique_in_a_run(seeded: Bench) -> None:
    with seeded.database.write() as connection:
        connection.execute(runs.insert().values(id="r-2", state="running", created_at=NOW, updated_at=NOW))
        for run in ("r-1", "r-2"):
            connection.execute(tasks.insert().values(id="task-1", run_id=run, title="Scaffold"))
            connection.execute(plan_groups.insert().values(run_id=run, group_index=0))
    with pytest.raises(sa.exc.IntegrityError), seeded.database.write() as connection:
        connection.execute(plan_groups.insert().values(run_id="r-1", group_index=0))


@pytest.mark.parametrize(
    ("table", "columns"),
    [
        (runs, "id spec_path effort phase pending_review review_type revision_count max_loops max_iterations"
               " total_cost_usd created_at updated_at base_branch use_worktrees interpreted_intent intent_satisfied"),
        (tasks, "id run_id title description status dependencies estimated_iterations assigned_loop_id"),
        (plan_groups, "run_id group_index task_ids"),
        (loops, "id run_id task_ids iteration max_iterations review_interval last_review_at status same_error_count"
                " no_progress_count last_error last_file_change_iteration last_activity_at cost_usd worktree_path phase"),
        (review_issues, "id run_id task_id file line type description suggestion loop_id loop_review_id created_at"),
        (pending_conflicts, "id run_id loop_id files created_at"),
    ],
    ids=lambda value: value.name if isinstance(value, sa.Table) else "",
)  # fmt: skip
def test_the_origins_columns_are_there_by_name(bench: Bench, table: sa.Table, columns: str) -> None:
    assert set(columns.split()) <= set(_types(bench, table.name))
