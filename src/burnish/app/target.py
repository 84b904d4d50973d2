"""What a user typed, and which trees that means: session mode or module mode (C-20..C-28)."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from burnish.app.place import Place
from burnish.errors import UsageError
from burnish.git.discovery import changed_files, matches, matching_files
from burnish.git.staged import staged_tree
from burnish.git.user_tree import UserTree
from burnish.git.workspaces import Workspaces
from burnish.model.change import Snapshot
from burnish.model.subject import FileStatus, NotReviewed, ReviewMode, Subject, SubjectFile

# The seed's own test for a path, kept true (C-21).
_SEED_PATH = re.compile(r"\*|\.ts|\.js|\.py|src/|lib/")
_GLOB = re.compile(r"[*?\[]")
SESSION = re.compile(r"WFS-[A-Za-z0-9._-]+")
SNAPSHOT_MESSAGE = "Uncommitted work as it was when the review began\n"


class Kind(StrEnum):
    WORK = "work"
    SESSION = "session"
    MODULE = "module"
    COMMIT = "commit"
    STAGED = "staged"
    RANGE = "range"


@dataclass(frozen=True)
class Target:
    """`words` are patterns in module mode, the session's name in session mode.

    `only_new` asks a module review, too, for no more than what was brought since the base.
    """

    kind: Kind
    words: tuple[str, ...] = ()
    base: str = ""
    only_new: bool = False


@dataclass(frozen=True)
class Aim:
    """Where a review starts: the commit work would go on from, and what it is measured against."""

    subject: Subject
    base: str
    start: str
    found: Snapshot | None = None


def read_target(words: tuple[str, ...], options: dict[str, str | bool | None], root: Path) -> Target:
    """Flags first, then a session's name, then paths; an unknown word is a session's name (C-23)."""
    chosen = [name for name in ("commit", "staged", "range", "base") if options.get(name)]
    if len(chosen) > 1:
        raise UsageError(f"expected one of --{', --'.join(chosen)}, found {len(chosen)} of them.")
    parts = tuple(part.strip() for word in words for part in word.split(",") if part.strip())
    if chosen and chosen[0] != "base":
        if parts:
            raise UsageError(f"expected no path beside --{chosen[0]}, found {parts[0]!r}.")
        return Target(Kind(chosen[0]), (str(options[chosen[0]]),))
    base = str(options.get("base") or "")
    if not parts:
        if words:
            raise UsageError("expected a path, a glob or a session, found an empty word.")
        return Target(Kind.WORK, base=base)
    if len(parts) == 1 and is_session(parts[0], root):
        return Target(Kind.SESSION, parts, base)
    return Target(Kind.MODULE, parts, base, bool(options.get("only_new") or base))


def is_session(word: str, root: Path) -> bool:
    if SESSION.fullmatch(word):
        return True
    if "/" in word or _GLOB.search(word) or _SEED_PATH.search(word):
        return False
    return not any(os.path.lexists(folder / word) for folder in (Path.cwd(), root))


@dataclass(frozen=True)
class Aiming:
    """Turns a target into trees. Everything is pinned in the mirror before it is used."""

    place: Place
    workspaces: Workspaces
    run_id: str

    async def aim(self, target: Target, session_base: str = "") -> Aim:
        if target.kind is Kind.COMMIT:
            return await self._commit(target.words[0])
        if target.kind is Kind.RANGE:
            return await self._range(target.words[0])
        found = await UserTree(self.place.repository, self.workspaces.store).snapshot()
        head = self.place.repository.head
        if target.kind is Kind.STAGED:
            return await self._staged(head)
        start = await self._start(head, found.tree)
        if target.kind is Kind.MODULE:
            return await self._module(target, Aim(_module(target, found), head, start, found))
        base = session_base or await self._fork(target.base)
        title = f"session {target.words[0]}" if target.words else f"changes since {base[:12]}"
        aim = await self._changes(base, found.tree, start, title)
        skipped = tuple(NotReviewed(item.path, item.why) for item in found.dropped)
        return replace(aim, found=found, subject=replace(aim.subject, skipped=skipped))

    async def as_it_is(self, paths: tuple[str, ...]) -> Aim:
        """The files as they are now, to be fixed: what a fix changes is measured against this moment."""
        found = await UserTree(self.place.repository, self.workspaces.store).snapshot()
        head = self.place.repository.head
        start = await self._start(head, found.tree)
        files = tuple(SubjectFile(path, FileStatus.MODIFIED) for path in paths)
        subject = Subject(ReviewMode.SESSION, "given findings", found.tree, found.tree, head, start, files)
        return Aim(subject, head, start, found)

    async def _start(self, head: str, tree: str) -> str:
        if tree == await self.place.repository.tree(head):
            return head
        return await self.workspaces.commit(tree, head, SNAPSHOT_MESSAGE)

    async def _fork(self, named: str) -> str:
        """The commit a branch began at: of the one named, else of the default branch; else HEAD."""
        repository = self.place.repository
        head = repository.head
        if named:
            other = await repository.resolve(named)
            return await repository.merge_base(other, head) or other
        default = await repository.default_branch()
        if not default:
            return head
        return await repository.merge_base(default, head) or head

    async def _changes(self, base: str, tree: str, start: str, title: str) -> Aim:
        await self.workspaces.store.mirror.pin(base, self.run_id)
        base_tree = await self.place.repository.tree(base)
        subject = Subject(ReviewMode.SESSION, title, tree, base_tree, base, start)
        subject = await changed_files(self.workspaces.store, subject)
        if not subject.files:
            raise UsageError(
                f"expected changed files to review, found none since {base[:12]}.",
                hint="`burnish review .` looks at files as they are, `--commit HEAD` at the last commit",
            )
        return Aim(subject, base, start)

    async def _commit(self, name: str) -> Aim:
        repository = self.place.repository
        commit = await repository.resolve(name)
        await self.workspaces.store.mirror.pin(commit, self.run_id)
        out = await repository.git("rev-list", "--parents", "-n1", commit, at=repository.place)
        parents = out.decode().split()[1:]
        if not parents:
            raise UsageError(
                f"{name} is the first commit: there is nothing before it to compare with.",
                hint="`burnish review .` looks at all files as they are",
            )
        return await self._changes(parents[0], await repository.tree(commit), commit, f"commit {commit[:12]}")

    async def _range(self, words: str) -> Aim:
        repository = self.place.repository
        first, dots, last = words.partition("..")
        if not dots or not first:
            raise UsageError(
                f"expected a range as A..B, found {words!r}.", hint="for example: --range v1..v2"
            )
        from_fork = last.startswith(".")
        old = await repository.resolve(first)
        new = await repository.resolve(last.lstrip(".") or "HEAD")
        await self.workspaces.store.mirror.pin(new, self.run_id)
        base = (await repository.merge_base(old, new) or old) if from_fork else old
        return await self._changes(base, await repository.tree(new), new, f"range {words}")

    async def _staged(self, head: str) -> Aim:
        tree = await staged_tree(self.place.repository, self.workspaces.store)
        return await self._changes(head, tree, await self._start(head, tree), "what is staged")

    async def _module(self, target: Target, aim: Aim) -> Aim:
        root = self.place.repository.root
        patterns = {_inside(word, root): word for word in target.words}
        found = await matching_files(self.workspaces.store, aim.subject.tree, patterns)
        left = aim.found.dropped if aim.found else ()
        skipped = tuple(
            NotReviewed(item.path, item.why) for item in left if any(matches(p, item.path) for p in patterns)
        )
        for pattern, paths in found.items():
            if not paths and not any(matches(pattern, item.path) for item in skipped):
                raise UsageError(
                    f"expected {patterns[pattern]!r} to match files that git tracks or would, found none.",
                    hint=_why_none(root / pattern, root),
                )
        paths = sorted({path for some in found.values() for path in some})
        files = tuple(SubjectFile(path) for path in paths)
        subject = replace(aim.subject, files=files, patterns=tuple(patterns), skipped=skipped)
        if target.only_new:
            base = await self._fork(target.base)
            await self.workspaces.store.mirror.pin(base, self.run_id)
            subject = replace(subject, base=base, base_tree=await self.place.repository.tree(base))
        return replace(aim, subject=subject)


def _module(target: Target, found: Snapshot) -> Subject:
    return Subject(ReviewMode.MODULE, ", ".join(target.words), found.tree)


def _inside(word: str, root: Path) -> str:
    """A pattern as the tree has it: seen from the folder the user stands in, else from the root."""
    for folder in (Path.cwd(), root):
        full = Path(os.path.normpath(folder / word))
        if full == root:
            return "."
        if full.is_relative_to(root) and (folder == root or _GLOB.search(word) or os.path.lexists(full)):
            return full.relative_to(root).as_posix()
    raise UsageError(
        f"expected a path inside {root}, found {word!r}, which leads out of it.",
        hint="go to the repository it belongs to",
    )


def _why_none(path: Path, root: Path) -> str:
    if path.is_symlink():
        return "it is a symlink: name what it leads to, if that is inside the repository"
    if os.path.lexists(path):
        return "it is there, but git ignores it: `git check-ignore -v` tells by which rule"
    return f"patterns are read from the folder you are in, then from {root}; quote globs"
