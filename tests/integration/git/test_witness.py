"""Meddling with the user's repository and our state is named; looking at one's own repository is not."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from burnish.git.index_file import index_entries
from burnish.git.witness import Witness
from tests.integration.git.sides import Side, shell, side_of
from tests.repos import TestRepo, make_repo

FILES = {"app.py": "one\n", "d/b.py": "two\n", ".gitignore": "*.log\n"}


def meddled(tmp_path: Path, script: str, furnish: Callable[[TestRepo], None] | None = None) -> list[str]:
    """What the witness says after a script ran in the user's checkout; $STATE is our folder."""
    user = make_repo(tmp_path / "user", FILES)
    user.write("x.log", "mine\n")
    if furnish:
        furnish(user)

    async def scenario() -> list[str]:
        async with side_of(user, tmp_path / "state") as side:
            witness = Witness(side.user_tree)
            before = await witness.look()
            await asyncio.to_thread(shell, user.path, f"STATE={tmp_path}/state\nRUN={_run(side)}\n{script}")
            return await witness.differences(before, await witness.look())

    return asyncio.run(scenario())


def _run(side: Side) -> Path:
    return side.workspaces.store.git_dir


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("touch .git/index.lock", "the lock index.lock was left in .git"),
        ("git update-index --assume-unchanged app.py", "the index (app.py) changed"),
        ("git update-index --skip-worktree d/b.py", "the index (d/b.py) changed"),
        ("git update-index --force-remove app.py", "the index (app.py) changed"),
        ("git reflog expire --expire=now --all", "the reflog of HEAD was cut"),
        ("echo other > x.log", "ignored file(s) (x.log) changed"),
        ("rm x.log", "ignored file(s) (x.log) changed"),
        ("echo > a.log; echo > b.log; echo > c.log; echo > e.log", "(a.log, b.log, c.log and 1 more)"),
        ("touch -r x.log t.log; echo abcd > x.log; touch -r t.log x.log; rm t.log", "(x.log) changed"),
        ("touch $STATE/planted", "planted in Burnish's own state folder appeared"),
        ("echo > $STATE/git/config", "git/config in Burnish's own state folder changed"),
        ("rm $RUN/refs/burnish/head", "run.git/refs/burnish/head in Burnish's own state folder is gone"),
        ("mkdir -p .git/hooks; mkfifo .git/hooks/pre-push", "hooks/pre-push in .git appeared"),
    ],
)
def test_what_was_meddled_with_is_named(tmp_path: Path, script: str, said: str) -> None:
    assert said in "; ".join(meddled(tmp_path, script))


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("rm -rf ../linked", "the worktree {}/linked is gone"),
        ("git worktree remove --force ../linked", "the worktree {}/linked is gone"),
        ("rm -rf ../linked/d", "the worktree {}/linked changed"),
        ("echo mine > ../linked/app.py", "the worktree {}/linked changed"),
        ("git -C ../linked checkout -q -b elsewhere", "the worktree {}/linked changed"),
        ("git worktree add -q --detach ../another", "the worktree {}/another appeared"),
        ("rm -rf deep/sub", "the checkout of the submodule {}/user/deep/sub is gone"),
        ("touch ../linked/app.py; rm ../linked/app.py; git -C ../linked checkout -q .", "the worktree"),
    ],
)
def test_what_was_done_to_other_checkouts_is_named(tmp_path: Path, script: str, said: str) -> None:
    found = "; ".join(meddled(tmp_path, script, furnish=other_checkouts))
    assert said.format(tmp_path) in found


def test_looking_at_other_checkouts_is_no_misdeed(tmp_path: Path) -> None:
    looks = "git -C ../linked status; git -C deep/sub status; git worktree list; git -C ../linked log"
    assert meddled(tmp_path, looks, furnish=other_checkouts) == []


def test_what_other_sessions_of_ours_write_meanwhile_is_no_misdeed(tmp_path: Path) -> None:
    """Changes of others are landed while an agent works."""
    landed = (
        "cd $(dirname $RUN)/../..; mkdir merge-line; touch merge-line/lock build.lock slots.lock spec.lock"
    )
    assert meddled(tmp_path, landed) == []


def other_checkouts(user: TestRepo) -> None:
    inner = make_repo(user.path.parent / "inner", {"x": "x\n"})
    user.git("submodule", "--quiet", "add", inner.path, "deep/sub")
    user.git("commit", "-qm", "submodule")
    user.git("worktree", "add", "-q", "--detach", user.path.parent / "linked")


def test_several_can_look_at_once(tmp_path: Path) -> None:
    """Reviewers of several dimensions work side by side, and all looks share one index."""
    user = make_repo(tmp_path / "user", FILES)

    async def scenario() -> set[str]:
        async with side_of(user, tmp_path / "state") as side:
            witness = Witness(side.user_tree)
            user.write("app.py", "other\n")
            return {sighting.tree for sighting in await asyncio.gather(*[witness.look() for _ in range(5)])}

    assert len(asyncio.run(scenario())) == 1


def test_what_a_gc_takes_away_is_counted(tmp_path: Path) -> None:
    found = meddled(tmp_path, "git gc -q --prune=now")
    assert any(text.endswith("object file(s) in .git were repacked or pruned (git gc)") for text in found)


@pytest.mark.parametrize(
    "script",
    ["true", "touch app.py d/b.py; git status", "git log; git diff; git stash list", "mkdir -p .burnish; touch .burnish/x"],
)  # fmt: skip
def test_looking_at_ones_own_repository_is_no_misdeed(tmp_path: Path, script: str) -> None:
    assert meddled(tmp_path, script) == []


@pytest.mark.parametrize("version", [2, 3, 4])
@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_an_index_is_read_as_git_reads_it(tmp_path: Path, version: int, object_format: str) -> None:
    files = {**FILES, **{f"deep/{'x' * n}/{n}.py": "x\n" for n in range(1, 40)}, "ü": "x", "deep/a": "a"}
    user = make_repo(tmp_path / "user", files, object_format=object_format)
    user.git("update-index", f"--index-version={version}")
    if version > 2:
        user.git("update-index", "--skip-worktree", "deep/a")
    found = index_entries(_index(user), 20 if object_format == "sha1" else 32)
    assert found is not None
    listed = [
        (os.fsencode(path), int(stage), f"{entry.mode:o}", entry.object.hex())
        for (path, stage), entry in ((key, value) for key, value in found.items())
    ]
    lines = user.git("ls-files", "-s", "-z").split("\0")
    told = [(*line.partition("\t")[0].split(" "), line.partition("\t")[2]) for line in lines if line]
    assert listed == [(os.fsencode(path), int(stage), mode, name) for mode, name, stage, path in told]


def test_what_is_no_index_is_not_read_as_one(tmp_path: Path) -> None:
    data = _index(make_repo(tmp_path / "user", FILES))
    assert index_entries(b"", 20) is None
    assert index_entries(b"DIRC\0\0\0\x09" + data[8:], 20) is None
    for cut in range(12, len(data) - 20, 7):
        index_entries(data[:cut], 20)


def _index(user: TestRepo) -> bytes:
    return (user.path / ".git/index").read_bytes()
