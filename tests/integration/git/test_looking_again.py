"""What is remembered between two git calls is never a shortcut past a change."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from burnish.git.user_tree import UserTree
from tests.integration.git.sides import shell, side_of
from tests.repos import TestRepo

MakeRepo = Callable[..., TestRepo]
# Each is done to the user's checkout after the last; the quick look must see what a first look sees.
EDITS = (
    "echo two > a.txt",
    "echo ONE > a.txt",
    "touch -d '2001-01-01' a.txt && echo six > b.txt && touch -d '2001-01-01' b.txt",
    "echo new > c.txt && git add c.txt",
    "rm c.txt",
    "chmod +x a.txt",
    "mv d d2 && echo file > d",
    "rm d && mv d2 d && ln -s a.txt link",
    "rm -rf d && ln -s . d",
    "echo out.log > .gitignore && echo x > out.log && git add -f out.log",
    "git rm -q --cached a.txt",
    "true",
)


def test_a_second_look_at_the_users_files_sees_all_that_a_first_one_would(
    repo: MakeRepo, tmp_path: Path
) -> None:
    user = repo({"a.txt": "one\n", "b.txt": "two\n", "d/e.txt": "three\n"})

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            watching = UserTree(side.user_tree.repository, side.workspaces.store, index="watching.index")
            seen = [(await watching.snapshot_again()).tree]
            for edit in EDITS:
                shell(user.path, edit)
                again = await watching.snapshot_again()
                first = await side.user_tree.snapshot()
                assert (edit, again.tree) == (edit, first.tree)
                seen.append(again.tree)
            assert len(set(seen)) >= len(EDITS) - 2
            assert again == await watching.snapshot_again()

    asyncio.run(scenario())


@pytest.mark.parametrize(
    "damage", ["rm -rf .git/objects/pack", "for f in .git/objects/pack/*; do :>$f; done"]
)
def test_what_an_agent_does_to_its_git_is_not_in_the_next_workspace(
    repo: MakeRepo, tmp_path: Path, damage: str
) -> None:
    user = repo({"a.txt": "one\n"})

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            tree = await side.edited({"a.txt": "two\n"})
            async with side.workspaces.open(tree, "review/1") as workspace:
                shell(workspace.path, f"chmod -R u+w .git && {damage}")
            async with side.workspaces.open(tree, "fix/1") as workspace:
                assert shell(workspace.path, "git fsck 2>&1 && git show HEAD:a.txt") == "two\n"
            store = side.workspaces.store
            assert list(store.scratch.glob("pack-*"))
        assert not list(store.scratch.glob("pack-*"))

    asyncio.run(scenario())
