"""Version 2: each loop is reviewed on its own (seed 003), so issues and loops point to a loop's review."""

from __future__ import annotations

import sqlalchemy as sa

NAME = "loop_reviews"

_CHANGES = (
    """
    CREATE TABLE loop_reviews (
        id TEXT NOT NULL,
        run_id TEXT NOT NULL,
        loop_id TEXT NOT NULL,
        task_id TEXT,
        passed INTEGER NOT NULL CHECK (passed IN (0, 1)),
        interpreted_intent TEXT,
        intent_satisfied INTEGER CHECK (intent_satisfied IN (0, 1)),
        reviewed_at TEXT NOT NULL,
        cost_usd {money} DEFAULT 0,
        PRIMARY KEY (id),
        FOREIGN KEY (run_id) REFERENCES runs (id),
        FOREIGN KEY (loop_id) REFERENCES loops (id)
    )
    """,
    "ALTER TABLE review_issues ADD COLUMN loop_id TEXT",
    "ALTER TABLE review_issues ADD COLUMN loop_review_id TEXT",
    """
    ALTER TABLE loops ADD COLUMN review_status TEXT DEFAULT 'pending' NOT NULL
        CHECK (review_status IN ('pending', 'in_progress', 'passed', 'failed'))
    """,
    "ALTER TABLE loops ADD COLUMN last_review_id TEXT",
    "ALTER TABLE loops ADD COLUMN revision_attempts INTEGER DEFAULT 0 NOT NULL",
    "ALTER TABLE loops ADD COLUMN last_checkpoint_review_at INTEGER DEFAULT 0 NOT NULL",
)


def apply(connection: sa.Connection) -> None:
    money = "DOUBLE PRECISION" if connection.dialect.name == "postgresql" else "REAL"
    for change in _CHANGES:
        connection.exec_driver_sql(change.format(money=money))
