"""One green main: changes that are green alone land at once while a user commits; every commit is tested again."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from tests.cli import PROCESSES
from tests.merge_lines import candidate, spec_of
from tests.repos import TestRepo, make_repo, run_git

from burnish.app.merge_line import Candidate, Merge, Merged, MergeLine
from burnish.app.place import find_place
from burnish.errors import WorkspaceError
from chaos._green_changes import FILES, GATE, Change, Kind, changes
from chaos._many import alone
from chaos.section import Setting, Tally

ROUNDS, AT_ONCE = 50, 8
IN_SHORT = 4
USER_COMMITS = 3
# As a user does whose git says that another one is at work.
LOCK_TRIES, LOCK_RETRY_S = 50, 0.1
PATIENCE_S = 300
Told = dict[str, Merged | str]


def section(setting: Setting, tally: Tally) -> None:
    chance = random.Random(setting.seed)
    counts: Counter[str] = Counter()
    with alone(setting.folder):
        for number in range(1 if setting.short else ROUNDS):
            wanted = changes(chance, IN_SHORT if setting.short else AT_ONCE)
            folder, fate = setting.folder / f"round-{number}", chance.random()
            one = Round(folder, wanted, fate, checked_out=number % 2 == 0, kills=number % 3 == 2)
            one.play()
            one.judge(tally, counts)
            shutil.rmtree(one.folder)
            shutil.rmtree(Path(os.environ["BURNISH_STATE"]) / "repos")
    tally.note(
        f"{counts['landed']} of {counts['changes']} changes landed, {counts['red']} were red together, "
        f"{counts['contested']} contested; {counts['commits']} commits of main tested again, "
        f"{counts['red commits']} red; {counts['user']} commits of the user in between, {counts['lost']} lost; "
        f"in {counts['killed']} rounds one of the two processes was killed, and what it had left was brought again"
    )


@dataclass
class Round:
    """`checked_out`: main is what the user works on; else they push to it from a clone.

    `kills`: one of the two processes that land is killed at some moment.
    """

    folder: Path
    changes: Sequence[Change]
    seed: float
    checked_out: bool
    kills: bool
    killed: bool = False
    told: Told = field(default_factory=dict)
    by_user: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.repo = make_repo(self.folder / "repo", FILES)
        self.began = self.repo.head
        if not self.checked_out:
            self.repo.git("checkout", "-q", "-b", "work")
            run_git(self.folder, "clone", "-q", "-b", "main", self.repo.path, "clone")
        self.repo.write("notes.md", "not committed\n")
        self.repo.write("untracked.txt", "mine\n")
        self.status = self.repo.git("status", "--porcelain")

    def play(self) -> None:
        asyncio.run(self._play())

    async def _play(self) -> None:
        place = await find_place(self.repo.path)
        ready = [await candidate(place, one.run, self.began, one.scripts) for one in self.changes]
        half = len(ready) // 2
        stop = asyncio.Event()
        user = asyncio.create_task(self._user(stop))
        line = MergeLine(place, spec_of(place, GATE))
        with elsewhere(self.repo.path, ready[half:]) as other:
            killing = asyncio.create_task(self._kill(other))
            self.told |= await landed_all(line, ready[:half])
            self.told |= await asyncio.to_thread(other.answers)
            killing.cancel()
        # Those of a process that was killed are brought again, as by a build that is resumed.
        self.told |= await landed_all(line, [one for one in ready if one.run not in self.told])
        stop.set()
        await user

    async def _kill(self, other: Other) -> None:
        if self.kills:
            await asyncio.sleep(random.Random(self.seed).uniform(0.3, 3))
            self.killed = other.child.is_alive()
            other.child.kill()

    async def _user(self, stop: asyncio.Event) -> None:
        chance = random.Random(self.seed)
        for number in range(USER_COMMITS):
            try:
                await asyncio.wait_for(stop.wait(), chance.uniform(0.1, 1.5))
                return
            except TimeoutError:
                self.by_user.append(await asyncio.to_thread(self._commit, number, chance.random() < 0.2))

    def _commit(self, number: int, edits: bool) -> str:
        """A commit of theirs on main; some edit the line that changes edit as well."""
        where = self.repo if self.checked_out else TestRepo(self.folder / "clone")
        for _ in range(LOCK_TRIES):
            if not self.checked_out:
                where.git("fetch", "-q", "origin")
                where.git("reset", "-q", "--hard", "origin/main")
            name = "settings.txt" if edits else f"user-{number}.txt"
            old = (where.path / name).read_text() if edits else ""
            where.write(name, old.replace("setting 4\n", "by the user\n") if edits else "user\n")
            done = _git(where.path, "add", name) and _git(
                where.path, "commit", "-q", "--allow-empty", "-m", f"user {number}", "--", name
            )
            if done and (self.checked_out or _git(where.path, "push", "-q", "origin", "HEAD:main")):
                return where.head
            if edits and self.checked_out:
                _git(where.path, "checkout", "-q", "HEAD", "--", name)
            time.sleep(LOCK_RETRY_S)
        raise AssertionError("the user never came to commit")

    def judge(self, tally: Tally, counts: Counter[str]) -> None:
        line = self.repo.git("rev-list", "--reverse", f"{self.began}..main").split()
        red = [commit for commit in line if not self._green(commit)]
        lost = [commit for commit in self.by_user if commit not in line]
        counts.update({"commits": len(line), "red commits": len(red), "user": len(self.by_user)})
        counts.update({"lost": len(lost), "changes": len(self.changes), "killed": int(self.killed)})
        for what, found in (("red on main", red), ("lost", lost)):
            for commit in found:
                tally.fall(f"{self.folder.name}: {commit[:12]}", what)
        for _ in range(len(self.by_user) - len(lost)):
            tally.survive("a commit of the user's")
        theirs = self.repo.git("status", "--porcelain")
        if theirs != self.status or (self.repo.path / "notes.md").read_text() != "not committed\n":
            tally.fall(self.folder.name, f"the user's files are not as they were: {theirs}")
        for change in self.changes:
            why = self._wrong(change)
            counts[getattr(self.told[change.run], "fate", "error")] += 1
            what = f"{self.folder.name}: {change.run} ({change.kind})"
            tally.fall(what, why) if why else tally.survive(what)

    def _wrong(self, change: Change) -> str:
        """Why what was told of a change is not what is so; empty when it is."""
        told = self.told.get(change.run)
        trailers = self.repo.git("log", "--format=%(trailers:key=Burnish-Run,valueonly)", "main").split()
        if not isinstance(told, Merged):
            return f"no answer but {told}"
        if told.fate is Merge.LANDED:
            times = trailers.count(change.run)
            # Who does what another one did has nothing more to do.
            done = times == 0 and change.kind is Kind.RENAME and any(run in trailers for run in self._renames)
            return "" if times == 1 or done else f"{times} times on main"
        if change.run in trailers:
            return f"told {told.fate}, and on main"
        if change.kind in (Kind.INNOCENT, Kind.HALVES):
            return f"{told.fate}: {told.message}"
        if told.fate is Merge.RED:
            [store] = Path(os.environ["BURNISH_STATE"]).glob(f"repos/*/runs/{change.run}/run.git")
            return "told red, and green" if self._green(told.tried, store) else ""
        contested = told.fate is Merge.CONTESTED and told.paths == ("settings.txt",)
        return "" if contested and change.kind is Kind.EDIT else f"{told.fate}: {told.message}"

    @property
    def _renames(self) -> list[str]:
        return [change.run for change in self.changes if change.kind is Kind.RENAME]

    def _green(self, commit: str, store: Path | None = None) -> bool:
        """The whole check, on a checkout that nobody of us had a hand in."""
        folder = self.folder / "oracle"
        folder.mkdir()
        packed = run_git(store or self.repo.path, "archive", commit)
        subprocess.run(["tar", "-x"], cwd=folder, input=packed, check=True)
        done = subprocess.run(["sh", "check.sh"], cwd=folder, capture_output=True, check=False)
        shutil.rmtree(folder)
        return done.returncode == 0


async def landed(line: MergeLine, one: Candidate) -> Merged | str:
    """As a build that is resumed after a refusal, such as that the user has just edited a file of the change."""
    said = ""
    for _ in range(LOCK_TRIES):
        try:
            return await line.land("main", one)
        except WorkspaceError as error:
            said = error.message
            await asyncio.sleep(LOCK_RETRY_S)
    return said


async def landed_all(line: MergeLine, ready: Sequence[Candidate]) -> Told:
    found = await asyncio.gather(*(landed(line, one) for one in ready))
    return {one.run: how for one, how in zip(ready, found, strict=True)}


def _land_all(repo: Path, ready: Sequence[Candidate], environ: dict[str, str], report: Any) -> None:
    """The other process: all of its candidates at once."""
    os.environ.clear()
    os.environ.update(environ)

    async def work() -> Told:
        place = await find_place(repo)
        return await landed_all(MergeLine(place, spec_of(place, GATE)), ready)

    report.send(asyncio.run(work()))


@dataclass(frozen=True)
class Other:
    """A second process that lands at the same time."""

    child: BaseProcess
    reader: Any

    def answers(self) -> Told:
        """None when it was killed."""
        try:
            told: Told = self.reader.recv()
        except EOFError:
            return {}
        return told


@contextmanager
def elsewhere(repo: Path, ready: Sequence[Candidate]) -> Iterator[Other]:
    reader, writer = PROCESSES.Pipe(duplex=False)
    child = PROCESSES.Process(target=_land_all, args=(repo, ready, dict(os.environ), writer))
    child.start()
    writer.close()
    try:
        yield Other(child, reader)
        child.join(PATIENCE_S)
    finally:
        reader.close()
        if child.is_alive():
            child.kill()


def _git(folder: Path, *args: str) -> bool:
    """Whether plain git did it: others may hold a lock, or have been quicker."""
    try:
        run_git(folder, *args)
    except AssertionError:
        return False
    return True
