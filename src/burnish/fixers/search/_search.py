"""The search itself: candidates on several workers at once, the failing tests first, then all of them."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from burnish.fixers.search._baseline import Baseline
from burnish.fixers.search._candidates import Candidate
from burnish.fixers.search._jobs import Edits, Job, NotServed, Ran, Told, Worker
from burnish.fixers.search._worth import sense, worth

# What a candidate may use, beside what the tests used before: loops without end are common among them.
CPU_TIMES, CPU_LEAST_S = 4.0, 0.1
WALL_TIMES, WALL_LEAST_S = 4.0, 2.0
ENOUGH = 8
# So many failing tests are all run, to see which of them a candidate mends.
MOST_PARTIAL = 20
# After the first that passes, others get a chance to be better: so much longer, in parts of the time so far.
MORE_TIME, MORE_LEAST_S = 0.7, 3.0
# A candidate so much less likely than one that passes is not worth a run any more.
HOPELESS = 0.15
# What makes less sense is taken only if nothing better comes in all the time there is.
DECENT = 0.5


@dataclass(frozen=True)
class Plausible:
    """A candidate with which the failing tests pass, and how many of the others do not any more."""

    candidates: tuple[Candidate, ...]
    broken: tuple[str, ...]
    broken_held_back: tuple[str, ...]
    repaired: int

    @property
    def sound(self) -> bool:
        return not self.broken and not self.broken_held_back

    @cached_property
    def score(self) -> float:
        """The least likely of its edits, and what each of them leaves behind."""
        least = min(one.score for one in self.candidates)
        return least / len(self.candidates) * math.prod(worth(one) for one in self.candidates)

    @cached_property
    def decent(self) -> bool:
        """Whether it leaves code as people write it."""
        return all(sense(one) >= DECENT for one in self.candidates)

    @property
    def size(self) -> int:
        return sum(one.size for one in self.candidates)


@dataclass
class Search:
    """State of one search. `partial` are candidates that changed what fails, for pairs."""

    base: Baseline
    deadline: float
    began: float = field(default_factory=time.monotonic)
    tried: int = 0
    plausible: list[Plausible] = field(default_factory=list)
    partial: list[tuple[int, Candidate]] = field(default_factory=list)
    first_at: float | None = None

    async def over(
        self, candidates: Iterator[tuple[Candidate, ...]], workers: list[Worker], until: float
    ) -> None:
        """Try them in turn until there is enough, or that time has come, or none is left."""
        async with asyncio.TaskGroup() as group:
            for worker in workers:
                group.create_task(self._work(candidates, worker, min(until, self.deadline)))

    async def _work(self, candidates: Iterator[tuple[Candidate, ...]], worker: Worker, until: float) -> None:
        while time.monotonic() < until:
            some = next(candidates, None)
            if some is None or self._enough(some):
                return
            try:
                await self._try(some, worker)
            except NotServed:
                return
            # Ranking may take long; whoever waits for us gets a turn.
            await asyncio.sleep(0)

    def _enough(self, some: tuple[Candidate, ...]) -> bool:
        """Whether what was found is not worth waiting for better any more."""
        now = time.monotonic()
        sound = [one for one in self.plausible if one.sound and one.decent]
        if not sound or self.first_at is None:
            return False
        best = max(one.score for one in sound)
        more = max(MORE_LEAST_S, MORE_TIME * (self.first_at - self.began))
        if all(one.repaired < len(self.base.told.failing) for one in sound):
            # Others that fail may do so for the same reason, and then one edit mends them all.
            return now > self.first_at + 2 * more
        least = min(one.score for one in some) / len(some)
        return len(sound) >= ENOUGH or now > self.first_at + more or least < HOPELESS * best

    async def _try(self, some: tuple[Candidate, ...], worker: Worker) -> None:
        self.tried += 1
        edits = edits_of(some)
        told = await worker.do(self._job(edits, self.base.targets, self.base.alone))
        if not told.passes(self.base.targets):
            self._note_partial(some, told)
            return
        told = await worker.do(self._job(edits, self.base.scope, self.base.told))
        if not told.passes(self.base.targets):
            return
        broken = tuple(name for name in self.base.passing if not told.passes((name,)))
        self.plausible.append(
            Plausible(
                some,
                tuple(name for name in broken if name not in self.base.held_back),
                tuple(name for name in broken if name in self.base.held_back),
                sum(1 for name in self.base.told.failing if told.passes((name,))),
            )
        )
        if self.first_at is None and self.plausible[-1].sound and self.plausible[-1].decent:
            self.first_at = time.monotonic()

    def _note_partial(self, some: tuple[Candidate, ...], told: Told) -> None:
        if len(some) > 1 or not told.finished:
            return
        better = sum(_progress(self.base.told.ran[name], told.ran.get(name)) for name in self.base.targets)
        if better:
            self.partial.append((better, some[0]))

    def _job(self, edits: Edits, tests: tuple[str, ...], before: Told) -> Job:
        hung = sum(one.duration_s for one in before.ran.values() if one.hung)
        cpu = max(before.cpu_s - hung, 0.03)
        wall = max(before.duration_s - hung, 0.1)
        return Job(
            limit_s=max(WALL_LEAST_S, WALL_TIMES * wall) + CPU_TIMES * cpu,
            cpu_limit_s=CPU_LEAST_S + CPU_TIMES * cpu,
            edits=edits,
            tests=tests,
            stop_first=tests == self.base.targets and (len(tests) > MOST_PARTIAL or self.base.hangs),
            memory_bytes=self.base.memory_bytes,
        )

    @property
    def left_failing(self) -> int:
        """How many tests still fail that run a line the best one changed: one bug may make several fail, and
        an edit that mends only some of them may be none of its repair."""
        if self.best is None:
            return 0
        changed = [(one.file, one.line) for one in self.best.candidates]
        lines = self.base.lines
        related = [
            name
            for name in self.base.told.failing
            if any(line in lines.get(name, {}).get(file, ()) for file, line in changed)
        ]
        return max(len(related) - self.best.repaired, 0)

    @property
    def best(self) -> Plausible | None:
        """Of those that break nothing, what repairs most; then what makes sense, is likely, is small."""
        sound = [one for one in self.plausible if one.sound]
        return min(sound, key=lambda one: (-one.repaired, not one.decent, -one.score, one.size), default=None)


def _progress(before: Ran, now: Ran | None) -> int:
    """2 for a test that passes now, 1 for one that fails further down."""
    if now is None or not before.frames:
        return 0
    if now.passed:
        return 2
    return int(
        bool(now.frames)
        and now.frames[0][0] == before.frames[0][0]
        and now.frames[0][1] > before.frames[0][1]
    )


def edits_of(some: tuple[Candidate, ...]) -> Edits:
    found: dict[str, tuple[object, ...]] = {}
    for one in some:
        found[one.file] = (*found.get(one.file, ()), *one.replacements())
    return found  # type: ignore[return-value]
