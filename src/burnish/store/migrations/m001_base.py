"""Version 1: runs, their journal and leases, and the tables of seed 003 before loops had own reviews."""

from __future__ import annotations

import sqlalchemy as sa

NAME = "base"

_TABLES = (
    """
    CREATE TABLE schema_migrations (
        number INTEGER NOT NULL,
        name TEXT NOT NULL,
        applied_at TEXT NOT NULL,
        PRIMARY KEY (number)
    )
    """,
    """
    CREATE TABLE runs (
        id TEXT NOT NULL,
        spec_path TEXT DEFAULT '' NOT NULL,
        effort TEXT DEFAULT 'medium' NOT NULL CHECK (effort IN ('low', 'medium', 'high', 'max')),
        phase TEXT DEFAULT '' NOT NULL,
        pending_review INTEGER DEFAULT 0 NOT NULL,
        review_type TEXT,
        revision_count INTEGER DEFAULT 0 NOT NULL,
        max_loops INTEGER DEFAULT 4 NOT NULL,
        max_iterations INTEGER DEFAULT 20 NOT NULL,
        total_cost_usd {money},
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        base_branch TEXT,
        use_worktrees INTEGER DEFAULT 1 NOT NULL,
        interpreted_intent TEXT,
        intent_satisfied INTEGER,
        parent_id TEXT,
        task TEXT DEFAULT '' NOT NULL,
        repository TEXT DEFAULT '' NOT NULL,
        title TEXT DEFAULT '' NOT NULL,
        prompt TEXT DEFAULT '' NOT NULL,
        profile TEXT DEFAULT '' NOT NULL,
        contract TEXT DEFAULT '' NOT NULL,
        spec TEXT DEFAULT '{{}}' NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('running', 'interrupted', 'finished')),
        outcome TEXT,
        reason TEXT,
        message TEXT DEFAULT '' NOT NULL,
        verdict TEXT,
        native TEXT DEFAULT '' NOT NULL,
        final_verdict TEXT DEFAULT '' NOT NULL,
        cycles INTEGER DEFAULT 0 NOT NULL,
        fixes INTEGER DEFAULT 0 NOT NULL,
        tokens BIGINT DEFAULT 0 NOT NULL,
        base TEXT DEFAULT '' NOT NULL,
        start TEXT DEFAULT '' NOT NULL,
        commit_sha TEXT,
        branch TEXT,
        receipt TEXT,
        note TEXT DEFAULT '' NOT NULL,
        exit_code INTEGER,
        cancel_requested INTEGER DEFAULT 0 NOT NULL,
        finished_at TEXT,
        PRIMARY KEY (id)
    )
    """,
    """
    CREATE TABLE steps (
        run_id TEXT NOT NULL,
        key TEXT NOT NULL,
        role TEXT NOT NULL,
        phase TEXT NOT NULL,
        cycle INTEGER NOT NULL,
        part TEXT NOT NULL,
        ask INTEGER NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('started', 'finished')),
        attempts INTEGER DEFAULT 1 NOT NULL,
        result TEXT,
        intent TEXT,
        started_at TEXT NOT NULL,
        finished_at TEXT,
        PRIMARY KEY (run_id, key),
        FOREIGN KEY(run_id) REFERENCES runs (id)
    )
    """,
    """
    CREATE TABLE events (
        run_id TEXT NOT NULL,
        seq INTEGER NOT NULL,
        kind TEXT NOT NULL,
        v INTEGER NOT NULL,
        body TEXT NOT NULL,
        at TEXT NOT NULL,
        note_key TEXT,
        PRIMARY KEY (run_id, seq),
        UNIQUE (run_id, note_key),
        FOREIGN KEY(run_id) REFERENCES runs (id)
    )
    """,
    """
    CREATE TABLE leases (
        run_id TEXT NOT NULL,
        token TEXT NOT NULL,
        pid INTEGER NOT NULL,
        process_started TEXT NOT NULL,
        boot_id TEXT NOT NULL,
        pid_space TEXT NOT NULL,
        host TEXT NOT NULL,
        acquired_at TEXT NOT NULL,
        PRIMARY KEY (run_id),
        FOREIGN KEY(run_id) REFERENCES runs (id)
    )
    """,
    """
    CREATE TABLE tasks (
        id TEXT NOT NULL,
        run_id TEXT NOT NULL,
        title TEXT NOT NULL,
        description TEXT DEFAULT '' NOT NULL,
        status TEXT DEFAULT 'pending' NOT NULL
            CHECK (status IN ('pending', 'in_progress', 'completed', 'failed')),
        dependencies TEXT DEFAULT '[]' NOT NULL,
        estimated_iterations INTEGER DEFAULT 10 NOT NULL,
        assigned_loop_id TEXT,
        PRIMARY KEY (run_id, id),
        FOREIGN KEY(run_id) REFERENCES runs (id)
    )
    """,
    """
    CREATE TABLE plan_groups (
        run_id TEXT NOT NULL,
        group_index INTEGER NOT NULL,
        task_ids TEXT DEFAULT '[]' NOT NULL,
        UNIQUE (run_id, group_index),
        FOREIGN KEY(run_id) REFERENCES runs (id)
    )
    """,
    """
    CREATE TABLE loops (
        id TEXT NOT NULL,
        run_id TEXT NOT NULL,
        task_ids TEXT DEFAULT '[]' NOT NULL,
        iteration INTEGER DEFAULT 0 NOT NULL,
        max_iterations INTEGER DEFAULT 20 NOT NULL,
        review_interval INTEGER,
        last_review_at INTEGER DEFAULT 0 NOT NULL,
        status TEXT DEFAULT 'pending' NOT NULL CHECK (status IN
            ('pending', 'running', 'needs_revision', 'stuck', 'completed', 'failed', 'interrupted')),
        same_error_count INTEGER DEFAULT 0 NOT NULL,
        no_progress_count INTEGER DEFAULT 0 NOT NULL,
        last_error TEXT,
        last_file_change_iteration INTEGER DEFAULT 0 NOT NULL,
        last_activity_at TEXT,
        cost_usd {money} DEFAULT 0,
        worktree_path TEXT,
        phase TEXT DEFAULT '' NOT NULL,
        PRIMARY KEY (id),
        FOREIGN KEY(run_id) REFERENCES runs (id)
    )
    """,
    """
    CREATE TABLE review_issues (
        id TEXT NOT NULL,
        run_id TEXT NOT NULL,
        task_id TEXT,
        file TEXT DEFAULT '' NOT NULL,
        line INTEGER,
        type TEXT NOT NULL CHECK (type IN
            ('over-engineering', 'missing-error-handling', 'pattern-violation', 'dead-code',
            'spec-intent-mismatch')),
        description TEXT NOT NULL,
        suggestion TEXT DEFAULT '' NOT NULL,
        created_at TEXT NOT NULL,
        PRIMARY KEY (id),
        FOREIGN KEY(run_id) REFERENCES runs (id)
    )
    """,
    """
    CREATE TABLE phase_history (
        id TEXT NOT NULL,
        run_id TEXT NOT NULL,
        phase TEXT NOT NULL,
        success INTEGER NOT NULL,
        cost_usd {money} DEFAULT 0,
        summary TEXT DEFAULT '' NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (id),
        FOREIGN KEY(run_id) REFERENCES runs (id)
    )
    """,
    """
    CREATE TABLE phase_costs (
        run_id TEXT NOT NULL,
        phase TEXT NOT NULL,
        cost_usd {money} DEFAULT 0 NOT NULL,
        PRIMARY KEY (run_id, phase),
        FOREIGN KEY(run_id) REFERENCES runs (id)
    )
    """,
    """
    CREATE TABLE pending_conflicts (
        id TEXT NOT NULL,
        run_id TEXT NOT NULL,
        loop_id TEXT NOT NULL,
        task_id TEXT,
        files TEXT DEFAULT '[]' NOT NULL,
        created_at TEXT NOT NULL,
        PRIMARY KEY (id),
        FOREIGN KEY(run_id) REFERENCES runs (id)
    )
    """,
    "CREATE INDEX runs_by_time ON runs (created_at)",
)


def apply(connection: sa.Connection) -> None:
    money = "DOUBLE PRECISION" if connection.dialect.name == "postgresql" else "REAL"
    for table in _TABLES:
        connection.exec_driver_sql(table.format(money=money))
