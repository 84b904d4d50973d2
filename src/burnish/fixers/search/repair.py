"""Repair by search, by itself: a folder, a test command and a time limit in, a repair out."""

from __future__ import annotations

import asyncio
import difflib
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from burnish.fixers._python import Edit
from burnish.fixers.search._baseline import Baseline, NothingToRepair, look
from burnish.fixers.search._candidates import Candidate, applied, distinct, overlap, ranked
from burnish.fixers.search._editable import editable_files
from burnish.fixers.search._hints import hinted
from burnish.fixers.search._jobs import NotServed, Worker
from burnish.fixers.search._limits import limits_in
from burnish.fixers.search._locate import Suspect
from burnish.fixers.search._outcomes import OTHERS
from burnish.fixers.search._search import Plausible, Search
from burnish.fixers.search._telling import Telling, telling
from burnish.fixers.search._worker import Workers
from burnish.process.environment import child_environment
from burnish.process.tool_setup import ToolSetup

MOST_WORKERS = 4
SHOWN_SUSPECTS = 20
PARTNERS, WITH = 12, 150
# Until when single edits are tried, and then pairs of them, in parts of the time; then single ones again.
FOR_SINGLES, FOR_PAIRS = 0.65, 0.85
FOR_RELATED = 0.5
LINE_CHARS = 90


@dataclass(frozen=True)
class Repair:
    """What a search came to. `files` is the new text of each edited file; empty when nothing was found.

    `plausible` of the candidates `tried` make the failing tests pass; `overfitted` of these break tests that
    were held back from the search, `tests` is how many tests the repair passes.
    """

    files: Mapping[str, str] = field(default_factory=dict)
    said: str = ""
    diff: str = ""
    tried: int = 0
    plausible: int = 0
    overfitted: int = 0
    tests: int = 0
    held_back: int = 0
    suspects: tuple[Suspect, ...] = ()
    duration_s: float = 0.0

    @property
    def found(self) -> bool:
        return bool(self.files)


async def repair_folder(
    folder: Path,
    test_command: str,
    time_limit_s: float,
    *,
    setup: ToolSetup | None = None,
    test: str = "",
    workers: int = 0,
) -> Repair:
    """The likeliest small edit with which the failing tests (or just `test`) pass and no other test fails.

    Nothing is written into `folder`. Without a `setup` the tests run unsandboxed in copies.
    """
    setup = setup or ToolSetup(child_environment(os.environ))
    count = workers or min(MOST_WORKERS, os.cpu_count() or 1)
    began = time.monotonic()
    try:
        async with (
            Workers(setup, folder, test_command, time_limit_s) as some,
            telling(setup.progress, test, time_limit_s) as told,
        ):
            asked = Asked(folder, test, told, began, time_limit_s, limits_in(setup).protected)
            return await _searched(asked, some, count)
    except (NothingToRepair, NotServed) as why:
        return Repair(said=str(why), duration_s=round(time.monotonic() - began, 2))


@dataclass(frozen=True)
class Asked:
    """What a search is about."""

    folder: Path
    test: str
    telling: Telling
    began: float
    limit_s: float
    protected: tuple[str, ...] = ()


async def suspicious_lines(
    folder: Path, test_command: str, time_limit_s: float, *, setup: ToolSetup | None = None, test: str = ""
) -> tuple[Suspect, ...]:
    """Where the bug probably is, without a search: the lines that failing tests run and passing ones do not.

    Empty where the tests do not fail, or are run by a command that does not tell.
    """
    setup = setup or ToolSetup(child_environment(os.environ))
    try:
        async with Workers(setup, folder, test_command, time_limit_s) as some:
            return (await _looked(some, folder, (), test, time_limit_s))[1].suspects
    except (NothingToRepair, NotServed):
        return ()


async def _searched(asked: Asked, some: Workers, count: int) -> Repair:
    first, base = await _looked(some, asked.folder, asked.protected, asked.test, asked.limit_s)
    workers = [first, *[await some.another() for _ in range(count - 1)]]
    if base.related:
        # What mends one test of several may only bend the code for it: what mends them all comes first.
        for_all = replace(asked, limit_s=asked.limit_s * FOR_RELATED)
        found = await _found(for_all, base.with_related(), workers)
        if found.best is not None:
            return _told(found.base, found, time.monotonic() - asked.began)
    found = await _found(asked, base, workers)
    return _told(base, found, time.monotonic() - asked.began)


async def _looked(
    some: Workers, folder: Path, protected: tuple[str, ...], test: str, limit_s: float
) -> tuple[Worker, Baseline]:
    """Test by test where the command lets us in; else by runs of all of it."""
    files = await asyncio.to_thread(editable_files, folder, (*protected, *some.started))
    first = await some.another()
    try:
        return first, await look(first, folder, files, test, limit_s, some.started)
    except NotServed:
        some.fall_back()
    first = await some.another()
    return first, await look(first, folder, files, test, limit_s, some.started)


async def _found(asked: Asked, base: Baseline, workers: list[Worker]) -> Search:
    search = Search(base, asked.began + asked.limit_s)
    asked.telling.goes_on_with(search)
    singles: list[Candidate] = []
    times = hinted(base.told.ran[name].said for name in base.targets)
    candidates = await asyncio.to_thread(ranked, base.codes, base.suspects, times)
    rest = _one_by_one(distinct(candidates), singles)
    await search.over(rest, workers, asked.began + FOR_SINGLES * asked.limit_s)
    if search.best is None:
        await search.over(pairs(search, singles), workers, asked.began + FOR_PAIRS * asked.limit_s)
    if search.best is None:
        await search.over(rest, workers, search.deadline)
    return search


def _one_by_one(candidates: Iterator[Candidate], taken: list[Candidate]) -> Iterator[tuple[Candidate, ...]]:
    for one in candidates:
        taken.append(one)
        yield (one,)


def pairs(search: Search, singles: list[Candidate]) -> Iterator[tuple[Candidate, ...]]:
    """Candidates that mended a part of it with others; then the likeliest with one another."""
    partial = [one for _, one in sorted(search.partial, key=lambda entry: (-entry[0], -entry[1].score))]
    seen: set[tuple[int, int]] = set()
    for some, others in ((partial[:PARTNERS], singles[:WITH]), (singles[:30], singles[:30])):
        for one in some:
            for other in others:
                key = (min(id(one), id(other)), max(id(one), id(other)))
                if (
                    one is other
                    or key in seen
                    or (one.file == other.file and overlap((*one.edits, *other.edits)))
                ):
                    continue
                seen.add(key)
                yield one, other


def _told(base: Baseline, search: Search, took_s: float) -> Repair:
    best = search.best
    sound = sum(1 for one in search.plausible if one.sound)
    files = repaired_files(best) if best else {}
    texts = {code.file: code.text for code in base.codes}
    passes = len(base.passing) + (best.repaired if best else 0)
    return Repair(
        files=files,
        diff="".join(_diff(name, texts[name], text) for name, text in files.items()),
        tried=search.tried,
        plausible=len(search.plausible),
        overfitted=sum(1 for one in search.plausible if one.broken_held_back and not one.broken),
        tests=passes if best else 0,
        held_back=len(base.held_back),
        suspects=base.suspects[:SHOWN_SUSPECTS],
        duration_s=round(took_s, 2),
        said=_nothing(search) if best is None else _words(best, search, base, sound),
    )


def repaired_files(best: Plausible) -> dict[str, str]:
    edits: dict[str, tuple[Edit, ...]] = {}
    texts: dict[str, str] = {}
    for one in best.candidates:
        edits[one.file] = (*edits.get(one.file, ()), *one.edits)
        texts[one.file] = one.code.text
    return {name: applied(texts[name], some) for name, some in edits.items()}


def _words(best: Plausible, search: Search, base: Baseline, sound: int) -> str:
    held = f" ({len(base.held_back)} of them held back from the search)" if base.held_back else ""
    failed = "the test that failed" if best.repaired == 1 else f"the {best.repaired} tests that failed"
    others = f" and the {len(base.passing)} that passed before{held}" if base.passing else ""
    if OTHERS in base.passing:
        others = " and all the others"
    changes = " and ".join(_change(one) for one in best.candidates)
    left = search.left_failing
    more = f"; {left} more that run what was changed still fail" if left else ""
    passes = "passes" if sound == 1 else "pass"
    return f"{changes}; {sound} of {search.tried} candidates tried {passes} {failed}{others}{more}"


def _change(one: Candidate) -> str:
    old, new = one.code.text.splitlines(), one.text.splitlines()
    gone = [line[2:].strip() for line in difflib.ndiff(old, new) if line.startswith("- ")]
    come = [line[2:].strip() for line in difflib.ndiff(old, new) if line.startswith("+ ")]
    before, after = (" ".join(lines)[:LINE_CHARS] for lines in (gone, come))
    where = f"{one.file}:{one.line}"
    if before == after:
        return f"moved `{after}` at {where}"
    if not gone:
        return f"added `{after}` at {where}"
    return f"changed `{before}` to `{after}` at {where}" if after else f"took out `{before}` at {where}"


def _nothing(search: Search) -> str:
    overfitted = f"; {len(search.plausible)} made it pass and broke other tests" if search.plausible else ""
    if time.monotonic() >= search.deadline:
        in_time = f"none of the {search.tried} small edits that there was time for repairs it{overfitted}"
        return f"{in_time}; `search.max_time_s` gives it more"
    return f"none of {search.tried} small edits repairs it{overfitted}"


def _diff(name: str, before: str, after: str) -> str:
    return "".join(
        difflib.unified_diff(
            before.splitlines(keepends=True), after.splitlines(keepends=True), f"a/{name}", f"b/{name}"
        )
    )


__all__ = ["Repair", "repair_folder", "suspicious_lines"]
