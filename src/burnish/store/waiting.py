"""Runs and builds that wait for a person's answer, asked for in SQL that needs no library around it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from burnish.model.question import BLOCKED_LIKE, WAITING, Waiting

_REASONS = ", ".join(f"'{reason}'" for reason in WAITING)
# Tasks are told with the queue, and what belongs to a session with that.
WANTED = (
    "SELECT id, title, message FROM runs WHERE parent_id IS NULL AND ("  # noqa: S608 - our own words
    f"(state = 'finished' AND reason IN ({_REASONS})"
    " AND id NOT IN (SELECT attempt_run FROM task_runs))"
    f" OR (state = 'interrupted' AND profile = 'loops' AND message LIKE '{BLOCKED_LIKE}'))"
    " ORDER BY created_at DESC, id"
)


def waiting_of(rows: Iterable[Any]) -> tuple[Waiting, ...]:
    return tuple(Waiting(name, title, message) for name, title, message in rows)
