"""The quick look at the queue sees exactly what the thorough one sees."""

from __future__ import annotations

import random
import sqlite3
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from bench._queue import fill

from burnish.model.queue import QueueTask, TaskState
from burnish.store import glance as quick
from burnish.store import migrations
from burnish.store.database import Database, open_database
from burnish.store.glance import glance
from burnish.store.leases import this_process
from burnish.store.queue import Queue
from burnish.store.queue_schema import cooldowns, spending, task_runs


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "queue.db"


def in_every_state(file: Path) -> Database:
    fill(file, 120)
    database = open_database(file)
    queue = Queue(database)
    added = queue.add(
        *(QueueTask("20261115-x", 0, "Add x\nmore", note="n", flags={"a": 1}) for _ in range(2))
    )
    assert queue.claim(frozenset({added[0].number}), lambda name: False) is not None
    # A task that was tried twice: both count.
    with database.write() as connection:
        connection.execute(
            task_runs.insert().values(task_id="20261101-task-1", attempt=2, attempt_run="r-again", at="x")
        )
        bill = {"key": "k", "seq": 1, "at": "x", "role": "fix", "tokens_in": 7, "tokens_out": 0}
        connection.execute(spending.insert().values(spent_by="r-again", cost_usd=0.5, **bill))
    return database


def test_both_looks_agree_about_every_task(file: Path) -> None:
    database = in_every_state(file)
    thorough = Queue(database).all()
    assert {view.state for view in thorough} >= {
        TaskState.PENDING, TaskState.IN_PROGRESS, TaskState.INTERRUPTED, TaskState.COMPLETED, TaskState.FAILED,
    }  # fmt: skip
    assert any(view.blocked_by for view in thorough)
    assert thorough[0].tokens == 9000 + 7 or thorough[0].task.run_id is None
    assert glance(file, lambda at: at.tasks(this_process(), whole=True)) == thorough
    database.close()


def test_the_short_look_differs_only_in_long_texts(file: Path) -> None:
    database = in_every_state(file)
    whole = glance(file, lambda at: at.tasks(this_process(), whole=True)) or ()
    short = glance(file, lambda at: at.tasks(this_process())) or ()
    assert len(short) == 122
    for one, other in zip(short, whole, strict=True):
        assert one.task.title[:150] == other.task.title[:150]
        assert len(one.task.prompt) <= quick.TITLE_CHARS
        same = replace(other.task, prompt=one.task.prompt, note="", flags={}, output_content="")
        assert one == replace(other, task=same)
    database.close()


def test_what_all_spent_and_who_cools_down_is_read_as_it_was_written(file: Path) -> None:
    database = open_database(file)
    now = datetime(2026, 11, 15, 3, tzinfo=UTC)
    later, earlier = (f"{now + timedelta(minutes=m):%Y-%m-%dT%H:%M:%S}.000Z" for m in (12, -12))
    with database.write() as connection:
        for agent, until in (("codex", later), ("claude", earlier)):
            connection.execute(cooldowns.insert().values(agent=agent, until=until, why="rate limit"))
        for seq, at in enumerate((earlier, later)):
            bill = {"key": "k", "seq": seq, "at": at, "role": "fix", "tokens_in": 10, "tokens_out": 5}
            connection.execute(spending.insert().values(spent_by="r-a", cost_usd=0.25, seconds=2.0, **bill))
    at = f"{now:%Y-%m-%dT%H:%M:%S}.000Z"
    cooling = glance(file, lambda found: found.cooling(at)) or ()
    assert [(one.agent, one.until) for one in cooling] == [("codex", later)]
    used = glance(file, lambda found: found.spent_since(at))
    assert used is not None
    assert (used.tokens, used.cost_usd, used.seconds) == (15, 0.25, 2.0)
    database.close()


def test_only_a_database_of_this_version_is_read(file: Path, tmp_path: Path) -> None:
    assert (migrations.NEWEST, migrations.STEPS[-1].name) == quick.VERSION
    open_database(file).close()
    assert glance(file, lambda at: "read") == "read"
    with sqlite3.connect(file) as connection:
        connection.execute("INSERT INTO schema_migrations VALUES (999, 'future', 'now')")
    connection.close()
    assert glance(file, lambda at: "read") is None
    assert glance(tmp_path / "none.db", lambda at: "read") is None
    assert not (tmp_path / "none.db").exists()
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(random.Random(1).randbytes(5000))
    assert glance(damaged, lambda at: "read") is None
