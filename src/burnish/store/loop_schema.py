"""The tables of seed 003 by its own names: tasks, plan groups, loops, their reviews and issues."""

from __future__ import annotations

import sqlalchemy as sa

from burnish.store.queue_schema import queue_tasks
from burnish.store.review_schema import sessions
from burnish.store.schema import Words, count, maybe, metadata, money, of_run, text

tasks = sa.Table(
    "tasks",
    metadata,
    text("id"),
    of_run(),
    text("title"),
    text("description", default=""),
    sa.Column(
        "status",
        Words,
        sa.CheckConstraint("status IN ('pending', 'in_progress', 'completed', 'failed')"),
        nullable=False,
        server_default="pending",
    ),
    text("dependencies", default="[]"),
    count("estimated_iterations", 10),
    maybe("assigned_loop_id"),
    # Agents choose these ids ("task-1"), so two runs will choose the same.
    sa.PrimaryKeyConstraint("run_id", "id"),
)

plan_groups = sa.Table(
    "plan_groups",
    metadata,
    of_run(),
    sa.Column("group_index", sa.Integer, nullable=False),
    text("task_ids", default="[]"),
    sa.UniqueConstraint("run_id", "group_index"),
)

loops = sa.Table(
    "loops",
    metadata,
    text("id", key=True),
    of_run(),
    text("task_ids", default="[]"),
    count("iteration"),
    count("max_iterations", 20),
    sa.Column("review_interval", sa.Integer),
    count("last_review_at"),
    sa.Column(
        "status",
        Words,
        sa.CheckConstraint(
            "status IN ('pending', 'running', 'needs_revision', 'stuck', 'completed', 'failed', "
            "'interrupted')"
        ),
        nullable=False,
        server_default="pending",
    ),
    count("same_error_count"),
    count("no_progress_count"),
    maybe("last_error"),
    count("last_file_change_iteration"),
    maybe("last_activity_at"),
    sa.Column("cost_usd", money, server_default="0"),
    maybe("worktree_path"),
    text("phase", default=""),
    sa.Column(
        "review_status",
        Words,
        sa.CheckConstraint("review_status IN ('pending', 'in_progress', 'passed', 'failed')"),
        nullable=False,
        server_default="pending",
    ),
    maybe("last_review_id"),
    count("revision_attempts"),
    count("last_checkpoint_review_at"),
)

loop_reviews = sa.Table(
    "loop_reviews",
    metadata,
    text("id", key=True),
    of_run(),
    sa.Column("loop_id", Words, sa.ForeignKey("loops.id"), nullable=False),
    maybe("task_id"),
    sa.Column("passed", sa.Integer, sa.CheckConstraint("passed IN (0, 1)"), nullable=False),
    maybe("interpreted_intent"),
    sa.Column("intent_satisfied", sa.Integer, sa.CheckConstraint("intent_satisfied IN (0, 1)")),
    text("reviewed_at"),
    sa.Column("cost_usd", money, server_default="0"),
)

review_issues = sa.Table(
    "review_issues",
    metadata,
    text("id", key=True),
    of_run(),
    maybe("task_id"),
    text("file", default=""),
    sa.Column("line", sa.Integer),
    sa.Column(
        "type",
        Words,
        sa.CheckConstraint(
            "type IN ('over-engineering', 'missing-error-handling', 'pattern-violation', 'dead-code', "
            "'spec-intent-mismatch')"
        ),
        nullable=False,
    ),
    text("description"),
    text("suggestion", default=""),
    text("created_at"),
    maybe("loop_id"),
    maybe("loop_review_id"),
)

phase_history = sa.Table(
    "phase_history",
    metadata,
    text("id", key=True),
    of_run(),
    text("phase"),
    sa.Column("success", sa.Integer, nullable=False),
    sa.Column("cost_usd", money, server_default="0"),
    text("summary", default=""),
    text("at"),
)

phase_costs = sa.Table(
    "phase_costs",
    metadata,
    of_run(),
    text("phase"),
    sa.Column("cost_usd", money, nullable=False, server_default="0"),
    sa.PrimaryKeyConstraint("run_id", "phase"),
)

pending_conflicts = sa.Table(
    "pending_conflicts",
    metadata,
    text("id", key=True),
    of_run(),
    text("loop_id"),
    maybe("task_id"),
    text("files", default="[]"),
    text("created_at"),
)

# Parents before children, the tables of `schema`, `review_schema` and `queue_schema` included.
_OTHERS = (sessions, queue_tasks)
EVERY_TABLE = tuple(_OTHERS[0].metadata.sorted_tables)
