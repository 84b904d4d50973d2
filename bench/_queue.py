"""A queue of any length in every state there is, made up (seeded) and written straight into the database."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from burnish.store.database import open_database
from burnish.store.queue_schema import queue_tasks, spending, task_runs
from burnish.store.schema import runs, steps

WORDS = (
    "Add",
    "fix",
    "login",
    "page",
    "search",
    "cache",
    "retry",
    "report",
    "of",
    "the",
    "for",
    "when",
    "empty",
)
ENDS = (
    ("passed", "review_passed", "APPROVED"),
    ("passed", "review_passed", "APPROVED"),
    ("exhausted", "cycles_exhausted", "MAX_CYCLES_REACHED"),
    ("failed", "implementer_failed", ""),
    ("escalated", "needs_discussion", "NEEDS_DISCUSSION"),
)
GROUPS = ("", "auth", "billing", "search")
AT_ONCE = 2000


def fill(database_file: Path, count: int) -> None:
    """So many tasks: most ended, one in ten cut short, the rest waiting; three reviews and six bills each."""
    chance = random.Random(7)
    rows: dict[Any, list[dict[str, Any]]] = {
        table: [] for table in (runs, queue_tasks, task_runs, steps, spending)
    }
    for number in range(1, count + 1):
        _task(chance, number, rows)
    database = open_database(database_file)
    try:
        for table, found in rows.items():
            for first in range(0, len(found), AT_ONCE):
                with database.write() as connection:
                    connection.execute(table.insert(), found[first : first + AT_ONCE])
    finally:
        database.close()


def _task(chance: random.Random, number: int, rows: dict[Any, list[dict[str, Any]]]) -> None:
    title = " ".join(chance.choices(WORDS, k=chance.randint(3, 14)))
    began = datetime(2026, 11, 1, tzinfo=UTC) + timedelta(minutes=number)
    at = f"{began:%Y-%m-%dT%H:%M:%S}.000Z"
    task_id, run_id = f"20261101-task-{number}", f"r-{number:06x}"
    place = chance.random()
    begun = place < 0.8
    rows[queue_tasks].append(
        {
            "id": task_id, "number": number, "prompt": f"{title}\n\n{title * 20}", "task_type": "implement",
            "group_name": chance.choice(GROUPS), "depends_on": f"[{number - 1}]" if number % 7 == 0 else "[]",
            "auto_review": 1, "run_id": run_id if begun else None, "created_at": at,
            "started_at": at if begun else None,
        }
    )  # fmt: skip
    if not begun:
        return
    finished = place < 0.7
    outcome, reason, verdict = chance.choice(ENDS) if finished else (None, None, "")
    rows[runs].append(
        {
            "id": run_id, "created_at": at, "updated_at": at, "state": "finished" if finished else "running",
            "title": title, "prompt": title, "profile": "task", "outcome": outcome, "reason": reason,
            "final_verdict": verdict, "cycles": 3, "tokens": 9000, "total_cost_usd": 0.06,
            "branch": f"burnish/{task_id}", "finished_at": at if finished else None,
        }
    )  # fmt: skip
    rows[task_runs].append({"task_id": task_id, "attempt": 1, "attempt_run": run_id, "at": at})
    for cycle in (1, 2, 3):
        for role in ("fix", "review"):
            key = f"{role}//{cycle}//1"
            rows[steps].append(
                {
                    "run_id": run_id, "key": key, "role": role, "phase": "", "cycle": cycle, "part": "", "ask": 1,
                    "state": "finished", "started_at": at, "finished_at": at,
                }
            )  # fmt: skip
            rows[spending].append(
                {
                    "spent_by": run_id, "key": key, "seq": 1, "at": at, "role": role, "tokens_in": 1000,
                    "tokens_out": 500, "cost_usd": 0.01, "seconds": 1.0,
                }
            )  # fmt: skip
