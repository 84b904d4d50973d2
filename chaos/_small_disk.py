"""Whole runs on small disks that fill up or become read-only; prints what was injected and why it fell, if it did.

`python -m chaos._small_disk FOLDER LEVELS SEED`, in a mount namespace of its own.
"""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from itertools import count, pairwise
from pathlib import Path

from tests.cli import Said, burnish
from tests.e2e.bench import Bench
from tests.integration.store.small_disk import fill
from tests.repos import TestRepo, make_repo, run_git

from chaos._many import alone, inject
from chaos.kill_points import bench_at
from chaos.section import Tally

KB = 1024
DISK = "16m"
MOST = 420 * KB


class Disk:
    """A small disk as the state folder, and a bench whose runs live on it."""

    land = "branch"

    def __init__(self, folder: Path, template: TestRepo) -> None:
        self.bench: Bench = bench_at(folder, template)
        self.folder, self.state = folder, folder / "disk"
        self.state.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", self.state], check=True)

    def remount(self, how: str) -> None:
        subprocess.run(["mount", "-o", f"remount,{how}", self.mounted], check=True)

    @property
    def mounted(self) -> Path:
        return self.state

    def remove(self) -> None:
        subprocess.run(["umount", "-l", self.mounted], check=True)
        shutil.rmtree(self.folder)

    def unended(self) -> str:
        """The run there is and has not ended. Not to be asked while nothing can be written."""
        found = self.bench.run_in(self.state)
        return found.id if found is not None and found.outcome is None else ""

    def run(self, resume: str) -> Said:
        """Resume that run, or begin one."""
        env = {"BURNISH_STATE": str(self.state)}
        if resume:
            return burnish(self.bench.repo.path, "resume", resume, env=env)
        flags = self.bench.flags
        return burnish(
            self.bench.repo.path, "run", "Add lines", f"--implementer={flags['agents.implementer']}",
            f"--reviewer={flags['agents.reviewer']}", f"--gate={flags['gate.command']}", "--sandbox=off",
            f"--land={self.land}", env=env,
        )  # fmt: skip

    def check_intact(self) -> None:
        for path in self.state.glob("repos/*/burnish.db"):
            with closing(sqlite3.connect(path)) as database:
                found = database.execute("PRAGMA integrity_check").fetchone()[0]
            assert found == "ok", f"the database is damaged: {found}"
        stores = [*self.state.glob("repos/*/mirror.git"), *self.state.glob("repos/*/runs/*/run.git")]
        for store in (self.bench.repo.path / ".git", *stores):
            if (store / "HEAD").exists():
                run_git(store, f"--git-dir={store}", "fsck", "--no-dangling")


class UserDisk(Disk):
    """The small disk is the user's: their repository is on it."""

    def __init__(self, folder: Path, template: TestRepo, land: str) -> None:
        repo = folder / "disk" / "repo"
        repo.parent.mkdir(parents=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", repo.parent], check=True)
        shutil.copytree(template.path, repo)
        self.folder, self.state, self.land = folder, folder / "state", land
        self.bench = Bench(folder, TestRepo(repo))
        self.before = self.bench.repo.fingerprint()

    @property
    def mounted(self) -> Path:
        return self.folder / "disk"


def check_sentence(said: Said, *words: str) -> None:
    """One sentence and at most one hint, about the disk."""
    lines = [line for line in said.err.splitlines() if line.strip()]
    told = [line for line in (*lines, *said.out.splitlines()) if any(word in line for word in words)]
    assert told, f"exit {said.code}, and nothing about the disk: {said.err[-300:]!r} {said.out[-300:]!r}"
    assert len(lines) <= 2, f"more than a sentence: {said.err[-300:]!r}"


def full(disk: Disk, leave: int) -> None:
    filler = fill(disk.state, leave)
    said = disk.run("")
    if said.code:
        check_sentence(said, "space", "disk")
    filler.unlink()
    disk.check_intact()
    ended = disk.bench.run_in(disk.state)
    if said.code or ended is None or ended.outcome is None:
        assert ended is None or ended.outcome is None, f"the run was ended as {ended.outcome}: {ended.reason}"
        again = disk.run(disk.unended())
        assert again.code == 0, f"with room again it ended with {again.code}: {again.err[-300:]!r}"
    disk.bench.check_end(disk.state)


def read_only_from_the_start(disk: Disk) -> None:
    refused_while_read_only(disk)


def read_only_in_between(disk: Disk, deadly: int) -> None:
    disk.bench.do(disk.state, deadly=deadly)
    refused_while_read_only(disk)


def refused_while_read_only(disk: Disk) -> None:
    known = disk.unended()
    disk.remount("ro")
    said = disk.run(known)
    assert said.code, "a run passed on a disk that nothing can be written to"
    check_sentence(said, "Read-only", "read-only", "cannot be", "writable")
    disk.remount("rw")
    disk.check_intact()
    again = disk.run(known)
    assert again.code == 0, f"writable again, it ended with {again.code}: {again.err[-300:]!r}"
    disk.bench.check_end(disk.state)


def repository_read_only(disk: UserDisk) -> None:
    """Nothing is written there before landing; then one sentence, and the result lands when it can."""
    disk.remount("ro")
    said = disk.run("")
    if disk.land == "none":
        assert said.code == 0, f"nothing was to be written there, but it ended with {said.code}: {said.err!r}"
    else:
        assert said.code, "a result landed on a disk that nothing can be written to"
        check_sentence(said, "Read-only", "read-only")
    disk.remount("rw")
    land_after_all(disk)


def repository_full(disk: UserDisk, leave: int) -> None:
    filler = fill(disk.mounted, leave)
    said = disk.run("")
    if said.code:
        check_sentence(said, "space", "disk", "unable to write")
    filler.unlink()
    land_after_all(disk)


def land_after_all(disk: UserDisk) -> None:
    disk.check_intact()
    if known := disk.unended():
        again = disk.run(known)
        assert again.code == 0, f"with a disk again it ended with {again.code}: {again.err[-300:]!r}"
    disk.check_intact()
    run = disk.bench.run_in(disk.state)
    assert run is not None and run.outcome == "passed", "the run did not pass"
    now = disk.bench.repo.fingerprint()
    changed = {path for path in disk.before.keys() | now.keys() if disk.before.get(path) != now.get(path)}
    landed = {"branch": bool(run.branch), "apply": changed == {"app.py"}, "none": not run.branch}
    assert landed[disk.land], f"not landed: branch {run.branch!r}, changed {sorted(changed)}"
    assert changed <= ({"app.py"} if disk.land == "apply" else set()), f"changed: {sorted(changed)}"


def user_jobs(levels: int, chance: random.Random) -> list[tuple[str, str, Callable[[UserDisk], None]]]:
    """The user's own disk: read-only with every way to land, full at some levels while landing."""
    ways = ("branch", "apply", "none") if levels > 10 else ("branch",)
    jobs: list[tuple[str, str, Callable[[UserDisk], None]]] = [
        (f"the repository is read-only, landing: {land}", land, repository_read_only) for land in ways
    ]
    for number in range(10 if levels > 10 else 0):
        land, leave = (
            ("branch", "apply")[number % 2],
            chance.randrange(number * 2 * KB, (number + 1) * 2 * KB),
        )
        name = f"{leave} bytes left for the repository, landing: {land}"
        jobs.append((name, land, lambda disk, leave=leave: repository_full(disk, leave)))
    return jobs


def jobs_of(levels: int, most: int, chance: random.Random) -> list[tuple[str, Callable[[Disk], None]]]:
    """A few points of a run at which its disk becomes read-only, and as many levels as wanted."""

    def level(leave: int) -> tuple[str, Callable[[Disk], None]]:
        return f"{leave // KB} KB left", lambda disk: full(disk, leave)

    def between(point: int) -> tuple[str, Callable[[Disk], None]]:
        return f"read-only after point {point}", lambda disk: read_only_in_between(disk, point)

    ends = [most * number // levels for number in range(levels + 1)]
    jobs = [level(chance.randrange(low, high)) for low, high in pairwise(ends)]
    return [
        *jobs,
        ("read-only from the start", read_only_from_the_start),
        *(between(point) for point in (40, 90, 140) if levels > 10),
    ]


def main() -> None:
    folder, levels, seed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    tally, numbers = Tally(), count()
    with alone(folder):
        template = make_repo(folder / "template", {"app.py": "start\n"})
        # From nothing at all to more than a whole run leaves, because in between it needs more.
        jobs = jobs_of(levels, MOST, random.Random(seed))

        def work(job: Callable[[Disk], None]) -> None:
            disk = Disk(folder / f"disk-{next(numbers)}", template)
            job(disk)
            disk.remove()

        inject(tally, work, jobs)

        def user_work(job: tuple[str, Callable[[UserDisk], None]]) -> None:
            disk = UserDisk(folder / f"disk-{next(numbers)}", template, job[0])
            job[1](disk)
            disk.remove()

        mine = user_jobs(levels, random.Random(seed))
        inject(tally, user_work, [(name, (land, job)) for name, land, job in mine])
    tally.note(f"{levels} levels from 0 to {MOST // KB} KB left for a run that leaves about 270 KB")
    tally.note(f"{len(mine)} times it was the user's own disk that was read-only or full")
    json.dump({"injected": tally.injected, "fallen": tally.fallen, "notes": tally.notes}, sys.stdout)


if __name__ == "__main__":
    main()
