"""Version 4: the queue of seed 001, what was spent, and which agents are cooling down."""

from __future__ import annotations

import sqlalchemy as sa

NAME = "queue"

_CHANGES = (
    """
    CREATE TABLE queue_tasks (
        id TEXT NOT NULL,
        number INTEGER NOT NULL,
        prompt TEXT NOT NULL,
        task_type TEXT NOT NULL,
        group_name TEXT DEFAULT '' NOT NULL,
        depends_on TEXT DEFAULT '[]' NOT NULL,
        based_on INTEGER,
        same_branch INTEGER DEFAULT 0 NOT NULL,
        create_review INTEGER DEFAULT 0 NOT NULL,
        spec TEXT DEFAULT '' NOT NULL,
        note TEXT DEFAULT '' NOT NULL,
        auto_review INTEGER DEFAULT 0 NOT NULL,
        max_review_cycles INTEGER DEFAULT 3 NOT NULL,
        flags TEXT DEFAULT '{}' NOT NULL,
        run_id TEXT,
        final_verdict TEXT,
        branch TEXT DEFAULT '' NOT NULL,
        output_content TEXT DEFAULT '' NOT NULL,
        error TEXT DEFAULT '' NOT NULL,
        created_at TEXT NOT NULL,
        started_at TEXT,
        cancelled_at TEXT,
        merged_at TEXT,
        PRIMARY KEY (id),
        UNIQUE (number)
    )
    """,
    "CREATE INDEX queue_tasks_by_run ON queue_tasks (run_id)",
    """
    CREATE TABLE task_runs (
        task_id TEXT NOT NULL,
        attempt INTEGER NOT NULL,
        attempt_run TEXT NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (task_id, attempt),
        FOREIGN KEY (task_id) REFERENCES queue_tasks (id)
    )
    """,
    """
    CREATE TABLE task_claims (
        task_id TEXT NOT NULL,
        token TEXT NOT NULL,
        pid INTEGER NOT NULL,
        process_started TEXT NOT NULL,
        boot_id TEXT NOT NULL,
        pid_space TEXT NOT NULL,
        host TEXT NOT NULL,
        acquired_at TEXT NOT NULL,
        PRIMARY KEY (task_id),
        FOREIGN KEY (task_id) REFERENCES queue_tasks (id)
    )
    """,
    """
    CREATE TABLE task_changes (
        task_id TEXT NOT NULL,
        seq INTEGER NOT NULL,
        at TEXT NOT NULL,
        made_by TEXT NOT NULL,
        what TEXT NOT NULL,
        before TEXT DEFAULT '' NOT NULL,
        after TEXT DEFAULT '' NOT NULL,
        why TEXT DEFAULT '' NOT NULL,
        PRIMARY KEY (task_id, seq),
        FOREIGN KEY (task_id) REFERENCES queue_tasks (id)
    )
    """,
    """
    CREATE TABLE spending (
        spent_by TEXT NOT NULL,
        key TEXT NOT NULL,
        seq INTEGER NOT NULL,
        at TEXT NOT NULL,
        role TEXT NOT NULL,
        agent TEXT DEFAULT '' NOT NULL,
        tokens_in BIGINT DEFAULT 0 NOT NULL,
        tokens_out BIGINT DEFAULT 0 NOT NULL,
        cost_usd {money},
        seconds {money} DEFAULT 0 NOT NULL,
        PRIMARY KEY (spent_by, key, seq)
    )
    """,
    "CREATE INDEX spending_by_time ON spending (at)",
    """
    CREATE TABLE cooldowns (
        agent TEXT NOT NULL,
        until TEXT NOT NULL,
        why TEXT DEFAULT '' NOT NULL,
        PRIMARY KEY (agent)
    )
    """,
)


def apply(connection: sa.Connection) -> None:
    money = "DOUBLE PRECISION" if connection.dialect.name == "postgresql" else "REAL"
    for change in _CHANGES:
        connection.exec_driver_sql(change.replace("{money}", money))
