"""A program of many processes on one database: imports once, then forks, so that a hundred of them are cheap.

`python -m tests.integration.store.swarm MODE DATABASE [ARGUMENTS]` prints one JSON value.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from burnish import codec
from burnish.errors import BurnishError, RunBusy
from burnish.model.change import Change
from burnish.model.review import Review, Verdict
from burnish.model.step import Role, Step
from burnish.store import facts, queries
from burnish.store.database import open_database
from burnish.store.durable import DurableRun
from burnish.store.journal import Journal
from burnish.store.memory import MemoryRun
from burnish.store.recorder import no_point
from tests.unit.store.journals import NEW, ending

RUN = "r-swarm"


def fork(work: Callable[[int], Any], number: int) -> tuple[int, int]:
    """A child that does `work(number)` and sends back what it gave as JSON."""
    read, write = os.pipe()
    pid = os.fork()
    if pid:
        os.close(write)
        return pid, read
    os.close(read)
    code = 1
    try:
        with os.fdopen(write, "w") as out:
            json.dump(work(number), out)
        code = 0
    finally:
        os._exit(code)


def collect(child: tuple[int, int]) -> Any:
    """What a child sent; None when it was killed before it could."""
    pid, read = child
    with os.fdopen(read) as source:
        text = source.read()
    os.waitpid(pid, 0)
    return json.loads(text) if text else None


def together(processes: int, work: Callable[[int], Any]) -> list[Any]:
    """All at once: every child waits for the same moment."""
    moment = time.monotonic() + 0.3

    def wait_and_work(number: int) -> Any:
        time.sleep(max(0.0, moment - time.monotonic()))
        return work(number)

    return [collect(child) for child in [fork(wait_and_work, number) for number in range(processes)]]


def attempt(work: Callable[[], Any]) -> Any:
    try:
        return work()
    except BurnishError as error:
        return {"error": type(error).__name__, "message": error.message}


def open_at_once(path: Path, processes: int) -> Any:
    """Every process is the first to open the database, as far as it knows."""

    def work(number: int) -> Any:
        return attempt(lambda: open_database(path).close())

    return together(processes, work)


def write_at_once(path: Path, processes: int, writes: int) -> Any:
    """Each process has a run of its own, and all of them one database."""

    def work(number: int) -> Any:
        async def steps() -> float:
            database = open_database(path)
            run = await Journal(database).start(replace(NEW, id=f"{RUN}-{number}"))
            worst = 0.0
            for cycle in range(1, writes // 2 + 1):
                began = time.monotonic()
                await run.do(Step(Role.REVIEW, cycle), review, f"{number}/{cycle}")
                worst = max(worst, time.monotonic() - began)
            database.close()
            return worst

        return attempt(lambda: asyncio.run(steps()))

    return together(processes, work)


async def review(summary: str) -> Review:
    return Review(Verdict.FAIL, "FAIL", summary, tree="t")


def race(path: Path, processes: int) -> Any:
    """All resume one run at once and hold on to it until everybody has tried."""

    def begin(number: int) -> None:
        asyncio.run(_begin(path))

    collect(fork(begin, 0))

    tried = path.with_suffix(".tried")
    tried.mkdir()

    def work(number: int) -> Any:
        async def hold() -> str:
            database = open_database(path)
            await Journal(database).resume(RUN)
            give_up = time.monotonic() + 20
            while len(list(tried.iterdir())) < processes - 1 and time.monotonic() < give_up:
                await asyncio.sleep(0.02)
            return "won"

        try:
            return asyncio.run(hold())
        except RunBusy as error:
            (tried / str(number)).touch()
            return error.message

    return together(processes, work)


async def _begin(path: Path) -> None:
    database = open_database(path)
    await Journal(database).start(replace(NEW, id=RUN))
    database.close()


class Story:
    """A run of three cycles. Its side effects go to a file that, like git, outlives a killed process."""

    def __init__(self, path: Path, on_point: Callable[[str], None] = no_point) -> None:
        self.path = path
        self.done = path.with_suffix(".done")
        self.on_point = on_point

    def did(self, what: str) -> None:
        with self.done.open("a") as out:
            out.write(what + "\n")

    async def open(self, run_id: str) -> DurableRun:
        journal = Journal(open_database(self.path), on_point=self.on_point)
        known = {run.id for run in queries.list_runs(journal.database, journal.holder)}
        return await (journal.resume(run_id) if run_id in known else journal.start(replace(NEW, id=run_id)))

    async def tell(self) -> str:
        run = await self.open(RUN)
        await self.write(run, Step(Role.IMPLEMENT))
        for cycle in (1, 2, 3):
            await run.do(Step(Role.REVIEW, cycle), self.review, cycle)
            await run.note("cycle", "said once")
            if cycle < 3:
                await self.write(run, Step(Role.FIX, cycle))
        return (await run.finish(ending(), None, 0)).outcome

    async def review(self, cycle: int) -> Review:
        self.did(f"review {cycle}")
        return Review(Verdict.FAIL, "FAIL", f"cycle {cycle}", tree="t")

    async def write(self, run: DurableRun, step: Step) -> Change:
        async def work() -> Change:
            adopted = await run.intended(step)
            if adopted is None:
                self.did(f"agent {step.key}")
                adopted = Change(step.role, f"commit-of-{step.key}", "t", "0")
                await run.intend(step, adopted)
            self.on_point("commit:before")
            done = self.done.read_text() if self.done.exists() else ""
            if adopted.commit not in done:
                self.did(adopted.commit)
            self.on_point("commit:done")
            return adopted

        return await run.do(step, work)


def sweep(path: Path, at_once: int, every: int) -> Any:
    """Kill the story at every point, or at one of each kind, and resume it; tells what was found after each."""
    template = path.parent / "template.db"
    collect(fork(lambda number: open_database(template).close(), 0))
    names = collect(fork(partial(_points, template), 0))
    last = {name: number for number, name in enumerate(names, 1)}
    left = list(range(1, len(names) + 1)) if every else sorted(last.values())
    results: list[Any] = []
    while left:
        batch, left = left[:at_once], left[at_once:]
        children = [fork(partial(_kill_and_resume, template), number) for number in batch]
        results += [collect(child) for child in children]
    return results


def _points(template: Path, number: int) -> list[str]:
    """The points that a story has which nobody kills."""
    database = template.with_name("whole.db")
    shutil.copyfile(template, database)
    names: list[str] = []
    asyncio.run(Story(database, names.append).tell())
    return names


def _kill_and_resume(template: Path, n: int) -> Any:
    folder = template.parent / f"point-{n}"
    folder.mkdir()
    database = folder / "burnish.db"
    shutil.copyfile(template, database)
    assert collect(fork(partial(_run_until, database), n)) is None, "the story has no such point"
    return collect(fork(lambda number: _resume(database), n))


def _run_until(database: Path, n: int) -> str:
    count = 0

    def die(point: str) -> None:
        nonlocal count
        count += 1
        if count == n:
            (database.parent / "killed-at").write_text(point)
            os.kill(os.getpid(), signal.SIGKILL)

    return asyncio.run(Story(database, die).tell())


def _resume(path: Path) -> Any:
    story = Story(path)
    outcome = asyncio.run(_resume_or_begin(story))
    database = open_database(path)
    recorded = queries.run_events(database, RUN)
    steps = queries.run_steps(database, RUN)
    return {
        "point": (path.parent / "killed-at").read_text(),
        "outcome": outcome,
        "events": [entry.event.kind for entry in recorded],
        "seqs": [entry.seq for entry in recorded],
        "ended": [entry.event.step.key for entry in recorded if entry.event.kind == "step_finished"],
        "steps": {step.key: step.result for step in steps},
        "done": story.done.read_text().split("\n")[:-1],
    }


async def _resume_or_begin(story: Story) -> str:
    """A run that ended just before the kill says so; that is its outcome."""
    journal = Journal(open_database(story.path))
    for run in queries.list_runs(journal.database, journal.holder):
        if run.outcome:
            return run.outcome
    return await story.tell()


def warm_up() -> None:
    """What every child would otherwise build for itself: the codecs of our types."""
    run = MemoryRun()
    asyncio.run(run.do(Step(Role.REVIEW), review, "warm"))
    for entry in run.recorded:
        facts.event(entry.event.kind, entry.event.v, facts.body(entry.event))
    for fact in (Review(Verdict.PASS, "x"), Change(Role.FIX, "c", "t", "0")):
        codec.decode(codec.encode(fact), type(fact))


def main() -> None:
    warm_up()
    mode, path, *numbers = sys.argv[1:]
    modes: dict[str, Callable[..., Any]] = {
        "open": open_at_once,
        "write": write_at_once,
        "race": race,
        "sweep": sweep,
    }
    json.dump(modes[mode](Path(path), *map(int, numbers)), sys.stdout)


if __name__ == "__main__":
    main()
