"""Our own copy of a repository's objects: what a run starts from stays, whatever the user's git drops."""

from __future__ import annotations

import asyncio
import errno
import os
import shutil
import stat
from pathlib import Path

from burnish.errors import UsageError, WorkspaceError
from burnish.git.call import Git, Place, hint_for
from burnish.git.child import Answer
from burnish.git.files import remove_folder, trouble_told
from burnish.git.layout import lay_out
from burnish.git.locks import Lock, sweep
from burnish.git.names import first_line
from burnish.git.repository import Repository

BASES = "refs/burnish/base/"
LOCK_WAIT_S = 1800.0
FETCH_TIMEOUT_S = 3600.0


class Mirror:
    """One bare repository of ours per repository of the user's. `folder` is made by the first `pin`.

    It never borrows from the user's objects, so their `gc` cannot take anything from it. Several processes
    may use it at once: whoever changes it holds its lock.
    """

    def __init__(self, repository: Repository, folder: Path) -> None:
        self.repository = repository
        self.folder = folder
        self._git: Git = repository.git
        self._pinned: set[str] = set()

    @property
    def objects(self) -> Path:
        """What workspaces borrow from; a sandbox must show it, read-only, at this very path."""
        return self.folder / "objects"

    async def pin(self, commit: str, name: str) -> None:
        """Have a commit of the user's repository and all before it here, and keep it under a name.

        A name keeps every commit it was given, so that a run which moves its base loses nothing.
        """
        ref = f"{_folder(name)}{commit}"
        if ref in self._pinned:
            return
        async with self._lock() as lock:
            place = Place(self.folder, hold=lock.fd)
            with trouble_told("making the mirror of your repository"):
                await asyncio.to_thread(self._prepare)
            if await self._holds(place, commit):
                await self._git("update-ref", "--no-deref", ref, commit, at=place)
            else:
                await self._fetch(place, commit, ref)
        self._pinned.add(ref)

    async def unpin(self, name: str) -> None:
        """Give a name up. Its objects stay until `prune`."""
        self._pinned.clear()
        if not (self.folder / "HEAD").is_file():
            return
        async with self._lock() as lock:
            place = Place(self.folder, hold=lock.fd)
            sweep(self.folder)
            for commit in (await self.refs()).get(name, ()):
                await self._git("update-ref", "--no-deref", "-d", f"{_folder(name)}{commit}", at=place)

    async def refs(self, only: str = "") -> dict[str, tuple[str, ...]]:
        """Name -> commits of all that is pinned, or of one name."""
        found: dict[str, tuple[str, ...]] = {}
        if (self.folder / "HEAD").is_file():
            out = await self._git(
                "for-each-ref", "--format=%(refname)", _folder(only) if only else BASES, at=Place(self.folder)
            )
            for ref in out.decode().split():
                name, _, commit = ref.removeprefix(BASES).partition("/")
                found[name] = (*found.get(name, ()), commit)
        return found

    async def prune(self) -> None:
        """Throw away what no pinned commit needs. Runs that are not pinned any more lose their base."""
        if not (self.folder / "HEAD").is_file():
            return
        async with self._lock() as lock:
            place = Place(self.folder, hold=lock.fd)
            sweep(self.folder)
            await self._git("repack", "-a", "-d", "-q", at=place, timeout_s=FETCH_TIMEOUT_S)
            await self._git("prune", "--expire=now", at=place, timeout_s=FETCH_TIMEOUT_S)

    def _lock(self) -> Lock:
        return Lock(self.folder.with_name(f"{self.folder.name}.lock"), wait_s=LOCK_WAIT_S)

    def _prepare(self) -> None:
        """A usable mirror: made at first, seeded with the user's packs, cleaned of what a kill left."""
        if (self.folder / "HEAD").is_file():
            sweep(self.folder)
            return
        fresh = self.folder.with_name(f"{self.folder.name}.new")
        remove_folder(fresh)
        lay_out(fresh, self.repository.object_format)
        if not self.repository.partial:
            _seed(self.repository.common_dir / "objects" / "pack", fresh / "objects" / "pack")
        remove_folder(self.folder)
        fresh.rename(self.folder)

    async def _holds(self, place: Place, commit: str) -> bool:
        """Whether a pin of any run holds it, and so all before it. One without its object holds nothing."""
        if self._pinned_as_file(commit):
            return await self._has(place, commit)
        wanted = ("--count=1", f"--points-at={commit}", "--format=%(objecttype)")
        answer = await self._git.ask("for-each-ref", *wanted, BASES, at=place)
        return answer.code == 0 and answer.out.strip() == b"commit"

    def _pinned_as_file(self, commit: str) -> bool:
        """Seen without git, which would read the pins of all runs there ever were."""
        for folder in (self.folder / BASES).glob("*"):
            try:
                if (folder / commit).read_bytes().strip() == commit.encode():
                    return True
            except OSError:
                continue
        return False

    async def _has(self, place: Place, commit: str) -> bool:
        return (await self._git.ask("cat-file", "-e", f"{commit}^{{commit}}", at=place)).code == 0

    async def _fetch(self, place: Place, commit: str, ref: str) -> None:
        how = ["--depth=1"] if self.repository.partial else []
        answer = await self._git.ask(
            "fetch", "-q", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance",
            "--no-recurse-submodules", "--update-shallow", *how, "--",
            self.repository.common_dir, f"+{commit}:{ref}", at=place, timeout_s=FETCH_TIMEOUT_S,
        )  # fmt: skip
        if answer.code or not await self._has(place, commit):
            raise self._refusal(commit, answer)

    def _refusal(self, commit: str, answer: Answer) -> WorkspaceError:
        said = first_line(answer.err) or "the commit did not arrive"
        if self.repository.partial:
            return WorkspaceError(
                f"{self.repository.root} is a partial clone that lacks files of {commit[:12]} ({said}).",
                hint="fetch them first: git checkout that commit once, or `git fetch --refetch --no-filter`",
            )
        return WorkspaceError(
            f"commit {commit[:12]} of {self.repository.root} could not be copied: {said}.",
            hint=hint_for(answer.err, "`git fsck` there tells whether objects are missing"),
        )


def _folder(name: str) -> str:
    if not name or not all(part.isalnum() or part in "-_" for part in name):
        raise UsageError(f"expected a name of letters, digits, - and _ to pin under, found {name!r}.")
    return f"{BASES}{name}/"


def _seed(source: Path, target: Path) -> None:
    """Link or copy whole packs, so that the first fetch finds nearly everything there already."""
    for index in sorted(source.glob("pack-*.idx")):
        pack = index.with_suffix(".pack")
        # Unreachable leftovers (.mtimes) and packs with holes in them (.promisor) are not worth having.
        if not pack.is_file() or any(index.with_suffix(end).exists() for end in (".mtimes", ".promisor")):
            continue
        try:
            for suffix in (".pack", ".rev", ".idx"):
                _link_or_copy(index.with_suffix(suffix), target)
        except FileNotFoundError:
            # The user's gc replaced it meanwhile: the fetch brings what it held.
            for path in target.glob(f"{index.stem}.*"):
                path.unlink()


def _link_or_copy(path: Path, folder: Path) -> None:
    if path.suffix == ".rev" and not path.exists():
        return
    if not stat.S_ISREG(path.lstat().st_mode):
        raise FileNotFoundError(errno.ENOENT, "not a regular file", os.fspath(path))
    target = folder / path.name
    try:
        target.hardlink_to(path)
    except FileNotFoundError:
        raise
    except OSError:
        # Another file system, or one that forbids links to files of others.
        partial = folder / f"tmp_{path.name}"
        shutil.copyfile(path, partial)
        partial.chmod(0o444)
        partial.rename(target)
