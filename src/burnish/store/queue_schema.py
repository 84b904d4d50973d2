"""The tables of the queue: tasks, their runs, who claims them, what people changed, what was spent."""

from __future__ import annotations

import sqlalchemy as sa

from burnish.store.schema import Words, count, holder, maybe, metadata, money, text

queue_tasks = sa.Table(
    "queue_tasks",
    metadata,
    text("id", key=True),
    sa.Column("number", sa.Integer, nullable=False, unique=True),
    text("prompt"),
    text("task_type"),
    text("group_name", default=""),
    # Numbers of other tasks, as JSON.
    text("depends_on", default="[]"),
    sa.Column("based_on", sa.Integer),
    count("same_branch"),
    count("create_review"),
    text("spec", default=""),
    text("note", default=""),
    count("auto_review"),
    sa.Column("max_review_cycles", sa.Integer, nullable=False, server_default="3"),
    # Agents, gate and budgets given with the task, as JSON: keys are settings.
    text("flags", default="{}"),
    maybe("run_id"),
    maybe("final_verdict"),
    text("branch", default=""),
    text("output_content", default=""),
    # Why it could not even be started.
    text("error", default=""),
    text("created_at"),
    maybe("started_at"),
    maybe("cancelled_at"),
    maybe("merged_at"),
    sa.Index("queue_tasks_by_run", "run_id"),
)


def of_task() -> sa.Column[str]:
    return sa.Column("task_id", Words, sa.ForeignKey("queue_tasks.id"), nullable=False)


task_runs = sa.Table(
    "task_runs",
    metadata,
    of_task(),
    sa.Column("attempt", sa.Integer, nullable=False),
    text("attempt_run"),
    text("at"),
    sa.PrimaryKeyConstraint("task_id", "attempt"),
)

task_claims = sa.Table(
    "task_claims",
    metadata,
    sa.Column("task_id", Words, sa.ForeignKey("queue_tasks.id"), primary_key=True),
    *holder(),
)

task_changes = sa.Table(
    "task_changes",
    metadata,
    of_task(),
    sa.Column("seq", sa.Integer, nullable=False),
    text("at"),
    text("made_by"),
    text("what"),
    text("before", default=""),
    text("after", default=""),
    text("why", default=""),
    sa.PrimaryKeyConstraint("task_id", "seq"),
)

# One row for each step that cost something; no link to `runs`: money stays spent when a run is cleaned.
spending = sa.Table(
    "spending",
    metadata,
    text("spent_by"),
    text("key"),
    sa.Column("seq", sa.Integer, nullable=False),
    text("at"),
    text("role"),
    text("agent", default=""),
    sa.Column("tokens_in", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("tokens_out", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("cost_usd", money),
    sa.Column("seconds", money, nullable=False, server_default="0"),
    # 0 or 1: the cost is from a price table; tokens of it have no known price.
    sa.Column("estimated", sa.Integer, nullable=False, server_default="0"),
    sa.Column("unpriced", sa.Integer, nullable=False, server_default="0"),
    sa.PrimaryKeyConstraint("spent_by", "key", "seq"),
    sa.Index("spending_by_time", "at"),
)

cooldowns = sa.Table(
    "cooldowns",
    metadata,
    text("agent", key=True),
    text("until"),
    text("why", default=""),
)
