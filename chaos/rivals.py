"""Rivals and strangers: many writers, ten orchestrators on one run, databases of other versions, clocks that jump."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from tests.cli import burnish
from tests.e2e.bench import PROCESSES
from tests.e2e.killer import Deed, commit
from tests.integration.store.test_processes import swarm
from tests.repos import TestRepo, make_repo
from tests.unit.store.journals import IMPLEMENT, NEW, NOBODY, REVIEW, Worker, ending
from tests.unit.store.test_migrations import VERSION_1

from burnish.errors import RunBusy, StoreError
from burnish.model.events import RunResumed
from burnish.store import queries
from burnish.store.database import open_database
from burnish.store.journal import Journal
from burnish.store.leases import this_process
from chaos._many import alone, inject
from chaos.kill_points import bench_at
from chaos.section import Setting, Tally

WRITERS, WRITES = 50, 20
RIVALS = 10
RACES = 50
RESUMES = 5


def section(setting: Setting, tally: Tally) -> None:
    with alone(setting.folder):
        writers(setting.folder, tally, WRITES if not setting.short else 4)
        races(setting.folder, tally, RACES if not setting.short else 1)
        databases(setting.folder, tally)
        clocks(setting, tally)
        if not setting.short:
            template = make_repo(setting.folder / "template", {"app.py": "start\n"})
            resumes(setting, template, tally)
            wild_runs(setting.folder / "wild", template, tally)
            newer_at_the_command_line(setting.folder, template, tally)


def writers(folder: Path, tally: Tally, writes: int) -> None:
    """Each of fifty processes is one injection: it must have written all it wanted, and seen no lock."""
    path = folder / "writers.db"
    worst = swarm("write", path, WRITERS, writes)
    with closing(open_database(path)) as database:
        for number, seconds in enumerate(worst):
            steps = queries.run_steps(database, f"r-swarm-{number}")
            if not isinstance(seconds, float):
                tally.fall(f"writer {number}", str(seconds))
            elif len(steps) != writes // 2 or not all(f'"{number}/' in (step.result or "") for step in steps):
                tally.fall(f"writer {number}", f"{len(steps)} steps of {writes // 2}")
            else:
                tally.survive()
    slowest = max((seconds for seconds in worst if isinstance(seconds, float)), default=0.0)
    tally.note(f"{WRITERS} writers of {writes} rows each: slowest step {slowest:.2f} s")


def races(folder: Path, tally: Tally, rounds: int) -> None:
    """Ten processes take up one run's journal at once."""

    def race(number: int) -> None:
        answers = swarm("race", folder / f"race-{number}.db", RIVALS)
        said = all("is held by process" in str(answer) for answer in answers if answer != "won")
        assert answers.count("won") == 1 and said, str(answers)

    inject(tally, race, [(f"race {number}", number) for number in range(rounds)])


def resumes(setting: Setting, template: TestRepo, tally: Tally) -> None:
    """Ten orchestrators resume one killed run at once: exactly one works, and its end is as ever."""
    chance = random.Random(setting.seed)
    named = [(f"ten resumes after point {point}", point) for point in chance.sample(range(40, 170), RESUMES)]
    inject(tally, lambda point: resume_at_once(setting.folder / f"rivals-{point}", template, point), named, 1)


def resume_at_once(folder: Path, template: TestRepo, point: int) -> None:
    bench, state = bench_at(folder, template), folder / "state"
    bench.do(state, deadly=point)
    run = bench.run_in(state)
    assert run is not None, "nothing was recorded before the kill"
    deed = Deed(str(bench.repo.path), str(state), bench.flags, run.id)
    children = [PROCESSES.Process(target=commit, args=(deed,)) for _ in range(RIVALS)]
    for child in children:
        child.start()
    for child in children:
        child.join(120)
    codes = [child.exitcode for child in children]
    assert codes.count(0) == 1, f"exit codes {codes}"
    [path] = state.glob("repos/*/burnish.db")
    with closing(open_database(path)) as database:
        events = [entry.event for entry in queries.run_events(database, run.id)]
    assert sum(isinstance(event, RunResumed) for event in events) == 1, "more than one took it up"
    bench.check_end(state)
    shutil.rmtree(folder)


def databases(folder: Path, tally: Tally) -> None:
    """One of the first version opens with all it holds; newer and strange ones are refused untouched."""
    inject(tally, older, [("a database of the first version", folder / "older.db")], 1)
    strange = {
        "a newer database": "INSERT INTO schema_migrations VALUES (99, 'from_the_future', '2027-01-01')",
        "another history": "UPDATE schema_migrations SET name = 'something_else' WHERE number = 2",
    }
    for number, (what, statement) in enumerate(strange.items()):
        path = folder / f"strange-{number}.db"
        inject(tally, lambda path, statement=statement: refused(path, statement), [(what, path)], 1)


def older(path: Path) -> None:
    with closing(sqlite3.connect(path)) as then:
        then.executescript(VERSION_1.read_text("utf8"))
        known = {row[0] for row in then.execute("SELECT id FROM runs")}
    worker = Worker()

    async def go_on() -> None:
        with closing(open_database(path)) as database:
            found = {run.id for run in queries.list_runs(database, this_process())}
            assert found == known, f"{known - found} are gone"
            async with await Journal(database).resume("r-old2", take_over=True) as run:
                await run.do(IMPLEMENT, worker.change)
                await run.do(REVIEW, worker.review)

    asyncio.run(go_on())
    assert worker.calls == [], "a finished step was done again"


def refused(path: Path, statement: str) -> None:
    make_strange(path, statement)
    before = path.read_bytes()
    try:
        open_database(path).close()
    except StoreError as error:
        assert "\n" not in error.message, error.message
        assert "update Burnish" in error.hint, error.hint
    else:
        raise AssertionError("it was opened")
    assert path.read_bytes() == before, "it was changed"


def make_strange(path: Path, statement: str) -> None:
    open_database(path).close()
    with closing(sqlite3.connect(path)) as newer:
        newer.execute(statement)
        newer.commit()
        newer.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def newer_at_the_command_line(folder: Path, template: TestRepo, tally: Tally) -> None:
    bench, state = bench_at(folder / "newer", template), folder / "newer" / "state"
    bench.do(state)
    run = bench.run_in(state)
    assert run is not None
    [path] = state.glob("repos/*/burnish.db")
    make_strange(path, "INSERT INTO schema_migrations VALUES (99, 'from_the_future', '2027-01-01')")
    before = path.read_bytes()

    def ask(command: list[str]) -> None:
        said = burnish(bench.repo.path, *command, env={"BURNISH_STATE": str(state)})
        assert said.code, "it went on"
        assert "update Burnish" in said.err, said.err
        # The sentence, an empty line, the hint.
        assert len(said.err.strip().splitlines()) <= 3, said.err
        assert path.read_bytes() == before, "the database was changed"

    agent = bench.flags["agents.implementer"]
    commands = [["runs"], ["show", run.id], ["resume", run.id], ["cancel", run.id]]
    commands.append(["run", "x", f"--implementer={agent}", f"--reviewer={agent}"])
    inject(tally, ask, [(f"burnish {command[0]} on a newer database", command) for command in commands], 1)


JUMPS = {
    "an hour on": ("2026-11-15T10:00:00.000Z", "2026-11-15T11:00:00.000Z"),
    "a day back": ("2026-11-15T10:00:00.000Z", "2026-11-14T10:00:00.000Z"),
    "summer time begins": ("2026-03-29T00:59:59.999Z", "2026-03-29T02:00:00.000Z"),
    "summer time ends": ("2026-10-25T01:59:59.999Z", "2026-10-25T01:00:00.000Z"),
    "back to 1970": ("2026-11-15T10:00:00.000Z", "1970-01-01T00:00:00.000Z"),
    "past 2038": ("2026-11-15T10:00:00.000Z", "2038-01-19T03:14:08.000Z"),
    "to the end of time": ("2026-11-15T10:00:00.000Z", "9999-12-31T23:59:59.999Z"),
    "a leap second": ("2026-12-31T23:59:59.999Z", "2026-12-31T23:59:60.000Z"),
}


@dataclass
class JumpingClock:
    """Shows another time at every look."""

    times: tuple[str, ...]
    looks: int = 0

    def now(self) -> str:
        self.looks += 1
        return self.times[self.looks % len(self.times)]

    def monotonic(self) -> float:
        return float(self.looks)


# Wall time goes wild; what is left to keep a child's time is the monotonic clock.
WILD = """
import asyncio, itertools, sys, time
from pathlib import Path
jumps = itertools.cycle([0.0, 4e9, 1e9, 2e9])
time.time = lambda: next(jumps)
from burnish.process.child import Command
from burnish.process.supervisor import run
began = time.monotonic()
done = asyncio.run(run(Command(("sleep", sys.argv[2]), Path(sys.argv[1]), {"PATH": "/usr/bin:/bin"}, float(sys.argv[3]))))
print(done.timed_out, time.monotonic() - began)
"""


def clocks(setting: Setting, tally: Tally) -> None:
    chance = random.Random(setting.seed)
    jumps = dict(JUMPS)
    for number in range(2 if setting.short else 40):
        years = [chance.randrange(1971, 9999) for _ in range(7)]
        jumps[f"wild {number}"] = tuple(f"{year}-06-15T12:00:00.000Z" for year in years)
    folder = setting.folder / "clocks"
    folder.mkdir()
    named = [
        (f"the clock goes {what}", (folder / f"{n}.db", times))
        for n, (what, times) in enumerate(jumps.items())
    ]
    inject(tally, lambda job: jump(*job), named, 1)
    inject(tally, timeouts, [("timeouts while wall time is wild", setting.folder)], 1)


def jump(path: Path, times: tuple[str, ...]) -> None:
    """A run whose clock jumps: the living keep it, the dead lose it, and nothing is done twice or out of order."""
    clock, worker = JumpingClock(times), Worker()

    async def story() -> None:
        with closing(open_database(path)) as database:
            first = await Journal(database, clock, NOBODY).start(replace(NEW, id="r-clock"))
            await first.do(IMPLEMENT, worker.change)
            second = await Journal(database, clock).resume("r-clock")
            try:
                await Journal(database, clock).resume("r-clock")
            except RunBusy:
                pass
            else:
                raise AssertionError("a live process lost its run")
            await second.do(IMPLEMENT, worker.change)
            await second.do(REVIEW, worker.review)
            finished = await second.finish(ending(), None, 0)
            assert finished.outcome == "passed", finished.outcome
            entries = queries.run_events(database, "r-clock")
            assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1)), (
                "events are out of order"
            )
            assert queries.find_run(database, "r-clock", this_process()).outcome == "passed"

    asyncio.run(story())
    assert worker.calls == ["change", "review"], f"done: {worker.calls}"


# The command line as ever, but every look at the wall clock is a jump.
WILD_RUN = """
import itertools, sys, time
times = itertools.cycle(sys.argv[1].split(","))
seconds = itertools.cycle([0.0, 4e9, 1e9, 2e9])
time.time = lambda: next(seconds)
from burnish.store.clock import SystemClock
SystemClock.now = lambda self: next(times)
from burnish.cli.main import main
sys.argv = ["burnish", *sys.argv[2:]]
main()
"""


def wild_runs(folder: Path, template: TestRepo, tally: Tally) -> None:
    """Whole runs on a clock that jumps to and fro: they pass as ever, and can be looked at afterwards."""

    def work(job: tuple[int, tuple[str, ...]]) -> None:
        number, times = job
        bench, state = bench_at(folder / str(number), template), folder / str(number) / "state"
        flags = bench.flags
        agents = [f"--implementer={flags['agents.implementer']}", f"--reviewer={flags['agents.reviewer']}"]
        words = ["run", "Add lines", *agents, f"--gate={flags['gate.command']}", "--sandbox=off"]
        done = subprocess.run(
            [sys.executable, "-c", WILD_RUN, ",".join(times), *words],
            cwd=bench.repo.path, env={**os.environ, "BURNISH_STATE": str(state)},
            capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, f"ended with {done.returncode}: {done.stderr[-200:]}"
        for command in (["runs"], ["show", str(getattr(bench.run_in(state), "id", ""))]):
            said = burnish(bench.repo.path, *command, env={"BURNISH_STATE": str(state)})
            assert said.code == 0, f"burnish {command[0]} ended with {said.code}: {said.err[-200:]}"
        bench.check_end(state)

    folder.mkdir()
    named = [
        (f"a whole run, the clock goes {what}", job)
        for job, what in zip(enumerate(JUMPS.values()), JUMPS, strict=True)
    ]
    inject(tally, work, named)


def timeouts(folder: Path) -> None:
    for sleep_s, timeout_s, expected in (("30", "1", "True"), ("1", "30", "False")):
        command = [sys.executable, "-c", WILD, str(folder), sleep_s, timeout_s]
        out = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        assert out[0] == expected, f"sleeping {sleep_s} s of {timeout_s} s was called timed_out={out[0]}"
        assert 0.9 < float(out[1]) < 6, f"it took {out[1]} s"
