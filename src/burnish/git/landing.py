"""Bringing a result into the user's repository: objects by pack, the branch by compare-and-swap."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Iterable
from dataclasses import replace
from enum import Enum, auto
from pathlib import Path, PurePosixPath

from burnish.errors import NotTaken, UsageError, WorkspaceError
from burnish.git.call import Git, Place, hint_for, refusal
from burnish.git.child import Answer
from burnish.git.files import read_small, trouble_told, write_atomically
from burnish.git.names import first_line
from burnish.git.repository import Repository
from burnish.git.run_store import RunStore

MOST_NAMES = 100
MANY_OBJECTS = 100  # as git itself decides when it receives
LOCK_RETRIES = 5
LOCK_RETRY_S = 0.1
# What git says of an object it checked and will never take, such as a .gitmodules that names a command.
_REFUSED_OBJECT = re.compile(rb"object [0-9a-f]{40,64}: [a-z][A-Za-z]+:")
_LOCKED = (b".lock': File exists", b"Unable to create")


class Created(Enum):
    YES = auto()
    TAKEN = auto()
    NO_FOLDER = auto()


class BranchLanding:
    """Never pushes and never fetches: both can run what the user's repository names. Hooks do not run either.

    `store` must be prepared: holding its lock is what proves that no git of a killed process still lands.
    """

    def __init__(self, repository: Repository, store: RunStore) -> None:
        self.repository = repository
        self.store = store
        self._git: Git = repository.git

    async def land_branch(self, commit: str, base: str, name: str) -> str:
        """A new branch at the commit; its name, which has a number at its end when the wanted one is taken.

        Doing it again after a crash finds the branch there and is done.
        """
        await self._check_name(name)
        await self.bring(commit, base)
        wanted, number = name, 1
        while number <= MOST_NAMES:
            numbered = wanted if number == 1 else f"{wanted}-{number}"
            match await self._create(numbered, commit):
                case Created.YES:
                    return numbered
                case Created.TAKEN:
                    number += 1
                case Created.NO_FOLDER:
                    # A branch "burnish" forbids any "burnish/...": do without the folder.
                    wanted, number = name.replace("/", "-"), 1
        raise WorkspaceError(
            f"{name!r} and {MOST_NAMES} names like it are all taken in {self.repository.root}.",
            hint="delete branches you do not need any more, then resume the run",
        )

    async def _check_name(self, branch: str) -> None:
        answer = await self._git.ask("check-ref-format", f"refs/heads/{branch}", at=self.repository.place)
        if answer.code or branch.startswith("-"):
            raise UsageError(
                f"{branch!r} is not a name git takes for a branch.", hint="try burnish/my-change"
            )

    async def _create(self, name: str, commit: str) -> Created:
        answer = await self.swap(f"refs/heads/{name}", commit, self.repository.zero, "burnish: landed")
        return Created.YES if answer.code == 0 else await self._refused(name, answer)

    async def swap(self, ref: str, new: str, old: str, reason: str) -> Answer:
        """Git's answer to a compare-and-swap; a ref that is where it should be already counts as moved."""
        self._sweep_own(ref)
        for _ in range(LOCK_RETRIES):
            with trouble_told("noting what is about to be landed"):
                write_atomically(self._intent, ref.encode())
            answer = await self._git.ask(
                "update-ref", "--no-deref", "--create-reflog", "-m", reason, ref, new, old, at=self._user
            )
            if answer.code == 0 or await self._points_at(ref, new):
                self._intent.unlink(missing_ok=True)
                return replace(answer, code=0)
            if answer.code < 0:
                # Killed: its lock may be there, and our note is what lets us remove it next time.
                raise refusal("update-ref", answer)
            if not any(words in answer.err for words in _LOCKED):
                self._intent.unlink(missing_ok=True)
                return answer
            await asyncio.sleep(LOCK_RETRY_S)
        raise refusal("update-ref", answer)

    async def _refused(self, name: str, answer: Answer) -> Created:
        for parent in PurePosixPath(name).parents:
            if parent.name and await self.repository.branch_exists(str(parent)):
                return Created.NO_FOLDER
        if b"already exists" in answer.err or b"exists; cannot create" in answer.err:
            return Created.TAKEN
        raise refusal("update-ref", answer)

    def _sweep_own(self, ref: str) -> None:
        """A lock on this very ref that a killed landing of this run left: we hold the run, so it is dead."""
        if read_small(self._intent) == ref.encode():
            (self.repository.common_dir / f"{ref}.lock").unlink(missing_ok=True)

    async def _points_at(self, ref: str, commit: str) -> bool:
        answer = await self._git.ask("rev-parse", "--verify", "-q", ref, at=self._user)
        return answer.code == 0 and answer.out.decode().strip() == commit

    async def bring(self, commit: str, base: str) -> None:
        """Everything the commit has and the user's repository lacks, as objects nothing refers to yet."""
        pack = self.store.scratch / f"landing-{commit}.pack"
        partial = self.repository.partial
        known = await self._known(base)
        wanted = "".join(f"{line}\n" for line in (commit, *(f"^{name}" for name in known)))
        # A partial clone may lack what a thin pack's differences are made against.
        thin = () if partial else ("--thin",)
        await self._git(
            "pack-objects", "-q", "--revs", "--stdout", *thin,
            at=self.store.place, stdin=wanted.encode(), output=pack,
        )  # fmt: skip
        strict = () if partial else ("--strict",)
        unpack = ("unpack-objects", "-q", *strict)
        if _count(pack) > MANY_OBJECTS:
            unpack = ("index-pack", "--stdin", "--fix-thin", *strict)
        answer = await self._git.ask(*unpack, at=self._user, stdin=pack)
        pack.unlink(missing_ok=True)
        if answer.code:
            kind = NotTaken if _REFUSED_OBJECT.search(answer.err) else WorkspaceError
            raise kind(
                f"{self.repository.root} did not take the result's objects: {first_line(answer.err)}.",
                hint=hint_for(answer.err, "the result is kept in the run; `burnish show` names it"),
            )

    async def _known(self, base: str) -> list[str]:
        """Commits that both sides have: what the run began with, or, if the user dropped that, their refs."""
        run = self.store.folder.name
        pinned = (await self.store.mirror.refs(run)).get(run, ())
        if found := await self._commits(self._user, {base, *pinned}):
            return found
        tips = await self._git("for-each-ref", "--format=%(objectname)", at=self._user)
        return await self._commits(self.store.place, tips.decode().split())

    async def _commits(self, place: Place, names: Iterable[str]) -> list[str]:
        """Those of the names that are commits there."""
        asked = "".join(f"{name}\n" for name in names).encode()
        out = await self._git("cat-file", "--batch-check=%(objectname) %(objecttype)", at=place, stdin=asked)
        found = [line.split(" ") for line in out.decode().splitlines()]
        return [name for name, kind in found if kind == "commit"]

    @property
    def _user(self) -> Place:
        return Place(self.repository.git_dir, hold=self.store.place.hold)

    @property
    def _intent(self) -> Path:
        return self.store.folder / "landing"


def _count(pack: Path) -> int:
    """A pack's number of objects, from its header."""
    with pack.open("rb") as file:
        return int.from_bytes(os.pread(file.fileno(), 12, 0)[8:12], "big")
