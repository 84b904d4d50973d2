"""A result comes into the user's repository as a new branch, and nothing else of it changes."""

import asyncio
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from burnish.errors import UsageError, WorkspaceError
from burnish.git.lander import GitLander
from tests.integration.git.sides import Side, shell, side_of
from tests.repos import TestRepo, clone

MakeRepo = Callable[..., TestRepo]
NAME = "burnish/r-1"


async def made(side: Side, text: str = "new\n") -> str:
    tree = await side.edited({"app.py": text, "more/deep.py": text})
    return await side.workspaces.commit(tree, side.base, "Result")


def landed(user: TestRepo, state: Path, name: str = NAME) -> tuple[str, str]:
    """The commit and the branch it landed on; everything else of the user's is byte for byte what it was."""
    before = user.fingerprint()

    async def scenario() -> tuple[str, str]:
        async with side_of(user, state) as side:
            commit = await made(side)
            return commit, await side.lander.branch(commit, name)

    result = asyncio.run(scenario())
    after = user.fingerprint()
    if name == NAME and result[1] == NAME:
        assert after == before
    return result


def test_a_branch_lands_and_nothing_else_changes(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"app.py": "old\n"})
    shell(user.path, "echo dirty > app.py; echo staged > s; git add s; git stash -q; echo again > app.py")
    commit, branch = landed(user, tmp_path / "state")
    assert branch == NAME
    assert user.git("rev-parse", NAME) == commit
    assert user.show(NAME, "app.py") == "new\n"
    assert user.git("log", "--format=%s", NAME).splitlines() == ["Result", "first"]
    user.git("fsck", "--strict")
    user.git("checkout", "-q", "-f", NAME)


def test_landing_again_after_a_crash_is_the_same_branch(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"app.py": "old\n"})
    assert landed(user, tmp_path / "state") == landed(user, tmp_path / "state")
    assert user.branches == [NAME, "main"]


def test_a_taken_name_is_left_alone_and_gets_a_number(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"app.py": "old\n"})
    user.git("branch", NAME)
    user.git("branch", f"{NAME}-2")
    commit, branch = landed(user, tmp_path / "state")
    assert branch == f"{NAME}-3"
    assert user.git("rev-parse", branch) == commit
    assert user.git("rev-parse", NAME) == user.head
    assert landed(user, tmp_path / "state")[1] == f"{NAME}-3"


@pytest.mark.parametrize(
    ("taken", "branch"),
    [("burnish", "burnish-r-1"), (f"{NAME}/inner", f"{NAME}-2"), ("burnish/r-1/a/b", f"{NAME}-2")],
)
@pytest.mark.parametrize("packed", [True, False])
def test_a_branch_in_the_place_of_the_folder_is_worked_around(
    repo: MakeRepo, tmp_path: Path, taken: str, branch: str, packed: bool
) -> None:
    user = repo({"app.py": "old\n"})
    user.git("branch", taken)
    if packed:
        user.git("pack-refs", "--all")
    assert landed(user, tmp_path / "state")[1] == branch
    assert user.git("rev-parse", taken) == user.head


def test_a_branch_the_user_moves_at_the_same_time_is_never_overwritten(
    repo: MakeRepo, tmp_path: Path
) -> None:
    user = repo({"app.py": "old\n"})

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            commit = await made(side)
            assert await side.lander.branch(commit, NAME) == NAME
            theirs = user.git("commit-tree", "-m", "theirs", "-p", commit, f"{commit}^{{tree}}")
            user.git("update-ref", f"refs/heads/{NAME}", theirs)
            assert await side.lander.branch(commit, NAME) == f"{NAME}-2"
            assert user.git("rev-parse", NAME) == theirs

    asyncio.run(scenario())


@pytest.mark.parametrize("name", ["-x", "a..b", "x.lock", "", "a b", "@{x}", "x/", "HEAD~1"])
def test_a_name_git_would_not_take_is_a_usage_error(repo: MakeRepo, tmp_path: Path, name: str) -> None:
    user = repo({"app.py": "old\n"})
    with pytest.raises(UsageError, match="not a name git takes"):
        landed(user, tmp_path / "state", name)
    assert user.branches == ["main"]


def test_a_lock_our_killed_landing_left_is_swept_and_anothers_is_not(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"app.py": "old\n"})

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            commit = await made(side)
            lock = user.path / f".git/refs/heads/{NAME}.lock"
            lock.parent.mkdir()
            lock.touch()
            with pytest.raises(WorkspaceError) as caught:
                await side.lander.branch(commit, NAME)
            assert "lock" in caught.value.hint
            assert lock.exists()
            # Now as a killed landing of this run leaves it: the lock, and our note that it is ours.
            (side.workspaces.store.folder / "landing").write_text(f"refs/heads/{NAME}")
            assert await side.lander.branch(commit, NAME) == NAME
            assert not lock.exists()

    asyncio.run(scenario())


def test_a_git_killed_while_it_creates_the_branch_is_recovered_from(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"app.py": "old\n"})
    lock = user.path / f".git/refs/heads/{NAME}.lock"
    program = tmp_path / "git"
    program.write_text(
        f'#!/bin/sh\ncase "$*" in *"update-ref "*refs/heads*) mkdir -p {lock.parent}; touch {lock}; kill -9 $$;; esac\n'
        f'exec {shutil.which("git")} "$@"\n'
    )
    program.chmod(0o755)

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            commit = await made(side)
            dying = replace(side.repository, git=replace(side.git, program=program))
            with pytest.raises(WorkspaceError, match="killed by signal 9"):
                await GitLander(dying, side.workspaces.store, side.base).branch(commit, NAME)
            assert lock.exists()
            assert await side.lander.branch(commit, NAME) == NAME
            assert not lock.exists()

    asyncio.run(scenario())


def test_landing_works_in_a_linked_worktree(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"app.py": "old\n"})
    user.git("worktree", "add", "-q", "-b", "side", tmp_path / "linked")
    before = user.fingerprint()
    commit, branch = landed(TestRepo(tmp_path / "linked"), tmp_path / "state")
    assert user.git("rev-parse", branch) == commit
    assert user.fingerprint() == before


def test_landing_works_where_the_user_threw_the_base_away(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"app.py": "old\n"})
    user.commit("second", {"b": "x", "app.py": "older\n"})

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            commit = await made(side)
            user.git("reset", "-q", "--hard", "HEAD~1")
            user.git("reflog", "expire", "--expire=now", "--all")
            user.git("gc", "-q", "--prune=now")
            assert user.git("cat-file", "-t", side.base, check=False) == ""
            assert await side.lander.branch(commit, NAME) == NAME

    asyncio.run(scenario())
    user.git("fsck", "--strict")
    assert user.git("log", "--format=%s", NAME).splitlines() == ["Result", "second", "first"]


def test_landing_works_in_shallow_partial_sha256_and_shared_clones(repo: MakeRepo, tmp_path: Path) -> None:
    origin = repo({"app.py": "old\n", "big.txt": "x" * 9000}, name="origin")
    origin.commit("second", {"app.py": "older\n"})
    origin.git("config", "uploadpack.allowFilter", "true")
    kinds = {"shallow": ["--depth=1"], "partial": ["--filter=blob:none"], "shared": ["--shared"]}
    users = [clone(origin, tmp_path / name, *options) for name, options in kinds.items()]
    for user in [*users, repo({"app.py": "old\n"}, name="modern", object_format="sha256")]:
        commit, branch = landed(user, tmp_path / f"state-{user.path.name}")
        assert user.git("rev-parse", branch) == commit
        assert user.show(branch, "app.py") == "new\n"


def test_a_result_of_many_files_arrives_as_one_pack(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"app.py": "old\n"})

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            tree = await side.edited({f"d{n % 50}/f{n}": f"{n}\n" for n in range(150)})
            commit = await side.workspaces.commit(tree, side.base, "Many")
            await side.lander.branch(commit, NAME)

    asyncio.run(scenario())
    assert len(user.files(NAME)) == 151
    assert not list((user.path / ".git/objects/pack").glob("*.keep"))
    user.git("fsck", "--strict")


def test_objects_that_could_harm_the_user_are_not_brought(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"app.py": "old\n"})
    before = user.fingerprint(landed_aside=True)
    evil = '[submodule "x"]\n\tpath = x\n\turl = ./y\n\tupdate = !touch /tmp/pwned\n'

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            tree = await side.edited({".gitmodules": evil})
            commit = await side.workspaces.commit(tree, side.base, "Evil")
            with pytest.raises(WorkspaceError, match="did not take the result's objects") as caught:
                await side.lander.branch(commit, NAME)
            assert caught.value.hint

    asyncio.run(scenario())
    assert user.branches == ["main"]
    assert user.fingerprint() == before
