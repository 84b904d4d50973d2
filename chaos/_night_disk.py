"""`work` over a queue whose disk fills up; prints what was injected and why it fell, if it did.

`python -m chaos._night_disk FOLDER LEVELS SEED`, in a mount namespace of its own.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from itertools import pairwise
from pathlib import Path

from tests.cli import Said
from tests.integration.store.small_disk import fill
from tests.queues import REVIEWER, QueueBench
from tests.repos import make_repo

from burnish.model.queue import TaskState
from chaos._many import alone, inject
from chaos.section import Tally

KB = 1024
DISK = "24m"
MOST = 2000 * KB
TASKS = (1, 2)
COMMITS = ["Address review feedback (cycle 2)", "Address review feedback (cycle 1)"]


def full(folder: Path, leave: int) -> str:
    """Two tasks at once, with so much room; then with enough of it. Gives how they stood between."""
    folder.mkdir()
    state = Path(os.environ["BURNISH_STATE"])
    state.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", state], check=True)
    try:
        bench = QueueBench(folder, make_repo(folder / "repo", {"a": "1\n"}))
        bench.configure(reviewer=REVIEWER)
        for number in TASKS:
            bench.do("add", f"Task t{number}", "-a")
        filler = fill(state, leave)
        said = bench.do("work", "--all", "-j", "2", code=None)
        filler.unlink()
        check_between(bench, said)
        between = " ".join(str(bench.task(number).state) for number in TASKS)
        go_on(bench)
    finally:
        subprocess.run(["umount", "-l", state], check=True)
        shutil.rmtree(folder)
    return between


def check_between(bench: QueueBench, said: Said) -> None:
    """One sentence for whom it concerns, nothing damaged, and nobody said to be at work."""
    for line in said.err.splitlines():
        assert len(line) < 500, f"not a sentence: {line[:600]!r}"
    states = {bench.task(number).state for number in TASKS}
    assert TaskState.IN_PROGRESS not in states, "nobody lives, but one is in progress"
    if states != {TaskState.COMPLETED}:
        assert said.code not in (0, 3), f"it ended with {said.code} and {states}: {said.err[-300:]!r}"
        assert "space" in said.err + said.out or "disk" in said.err, (
            f"nothing about the disk: {said.err[-300:]!r}"
        )
    [path] = bench.state.glob("repos/*/burnish.db")
    with closing(sqlite3.connect(path)) as database:
        found = database.execute("PRAGMA integrity_check").fetchone()[0]
    assert found == "ok", f"the database is damaged: {found}"


def go_on(bench: QueueBench) -> None:
    """`retry` for what failed, `work` for the rest: all are approved, each commit there once."""
    for number in TASKS:
        if bench.task(number).state is TaskState.FAILED:
            bench.do("retry", str(number))
    bench.do("work", "--all", "-j", "2")
    for number in TASKS:
        task = bench.task(number)
        assert task.final_verdict == "APPROVED", f"#{number} is {task.state}: {task.message[:200]}"
        subjects = bench.subjects(task.branch)
        assert subjects == [*COMMITS, f"Task t{number}", "settings", "first"], f"#{number} has {subjects}"
        lines = bench.repo.show(task.branch, f"t{number}.txt").splitlines()
        assert [line.split()[:2] for line in lines] == [["implement", "1"], ["fix", "1"], ["fix", "2"]]


def main() -> None:
    folder, levels, chance = Path(sys.argv[1]), int(sys.argv[2]), random.Random(int(sys.argv[3]))
    tally, between = Tally(), list[str]()
    ends = [MOST * number // levels for number in range(levels + 1)]
    with alone(folder):
        jobs = [chance.randrange(low, high) for low, high in pairwise(ends)]
        named = [
            (f"{leave // KB} KB left for a queue", (folder / f"disk-{at}", leave))
            for at, leave in enumerate(jobs)
        ]
        inject(tally, lambda job: between.append(full(*job)), named, 1)
    states = [state for line in between for state in line.split()]
    counts = ", ".join(f"{states.count(one)} {one}" for one in sorted(set(states)))
    tally.note(f"{levels} levels of a disk that fills up under `work`; tasks stood between: {counts}")
    json.dump({"injected": tally.injected, "fallen": tally.fallen, "notes": tally.notes}, sys.stdout)


if __name__ == "__main__":
    main()
