"""Private checkouts, the run's own line of commits, and what is kept of unfinished work."""

import asyncio
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from burnish.errors import WorkspaceError
from burnish.git.call import Git, Place
from burnish.git.locks import Lock
from burnish.git.repository import discover
from tests.integration.git.sides import shell, side_of
from tests.repos import TestRepo, clone, run_git

MakeRepo = Callable[..., TestRepo]


def test_an_agents_git_works_in_its_workspace_and_has_no_remote(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"app.py": "one\n"})
    user.commit("second", {"app.py": "two\n"})

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            tree = await side.edited({"app.py": "three\n"})
            async with side.workspaces.open(tree, "fix/1") as workspace:
                assert shell(workspace.path, "git remote; git status --porcelain") == ""
                assert shell(workspace.path, "git log --format=%s").splitlines() == [
                    "Where this step starts", "second", "first",
                ]  # fmt: skip
                assert "+three" in shell(workspace.path, "git diff base")
                shell(workspace.path, "echo four > app.py && git commit -qam 'Add four' && git gc -q")
                assert shell(workspace.path, "git log -1 --format=%an") == "Ada Tester\n"

    asyncio.run(scenario())


def test_a_workspace_can_commit_for_a_user_without_identity(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"a": "x"})

    async def scenario() -> str:
        async with side_of(user, tmp_path / "state") as side:
            tree = await side.base_tree()
            async with side.workspaces.open(tree, "x") as workspace:
                return shell(
                    workspace.path,
                    "unset GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL;"
                    "echo y > a; git commit -qam y; git log -1 --format='%an <%ae>'",
                )

    assert asyncio.run(scenario()) == "Burnish <burnish@localhost>\n"


def test_a_workspace_is_gone_afterwards_also_when_the_step_fails(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"a": "x"})

    async def scenario() -> Path:
        async with side_of(user, tmp_path / "state") as side:
            with pytest.raises(RuntimeError):
                async with side.workspaces.open(await side.base_tree(), "x") as workspace:
                    shell(workspace.path, "mkdir -p d/e && touch d/e/f && chmod 000 d/e d")
                    raise RuntimeError
            return workspace.folder

    assert not asyncio.run(scenario()).exists()


@pytest.mark.parametrize("label", ["../../etc/x", "review//2/part/1", "", "ü\n/", "x" * 500])
def test_any_label_becomes_a_folder_of_its_own(repo: MakeRepo, tmp_path: Path, label: str) -> None:
    user = repo({"a": "x"})

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            tree = await side.base_tree()
            async with (
                side.workspaces.open(tree, label) as one,
                side.workspaces.open(tree, label) as two,
            ):
                assert one.path != two.path
                assert one.path.parent.parent == side.workspaces.store.folder / "workspaces"

    asyncio.run(scenario())


def test_what_an_agent_does_to_its_git_reaches_nobody_else(repo: MakeRepo, tmp_path: Path) -> None:
    """Own commits, moved refs, gc, hooks and configuration stay in the workspace."""
    user = repo({"a": "x"})
    before = user.fingerprint(landed_aside=False)

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            refs = await side.git("for-each-ref", at=Place(side.mirror.folder))
            async with side.workspaces.open(await side.base_tree(), "x") as workspace:
                shell(
                    workspace.path,
                    "git checkout -q -b main; echo y > a; git commit -qam y; git tag v1;"
                    "git update-ref refs/heads/base HEAD; git config core.hooksPath .; git stash -q || true;"
                    "git reflog expire --expire=now --all; git gc -q --prune=now",
                )
                head = await side.workspaces.head()
            assert head == side.base
            assert await side.git("for-each-ref", at=Place(side.mirror.folder)) == refs

    asyncio.run(scenario())
    assert user.fingerprint(landed_aside=False) == before


def test_a_workspace_shows_neither_other_runs_nor_other_steps(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"a": "x"})

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state", run="r-1") as one:
            theirs = await one.workspaces.commit(await one.edited({"a": "secret\n"}), one.base, "theirs")
        async with side_of(user, tmp_path / "state", run="r-2") as two:
            earlier = await two.workspaces.commit(await two.edited({"a": "earlier\n"}), two.base, "earlier")
            async with two.workspaces.open(await two.base_tree(), "x") as workspace:
                listed = shell(workspace.path, "git cat-file --batch-all-objects --batch-check")
                assert two.base in listed
                assert theirs not in listed
                assert earlier not in listed

    asyncio.run(scenario())


def test_a_workspace_of_a_shallow_clone_has_a_working_history(repo: MakeRepo, tmp_path: Path) -> None:
    origin = repo({"a": "x"}, name="origin")
    origin.commit("second", {"a": "y"})
    user = clone(origin, tmp_path / "shallow", "--depth=1")

    async def scenario() -> str:
        async with side_of(user, tmp_path / "state") as side:
            tree = await side.edited({"a": "z"})
            async with side.workspaces.open(tree, "x") as workspace:
                return shell(workspace.path, "git log --format=%s; git fsck >&2")

    assert asyncio.run(scenario()).splitlines() == ["Where this step starts", "second"]


def test_restoring_gives_exactly_the_tree_and_a_working_git(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"a": "x", ".gitignore": "*.log\n", "d/b": "y"})

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            base = await side.base_tree()
            async with side.workspaces.open(base, "x") as workspace:
                shell(
                    workspace.path,
                    "rm -rf d .git; ln -s /etc d; echo z > a; touch new x.log; mkdir -p deep/er; chmod 0 deep",
                )
                await workspace.restore(base)
                left = sorted(path.name for path in workspace.path.iterdir())
                assert left == [".git", ".gitignore", "a", "d"]
                assert (await workspace.snapshot()).tree == base
                assert shell(workspace.path, "git status --porcelain; cat d/b") == "y"

    asyncio.run(scenario())


def test_the_same_commit_asked_for_twice_is_the_same_commit(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"a": "x"})

    async def commit() -> tuple[str, str]:
        async with side_of(user, tmp_path / "state") as side:
            tree = await side.edited({"a": "y"})
            first = await side.workspaces.commit(tree, side.base, "Fix\n\nStep-Id: r-1/fix")
            second = await side.workspaces.commit(tree, first, "Again")
            show = ("cat-file", "commit", second)
            text = (await side.git(*show, at=side.workspaces.store.place)).decode()
            assert text.endswith("\n\nAgain\n")
            return first, second

    assert asyncio.run(commit()) == asyncio.run(commit())


def test_the_user_is_the_author_and_burnish_the_committer(
    repo: MakeRepo, tmp_path: Path, isolated_environment: Path
) -> None:
    (isolated_environment / "gitconfig").write_text(
        "[user]\n\tname = Grace\n\temail = g@x.org\n[commit]\n\tgpgSign = true\n[gpg]\n\tprogram = false\n"
    )
    user = repo()
    user.write("a", "x")
    user.git("add", "a")
    user.git("commit", "-q", "--no-gpg-sign", "-m", "first")

    async def scenario() -> str:
        async with side_of(user, tmp_path / "state") as side:
            made = await side.workspaces.commit(await side.edited({"a": "y"}), side.base, "Café 🎉\n\nbody\0")
            return (await side.git("cat-file", "commit", made, at=side.workspaces.store.place)).decode()

    text = asyncio.run(scenario())
    assert "\nauthor Grace <g@x.org> " in text
    assert "\ncommitter Burnish <burnish@localhost> " in text
    assert text.endswith("\n\nCafé 🎉\n\nbody\n")
    assert "gpgsig" not in text


def test_the_head_moves_by_compare_and_swap(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"a": "x"})

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            one = await side.workspaces.commit(await side.edited({"a": "1"}), side.base, "one")
            two = await side.workspaces.commit(await side.edited({"a": "2"}), side.base, "two")
            await side.workspaces.advance(one, side.base)
            await side.workspaces.advance(one, side.base)
            with pytest.raises(WorkspaceError, match=f"at {one[:12]}, expected {side.base[:12]}"):
                await side.workspaces.advance(two, side.base)
            await side.workspaces.begin(side.base)
            assert await side.workspaces.head() == one

    asyncio.run(scenario())


def test_a_head_that_cannot_be_written_is_said_in_gits_own_words(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"a": "x"})

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            made = await side.workspaces.commit(await side.edited({"a": "1"}), side.base, "one")
            (side.workspaces.store.git_dir / "refs/burnish/head.lock").touch()
            with pytest.raises(WorkspaceError, match=r"git update-ref failed: .*File exists") as caught:
                await side.workspaces.advance(made, side.base)
            assert "lock" in caught.value.hint

    asyncio.run(scenario())


@pytest.mark.parametrize(
    "place", ["mirror.git.lock", "runs", "runs/r-1", "runs/r-1/run.git", "runs/r-1/workspaces"]
)
def test_trouble_with_the_state_folder_is_one_sentence(repo: MakeRepo, tmp_path: Path, place: str) -> None:
    user = repo({"a": "x"})

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            await side.edited({"a": "y"})

    state = tmp_path / "state/repos" / asyncio.run(_id(user, tmp_path / "elsewhere"))
    (state / place).parent.mkdir(parents=True)
    # A file where a folder should be, or the other way round.
    if place.endswith(".lock"):
        (state / place).mkdir()
    else:
        (state / place).write_text("in the way")
    with pytest.raises(WorkspaceError, match="failed: ") as caught:
        asyncio.run(scenario())
    assert "\n" not in caught.value.message
    assert caught.value.hint


async def _id(user: TestRepo, state: Path) -> str:
    return (await discover(await Git.start(state), user.path)).id


def test_unfinished_work_is_kept_under_a_name_that_stays(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"a": "x"})

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            one, two = await side.edited({"a": "1"}), await side.edited({"a": "2"})
            first = await side.workspaces.keep(one, "fix//1//1")
            assert await side.workspaces.keep(one, "fix//1//1") == first
            second = await side.workspaces.keep(two, "fix//1//1")
            assert first != second
            for kept, tree in ((first, one), (second, two)):
                ref, _, place = kept.partition(" in ")
                assert await side.workspaces.tree(ref) == tree
                assert place == str(side.workspaces.store.git_dir)

    asyncio.run(scenario())


KILLED = """
import asyncio, sys
from pathlib import Path
from tests.integration.git.sides import side_of
from tests.repos import TestRepo

async def main() -> None:
    async with side_of(TestRepo(Path(sys.argv[1])), Path(sys.argv[2])) as side:
        async with side.workspaces.open(await side.base_tree(), "fix/1") as workspace:
            (workspace.path / "a").write_text("half done\\n")
            (side.workspaces.store.folder / "workspaces/9-implement/tree").mkdir(parents=True)
            (side.workspaces.store.git_dir / "refs/burnish/head.lock").write_text("")
            print("ready", flush=True)
            await asyncio.sleep(60)

asyncio.run(main())
"""


def test_a_killed_process_leaves_workspaces_that_can_be_taken_over(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"a": "x"})
    command = [sys.executable, "-c", KILLED, user.path, tmp_path / "state"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[3]) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        process.kill()

    async def taken_over() -> None:
        async with side_of(user, tmp_path / "state") as side:
            begun, half = await side.workspaces.leftovers()
            assert (begun.label, half.label) == ("fix-1", "implement")
            assert await side.blob((await begun.snapshot()).tree, "a") == b"half done\n"
            with pytest.raises(WorkspaceError):
                await half.snapshot()
            async with side.workspaces.open(await side.base_tree(), "fix/1"):
                assert len(await side.workspaces.leftovers()) == 2
            for left in await side.workspaces.leftovers():
                await left.remove()
            assert await side.workspaces.leftovers() == []
            made = await side.workspaces.commit(await side.edited({"a": "y"}), side.base, "x")
            await side.workspaces.advance(made, side.base)

    asyncio.run(taken_over())


def test_two_processes_cannot_hold_one_run(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"a": "x"})

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            with pytest.raises(WorkspaceError, match="in use by another Burnish process"):
                await Lock(side.workspaces.store.folder / "lock", wait_s=0).take()

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("script", "subject"),
    [
        ("true", ""),
        ("echo y > a; git commit -qam 'Add a y'", "Add a y"),
        ("echo y > a; git commit -qam 'Add a y'; git pack-refs --all; git gc -q", "Add a y"),
        ("echo y > a; git commit -qam 'Add a y'; git checkout -q --detach", "Add a y"),
        ("git checkout -q -b feature/x; echo y > a; git commit -qam 'On a branch'", "On a branch"),
        ("git commit -q --amend -m \"$(printf 'red \\033[31mline\\n\\nbody')\"", "red [31mline"),
        ("rm -rf .git", ""),
        ("rm -rf .git; git init -q", ""),
        ("rm -rf .git; echo 'gitdir: /etc' > .git", ""),
        ("rm .git/HEAD; mkfifo .git/HEAD", ""),
        ("rm .git/HEAD; ln -s /etc/passwd .git/HEAD", ""),
        ("echo 'ref: ../../../etc/passwd' > .git/HEAD", ""),
        (f"echo {'1' * 40} > .git/HEAD", ""),
        ("mv .git/objects x; ln -s ../x .git/objects; echo y > a; git commit -qam no", ""),
        ("tree=$(git rev-parse HEAD^{tree}); echo $tree > .git/HEAD", ""),
    ],
)
def test_the_last_subject_is_read_from_any_git_folder_or_not_at_all(
    repo: MakeRepo, tmp_path: Path, script: str, subject: str
) -> None:
    user = repo({"a": "x"})

    async def scenario() -> str:
        async with side_of(user, tmp_path / "state") as side:
            tree = await side.base_tree()
            async with side.workspaces.open(tree, "x") as workspace:
                shell(workspace.path, script)
                return await side.workspaces.last_subject(workspace.path)

    assert asyncio.run(scenario()) == subject


def test_only_the_mirrors_objects_are_needed_outside_a_workspace(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"a": "x"})

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            tree = await side.edited({"a": "y"})
            async with side.workspaces.open(tree, "x") as workspace:
                alternates = (workspace.path / ".git/objects/info/alternates").read_text()
                assert alternates == f'"{side.workspaces.borrowed}"\n'
                hidden = side.workspaces.store.git_dir
                hidden.rename(hidden.with_name("hidden"))
                try:
                    run_git(workspace.path, "fsck", "--strict")
                    assert run_git(workspace.path, "show", "HEAD:a") == b"y"
                finally:
                    hidden.with_name("hidden").rename(hidden)

    asyncio.run(scenario())
