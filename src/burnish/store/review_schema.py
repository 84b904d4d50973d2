"""The tables of reviews: what became of each finding, and the sessions people work in."""

from __future__ import annotations

import sqlalchemy as sa

from burnish.store.schema import metadata, text

findings = sa.Table(
    "findings",
    metadata,
    text("fingerprint", key=True),
    sa.Column("number", sa.Integer, nullable=False, unique=True),
    text("state"),
    text("file", default=""),
    text("dimension", default=""),
    text("rule", default=""),
    text("finding"),
    text("first_seen"),
    text("last_seen"),
    sa.Index("findings_by_file", "file"),
)

finding_changes = sa.Table(
    "finding_changes",
    metadata,
    sa.Column(
        "fingerprint", findings.c.fingerprint.type, sa.ForeignKey("findings.fingerprint"), nullable=False
    ),
    sa.Column("seq", sa.Integer, nullable=False),
    text("at"),
    text("made_by"),
    text("state"),
    text("why", default=""),
    text("run_id", default=""),
    sa.PrimaryKeyConstraint("fingerprint", "seq"),
)

sessions = sa.Table(
    "sessions",
    metadata,
    text("id", key=True),
    text("description", default=""),
    text("base"),
    text("state", default="active"),
    text("created_at"),
    text("completed_at", null=True),
)
