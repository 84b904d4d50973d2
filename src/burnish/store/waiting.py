"""Runs and builds that wait for a person's answer, asked for in SQL that needs no library around it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from burnish.model.question import BLOCKED_LIKE, WAITING, Waiting

_REASONS = ", ".join(f"'{reason}'" for reason in WAITING)
_NO_TASK = "id NOT IN (SELECT attempt_run FROM task_runs)"
# A slot that asks keeps its session open.
_OPEN = "SELECT id FROM runs WHERE state <> 'finished'"
_IN_SLOTS = f"profile = 'slots' AND state = 'finished' AND {_NO_TASK} AND parent_id IN ({_OPEN})"
# Tasks are told with the queue, and what belongs to another session with that.
WANTED = (
    f"SELECT id, title, message FROM runs WHERE ({_IN_SLOTS} AND reason IN ({_REASONS}))"  # noqa: S608 - our own words
    " OR parent_id IS NULL AND ("
    f"(state = 'finished' AND reason IN ({_REASONS})"
    f" AND {_NO_TASK})"
    f" OR (state = 'interrupted' AND profile = 'loops' AND message LIKE '{BLOCKED_LIKE}'))"
    " ORDER BY created_at DESC, id"
)


def waiting_of(rows: Iterable[Any]) -> tuple[Waiting, ...]:
    return tuple(Waiting(name, title, message) for name, title, message in rows)
