"""The Lander port over git: a branch by compare-and-swap, or the user's own files."""

from __future__ import annotations

from dataclasses import dataclass

from burnish.git.apply import Apply
from burnish.git.landing import BranchLanding
from burnish.git.moving import move_branch
from burnish.git.repository import Repository
from burnish.git.run_store import RunStore
from burnish.git.user_tree import UserTree


@dataclass(frozen=True)
class GitLander:
    """`base` is a commit the user's repository has: only what came after it is brought there."""

    repository: Repository
    store: RunStore
    base: str

    async def branch(self, commit: str, name: str) -> str:
        return await BranchLanding(self.repository, self.store).land_branch(commit, self.base, name)

    async def move(self, name: str, new: str, old: str) -> None:
        await move_branch(BranchLanding(self.repository, self.store), name, new, old, base=self.base)

    async def apply(self, before: str, after: str) -> None:
        await Apply(UserTree(self.repository, self.store)).apply(before, after)
