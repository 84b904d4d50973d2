"""A run's own git directory: its line of commits, and everything it made, apart from all other runs."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path

from burnish.errors import WorkspaceError
from burnish.git.call import Git, Place, refusal
from burnish.git.files import remove_folder, trouble_told, write_atomically
from burnish.git.identity import EMAIL, NAME, Identity
from burnish.git.layout import borrow_shallow, lay_out
from burnish.git.locks import Lock, sweep
from burnish.git.mirror import Mirror
from burnish.git.names import slug

HEAD = "refs/burnish/head"
KEPT = "refs/burnish/kept/"
# Long enough for a git child that outlived a killed Burnish to end.
LOCK_WAIT_S = 30.0


class RunStore:
    """`folder` is the run's own; the store in it borrows objects from the mirror.

    `prepare` must have been awaited before anything is written, and `close` ends that. Reading needs neither.
    """

    def __init__(self, mirror: Mirror, folder: Path, identity: Identity) -> None:
        self.mirror = mirror
        self.folder = folder
        self.identity = identity
        self.git: Git = mirror.repository.git
        self._lock = Lock(folder / "lock", wait_s=LOCK_WAIT_S)
        # What is known of commits, which never change: each question asked of git costs a process.
        self._trees: dict[str, str] = {}
        self._dates: dict[str, int] = {}
        self._commits: dict[tuple[str, str, str], str] = {}
        self._packs: dict[tuple[str, str], tuple[Path, ...]] = {}

    @property
    def git_dir(self) -> Path:
        return self.folder / "run.git"

    @property
    def place(self) -> Place:
        return Place(self.git_dir, hold=self._lock.fd)

    @property
    def object_format(self) -> str:
        return self.mirror.repository.object_format

    @property
    def scratch(self) -> Path:
        """For files that no crash needs to keep."""
        return self.folder / "scratch"

    async def prepare(self) -> None:
        """Make the store, or take it over from a process that died: then nothing of that one still runs."""
        await self._lock.take()
        try:
            with trouble_told("making the run's own store"):
                await asyncio.to_thread(self._make)
        except WorkspaceError:
            self.close()
            raise

    def _make(self) -> None:
        if (self.git_dir / "HEAD").is_file():
            sweep(self.git_dir)
        lay_out(self.git_dir, self.object_format, borrow=(self.mirror.objects,))
        borrow_shallow(self.mirror.folder, self.git_dir)
        self.scratch.mkdir(exist_ok=True)

    def close(self) -> None:
        for paths in self._packs.values():
            remove_folder(paths[0].parent)
        self._packs.clear()
        self._lock.release()

    async def head(self) -> str:
        """The newest commit of the run's line; empty before it has one."""
        return await self.read_ref(HEAD)

    async def read_ref(self, ref: str) -> str:
        answer = await self.git.ask("rev-parse", "--verify", "-q", ref, at=self.place)
        return answer.out.decode().strip() if answer.code == 0 else ""

    async def begin(self, start: str) -> None:
        """Let the run's line start at a commit. A line that was begun already stays where it is."""
        zero = self.mirror.repository.zero
        answer = await self.git.ask("update-ref", "--no-deref", HEAD, start, zero, at=self.place)
        if answer.code and not await self.head():
            raise refusal("update-ref", answer)

    async def advance(self, new: str, old: str) -> None:
        expected = old or self.mirror.repository.zero
        answer = await self.git.ask("update-ref", "--no-deref", HEAD, new, expected, at=self.place)
        if answer.code == 0:
            return
        found = await self.head()
        if found == old:
            raise refusal("update-ref", answer)
        if found != new:
            raise WorkspaceError(
                f"the run's line is at {found[:12] or 'no commit'}, expected {old[:12] or 'no commit'}.",
                hint="another process moved it; resume the run",
            )

    async def commit(self, tree: str, parent: str, message: str) -> str:
        """The commit of a tree; the same arguments give the same commit, also after a crash."""
        if known := self._commits.get((tree, parent, message)):
            return known
        seconds = await self._date(parent)
        env = {"GIT_COMMITTER_NAME": NAME, "GIT_COMMITTER_EMAIL": EMAIL}
        env |= {"GIT_AUTHOR_NAME": self.identity.name, "GIT_AUTHOR_EMAIL": self.identity.email}
        env |= {f"GIT_{who}_DATE": f"@{seconds} +0000" for who in ("AUTHOR", "COMMITTER")}
        text = (message.replace("\0", "").strip() or "No message") + "\n"
        out = await self.git(
            "commit-tree", "--no-gpg-sign", *(("-p", parent) if parent else ()), tree,
            at=self.place, stdin=text.encode("utf8", "replace"), env=env,
        )  # fmt: skip
        commit = self._commits[tree, parent, message] = out.decode().strip()
        self._dates[commit], self._trees[commit] = seconds + 1, tree
        return commit

    async def packed(self, commit: str, base: str) -> tuple[Path, ...]:
        """Files of a pack with what `commit` has and `base` has not, the index last; kept for the next."""
        if (commit, base) not in self._packs:
            with trouble_told("packing what a workspace needs"):
                self.scratch.mkdir(parents=True, exist_ok=True)
                folder = Path(tempfile.mkdtemp(prefix="pack-", dir=self.scratch))
            wanted = f"{commit}\n^{base}\n".encode()
            await self.git("pack-objects", "-q", "--revs", folder / "pack", at=self.place, stdin=wanted)
            made = sorted(folder.iterdir(), key=lambda path: path.suffix == ".idx")
            self._packs[commit, base] = tuple(made)
        return self._packs[commit, base]

    async def keep(self, tree: str, label: str) -> str:
        """A commit of the tree under a ref of its own; asking again for the same gives the same ref."""
        commit = await self.commit(tree, await self.head(), f"Kept: {label}")
        for number in range(1, 1000):
            ref = KEPT + slug(label) + (f"-{number}" if number > 1 else "")
            zero = self.mirror.repository.zero
            answer = await self.git.ask("update-ref", "--no-deref", ref, commit, zero, at=self.place)
            if answer.code == 0 or await self.read_ref(ref) == commit:
                return ref
        raise WorkspaceError(f"no free name is left to keep {label!r} under.", hint="run `burnish clean`")

    async def tree(self, commit: str) -> str:
        """Of a commit by its full name."""
        if commit not in self._trees:
            out = await self.git("rev-parse", "--verify", f"{commit}^{{tree}}", at=self.place)
            self._trees[commit] = out.decode().strip()
        return self._trees[commit]

    async def _date(self, parent: str) -> int:
        """One second after the run's own last commit, else when the run began: never behind the parent."""
        if not parent:
            return self._began()
        if parent not in self._dates:
            self._dates[parent] = await self._date_after(parent)
        return self._dates[parent]

    async def _date_after(self, parent: str) -> int:
        raw = await self.git("cat-file", "commit", parent, at=self.place)
        header = raw.partition(b"\n\n")[0].splitlines()
        committer = next(
            (line for line in header if line.startswith(b"committer ")), b"committer x <> 0 +0000"
        )
        who, _, when = committer.rpartition(b"> ")
        seconds = int(when.split(b" ")[0])
        return seconds + 1 if who.endswith(f"<{EMAIL}".encode()) else max(seconds, self._began())

    def _began(self) -> int:
        path = self.folder / "began"
        with trouble_told("reading when the run began"):
            if not path.is_file():
                write_atomically(path, str(int(time.time())).encode())
            return int(path.read_text("ascii"))
