"""Nothing a repository names is ever executed by us, from finding it to landing in it."""

import asyncio
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from burnish.model.judges import Judges
from tests.integration.git.hostile import ENVIRONMENT, Traps, arm
from tests.integration.git.sides import side_of
from tests.repos import TestRepo, clone, git_env

MakeRepo = Callable[..., TestRepo]


async def whole_way(user: TestRepo, state: Path) -> None:
    """All that a run does on the git side, with dirty files and both ways of landing."""
    async with side_of(user, state) as side:
        repository = side.repository
        await repository.default_branch()
        await repository.merge_base("HEAD", side.base)
        start = await side.user_tree.snapshot()
        assert start.tree != await side.base_tree()
        async with side.workspaces.open(start.tree, "implement") as workspace:
            (workspace.path / "app.py").write_text("better\n")
            (workspace.path / "new.py").write_text("new\n")
            (workspace.path / "a.evil").write_text("edited\n")
            result = (await workspace.snapshot()).tree
            await side.workspaces.last_subject(workspace.path)
        commit = await side.workspaces.commit(result, side.base, "Result")
        await side.workspaces.advance(commit, side.base)
        await side.workspaces.diff(side.base, result, 100_000)
        await side.workspaces.judge_tree(result, side.base, Judges(whole=("**",)))
        await side.lander.branch(commit, "burnish/r-1")
        async with side.workspaces.open(start.tree, "again") as workspace:
            (workspace.path / "applied.py").write_text("new\n")
            applied = (await workspace.snapshot()).tree
        await side.lander.apply(start.tree, applied)
        await side.mirror.prune()


def test_no_trap_of_a_hostile_repository_is_walked_into(
    repo: MakeRepo, tmp_path: Path, isolated_environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = repo({"x": "x"}, name="inner")
    user = repo({"app.py": "one\n"}, name="user")
    user.git("submodule", "--quiet", "add", inner.path, "sub")
    traps = Traps(tmp_path / "traps")
    arm(user, traps, isolated_environment)
    traps.configure(user.path / ".git/modules/sub/config", "submodule")
    traps.hook(user.path / ".git/modules/sub/hooks", "submodule")
    for name in ENVIRONMENT:
        monkeypatch.setenv(name, traps.program(f"env-{name}"))
    user.write("app.py", "dirty\n")
    user.write("untracked.txt", "x\n")
    (user.path / "sub/x").write_text("dirty\n")
    traps.clear()

    asyncio.run(whole_way(user, tmp_path / "state"))
    assert traps.sprung == []
    assert traps.armed > 200
    assert (user.path / "applied.py").read_text() == "new\n"

    # And the traps are real: plain git in there walks into many.
    for command in ("status", "add -A", "diff HEAD", "log -p -1", "commit --allow-empty -m x", "burn"):
        subprocess.run(
            ["git", *command.split()],
            cwd=user.path,
            env=git_env(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=20,
        )
    assert len(traps.sprung) >= 8, traps.sprung


def test_objects_a_partial_clone_lacks_are_not_fetched_from_wherever_it_says(
    repo: MakeRepo, tmp_path: Path
) -> None:
    origin = repo({"app.py": "one\n", "b": "x"}, name="origin")
    origin.git("config", "uploadpack.allowFilter", "true")
    user = clone(origin, tmp_path / "partial", "--filter=blob:none", "--no-checkout")
    traps = Traps(tmp_path / "traps")
    for key, value in {
        "remote.origin.url": "ext::{}", "remote.origin.uploadpack": "{}", "protocol.ext.allow": "always",
    }.items():  # fmt: skip
        user.git("config", key, value.format(traps.program(key)))

    async def scenario() -> None:
        with pytest.raises(Exception, match="partial clone"):
            async with side_of(user, tmp_path / "state"):
                pass

    asyncio.run(scenario())
    assert traps.sprung == []


def test_a_replaced_object_does_not_change_what_is_seen(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"app.py": "true\n"})
    other = user.git("hash-object", "-w", "--stdin", stdin=b"forged\n")
    user.git("replace", user.git("rev-parse", "HEAD:app.py"), other)

    async def scenario() -> bytes:
        async with side_of(user, tmp_path / "state") as side:
            tree = await side.base_tree()
            async with side.workspaces.open(tree, "x") as workspace:
                return (workspace.path / "app.py").read_bytes()

    assert asyncio.run(scenario()) == b"true\n"


def test_a_replaced_commit_does_not_change_what_a_name_stands_for(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"app.py": "true\n"})
    true_tree = user.tree()
    forged = user.git("commit-tree", "-m", "forged", "4b825dc642cb6eb9a060e54bf8d69288fbee4904")
    user.git("replace", user.head, forged)
    assert user.tree() != true_tree

    async def scenario() -> str:
        async with side_of(user, tmp_path / "state") as side:
            assert await side.base_tree() == true_tree
            return await side.repository.tree("HEAD")

    assert asyncio.run(scenario()) == true_tree
