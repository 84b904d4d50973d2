"""How the tests stand before anything is edited: which fail, how long they take, which lines each runs."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from burnish.errors import BurnishError
from burnish.fixers.search._code import Code
from burnish.fixers.search._editable import text_of
from burnish.fixers.search._jobs import Job, Told, Worker
from burnish.fixers.search._judges import judges_among
from burnish.fixers.search._locate import Suspect, suspicious

TEST_LIMIT_S = 2.0
# How much slower a test may get by being watched line by line before only a part of it is.
TRACED_TIMES, TRACED_LEAST_S = 30.0, 1.0
MOST_TRACED = 300
MOST_OTHERS = 20
# So many of the most suspicious lines tell whether two tests may fail for one reason.
SAME_REASON = 10
# From so many passing tests on, every fourth is held back.
ENOUGH_TESTS = 8
ONE_IN = 4
MEMORY_LEAST = 1024**3
# A suite that takes longer is not run for each candidate.
LONG_S = 10.0


class NothingToRepair(BurnishError):
    """Why there is nothing to search for; not an error of anybody's."""


@dataclass(frozen=True)
class Baseline:
    """`targets` fail and are to pass. `passing` must go on to pass; `held_back` of these gave no evidence.

    `scope` is where they were looked for; everywhere if that is empty. `lines` are those that tests ran,
    and `related` fail too and run what is suspicious: one bug may make several tests fail.
    """

    told: Told
    targets: tuple[str, ...]
    passing: tuple[str, ...]
    held_back: frozenset[str]
    suspects: tuple[Suspect, ...]
    codes: tuple[Code, ...]
    alone: Told
    scope: tuple[str, ...] = ()
    lines: Mapping[str, Mapping[str, frozenset[int]]] = field(default_factory=dict)
    related: tuple[str, ...] = ()
    related_suspects: tuple[Suspect, ...] = ()

    def with_related(self) -> Baseline:
        """The same, where the tests that fail beside it are to pass too."""
        return replace(
            self, targets=(*self.targets, *self.related), suspects=self.related_suspects, alone=self.told
        )

    @property
    def hangs(self) -> bool:
        """Whether a failing test never ended: most candidates will not either."""
        return any(self.told.ran[name].hung for name in self.targets)

    @property
    def memory_bytes(self) -> int:
        return max(MEMORY_LEAST, 2 * self.told.memory_bytes + MEMORY_LEAST // 2)


async def look(
    worker: Worker,
    root: Path,
    files: tuple[str, ...],
    wanted: str,
    limit_s: float,
    started: tuple[str, ...] = (),
) -> Baseline:
    """Run the tests as they are; raises NothingToRepair where no test fails in the way it should.

    `started` are the files that the test command starts.
    """
    scope, told = await _told(worker, wanted, limit_s)
    failing = _failing(told, wanted)
    passing = told.passing
    held = held_back(passing)
    shown = tuple(name for name in passing if name not in held)
    hung = tuple(name for name in failing if told.ran[name].hung)
    some = tuple(name for name in failing if name not in hung)[:MOST_TRACED]
    # What hangs says nothing about the time a run should take; one that passes does.
    again = some or passing[:1] or hung[:1]
    alone = await worker.do(Job(limit_s / 4, tests=again, test_limit_s=TEST_LIMIT_S))
    if some and alone.passes(some):
        raise NothingToRepair("it fails only among the other tests, or only sometimes")
    if not worker.selects:
        # The first run was watched, which takes longer.
        told = replace(told, duration_s=alone.duration_s)
    others = tuple(name for name in told.failing if name not in failing and not told.ran[name].hung)
    tests = (*hung[:1], *some, *others[:MOST_OTHERS], *shown[:MOST_TRACED])
    traced = told if told.lines else await _traced(worker, files, told, tests, limit_s / 3)
    hit = {name for lines in traced.lines.values() for name in lines}
    texts = _program(root, tuple(name for name in files if name in hit), traced, started)
    if not texts:
        raise NothingToRepair("the tests run no code of this repository that may be edited")
    suspects = suspicious(replace(traced, ran=told.ran), failing, shown, texts)
    related = tuple(name for name in others if _runs(traced.lines.get(name, {}), suspects[:SAME_REASON]))
    return Baseline(
        told, failing, passing, held, suspects, codes_of(texts.items()), alone, scope, traced.lines,
        related, suspicious(replace(traced, ran=told.ran), (*failing, *related), shown, texts),
    )  # fmt: skip


def _failing(told: Told, wanted: str) -> tuple[str, ...]:
    if not told.ran:
        raise NothingToRepair("the test command does not tell which tests fail")
    failing = _wanted(told, wanted)
    if not failing:
        raise NothingToRepair("the test does not fail any more" if told.finished else "the tests do not end")
    return failing


def _program(root: Path, files: tuple[str, ...], told: Told, started: tuple[str, ...]) -> dict[str, str]:
    """The texts of the files that are judged, without those that judge."""
    texts = {name: text for name in files if (text := text_of(root, name)) is not None}
    known = {name: text_of(root, name) or "" for name in (*started, *told.judges)}
    judges = judges_among(texts, told.ran, known)
    return {name: text for name, text in texts.items() if name not in judges}


def _runs(lines: Mapping[str, frozenset[int]], suspects: tuple[Suspect, ...]) -> bool:
    return any(one.line in lines.get(one.file, ()) for one in suspects)


async def _told(worker: Worker, wanted: str, limit_s: float) -> tuple[tuple[str, ...], Told]:
    """What all tests say; where they take long, those of the failing one's file. The gate runs all."""
    told = await worker.do(Job(limit_s / 3, test_limit_s=TEST_LIMIT_S))
    file, parted, _ = wanted.partition("::")
    if not parted or not worker.selects or (told.finished and told.duration_s < LONG_S):
        return (), told
    near = await worker.do(Job(limit_s / 4, tests=(file,), test_limit_s=TEST_LIMIT_S))
    return ((file,), near) if near.ran else ((), told)


def _wanted(told: Told, wanted: str) -> tuple[str, ...]:
    """The test that was asked for; where its runner calls it otherwise, all that fail."""
    failing = told.failing
    if not wanted:
        return failing
    if {wanted, *_by_unittest(wanted)} & set(told.passing):
        return ()
    asked = tuple(name for name in failing if name == wanted or name.endswith(f"/{wanted}"))
    return asked or tuple(name for name in failing if name in _by_unittest(wanted)) or failing


def _by_unittest(wanted: str) -> tuple[str, ...]:
    """`test_x (module.Class)`, with the name once more in the parentheses from Python 3.11 on."""
    found = re.fullmatch(r"(\w+) \(([\w.]+)\)", wanted)
    return (found[2], f"{found[2]}.{found[1]}") if found else ()


async def _traced(
    worker: Worker, files: tuple[str, ...], told: Told, tests: tuple[str, ...], limit_s: float
) -> Told:
    slowest = max((told.ran[name].duration_s for name in tests if told.ran[name].passed), default=0.0)
    job = Job(limit_s, tests=tests, traced=files, test_limit_s=max(TRACED_LEAST_S, TRACED_TIMES * slowest))
    return await worker.do(job)


def held_back(passing: tuple[str, ...]) -> frozenset[str]:
    """Some tests that the search gets no evidence from; the same ones each time."""
    if len(passing) < ENOUGH_TESTS:
        return frozenset()
    marked = sorted(passing, key=lambda name: hashlib.sha256(name.encode("utf8", "replace")).digest())
    return frozenset(marked[: len(passing) // ONE_IN])


def codes_of(texts: Iterable[tuple[str, str]]) -> tuple[Code, ...]:
    found = []
    for name, text in texts:
        code = Code(name, text)
        if code.parses:
            found.append(code)
    return tuple(found)
