"""The queue read without SQLAlchemy, whose import alone takes longer than `status` may.

Only a database that is up to date is read; every other one is left to `open_database`, which brings it there
or says in a sentence why not. The columns are those of `task_views`: a test compares the two.
"""

from __future__ import annotations

import sqlite3
from collections import namedtuple
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

from burnish.model.agent import Usage
from burnish.model.overview import Cooling
from burnish.model.question import Waiting
from burnish.model.queue import TaskView
from burnish.model.step import Role
from burnish.store.holders import Holder
from burnish.store.task_standing import Spent, look, views_of
from burnish.store.waiting import LOOPS_WANTED, WANTED, waiting_of

T = TypeVar("T")
# The last of `migrations.STEPS`: what is older or newer is not read here.
VERSION = (5, "cost")
TITLE_CHARS = 200
_BUSY_TIMEOUT_S = 10.0
_AT_ONCE = 500

_TASK = (
    "id", "number", "prompt", "task_type", "group_name", "depends_on", "based_on", "same_branch",
    "create_review", "spec", "note", "auto_review", "max_review_cycles", "flags", "run_id", "final_verdict",
    "branch", "output_content", "error", "created_at", "started_at", "cancelled_at", "merged_at",
)  # fmt: skip
_RUN = (
    "state", "outcome", "reason", "message", "native", "cycles", "tokens", "base", "commit_sha", "receipt",
    "total_cost_usd", "cost_estimated", "cost_unpriced", "finished_at",
)  # fmt: skip
# What may be long and is not needed for a line.
_SHORTER = {
    "prompt": f"substr(q.prompt, 1, {TITLE_CHARS})", "note": "''", "output_content": "''", "flags": "'{}'",
}  # fmt: skip
_NAMES = (*_TASK, *(f"run_{name}" for name in _RUN), "run_verdict", "run_branch")
_Row: Any = namedtuple("_Row", _NAMES)  # type: ignore[misc]


class Glance:
    """One moment of the database: all that is asked of it belongs together."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._ask = connection.execute

    def tasks(self, seen_from: Holder, *, whole: bool = False) -> tuple[TaskView, ...]:
        """Every task by number; unless `whole`, prompts are cut and notes, flags and answers left out."""
        rows = map(_Row._make, self._ask(_select(whole=whole)))
        seen = look(rows, self._held(), seen_from)
        at_work = self._cycles([one.task.run_id or "" for one in seen if one.under_way])
        return views_of(seen, at_work, self._spent())

    def _held(self) -> Mapping[str, Holder]:
        columns = "pid, process_started, boot_id, pid_space, host"
        found: dict[str, Holder] = {}
        for table, named in (("leases", "run_id"), ("task_claims", "task_id")):
            rows = self._ask(f"SELECT {named}, {columns} FROM {table}")  # noqa: S608 - our own names
            found |= {row[0]: Holder(*row[1:]) for row in rows}
        return found

    def _cycles(self, run_ids: list[str]) -> Mapping[str, int]:
        found: dict[str, int] = {}
        for first in range(0, len(run_ids), _AT_ONCE):
            some = run_ids[first : first + _AT_ONCE]
            marks = ",".join("?" * len(some))
            wanted = (
                f"SELECT run_id, max(cycle) FROM steps WHERE run_id IN ({marks}) AND role = ? GROUP BY run_id"  # noqa: S608 - only marks are put in
            )
            found |= dict(self._ask(wanted, [*some, str(Role.REVIEW)]).fetchall())
        return found

    def _spent(self) -> Mapping[str, Spent]:
        rows = self._ask(
            "SELECT task_id, sum(tokens_in + tokens_out), sum(cost_usd), max(estimated), max(unpriced)"
            " FROM task_runs"
            " JOIN spending ON spent_by = attempt_run"
            " WHERE task_id IN (SELECT task_id FROM task_runs WHERE attempt > 1) GROUP BY task_id"
        )
        return {row[0]: (int(row[1]), row[2], bool(row[3]), bool(row[4])) for row in rows}

    def waiting(self) -> tuple[Waiting, ...]:
        """Runs, and loops of builds, that wait for a person's answer."""
        return waiting_of(self._ask(WANTED), self._ask(LOOPS_WANTED))

    def cooling(self, now: str) -> tuple[Cooling, ...]:
        """Agents that are to be left alone for a while yet."""
        rows = self._ask("SELECT agent, until, why FROM cooldowns WHERE until > ? ORDER BY agent", (now,))
        return tuple(Cooling(*row) for row in rows)

    def spent_since(self, since: str) -> Usage:
        sums = "sum(tokens_in), sum(tokens_out), sum(cost_usd), sum(seconds), max(estimated), max(unpriced)"
        row = self._ask(f"SELECT {sums} FROM spending WHERE at >= ?", (since,)).fetchone()  # noqa: S608
        partly = bool(row[5]) and row[2] is not None
        return Usage(
            int(row[0] or 0), int(row[1] or 0), row[2], float(row[3] or 0.0), 0, bool(row[4]), partly
        )


def glance(path: Path, ask: Callable[[Glance], T]) -> T | None:
    """What `ask` makes of one moment; None when there is nothing that can be read this way."""
    try:
        with closing(_connect(path)) as connection:
            connection.execute("BEGIN")
            return ask(Glance(connection)) if _up_to_date(connection) else None
    except sqlite3.Error:
        return None


def _connect(path: Path) -> sqlite3.Connection:
    address = f"{path.absolute().as_uri()}?mode=rw"
    return sqlite3.connect(address, uri=True, timeout=_BUSY_TIMEOUT_S, isolation_level=None)


def _up_to_date(connection: sqlite3.Connection) -> bool:
    newest = "SELECT number, name FROM schema_migrations ORDER BY number DESC LIMIT 1"
    return bool(connection.execute(newest).fetchone() == VERSION)


def _select(*, whole: bool) -> str:
    shorter = {} if whole else _SHORTER
    columns = [
        *(shorter.get(name, f"q.{name}") for name in _TASK),
        *(f"r.{name}" for name in _RUN),
        "r.final_verdict",
        "r.branch",
    ]
    joined = "queue_tasks q LEFT JOIN runs r ON r.id = q.run_id"
    return f"SELECT {', '.join(columns)} FROM {joined} ORDER BY q.number"  # noqa: S608 - our own names
