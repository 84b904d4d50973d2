"""The tables as they are today, for SQLite and Postgres; how older databases get there is in `migrations`."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Any

import sqlalchemy as sa

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class StepState(StrEnum):
    STARTED = "started"
    FINISHED = "finished"


class Words(sa.TypeDecorator[str]):
    """Text from anywhere: what a database cannot hold (NUL, half characters) becomes the replacement mark."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: sa.Dialect) -> str | None:
        return None if value is None else _UNSTORABLE.sub("\ufffd", value)


metadata = sa.MetaData()
# Postgres' REAL has only six digits, which is not enough for money added up over a night.
money: sa.types.TypeEngine[float] = sa.REAL().with_variant(sa.Double(), "postgresql")


def text(name: str, *, null: bool = False, default: str | None = None, key: bool = False) -> sa.Column[Any]:
    return sa.Column(name, Words, nullable=null, server_default=default, primary_key=key)


def maybe(name: str) -> sa.Column[Any]:
    return text(name, null=True)


def count(name: str, default: int = 0) -> sa.Column[Any]:
    return sa.Column(name, sa.Integer, nullable=False, server_default=str(default))


def of_run() -> sa.Column[Any]:
    return sa.Column("run_id", Words, sa.ForeignKey("runs.id"), nullable=False)


def holder() -> tuple[sa.Column[Any], ...]:
    """Which process holds something, so exactly that a dead one is never taken for a live one."""
    names = ("process_started", "boot_id", "pid_space", "host", "acquired_at")
    return text("token"), sa.Column("pid", sa.Integer, nullable=False), *(text(name) for name in names)


schema_migrations = sa.Table(
    "schema_migrations",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    text("name"),
    text("applied_at"),
)

runs = sa.Table(
    "runs",
    metadata,
    text("id", key=True),
    # Columns of seed 003.
    text("spec_path", default=""),
    sa.Column(
        "effort",
        Words,
        sa.CheckConstraint("effort IN ('low', 'medium', 'high', 'max')"),
        nullable=False,
        server_default="medium",
    ),
    text("phase", default=""),
    count("pending_review"),
    maybe("review_type"),
    count("revision_count"),
    count("max_loops", 4),
    count("max_iterations", 20),
    sa.Column("total_cost_usd", money),
    text("created_at"),
    text("updated_at"),
    maybe("base_branch"),
    count("use_worktrees", 1),
    maybe("interpreted_intent"),
    sa.Column("intent_satisfied", sa.Integer),
    # Ours. 0 or 1: some of the cost is an estimate; of some tokens nobody knows it.
    count("cost_estimated"),
    count("cost_unpriced"),
    # `spec` is the whole request, so that resuming needs nothing else.
    maybe("parent_id"),
    text("task", default=""),
    text("repository", default=""),
    text("title", default=""),
    text("prompt", default=""),
    text("profile", default=""),
    text("contract", default=""),
    text("spec", default="{}"),
    sa.Column(
        "state",
        Words,
        sa.CheckConstraint("state IN ('running', 'interrupted', 'finished')"),
        nullable=False,
    ),
    maybe("outcome"),
    maybe("reason"),
    text("message", default=""),
    maybe("verdict"),
    text("native", default=""),
    text("final_verdict", default=""),
    count("cycles"),
    count("fixes"),
    sa.Column("tokens", sa.BigInteger, nullable=False, server_default="0"),
    text("base", default=""),
    text("start", default=""),
    maybe("commit_sha"),
    maybe("branch"),
    maybe("receipt"),
    text("note", default=""),
    sa.Column("exit_code", sa.Integer),
    count("cancel_requested"),
    maybe("finished_at"),
    sa.Index("runs_by_time", "created_at"),
)

steps = sa.Table(
    "steps",
    metadata,
    of_run(),
    text("key"),
    text("role"),
    text("phase"),
    sa.Column("cycle", sa.Integer, nullable=False),
    text("part"),
    sa.Column("ask", sa.Integer, nullable=False),
    sa.Column("state", Words, sa.CheckConstraint("state IN ('started', 'finished')"), nullable=False),
    count("attempts", 1),
    maybe("result"),
    maybe("intent"),
    text("started_at"),
    maybe("finished_at"),
    sa.PrimaryKeyConstraint("run_id", "key"),
)

events = sa.Table(
    "events",
    metadata,
    of_run(),
    sa.Column("seq", sa.Integer, nullable=False),
    text("kind"),
    sa.Column("v", sa.Integer, nullable=False),
    text("body"),
    text("at"),
    maybe("note_key"),
    sa.PrimaryKeyConstraint("run_id", "seq"),
    sa.UniqueConstraint("run_id", "note_key"),
)

leases = sa.Table(
    "leases",
    metadata,
    sa.Column("run_id", Words, sa.ForeignKey("runs.id"), primary_key=True),
    *holder(),
)
