"""Version 3: the finding ledger and the sessions of seed 004."""

from __future__ import annotations

import sqlalchemy as sa

NAME = "reviews"

_CHANGES = (
    """
    CREATE TABLE findings (
        fingerprint TEXT NOT NULL,
        number INTEGER NOT NULL,
        state TEXT NOT NULL,
        file TEXT DEFAULT '' NOT NULL,
        dimension TEXT DEFAULT '' NOT NULL,
        rule TEXT DEFAULT '' NOT NULL,
        finding TEXT NOT NULL,
        first_seen TEXT NOT NULL,
        last_seen TEXT NOT NULL,
        PRIMARY KEY (fingerprint),
        UNIQUE (number)
    )
    """,
    "CREATE INDEX findings_by_file ON findings (file)",
    """
    CREATE TABLE finding_changes (
        fingerprint TEXT NOT NULL,
        seq INTEGER NOT NULL,
        at TEXT NOT NULL,
        made_by TEXT NOT NULL,
        state TEXT NOT NULL,
        why TEXT DEFAULT '' NOT NULL,
        run_id TEXT DEFAULT '' NOT NULL,
        PRIMARY KEY (fingerprint, seq),
        FOREIGN KEY (fingerprint) REFERENCES findings (fingerprint)
    )
    """,
    """
    CREATE TABLE sessions (
        id TEXT NOT NULL,
        description TEXT DEFAULT '' NOT NULL,
        base TEXT NOT NULL,
        state TEXT DEFAULT 'active' NOT NULL,
        created_at TEXT NOT NULL,
        completed_at TEXT,
        PRIMARY KEY (id)
    )
    """,
)


def apply(connection: sa.Connection) -> None:
    for change in _CHANGES:
        connection.exec_driver_sql(change)
