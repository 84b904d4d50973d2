"""Everything of the git side around one repository, as `app` wires it."""

from __future__ import annotations

import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from burnish.git.call import Git
from burnish.git.lander import GitLander
from burnish.git.mirror import Mirror
from burnish.git.repository import Repository, discover
from burnish.git.snapshot import Rules
from burnish.git.user_tree import UserTree
from burnish.git.workspaces import Workspaces
from tests.repos import TestRepo, git_env


@dataclass(frozen=True)
class Side:
    git: Git
    repository: Repository
    mirror: Mirror
    workspaces: Workspaces

    @property
    def base(self) -> str:
        return self.workspaces.base

    @property
    def user_tree(self) -> UserTree:
        return UserTree(self.repository, self.workspaces.store)

    @property
    def lander(self) -> GitLander:
        return GitLander(self.repository, self.workspaces.store, self.base)

    async def base_tree(self) -> str:
        return await self.workspaces.tree(self.base)

    async def names(self, tree: str) -> list[bytes]:
        out = await self.git("ls-tree", "-r", "-z", "--name-only", tree, at=self.workspaces.store.place)
        return [name for name in out.split(b"\0") if name]

    async def blob(self, tree: str, path: str) -> bytes:
        return await self.git("cat-file", "blob", f"{tree}:{path}", at=self.workspaces.store.place)

    async def edited(self, files: dict[str, str], label: str = "edit") -> str:
        """A tree with some files of the base written anew."""
        async with self.workspaces.open(await self.base_tree(), label) as workspace:
            for name, text in files.items():
                path = workspace.path / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, "utf8")
            return (await workspace.snapshot()).tree


@asynccontextmanager
async def side_of(
    user: TestRepo,
    state: Path,
    *,
    run: str = "r-1",
    rules: Rules | None = None,
    timeout_s: float = 600,
    search: str | None = None,
) -> AsyncIterator[Side]:
    git = replace(await Git.start(state, search=search), timeout_s=timeout_s)
    repository = await discover(git, user.path)
    mirror = Mirror(repository, state / "repos" / repository.id / "mirror.git")
    commit = await repository.resolve("HEAD")
    await mirror.pin(commit, run)
    folder = state / "repos" / repository.id / "runs" / run
    async with Workspaces(mirror, folder, await repository.identity(), commit, rules) as workspaces:
        await workspaces.begin(commit)
        yield Side(git, repository, mirror, workspaces)


def shell(folder: Path, script: str) -> str:
    """What an agent does in its workspace."""
    done = subprocess.run(
        ["/bin/sh", "-ec", script], cwd=folder, env=git_env(), capture_output=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr.decode("utf8", "replace")
    return done.stdout.decode("utf8", "replace")
