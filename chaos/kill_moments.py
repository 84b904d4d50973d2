"""`kill -9` of the orchestrator and its whole process tree at random moments, again and again until the run is done."""

from __future__ import annotations

import itertools
import random
import shutil
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from pathlib import Path

import psutil
from tests.repos import TestRepo

from burnish.process import bubblewrap
from chaos._many import AT_ONCE, alone, inject
from chaos._story import Story, in_progress
from chaos.section import Setting, Tally

MOMENTS = 200
IN_SHORT = 2
CYCLES = 3
# Of a whole run's length: each life goes on from where the last one was, so most end early.
SHARE = 0.6
# A run that is not over after so many lives is not getting anywhere.
LIVES = 100


@dataclass
class Fate:
    """One run: in which isolation it lives, how its result lands, what killed it and how often."""

    number: int
    sandboxed: bool
    land: str
    chance: random.Random
    kills: int = 0
    killed: set[str] = field(default_factory=set)


def section(setting: Setting, tally: Tally) -> None:
    with alone(setting.folder):
        template = in_progress(setting.folder / "template")
        span_s = length_of(setting.folder / "whole", template)
        if not setting.short:
            # The first one also waited for the server that all others are forked from.
            span_s = min(span_s, length_of(setting.folder / "again", template))
        if not bubblewrap.usable():
            tally.note("bubblewrap is not usable here: all runs were in the guard alone")
        chosen = fates(setting, bubblewrap.usable())
        lived: list[Fate] = []
        # In batches: how many kills a run takes is known only when it has ended.
        while sum(fate.kills for fate in lived) < (IN_SHORT if setting.short else MOMENTS):
            batch = list(itertools.islice(chosen, 2 if setting.short else 2 * AT_ONCE))

            def work(fate: Fate) -> None:
                suffer(setting.folder / f"run-{fate.number}", template, fate, span_s)

            result = Tally()
            inject(result, work, [(f"run {fate.number}", fate) for fate in batch])
            count(tally, result, sum(fate.kills for fate in batch))
            lived += batch
        tell(tally, lived, span_s)


def tell(tally: Tally, lived: list[Fate], span_s: float) -> None:
    caged = sum(fate.kills for fate in lived if fate.sandboxed)
    kills = sum(fate.kills for fate in lived)
    hit = sorted(set[str]().union(*(fate.killed for fate in lived)))
    tally.note(
        f"{kills} kills in {len(lived)} runs of about {span_s:.1f} s, each killed until it was done "
        f"(at most {max(fate.kills for fate in lived)} times): {caged} kills sandboxed, {kills - caged} not; "
        f"died together: {', '.join(hit)}"
    )


def count(tally: Tally, result: Tally, kills: int) -> None:
    """Each kill is one injection; a run that did not end well is one that was not survived."""
    for _ in range(kills - len(result.fallen)):
        tally.survive()
    for text in result.fallen:
        tally.fall(*text.split(": ", 1))


def fates(setting: Setting, sandbox: bool) -> Iterator[Fate]:
    for number in itertools.count(1):
        land = "apply" if number % 4 in (3, 0) else "branch"
        # Each run has a chance of its own, so that its moments do not depend on how the others fared.
        chance = random.Random(setting.seed * 1000 + number)
        yield Fate(number, sandbox and number % 2 == 0, land, chance)


def length_of(folder: Path, template: TestRepo) -> float:
    story, began = Story(folder, template, "branch", CYCLES), time.monotonic()
    assert story.live().code == 0, "the run without a kill did not pass"
    took_s = time.monotonic() - began
    story.check()
    return took_s


def suffer(folder: Path, template: TestRepo, fate: Fate, span_s: float) -> None:
    """Killed in every life that lasts long enough, until there is nothing left to do."""
    story = Story(folder, template, fate.land, CYCLES)
    story.flags["sandbox.mode"] = "require" if fate.sandboxed else "off"
    for _ in range(LIVES):
        if story.is_over:
            break
        child, reader = story.begin()
        with closing(reader):
            child.join(fate.chance.uniform(0, SHARE * span_s))
            if child.exitcode is None:
                fate.killed |= kill_tree(child)
                fate.kills += 1
            else:
                assert child.exitcode == 0, f"a life ended by itself with {child.exitcode}"
    assert story.is_over, f"not over after {LIVES} lives"
    story.check()
    shutil.rmtree(folder)


def kill_tree(child: BaseProcess) -> set[str]:
    """All of it in one moment: everybody is stopped first, so that nobody acts on another's death.

    By process, never by name; the names are given back.
    """
    with suppress(psutil.NoSuchProcess):
        parent = psutil.Process(child.pid)
        stopped: dict[int, psutil.Process] = {}
        while fresh := [one for one in (parent, *parent.children(recursive=True)) if one.pid not in stopped]:
            for one in fresh:
                stopped[one.pid] = one
                with suppress(psutil.NoSuchProcess):
                    one.suspend()
        names = {_name(one) for one in stopped.values()}
        for one in stopped.values():
            with suppress(psutil.NoSuchProcess):
                one.kill()
        child.join()
        return names
    child.join()
    return set()


def _name(process: psutil.Process) -> str:
    """What part it plays, as far as its command line tells."""
    try:
        words = process.cmdline()
    except psutil.NoSuchProcess:
        words = []
    program, text = Path(words[0]).name if words else "", " ".join(words)
    if program in ("bwrap", "git", "grep"):
        return {"bwrap": "bubblewrap", "git": "git", "grep": "the gate"}[program]
    known = {"guard.py": "guard", "/agents/": "agent", "forkserver": "orchestrator", "grep": "the gate"}
    return next((name for word, name in known.items() if word in text), "others")
