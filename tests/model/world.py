"""The reference model: what the user has, which runs there are, and what each may do to it."""

from __future__ import annotations

import io
import itertools
import tarfile
from dataclasses import dataclass, field, replace
from enum import StrEnum, auto
from pathlib import PurePosixPath

from burnish.model.events import Recorded
from tests.model.plans import Crew, Plan, Prophecy, Tree
from tests.repos import TestRepo, run_git

HEADS = "refs/heads/"


@dataclass(frozen=True)
class Sight:
    """All that is the user's: files, refs and their values, and every file of .git but objects and our branches."""

    files: Tree
    refs: dict[str, str]
    rest: dict[str, str]

    @property
    def branches(self) -> dict[str, str]:
        return {ref.removeprefix(HEADS): tip for ref, tip in self.refs.items() if ref.startswith(HEADS)}


def look(repo: TestRepo) -> Sight:
    prints = repo.fingerprint()
    files = {path: (repo.path / path).read_bytes() for path in prints if not path.startswith(".git/")}
    rest = {path: what for path, what in prints.items() if path.startswith(".git/")}
    listed = repo.git("for-each-ref", "--format=%(refname) %(objectname)").splitlines()
    return Sight(files, dict(line.split(" ") for line in listed), rest)


def tree_of(repo: TestRepo, rev: str) -> Tree:
    with tarfile.open(fileobj=io.BytesIO(run_git(repo.path, "archive", "--format=tar", rev))) as archive:
        found = ((member, archive.extractfile(member)) for member in archive.getmembers() if member.isfile())
        return {member.name: data.read() for member, data in found if data is not None}


class Standing(StrEnum):
    ABSENT = auto()  # killed before anything was recorded
    LIVE = auto()
    INTERRUPTED = auto()
    FINISHED = auto()


class Way(StrEnum):
    NOWHERE = auto()
    BRANCH = auto()
    APPLY = auto()


@dataclass(frozen=True)
class Delivery:
    way: Way
    branch: str = ""


@dataclass
class ModelRun:
    """A run as the model knows it. `delivered` is set once its landing is on record: it is then never done again."""

    crew: Crew
    prophecy: Prophecy
    base: Tree
    start: Tree
    base_commit: str
    standing: Standing = Standing.ABSENT
    id: str = ""
    outcome: str | None = None
    reason: str | None = None
    commit: str = ""
    branch: str | None = None
    delivered: bool = False
    drafted: bool = False
    events: tuple[Recorded, ...] = field(default=())

    @property
    def plan(self) -> Plan:
        return self.crew.plan

    @property
    def commits(self) -> int:
        """How many commits a landed branch has on top of the base: one more where it began with dirty files."""
        return self.prophecy.writes + (self.plan.land == "apply" and self.start != self.base)

    def delivery(self, sight: Sight) -> Delivery:
        """Where the result must go when it is landed into what the user has now."""
        prophecy = self.prophecy
        if not prophecy.writes or self.plan.land == "none":
            return Delivery(Way.NOWHERE)
        if prophecy.outcome != "passed":
            return Delivery(Way.BRANCH, self._free(sight, f"burnish/unapproved/{self.id}"))
        if self.plan.land == "apply" and sight.files in (self.start, prophecy.tree):
            return Delivery(Way.APPLY)
        return Delivery(Way.BRANCH, self._free(sight, f"burnish/{self.id}"))

    def _free(self, sight: Sight, name: str) -> str:
        """A name nobody else has; no branch is ever moved."""
        taken = sight.branches
        if any(str(parent) in taken for parent in PurePosixPath(name).parents):
            name = name.replace("/", "-")
        for number in itertools.count(1):
            numbered = name if number == 1 else f"{name}-{number}"
            if taken.get(numbered, self.commit) == self.commit:
                return numbered
        raise AssertionError

    def landed(self, sight: Sight, delivery: Delivery) -> Sight:
        """What the user has after that delivery; the tip of a new branch is filled in by who looks."""
        match delivery.way:
            case Way.APPLY:
                return replace(sight, files=self.prophecy.tree)
            case Way.BRANCH:
                return replace(sight, refs={**sight.refs, HEADS + delivery.branch: self.commit})
            case _:
                return sight

    def stale(self, sight: Sight, repo: TestRepo) -> bool:
        """Whether what passed is no longer what is there."""
        if self.outcome != "passed":
            return False
        if self.branch:
            name = self.branch if self.branch in sight.branches else self._merged(repo)
            if not name or _differs(tree_of(repo, sight.branches[name]), self.base, self.prophecy.tree):
                return True
            own = repo.git("symbolic-ref", "-q", "--short", "HEAD", check=False)
            return own == name and _differs(sight.files, self.base, self.prophecy.tree)
        return self.plan.land == "apply" and _differs(sight.files, self.start, self.prophecy.tree)

    def _merged(self, repo: TestRepo) -> str:
        """Of a branch that is gone: the one that has its commit, the user's own first."""
        asked = ("for-each-ref", f"--contains={self.commit}", "--format=%(HEAD)%(refname)", "refs/heads")
        having = sorted(repo.git(*asked, check=False).splitlines(), key=lambda line: not line.startswith("*"))
        return having[0][1:].removeprefix(HEADS) if having else ""


def _differs(now: Tree, before: Tree, reviewed: Tree) -> bool:
    """Whether a file that the reviewed change touched is another one now."""
    touched = {path for path in {*before, *reviewed} if before.get(path) != reviewed.get(path)}
    return any(now.get(path) != reviewed.get(path) for path in touched)
