"""A program that runs a journal on a disk of two megabytes, filled to fifty levels, and then read-only.

`python -m tests.integration.store.small_disk FOLDER`, where FOLDER is a file system of its own.
"""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

from burnish.errors import StoreError
from burnish.model.review import Review, Verdict
from burnish.model.step import Role, Step
from burnish.store import queries
from burnish.store.database import open_database
from burnish.store.journal import Journal
from burnish.store.leases import this_process
from tests.unit.store.journals import NEW

LEVELS = 50
STEPS = 6
KB = 1024


async def review(cycle: int) -> Review:
    return Review(Verdict.FAIL, "FAIL", f"cycle {cycle}", text="x" * 12 * KB, tree="t")


def fill(folder: Path, leave: int) -> Path:
    filler = folder / "filler"
    free = os.statvfs(folder).f_bavail * os.statvfs(folder).f_bsize
    with filler.open("wb") as out:
        out.write(b"x" * max(0, free - leave))
    return filler


def work(path: Path, run_id: str) -> dict[str, Any]:
    """As many steps as there is room for, each told when it has been done."""
    done: list[int] = []
    trouble = ""

    async def steps() -> str:
        database = open_database(path)
        try:
            journal = Journal(database)
            run = await (journal.resume(run_id) if run_id else journal.start(NEW))
            async with run:
                for cycle in range(1, STEPS + 1):
                    await run.do(Step(Role.REVIEW, cycle), review, cycle)
                    done.append(cycle)
            return run.id
        finally:
            database.close()

    try:
        run_id = asyncio.run(steps())
    except StoreError as error:
        trouble = f"{error.message}; {error.hint}"
    return {"done": done, "trouble": trouble, "run": run_id}


def level(folder: Path, leave: int) -> dict[str, Any]:
    """Fill the disk but for `leave` bytes, work until it is full, make room, go on."""
    path = folder / "burnish.db"
    filler = fill(folder, leave)
    first = work(path, "")
    filler.unlink()
    intact = not path.exists() or sqlite3.connect(path).execute("PRAGMA integrity_check").fetchone()[0]
    known = []
    if path.exists():
        database = open_database(path)
        known = [run.id for run in queries.list_runs(database, this_process())]
        database.close()
    second = work(path, known[0] if known else "")
    database = open_database(path)
    kinds = [entry.event.kind for entry in queries.run_events(database, second["run"])]
    seqs = [entry.seq for entry in queries.run_events(database, second["run"])]
    database.close()
    for name in folder.iterdir():
        name.unlink()
    return {"leave": leave, "first": first, "intact": intact, "second": second, "kinds": kinds, "seqs": seqs}


def read_only(folder: Path) -> dict[str, Any]:
    path = folder / "burnish.db"
    before = work(path, "")
    subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
    said = []
    for place in (path, folder / "new" / "burnish.db", folder / "new.db"):
        said.append(work(place, before["run"] if place == path else "")["trouble"])
    return {"before": before["trouble"], "said": said}


def main() -> None:
    folder = Path(sys.argv[1])
    levels = [level(folder, step * 24 * KB) for step in range(LEVELS)]
    json.dump({"levels": levels, "read_only": read_only(folder)}, sys.stdout)


if __name__ == "__main__":
    main()
