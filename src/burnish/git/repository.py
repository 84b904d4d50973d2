"""The user's repository, as found from a folder: only ever read here."""

from __future__ import annotations

import difflib
import os
from dataclasses import dataclass, field, replace
from pathlib import Path

from burnish.errors import BurnishError, UsageError, WorkspaceError
from burnish.git.call import Git, Place
from burnish.git.child import Answer
from burnish.git.identity import Identity, identity_from, user_settings
from burnish.git.names import first_line, short_hash, slug

LIKELY_DEFAULTS = ("main", "master", "trunk")
_FACTS = (
    "--show-toplevel", "--absolute-git-dir", "--git-common-dir",
    "--show-object-format", "--is-shallow-repository",
)  # fmt: skip


@dataclass(frozen=True)
class Repository:
    """`head` is empty while there is no commit yet, `branch` while HEAD is detached."""

    git: Git
    root: Path
    git_dir: Path
    common_dir: Path
    object_format: str
    shallow: bool
    partial: bool
    head: str
    branch: str
    _trees: dict[str, str] = field(default_factory=dict, repr=False, compare=False)
    _settings: dict[str, str] = field(default_factory=dict, repr=False, compare=False)

    @property
    def id(self) -> str:
        """Names its folder in the state folder; the same from every worktree of it."""
        real = self.common_dir.resolve()
        name = real.parent.name if real.name == ".git" else real.name.removesuffix(".git")
        return f"{slug(name)}-{short_hash(os.fsencode(real))}"

    @property
    def place(self) -> Place:
        return Place(self.git_dir)

    @property
    def zero(self) -> str:
        """The object name that means "no object": a ref that must not exist yet."""
        return "0" * (40 if self.object_format == "sha1" else 64)

    async def resolve(self, ref: str) -> str:
        """The commit a name stands for."""
        if not ref or ref.startswith("-") or "\0" in ref:
            raise UsageError(f"expected the name of a commit or branch, found {ref!r}.", hint="try HEAD")
        if ref == "HEAD" and self.head:
            return self.head
        answer = await self._ask("rev-parse", "--verify", "-q", "--end-of-options", f"{ref}^{{commit}}")
        if answer.code == 0:
            return answer.out.decode().split()[-1]
        if not self.head and ref.startswith("HEAD"):
            raise UsageError(
                f"{self.root} has no commit yet, and Burnish starts from one.",
                hint='make a first one: git add . && git commit -m "Start"',
            )
        known = await self._names()
        close = difflib.get_close_matches(ref, known, n=3, cutoff=0.5)
        raise UsageError(
            f"{ref!r} is not a commit or branch of {self.root}.",
            hint=f"did you mean {' or '.join(close)}?" if close else "see `git branch -a` for the names",
        )

    async def tree(self, commit: str) -> str:
        """Of a commit by its full name."""
        known = self._trees.get(commit)
        if known is None:
            out = await self.git(
                "rev-parse", "--verify", "--end-of-options", f"{commit}^{{tree}}", at=self.place
            )
            known = self._trees[commit] = out.decode().split()[-1]
        return known

    async def settings(self) -> dict[str, str]:
        """What we read of the user's git settings, once: nothing that runs later can change how we see it."""
        if not self._settings:
            self._settings.update(await user_settings(self.git, self.place))
        return self._settings

    async def merge_base(self, one: str, other: str) -> str | None:
        """None when the two have no commit in common (or it lies beyond a shallow clone's end)."""
        answer = await self._ask("merge-base", "--end-of-options", one, other)
        return answer.out.decode().strip() or None if answer.code == 0 else None

    async def default_branch(self) -> str | None:
        """What changes are measured against: origin's, else the first of the usual names there is."""
        answer = await self._ask("symbolic-ref", "-q", "refs/remotes/origin/HEAD")
        if answer.code == 0:
            remote = os.fsdecode(answer.out.strip()).removeprefix("refs/remotes/")
            if await self._exists(f"refs/remotes/{remote}"):
                return remote
        configured = (await self.settings()).get("init.defaultbranch", "")
        for name in dict.fromkeys((*LIKELY_DEFAULTS, configured)):
            for ref, short in (
                (f"refs/remotes/origin/{name}", f"origin/{name}"),
                (f"refs/heads/{name}", name),
            ):
                if name and await self._exists(ref):
                    return short
        return None

    async def branch_exists(self, name: str) -> bool:
        return await self._exists(f"refs/heads/{name}")

    async def identity(self) -> Identity:
        """Who the user is to git; a stand-in when they never said."""
        return identity_from(await self.settings(), os.environ)

    async def _exists(self, ref: str) -> bool:
        return (await self._ask("show-ref", "--verify", "-q", ref)).code == 0

    async def _names(self) -> list[str]:
        out = await self.git("for-each-ref", "--count=5000", "--format=%(refname:short)", at=self.place)
        return ["HEAD", *(os.fsdecode(line) for line in out.split(b"\n") if line)]

    async def _ask(self, *args: str) -> Answer:
        return await self.git.ask(*args, at=self.place)


async def discover(git: Git, path: Path) -> Repository:
    """The repository a folder belongs to, or one clear sentence why there is none to work with."""
    start = path if path.is_dir() else path.parent
    if not start.is_dir():
        raise UsageError(f"{path} does not exist.", hint="name a folder inside a git repository")
    start = start.resolve()
    where, git_dir, common, object_format, shallow = await _facts(git, start)
    git = replace(git, object_format=object_format)
    root, place = Path(where), Place(Path(git_dir))
    head, branch = await _head(git, place, root)
    return Repository(
        git=git,
        root=root,
        git_dir=Path(git_dir),
        common_dir=Path(common),
        object_format=object_format,
        shallow=shallow == "true",
        partial=await _partial(git, place, Path(common)),
        head=head,
        branch=branch,
    )


async def _facts(git: Git, start: Path) -> list[str]:
    """Git's answers to _FACTS, all at once; one by one where a path has a line break in it."""
    here = Place(None, work_tree=start)
    answer = await git.ask("rev-parse", "--path-format=absolute", *_FACTS, at=here)
    if answer.code:
        raise _not_found(start, answer)
    lines = answer.out.removesuffix(b"\n").split(b"\n")
    if len(lines) != len(_FACTS):
        answers = [await git("rev-parse", "--path-format=absolute", fact, at=here) for fact in _FACTS]
        lines = [line.removesuffix(b"\n") for line in answers]
    return [os.fsdecode(line) for line in lines]


def _not_found(start: Path, answer: Answer) -> BurnishError:
    if ".git" in start.parts:
        outside = Path(*start.parts[: start.parts.index(".git")])
        return UsageError(f"{start} is inside a .git folder, not in a checkout.", hint=f"go to {outside}")
    if b"bare repository" in answer.err or b"must be run in a work tree" in answer.err:
        return UsageError(
            f"{start} is a bare repository, and Burnish works from a checkout.",
            hint="clone it (git clone PATH) and run Burnish there",
        )
    marked = next((up for up in (start, *start.parents) if os.path.lexists(up / ".git")), None)
    if marked is None and b"not a git repository" in answer.err:
        return UsageError(
            f"{start} is not inside a git repository.", hint="run `git init` there, or go to a repository"
        )
    return WorkspaceError(
        f"git cannot read the repository at {marked or start}: {first_line(answer.err)}.",
        hint="its .git looks damaged; `git status` there tells more",
    )


async def _head(git: Git, place: Place, root: Path) -> tuple[str, str]:
    named = await git.ask("symbolic-ref", "-q", "HEAD", at=place)
    ref = os.fsdecode(named.out.strip()) if named.code == 0 else ""
    found = await git.ask("rev-parse", "--verify", "-q", "HEAD^{commit}", at=place)
    if found.code == 0:
        return found.out.decode().strip(), ref.removeprefix("refs/heads/")
    # Without ^{commit} a ref counts though its object is missing.
    if ref and (await git.ask("rev-parse", "--verify", "-q", ref, at=place)).code != 0:
        return "", ref.removeprefix("refs/heads/")
    raise WorkspaceError(
        f"HEAD of {root} does not lead to a commit that can be read.",
        hint="the repository is damaged; `git fsck` there tells more",
    )


async def _partial(git: Git, place: Place, common: Path) -> bool:
    if any((common / "objects" / "pack").glob("*.promisor")):
        return True
    pattern = r"^(extensions\.partialclone|remote\..*\.promisor)$"
    return (await git.ask("config", "--local", "--get-regexp", pattern, at=place)).code == 0
