"""Cleaning removes ended runs that are old or too big, and never one that could go on."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from burnish.errors import UsageError
from burnish.store import retention
from burnish.store.loop_schema import EVERY_TABLE, loop_reviews, loops
from burnish.store.retention import Keep, Removal
from tests.unit.store.journals import NEW, NOBODY, REVIEW, Bench, Worker, ending

NOW = "2026-11-15T10:00:00.000Z"
KB = 1024


class Place:
    """Runs of several ages, each with a folder of one kilobyte."""

    def __init__(self, bench: Bench, root: Path) -> None:
        self.bench = bench
        self.root = root
        asyncio.run(self._make())

    async def _make(self) -> None:
        for run_id, day in (("r-old", "01"), ("r-mid", "10"), ("r-new", "20")):
            self.bench.clock.at = f"2026-10-{day}T10:00:00.000Z"
            run = await self.bench.journal().start(replace(NEW, id=run_id))
            await run.do(REVIEW, Worker().review)
            await run.finish(ending(), None, 0)
        self.bench.clock.at = "2020-01-01T00:00:00.000Z"
        await self.bench.journal().start(replace(NEW, id="r-live"))
        await self.bench.journal(NOBODY).start(replace(NEW, id="r-dead"))
        interrupted = await self.bench.journal().start(replace(NEW, id="r-inter"))
        await interrupted.interrupt("Ctrl-C")
        for run_id in self.runs:
            folder = self.root / run_id
            folder.mkdir(parents=True)
            (folder / "pack").write_bytes(b"x" * KB)

    @property
    def runs(self) -> set[str]:
        with self.bench.database.read() as connection:
            return set(connection.execute(sa.text("SELECT id FROM runs")).scalars())

    def folders(self, run_id: str) -> Sequence[Path]:
        return [self.root / run_id]

    def plan(self, keep: Keep, now: str = NOW) -> tuple[Removal, ...]:
        return retention.plan(self.bench.database, keep, now, self.folders)


@pytest.fixture
def place(bench: Bench, tmp_path: Path) -> Place:
    return Place(bench, tmp_path / "runs")


def test_runs_that_ended_long_ago_go_and_a_plan_alone_removes_nothing(place: Place) -> None:
    plan = place.plan(Keep(days=30))
    assert [(gone.run, gone.size_bytes, gone.folders) for gone in plan] == [
        ("r-old", KB, (place.root / "r-old",)),
        ("r-mid", KB, (place.root / "r-mid",)),
    ]
    assert "30 days" in plan[0].why
    assert len(place.runs) == 6
    assert (place.root / "r-old").exists()


def test_executing_a_plan_removes_rows_and_folders_of_those_runs_only(place: Place) -> None:
    with place.bench.database.write() as connection:
        connection.execute(loops.insert().values(id="loop-1", run_id="r-old"))
        review = {"id": "v-1", "run_id": "r-old", "loop_id": "loop-1", "passed": 1, "reviewed_at": NOW}
        connection.execute(loop_reviews.insert().values(review))
    retention.execute(place.bench.database, place.plan(Keep(days=30)))
    assert place.runs == {"r-new", "r-live", "r-dead", "r-inter"}
    assert {folder.name for folder in place.root.iterdir()} == place.runs
    with place.bench.database.read() as connection:
        for table in EVERY_TABLE:
            if "run_id" in table.c:
                found = set(connection.execute(sa.select(table.c.run_id)).scalars())
                assert found <= place.runs, table.name
    with pytest.raises(UsageError, match="no run 'r-old'"):
        place.bench.view("r-old")


def test_over_the_disk_limit_the_oldest_ended_runs_go_until_it_fits(place: Place) -> None:
    plan = place.plan(Keep(days=10_000, max_bytes=4 * KB))
    assert [gone.run for gone in plan] == ["r-old", "r-mid"]
    assert "4096 bytes" in plan[0].why


def test_runs_that_could_go_on_stay_whatever_the_limits(place: Place) -> None:
    plan = place.plan(Keep(days=0, max_bytes=0))
    assert {gone.run for gone in plan} == {"r-old", "r-mid", "r-new"}


def test_a_run_that_seems_to_end_in_the_future_is_kept(place: Place) -> None:
    """A clock set back must not make everything look old, nor set forward and back again."""
    assert place.plan(Keep(days=30), now="2019-01-01T00:00:00.000Z") == ()


def test_a_plan_that_is_out_of_date_removes_no_run_that_could_go_on(place: Place) -> None:
    stale = [
        Removal(run, "stale", KB, (place.root / run,)) for run in ("r-live", "r-dead", "r-inter", "r-gone")
    ]
    retention.execute(place.bench.database, stale)
    assert len(place.runs) == 6
    assert (place.root / "r-dead" / "pack").exists()


def test_a_clean_that_was_cut_short_is_completed_by_the_next(place: Place) -> None:
    """Folders go first: a run without its folder is still named by its row."""
    [old, *_] = place.plan(Keep(days=30))
    (place.root / "r-old" / "pack").unlink()
    (place.root / "r-old").rmdir()
    retention.execute(place.bench.database, place.plan(Keep(days=30)))
    assert old.run not in place.runs


def test_a_symlink_in_place_of_a_folder_is_removed_not_followed(place: Place, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "file").write_text("mine")
    (place.root / "r-old" / "pack").unlink()
    (place.root / "r-old").rmdir()
    (place.root / "r-old").symlink_to(precious)
    retention.execute(place.bench.database, place.plan(Keep(days=30)))
    assert not (place.root / "r-old").is_symlink()
    assert (precious / "file").read_text() == "mine"
