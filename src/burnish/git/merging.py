"""A result merged into a branch of the user's repository: all of it, or one sentence why nothing was."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum, auto

from burnish.errors import NotApplied, UsageError, WorkspaceError
from burnish.git.advancing import Advancing, check_whole
from burnish.git.files import read_small, trouble_told, write_atomically
from burnish.git.forwarding import Point
from burnish.git.identity import EMAIL, NAME
from burnish.git.merge_trees import have, is_ancestor, merge_commits
from burnish.git.moving import check_movable, tip
from burnish.git.repository import Repository
from burnish.git.run_store import RunStore

MOST_NAMED = 10
MOST_SUBJECTS = 200
_DATE = re.compile(rb"(?m)^committer .*> (\d+) [-+]\d+$")


class How(StrEnum):
    FAST_FORWARD = auto()
    MERGE = auto()
    SQUASH = auto()
    ALREADY = auto()  # the branch has all of it


@dataclass(frozen=True)
class Merged:
    """`commit` is where the branch is now."""

    commit: str
    how: How


@dataclass(frozen=True)
class _Plan:
    """What is about to be done, remembered so that doing it again makes no second commit."""

    ref: str
    source: str
    squash: bool
    old: str
    new: str
    how: How

    def text(self) -> bytes:
        squash = "squash" if self.squash else "whole"
        return " ".join((self.ref, self.source, squash, self.old, self.new, self.how)).encode()

    @classmethod
    def read(cls, text: bytes | None) -> _Plan | None:
        fields = (text or b"").decode("utf8", "surrogateescape").split(" ")
        if len(fields) != 6:
            return None
        ref, source, squash, old, new, how = fields
        return cls(ref, source, squash == "squash", old, new, How(how))


async def merge(
    repository: Repository, store: RunStore, source: str, target: str, *, squash: bool, message: str
) -> Merged:
    """Fast forward where that is possible and no squash was asked for; else a commit with `message`.

    `store` must be prepared. The commits keep as they are unless `squash` asks for one instead.
    """
    return await Merging(repository, store).merge(source, target, squash=squash, message=message)


async def target_branch(repository: Repository, wanted: str | None) -> str:
    """The local branch to merge into: the wanted one, else the default one, else the one checked out."""
    name = (wanted or "").removeprefix("refs/heads/")
    if not name:
        name = (await repository.default_branch() or repository.branch).removeprefix("origin/")
    if not name:
        raise UsageError(
            f"expected a branch to merge into: {repository.root} has no default branch and HEAD is detached.",
            hint="name one; `git branch` lists them",
        )
    if not await tip(repository, name):
        raise UsageError(
            f"there is no branch {name!r} in {repository.root} to merge into.",
            hint="make it (git branch NAME START), or name another; `git branch` lists them",
        )
    return name


class Merging:
    """`reached` is told how far the move of a checked-out branch is."""

    def __init__(
        self, repository: Repository, store: RunStore, reached: Callable[[Point], None] | None = None
    ) -> None:
        self._repository = repository
        self._store = store
        self._advancing = Advancing(repository, store, reached)
        self._note = store.folder / "merging"

    async def merge(self, source: str, target: str, *, squash: bool, message: str) -> Merged:
        ref = f"refs/heads/{target}"
        old = await self._start(target)
        plan = _Plan.read(read_small(self._note))
        same = plan is not None and (plan.ref, plan.source, plan.squash) == (ref, source, squash)
        if plan is None or not same or old not in (plan.old, plan.new):
            for commit in (old, source):
                await have(self._store, commit)
            plan = await self._plan(ref, old, source, squash=squash, message=message)
        if plan.new != old:
            with trouble_told("noting what is about to be merged"):
                write_atomically(self._note, plan.text())
            await self._move(target, plan)
        self._forget()
        return Merged(plan.new, plan.how)

    def _forget(self) -> None:
        self._advancing.forget()
        self._note.unlink(missing_ok=True)

    async def _start(self, target: str) -> str:
        check_whole(self._repository)
        old = await tip(self._repository, target)
        await check_movable(self._repository, target, old, old)
        return old

    async def _plan(self, ref: str, old: str, source: str, *, squash: bool, message: str) -> _Plan:
        store = self._store
        if await is_ancestor(store, source, old):
            return _Plan(ref, source, squash, old, old, How.ALREADY)
        if not squash and await is_ancestor(store, old, source):
            return _Plan(ref, source, squash, old, source, How.FAST_FORWARD)
        merged = await merge_commits(store, old, source)
        if merged.conflicts:
            raise _conflict(merged.conflicts, ref.removeprefix("refs/heads/"))
        if merged.tree == await store.tree(old):
            return _Plan(ref, source, squash, old, old, How.ALREADY)
        if squash:
            text = f"{message}\n\n{await self._subjects(old, source)}"
            return _Plan(ref, source, squash, old, await self._commit(merged.tree, (old,), text), How.SQUASH)
        new = await self._commit(merged.tree, (old, source), message)
        return _Plan(ref, source, squash, old, new, How.MERGE)

    async def _subjects(self, old: str, source: str) -> str:
        """What a squash puts together, oldest first, one line each."""
        out = await self._store.git(
            "log", "-z", "--no-merges", "--reverse", f"--max-count={MOST_SUBJECTS}", "--format=%s",
            source, f"^{old}", at=self._store.place,
        )  # fmt: skip
        subjects = out.decode("utf8", "replace").split("\0")
        return "\n".join(f"- {subject}" for subject in subjects if subject)

    async def _commit(self, tree: str, parents: tuple[str, ...], message: str) -> str:
        """By the user, now; but never before its parents, whatever the clock says."""
        seconds = int(time.time())
        for parent in parents:
            raw = await self._store.git("cat-file", "commit", parent, at=self._store.place)
            found = _DATE.search(raw.partition(b"\n\n")[0])
            seconds = max(seconds, int(found[1]) if found else 0)
        who = self._store.identity
        env = {"GIT_COMMITTER_NAME": NAME, "GIT_COMMITTER_EMAIL": EMAIL}
        env |= {"GIT_AUTHOR_NAME": who.name, "GIT_AUTHOR_EMAIL": who.email}
        env |= {f"GIT_{role}_DATE": f"@{seconds} +0000" for role in ("AUTHOR", "COMMITTER")}
        named = [word for parent in parents for word in ("-p", parent)]
        text = (message.replace("\0", "").strip() or "Merge") + "\n"
        out = await self._store.git(
            "commit-tree", "--no-gpg-sign", *named, tree,
            at=self._store.place, stdin=text.encode("utf8", "replace"), env=env,
        )  # fmt: skip
        return out.decode().strip()

    async def _move(self, target: str, plan: _Plan) -> None:
        try:
            found = await self._advancing.advance(target, plan.new, plan.old)
        except NotApplied:
            if not self._advancing.begun:
                self._forget()
            raise
        if found != plan.new:
            where = f"moved to {found[:12]}" if found else "deleted"
            raise WorkspaceError(
                f"the branch {target} was {where} meanwhile, so nothing was merged.",
                hint="try again: the result is then merged with what is there now",
            )


def _conflict(paths: tuple[str, ...], target: str) -> WorkspaceError:
    named = ", ".join(paths[:MOST_NAMED])
    more = f" and {len(paths) - MOST_NAMED} more" if len(paths) > MOST_NAMED else ""
    return WorkspaceError(
        f"{named}{more} changed in {target} in another way, so nothing was merged.",
        hint=f"merge the branch by hand with `git merge`, or have the work done again on top of {target}",
    )
