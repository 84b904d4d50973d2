"""Where a branch is in use: checked out in a worktree, or being rebased or bisected there."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from burnish.git.files import read_small
from burnish.git.names import shown
from burnish.git.repository import Repository

_CHECKED_OUT = "is checked out"
_KEPT_BY = {"rebase-merge/head-name": "is being rebased", "rebase-apply/head-name": "is being rebased"}


@dataclass(frozen=True)
class Use:
    """`here` is our own checkout. `doing` completes a sentence that begins with the branch."""

    folder: Path
    doing: str
    here: bool = False

    @property
    def hint(self) -> str:
        if self.doing == _CHECKED_OUT:
            return "run this command in that folder, or switch to another branch there"
        return "finish or abort that first, then try again"

    def __str__(self) -> str:
        return f"{self.doing} in {shown(os.fsencode(self.folder))}"


async def uses_of(repository: Repository, branch: str) -> list[Use]:
    """Every worktree that would be surprised if the branch moved, ours first."""
    ref = f"refs/heads/{branch}"
    place = repository.place
    found = []
    own = await repository.git.ask("rev-parse", "--symbolic-full-name", "HEAD", at=place)
    if own.code == 0 and os.fsdecode(own.out.strip()) == ref:
        found.append(Use(repository.root, _CHECKED_OUT, here=True))
    listed = await repository.git("worktree", "list", "--porcelain", "-z", at=place)
    for number, entry in enumerate(listed.split(b"\0\0")):
        lines = entry.strip(b"\0").split(b"\0")
        folder = Path(os.fsdecode(lines[0].removeprefix(b"worktree ")))
        # The main worktree comes first, and git only guesses its folder: in a submodule it is wrong.
        ours = _same(repository.git_dir, repository.common_dir) if number == 0 else False
        if b"branch " + os.fsencode(ref) in lines and not ours and not _same(folder, repository.root):
            found.append(Use(folder, _CHECKED_OUT))
    return [*found, *_kept(repository, ref)]


def _kept(repository: Repository, ref: str) -> list[Use]:
    """Branches that HEAD does not name while git rewrites them, as git itself knows them."""
    found = []
    common = repository.common_dir
    for about in (common, *sorted((common / "worktrees").glob("*"))):
        leads = read_small(about / "gitdir")
        folder = Path(about, os.fsdecode(leads.strip())).parent if leads else common.parent
        for name, doing in _KEPT_BY.items():
            if (read_small(about / name) or b"").strip() == os.fsencode(ref):
                found.append(Use(folder, doing))
        if (read_small(about / "BISECT_START") or b"").strip() == os.fsencode(
            ref.removeprefix("refs/heads/")
        ):
            found.append(Use(folder, "is where a bisection began"))
    return found


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False
