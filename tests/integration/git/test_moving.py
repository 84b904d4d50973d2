"""A branch of the user's is moved by compare-and-swap, or left exactly as it is."""

import asyncio
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from burnish.errors import WorkspaceError
from burnish.git.lander import GitLander
from tests.integration.git.sides import Side, shell, side_of
from tests.repos import TestRepo

MakeRepo = Callable[..., TestRepo]
NAME = "burnish/task-1"
HOOKS = ("reference-transaction", "post-checkout", "post-merge", "pre-push", "post-commit", "update")


def with_hooks(user: TestRepo) -> Path:
    """Hooks that would leave a mark."""
    mark = user.path.parent / "hook-ran"
    for name in HOOKS:
        user.write(f".git/hooks/{name}", f"#!/bin/sh\necho {name} >> {mark}\n", mode=0o755)
    return mark


async def result(side: Side, text: str, parent: str = "") -> str:
    tree = await side.edited({"app.py": text})
    return await side.workspaces.commit(tree, parent or side.base, f"Make it {text.strip()}")


def moved(user: TestRepo, state: Path, meanwhile: str = "true", name: str = NAME) -> tuple[str, str]:
    """A landed branch moved on to a second commit; the first and the second commit."""

    async def scenario() -> tuple[str, str]:
        async with side_of(user, state) as side:
            old = await result(side, "one\n")
            new = await result(side, "two\n", old)
            await side.lander.branch(old, NAME)
            shell(user.path, meanwhile)
            await side.lander.move(name, new, old)
            return old, new

    return asyncio.run(scenario())


def refused(user: TestRepo, state: Path, meanwhile: str, name: str = NAME) -> str:
    """The sentence. Not one byte differs, except for objects nothing refers to."""

    async def scenario() -> str:
        async with side_of(user, state) as side:
            old = await result(side, "one\n")
            new = await result(side, "two\n", old)
            await side.lander.branch(old, NAME)
            shell(user.path, meanwhile)
            before = everything(user)
            with pytest.raises(WorkspaceError) as caught:
                await side.lander.move(name, new, old)
            assert everything(user) == before
            assert caught.value.hint
            return caught.value.message

    return asyncio.run(scenario())


def everything(user: TestRepo) -> dict[str, str]:
    prints = user.fingerprint(landed_aside=False)
    return {path: found for path, found in prints.items() if not path.startswith(".git/objects/")}


def test_a_branch_is_moved_and_nothing_else_changes_and_no_hook_runs(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"app.py": "old\n"})
    mark = with_hooks(user)
    before = user.fingerprint()
    old, new = moved(user, tmp_path / "state")
    assert user.git("rev-parse", NAME) == new
    assert user.git("rev-parse", f"{NAME}@{{1}}") == old
    assert user.fingerprint() == before
    assert not mark.exists()
    user.git("fsck", "--strict")


def test_moving_a_branch_that_is_packed_away_or_there_already(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"app.py": "old\n"})
    _, new = moved(user, tmp_path / "state", "git pack-refs --all --prune")
    assert user.git("rev-parse", NAME) == new

    async def again() -> None:
        async with side_of(user, tmp_path / "state") as side:
            before = everything(user)
            await side.lander.move(NAME, new, side.base)
            assert everything(user) == before

    asyncio.run(again())


@pytest.mark.parametrize(
    ("meanwhile", "said"),
    [
        (f"git branch -q -D {NAME}", f"there is no branch {NAME} any more"),
        (f"git branch -q -f {NAME} HEAD", "was expected at"),
        (f"git checkout -q {NAME}", f"the branch {NAME} is checked out in "),
        (f"git worktree add -q ../linked {NAME}", "linked, so it was not moved."),
        (f"git worktree add -q ../linked {NAME}; rm -r ../linked", "is checked out in "),
        (
            f"git worktree add -q ../l {NAME}; cd ../l; git bisect start -q; git checkout -q --detach",
            "bisection",
        ),
        (
            f"git checkout -q {NAME}; echo x > app.py; git commit -qam x; git reset -q --soft HEAD~1; git stash -q;"
            "GIT_SEQUENCE_EDITOR='sed -i s/pick/break/' git rebase -q -i HEAD~1 || true",
            "is being rebased in ",
        ),
    ],
)
def test_a_branch_in_use_moved_or_gone_is_left_alone(
    repo: MakeRepo, tmp_path: Path, meanwhile: str, said: str
) -> None:
    assert said in refused(repo({"app.py": "old\n"}), tmp_path / "state", meanwhile)


def test_a_second_name_for_a_branch_is_not_made_a_branch_of_its_own(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"app.py": "old\n"})
    said = refused(user, tmp_path / "state", f"git symbolic-ref refs/heads/alias refs/heads/{NAME}", "alias")
    assert said == f"alias is another name for {NAME}, not a branch of its own, so it was not moved."


def test_moving_works_from_a_linked_worktree_and_in_sha256(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"app.py": "old\n"}, object_format="sha256")
    user.git("worktree", "add", "-q", "-b", "side", tmp_path / "linked")
    _, new = moved(TestRepo(tmp_path / "linked"), tmp_path / "state")
    assert user.git("rev-parse", NAME) == new


@pytest.mark.parametrize("before", [True, False])
def test_a_git_killed_while_it_moves_the_branch_is_recovered_from(
    repo: MakeRepo, tmp_path: Path, before: bool
) -> None:
    user = repo({"app.py": "old\n"})
    lock = user.path / f".git/refs/heads/{NAME}.lock"
    program = tmp_path / "git"
    dying = f"touch {lock}; kill -9 $$" if before else f'{shutil.which("git")} "$@"; kill -9 $$'
    program.write_text(
        f'#!/bin/sh\ncase "$*" in *"update-ref "*refs/heads*) {dying};; esac\n'
        f'exec {shutil.which("git")} "$@"\n'
    )
    program.chmod(0o755)

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            old = await result(side, "one\n")
            new = await result(side, "two\n", old)
            await side.lander.branch(old, NAME)
            mortal = replace(side.repository, git=replace(side.git, program=program))
            lander = GitLander(mortal, side.workspaces.store, side.base)
            if before:
                with pytest.raises(WorkspaceError, match="killed by signal 9"):
                    await lander.move(NAME, new, old)
                assert user.git("rev-parse", NAME) == old
            else:
                await lander.move(NAME, new, old)
            await side.lander.move(NAME, new, old)
            assert user.git("rev-parse", NAME) == new
            assert not lock.exists()

    asyncio.run(scenario())


def test_of_two_that_move_a_branch_at_once_one_wins_and_the_other_is_told(
    repo: MakeRepo, tmp_path: Path
) -> None:
    user = repo({"app.py": "old\n"})

    async def scenario() -> list[str]:
        async with side_of(user, tmp_path / "state") as side:
            old = await result(side, "one\n")
            wanted = [await result(side, f"{number}\n", old) for number in range(3)]
            await side.lander.branch(old, NAME)
            async with asyncio.TaskGroup() as group:
                tries = [group.create_task(attempt(side, new, old)) for new in wanted]
            winners = [new for new, done in zip(wanted, tries, strict=True) if not done.result()]
            assert len(winners) == 1
            assert user.git("rev-parse", NAME) == winners[0]
            return [done.result() for done in tries if done.result()]

    async def attempt(side: Side, new: str, old: str) -> str:
        try:
            await side.lander.move(NAME, new, old)
        except WorkspaceError as error:
            return error.message
        return ""

    assert len(asyncio.run(scenario())) == 2
