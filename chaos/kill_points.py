"""`kill -9` of the orchestrator at every side effect of a three-cycle run: resumed, it ends as if never killed."""

from __future__ import annotations

import random
import shutil
import signal
from contextlib import closing
from pathlib import Path

from tests.e2e.bench import Bench
from tests.repos import TestRepo, make_repo

from burnish.model.events import StepStarted
from burnish.model.step import Role
from burnish.store.database import open_database
from burnish.store.queries import run_events
from chaos._many import alone, inject
from chaos.section import Setting, Tally

IN_SHORT = 3


def section(setting: Setting, tally: Tally) -> None:
    with alone(setting.folder):
        template = make_repo(setting.folder / "template", {"app.py": "start\n"})
        whole = bench_at(setting.folder / "whole", template)
        code, points = whole.do(setting.folder / "whole" / "state")
        assert code == 0, "the run without a kill did not pass"
        whole.check_end(setting.folder / "whole" / "state")
        chosen = list(range(1, len(points) + 1))
        if setting.short:
            chosen = sorted(random.Random(setting.seed).sample(chosen, IN_SHORT))
        named = [(f"point {number}, {points[number - 1]}", number) for number in chosen]

        def work(number: int) -> None:
            kill_and_resume(setting.folder / f"point-{number}", template, number)

        inject(tally, work, named)
        tally.note(f"{len(points)} side effects in the run of three cycles")


def bench_at(folder: Path, template: TestRepo) -> Bench:
    """A repository of its own, so that several can be killed at a time."""
    shutil.copytree(template.path, folder / "repo")
    return Bench(folder, TestRepo(folder / "repo"))


def kill_and_resume(folder: Path, template: TestRepo, number: int) -> None:
    bench, state = bench_at(folder, template), folder / "state"
    untouched = bench.repo.fingerprint(landed_aside=False)
    killed, _ = bench.do(state, deadly=number)
    assert killed == -signal.SIGKILL, f"ended with {killed} instead of being killed"
    run, before = bench.run_in(state), bench.finished_in(state)
    if run is None or not landing_began(state, run.id):
        now = bench.repo.fingerprint(landed_aside=False)
        assert now == untouched, f"changed before landing: {sorted(dict(now.items() ^ untouched.items()))}"
    # Killed before anything was recorded, the user starts it again; after its end, there is nothing to do.
    if run is None or run.outcome is None:
        resumed, _ = bench.do(state, resume=run.id if run else "")
        assert resumed == 0, f"resume ended with {resumed}"
    after = bench.finished_in(state)
    assert after[: len(before)] == before, "a finished step is not what it was"
    bench.check_end(state)
    shutil.rmtree(folder)


def landing_began(state: Path, run: str) -> bool:
    [path] = state.glob("repos/*/burnish.db")
    with closing(open_database(path)) as database:
        events = [recorded.event for recorded in run_events(database, run)]
    return any(isinstance(event, StepStarted) and event.step.role is Role.LAND for event in events)
