"""`kill -9` of the orchestrator and its whole process tree at random moments, again and again until the run is done."""

from __future__ import annotations

import itertools
import random
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path

import psutil
from tests.e2e.bench import PROCESSES, Bench
from tests.e2e.killer import Deed, commit
from tests.integration.process.leftovers import gone
from tests.repos import TestRepo, make_repo

from burnish.process import bubblewrap
from chaos._many import AT_ONCE, alone, inject
from chaos.kill_points import bench_at
from chaos.section import Setting, Tally

MOMENTS = 200
IN_SHORT = 2
# After so many kills a run is left in peace, so that the moments spread over many runs.
KILLS_PER_RUN = 8
PATIENCE_S = 120
# Of a whole run's length: most starts are to be killed, and each goes on from where the last one was.
SHARE = 0.6


@dataclass(frozen=True)
class Fate:
    """One run: in which isolation, and how long after each of its starts it is killed."""

    number: int
    sandboxed: bool
    moments_s: tuple[float, ...]


def section(setting: Setting, tally: Tally) -> None:
    with alone(setting.folder):
        template = make_repo(setting.folder / "template", {"app.py": "start\n"})
        span_s = length_of(setting.folder / "whole", template)
        if not setting.short:
            # The first one also waited for the server that all others are forked from.
            span_s = min(span_s, length_of(setting.folder / "again", template))
        wanted = IN_SHORT if setting.short else MOMENTS
        if not bubblewrap.usable():
            tally.note("bubblewrap is not usable here: all runs were in the guard alone")
        chosen = fates(setting, span_s, bubblewrap.usable())
        kills = runs = 0
        # In batches: how many kills a run takes is known only when it has ended.
        while kills < wanted:
            batch = list(itertools.islice(chosen, 2 if setting.short else 2 * AT_ONCE))
            told = dict.fromkeys((fate.number for fate in batch), 0)

            def work(fate: Fate, told: dict[int, int] = told) -> None:
                suffer(setting.folder / f"run-{fate.number}", template, fate, told)

            result = Tally()
            inject(result, work, [(f"run {fate.number}", fate) for fate in batch])
            count(tally, result, sum(told.values()))
            kills, runs = kills + sum(told.values()), runs + len(batch)
        tally.note(f"{kills} kills in {runs} runs of about {span_s:.1f} s, every other one sandboxed")


def count(tally: Tally, result: Tally, kills: int) -> None:
    """Each kill is one injection; a run that did not end well is one that was not survived."""
    for _ in range(kills - len(result.fallen)):
        tally.survive()
    for text in result.fallen:
        tally.fall(*text.split(": ", 1))


def fates(setting: Setting, span_s: float, sandbox: bool) -> Iterator[Fate]:
    chance = random.Random(setting.seed)
    kills = 1 if setting.short else KILLS_PER_RUN
    for number in itertools.count(1):
        moments = tuple(chance.uniform(0, SHARE * span_s) for _ in range(kills))
        yield Fate(number, sandbox and number % 2 == 0, moments)


def length_of(folder: Path, template: TestRepo) -> float:
    bench, began = bench_at(folder, template), time.monotonic()
    code, _ = bench.do(folder / "state")
    assert code == 0, "the run without a kill did not pass"
    return time.monotonic() - began


def suffer(folder: Path, template: TestRepo, fate: Fate, told: dict[int, int]) -> None:
    bench, state = bench_at(folder, template), folder / "state"
    bench.flags["sandbox.mode"] = "require" if fate.sandboxed else "off"
    for moment_s in fate.moments_s:
        child = begin(bench, state)
        child.join(moment_s)
        if child.exitcode is not None:
            assert child.exitcode == 0, f"a start ended by itself with {child.exitcode}"
            break
        kill_tree(child)
        told[fate.number] += 1
    run = bench.run_in(state)
    if run is None or run.outcome is None:
        child = begin(bench, state)
        child.join(PATIENCE_S)
        assert child.exitcode == 0, f"the last start ended with {child.exitcode}"
    bench.check_end(state)
    left = gone(str(folder))
    assert left == {}, f"left behind: {left}"
    shutil.rmtree(folder)


def begin(bench: Bench, state: Path) -> BaseProcess:
    """What a person would do: resume what there is, or run it again."""
    run = bench.run_in(state)
    if run is not None and run.outcome is not None:
        return finished()
    deed = Deed(str(bench.repo.path), str(state), bench.flags, run.id if run else "")
    child = PROCESSES.Process(target=commit, args=(deed,))
    child.start()
    return child


def finished() -> BaseProcess:
    child = PROCESSES.Process(target=int)
    child.start()
    child.join()
    return child


def kill_tree(child: BaseProcess) -> None:
    """The orchestrator first, then whatever it had started: by process, never by name."""
    with suppress(psutil.NoSuchProcess):
        parent = psutil.Process(child.pid)
        descendants = parent.children(recursive=True)
        parent.kill()
        for process in descendants:
            with suppress(psutil.NoSuchProcess):
                process.kill()
    child.join()
