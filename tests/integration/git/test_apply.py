"""A result comes into the user's files only onto what it was made from, and over nothing else."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from burnish.errors import WorkspaceError
from tests.integration.git.sides import Side, shell, side_of
from tests.repos import TestRepo, clone

MakeRepo = Callable[..., TestRepo]
FILES = {
    "app.py": "one\n",
    "gone.py": "x\n",
    "d/b.py": "two\n",
    ".gitignore": "*.log\nbuild/\n",
    "run.sh": "#!\n",
}
CHANGE = "echo better > app.py; rm gone.py; mkdir -p n/m; echo new > n/m/new.py; chmod +x run.sh; ln -s app.py link"


async def result_of(side: Side, script: str) -> tuple[str, str]:
    """The user's tree now, and what an agent makes of it."""
    start = (await side.user_tree.snapshot()).tree
    async with side.workspaces.open(start, "x") as workspace:
        shell(workspace.path, script)
        return start, (await workspace.snapshot()).tree


def applied(user: TestRepo, state: Path, script: str = CHANGE, meanwhile: str = "true") -> None:
    async def scenario() -> None:
        async with side_of(user, state) as side:
            start, result = await result_of(side, script)
            shell(user.path, meanwhile)
            await side.lander.apply(start, result)
            assert (await side.user_tree.snapshot()).tree == result

    asyncio.run(scenario())


def refused(user: TestRepo, state: Path, script: str, meanwhile: str = "true") -> str:
    """The sentence; and not one byte of the user's is different."""

    async def scenario() -> str:
        async with side_of(user, state) as side:
            start, result = await result_of(side, script)
            shell(user.path, meanwhile)
            before = user.fingerprint(landed_aside=False)
            with pytest.raises(WorkspaceError) as caught:
                await side.lander.apply(start, result)
            assert user.fingerprint(landed_aside=False) == before
            assert caught.value.hint
            return caught.value.message

    return asyncio.run(scenario())


def test_a_result_is_applied_and_the_index_is_not_touched(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo(FILES)
    shell(user.path, "echo mine >> d/b.py; echo staged > s; git add s; echo untracked > u; touch x.log")
    git_before = {k: v for k, v in user.fingerprint(landed_aside=False).items() if k.startswith(".git/")}
    applied(user, tmp_path / "state")
    git_after = {k: v for k, v in user.fingerprint(landed_aside=False).items() if k.startswith(".git/")}
    assert git_after == git_before
    assert (user.path / "app.py").read_text() == "better\n"
    assert (user.path / "n/m/new.py").read_text() == "new\n"
    assert not (user.path / "gone.py").exists()
    assert os.access(user.path / "run.sh", os.X_OK)
    assert (user.path / "link").readlink() == Path("app.py")
    assert (user.path / "d/b.py").read_text() == "two\nmine\n"
    assert (user.path / "u").read_text() == "untracked\n"
    assert set(user.git("status", "--porcelain").splitlines()) == {
        "A  s", " M app.py", " M d/b.py", " D gone.py", " M run.sh", "?? link", "?? n/", "?? u",
    }  # fmt: skip


@pytest.mark.parametrize(
    "meanwhile",
    [
        "echo theirs > app.py",
        "echo theirs > d/b.py",
        "rm d/b.py",
        "echo theirs > theirs.py",
        "chmod +x app.py",
        "rm -r d; ln -s /etc d",
    ],
)
def test_anything_edited_since_means_no(repo: MakeRepo, tmp_path: Path, meanwhile: str) -> None:
    message = refused(repo(FILES), tmp_path / "state", CHANGE, meanwhile)
    assert "changed since the run started" in message


@pytest.mark.parametrize(
    ("script", "meanwhile", "named"),
    [
        ("echo new > .gitignore; echo result > x.log", "echo mine > x.log", "x.log"),
        ("echo '!x.log' >> .gitignore; echo r > x.log", "echo mine > x.log", "x.log"),
        ("echo '*.tmp' > .gitignore; mkdir build; echo r > build/out", "mkdir build; touch build/out", "build/out"),
        ("echo '*.tmp' > .gitignore; echo r > build", "mkdir build; echo mine > build/out", "build"),
        ("mkdir nested; echo r > nested/f", "git init -q nested", "nested"),
        ("echo '*.tmp' > .gitignore; echo r > x.log", "mkfifo x.log", "x.log"),
        ("echo '*.tmp' > .gitignore; mkdir x.log; echo r > x.log/f", "ln -s /etc x.log", "x.log"),
        ("echo '*.tmp' > .gitignore; mkdir x.log; echo r > x.log/f", "echo mine > x.log", "x.log"),
    ],
)  # fmt: skip
def test_an_ignored_file_in_the_way_is_never_overwritten(
    repo: MakeRepo, tmp_path: Path, script: str, meanwhile: str, named: str
) -> None:
    message = refused(repo(FILES), tmp_path / "state", script, meanwhile)
    assert message == f"{named} is in the way of a file the result adds, and is in no snapshot."


def test_a_file_that_becomes_a_folder_and_the_other_way_round(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo(FILES)
    applied(user, tmp_path / "state", "rm app.py; mkdir app.py; echo x > app.py/x; rm -r d; echo y > d")
    assert (user.path / "app.py/x").read_text() == "x\n"
    assert (user.path / "d").read_text() == "y\n"


def test_a_folder_with_ignored_files_does_not_become_a_file(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo(FILES)
    user.write("d/mine.log", "precious\n")
    message = refused(user, tmp_path / "state", "rm -r d; echo y > d")
    assert message.startswith("d is in the way")


def test_paths_that_were_not_in_the_snapshot_are_not_written(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({**FILES, "secret.key": "cipher\n", ".gitattributes": "*.key filter=crypt\n"})
    user.write("secret.key", "plain\n")
    message = refused(user, tmp_path / "state", "echo changed > secret.key")
    assert "secret.key" in message


def test_a_file_with_a_content_filter_is_not_written(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({**FILES, "secret.key": "same\n", ".gitattributes": "*.key filter=crypt\n"})
    message = refused(user, tmp_path / "state", "echo changed > secret.key")
    assert message == "secret.key has the content filter 'crypt', so the result was not applied."


def test_a_changed_submodule_is_not_applied(repo: MakeRepo, tmp_path: Path) -> None:
    inner = repo({"x": "x"}, name="inner")
    user = repo(FILES)
    user.git("submodule", "--quiet", "add", inner.path, "sub")
    user.git("commit", "-qm", "submodule")
    assert "submodule" in refused(user, tmp_path / "state", "rm -r sub")


def test_line_endings_are_written_as_the_user_has_them(
    repo: MakeRepo, tmp_path: Path, isolated_environment: Path
) -> None:
    origin = repo({"a.txt": "one\n"}, name="origin")
    (isolated_environment / "gitconfig").write_text("[core]\n\tautocrlf = true\n")
    user = clone(origin, tmp_path / "copy")
    applied(user, tmp_path / "state", "echo two >> a.txt")
    assert (user.path / "a.txt").read_bytes() == b"one\r\ntwo\r\n"


def test_applying_in_a_linked_worktree_leaves_the_main_one_alone(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo(FILES)
    user.git("worktree", "add", "-q", "-b", "side", tmp_path / "linked")
    before = user.fingerprint(landed_aside=False)
    applied(TestRepo(tmp_path / "linked"), tmp_path / "state")
    assert (tmp_path / "linked/app.py").read_text() == "better\n"
    assert user.fingerprint(landed_aside=False) == before


def test_applying_twice_is_fine(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo(FILES)

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            start, result = await result_of(side, CHANGE)
            await side.lander.apply(start, result)
            await side.lander.apply(start, result)

    asyncio.run(scenario())
    assert (user.path / "app.py").read_text() == "better\n"


@pytest.mark.parametrize(
    "half",
    [
        "echo better > app.py",
        "rm gone.py; printf bet > app.py",
        ": > app.py",
        "rm app.py",
        "mkdir -p n/m; printf ne > n/m/new.py",
        "mkdir -p n/m; echo new > n/m/new.py; ln -s app.py link",
    ],
)
def test_an_apply_that_was_killed_half_way_is_finished(repo: MakeRepo, tmp_path: Path, half: str) -> None:
    user = repo(FILES)

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            start, result = await result_of(side, CHANGE)
            shell(user.path, half)
            with pytest.raises(WorkspaceError, match="changed since"):
                await side.lander.apply(start, result)
            # The same files, and our own note of having begun: so it is our unfinished work.
            (side.workspaces.store.folder / "applying").write_text(f"{start} {result}")
            await side.lander.apply(start, result)
            assert (await side.user_tree.snapshot()).tree == result
            assert not (side.workspaces.store.folder / "applying").exists()

    asyncio.run(scenario())


@pytest.mark.parametrize("theirs", ["echo theirs > app.py", "echo theirs > d/b.py", "echo theirs > other"])
def test_edits_after_a_killed_apply_are_not_lost(repo: MakeRepo, tmp_path: Path, theirs: str) -> None:
    user = repo(FILES)

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            start, result = await result_of(side, CHANGE)
            (side.workspaces.store.folder / "applying").write_text(f"{start} {result}")
            shell(user.path, f"rm gone.py; {theirs}")
            before = user.fingerprint(landed_aside=False)
            with pytest.raises(WorkspaceError, match="changed since"):
                await side.lander.apply(start, result)
            assert user.fingerprint(landed_aside=False) == before

    asyncio.run(scenario())
