"""A result is merged into a branch of the user's as a whole, or nothing of theirs changes."""

import asyncio
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from burnish.errors import UsageError, WorkspaceError
from burnish.git.forwarding import Point
from burnish.git.merging import How, Merged, Merging, merge, target_branch
from burnish.git.repository import discover
from tests.integration.git.killed_merge import GONE
from tests.integration.git.sides import Side, shell, side_of
from tests.integration.git.test_moving import everything, with_hooks
from tests.repos import TestRepo, clone

MakeRepo = Callable[..., TestRepo]
LINES = [f"line {number}\n" for number in range(20)]
FILES = {
    "app.py": "".join(LINES),
    "d/b.py": "two\n",
    "gone.py": "x\n",
    "other": "o\n",
    "run.sh": "#!\n",
    ".gitignore": "*.log\nbuild/\n",
}
CHANGE = (
    "sed -i s/line.19/better/ app.py; rm gone.py; mkdir -p n/m; echo new > n/m/new.py; chmod +x run.sh;"
    "ln -s app.py link; rm d/b.py; echo file > d.txt"
)
TURNED = "rm app.py; mkdir app.py; echo x > app.py/x; rm -r d; echo y > d"
TOUCHED = {"app.py", "gone.py", "n/m/new.py", "run.sh", "link", "d/b.py", "d.txt"}


@dataclass(frozen=True)
class Case:
    user: TestRepo
    state: Path
    change: str = CHANGE
    meanwhile: str = "true"
    squash: bool = False
    target: str = "main"

    async def source(self, side: Side) -> str:
        """Two commits of a run; asked for again they are the very same."""
        first = await side.workspaces.commit(
            await self._edit(side, side.base, "echo s > s"), side.base, "One"
        )
        return await side.workspaces.commit(await self._edit(side, first, self.change), first, "Two ünd more")

    async def _edit(self, side: Side, commit: str, script: str) -> str:
        async with side.workspaces.open(await side.workspaces.tree(commit), "x") as workspace:
            shell(workspace.path, script)
            return (await workspace.snapshot()).tree

    async def merged(self, side: Side, source: str, reached: Callable[[Point], None] | None = None) -> Merged:
        merging = Merging(side.repository, side.workspaces.store, reached)
        return await merging.merge(source, self.target, squash=self.squash, message="The task's title")

    def run(self) -> tuple[str, Merged]:
        async def scenario() -> tuple[str, Merged]:
            async with side_of(self.user, self.state) as side:
                source = await self.source(side)
                shell(self.user.path, self.meanwhile)
                found = await self.merged(side, source)
                assert list(side.workspaces.store.folder.glob("*forward*")) == []
                return source, found

        return asyncio.run(scenario())

    def refused(self) -> str:
        """The sentence. Not one byte differs, except for objects nothing refers to."""

        async def scenario() -> str:
            async with side_of(self.user, self.state) as side:
                source = await self.source(side)
                shell(self.user.path, self.meanwhile)
                before = everything(self.user)
                with pytest.raises(WorkspaceError) as caught:
                    await self.merged(side, source)
                assert everything(self.user) == before
                assert caught.value.hint
                return caught.value.message

        return asyncio.run(scenario())


def clean(user: TestRepo, commit: str) -> None:
    """HEAD, index and files all are at the commit, and git has nothing to say."""
    assert user.head == commit
    assert user.git("status", "--porcelain") == ""
    assert user.git("write-tree") == user.tree(commit)
    assert user.git("diff-files", "--name-only") == ""
    assert user.git("symbolic-ref", "HEAD") == "refs/heads/main"
    assert not list((user.path / ".git").rglob("*.lock"))
    user.git("fsck", "--strict")


THEIRS = "echo mine >> other; git commit -qam theirs"
ASIDE = "git checkout -q -b aside; "


@pytest.mark.conformance("G-72")
@pytest.mark.parametrize("checked_out", [True, False])
def test_the_branch_goes_forward_and_every_commit_stays_one_by_one(
    repo: MakeRepo, tmp_path: Path, checked_out: bool
) -> None:
    user = repo(FILES)
    source, found = Case(user, tmp_path / "state", meanwhile="true" if checked_out else ASIDE).run()
    assert found == Merged(source, How.FAST_FORWARD)
    assert user.git("log", "--format=%s", "main").splitlines() == ["Two ünd more", "One", "first"]
    assert user.git("rev-parse", "main") == source
    if checked_out:
        clean(user, source)
        assert (user.path / "link").readlink() == Path("app.py")
        assert not (user.path / "d").exists()


@pytest.mark.conformance("G-72")
@pytest.mark.parametrize("checked_out", [True, False])
def test_a_branch_that_went_on_gets_a_merge_of_both_sides(
    repo: MakeRepo, tmp_path: Path, checked_out: bool
) -> None:
    user = repo(FILES)
    meanwhile = f"sed -i s/line.0/theirs/ app.py; {THEIRS}; {'' if checked_out else ASIDE}"
    source, found = Case(user, tmp_path / "state", meanwhile=meanwhile).run()
    assert found.how is How.MERGE
    assert user.git("rev-parse", "main") == found.commit
    assert user.git("log", "--format=%s", "-1", "main^1") == "theirs"
    assert user.git("rev-parse", "main^2") == source
    assert user.git("log", "-1", "--format=%B", "main") == "The task's title"
    text = user.show("main", "app.py")
    assert text.startswith("theirs\n")
    assert text.endswith("better\n")
    if checked_out:
        clean(user, found.commit)


@pytest.mark.conformance("G-72")
@pytest.mark.parametrize("meanwhile", ["true", THEIRS, ASIDE])
def test_only_when_asked_the_commits_become_one_that_names_them(
    repo: MakeRepo, tmp_path: Path, meanwhile: str
) -> None:
    user = repo(FILES)
    case = Case(user, tmp_path / "state", meanwhile=meanwhile, squash=True)
    source, found = case.run()
    assert found.how is How.SQUASH
    assert user.git("log", "-1", "--format=%B", "main") == "The task's title\n\n- One\n- Two ünd more"
    assert user.git("log", "--format=%s", "main").splitlines() == [
        "The task's title", *(["theirs"] if meanwhile == THEIRS else []), "first",
    ]  # fmt: skip
    assert user.show("main", "app.py").endswith("better\n")
    assert source not in user.git("log", "--format=%H %P", "main")
    if meanwhile != ASIDE:
        clean(user, found.commit)


@pytest.mark.parametrize("squash", [True, False])
@pytest.mark.parametrize("meanwhile", ["true", THEIRS, ASIDE])
def test_what_is_merged_already_is_not_merged_again(
    repo: MakeRepo, tmp_path: Path, meanwhile: str, squash: bool
) -> None:
    user = repo(FILES)
    case = Case(user, tmp_path / "state", squash=squash)

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            source = await case.source(side)
            shell(user.path, meanwhile)
            found = await case.merged(side, source)
            before = everything(user)
            assert await case.merged(side, source) == Merged(found.commit, How.ALREADY)
            assert everything(user) == before

    asyncio.run(scenario())


@pytest.mark.parametrize("squash", [True, False])
@pytest.mark.parametrize("aside", ["", ASIDE])
def test_a_conflict_names_the_files_and_changes_nothing(
    repo: MakeRepo, tmp_path: Path, squash: bool, aside: str
) -> None:
    meanwhile = f"sed -i s/line.19/theirs/ app.py; echo t > d/b.py; {THEIRS}; {aside}"
    said = Case(repo(FILES), tmp_path / "state", meanwhile=meanwhile, squash=squash).refused()
    assert said == "app.py, d/b.py changed in main in another way, so nothing was merged."


@pytest.mark.parametrize(
    ("meanwhile", "said"),
    [
        ("echo mine >> app.py", "app.py has changes that are not committed, and the result changes it."),
        ("rm gone.py", "gone.py has changes that are not committed, and the result changes it."),
        ("chmod +x app.py", "app.py has changes that are not committed, and the result changes it."),
        ("echo mine >> app.py; git add app.py", "app.py has staged changes, and the result changes it."),
        ("git rm -q --cached app.py", "app.py has staged changes, and the result changes it."),
        ("echo mine > d.txt; git add d.txt", "d.txt has staged changes, and the result changes it."),
        ("git add -N d.txt 2>/dev/null || { echo > d.txt; git add -N d.txt; }", "d.txt has"),
        ("echo mine > d.txt", "d.txt is in the way of a file the result adds."),
        ("mkdir d.txt; echo mine > d.txt/x", "d.txt is in the way of a file the result adds."),
        ("echo mine > n", "n is in the way of a file the result adds."),
        ("ln -s /etc n", "n is in the way of a file the result adds."),
        ("echo d.txt >> .git/info/exclude; echo mine > d.txt", "d.txt is in the way of a file the result adds."),
        ("git update-index --assume-unchanged app.py; echo mine > app.py", "app.py is hidden from git"),
        ("git update-index --skip-worktree app.py; echo mine > app.py", "app.py is hidden from git"),
        ("echo 'app.py filter=x' > .git/info/attributes", "app.py has the content filter 'x'"),
        ("git worktree add -q -f ../linked main", "linked, so nothing was merged."),
        ("touch .git/index.lock", "another git process is at work"),
        ("touch .git/HEAD.lock", "HEAD.lock': File exists"),
        (
            "git checkout -q -b b; echo b > other; git commit -qam b; git checkout -q main; echo c > other;"
            "git commit -qam c; git merge -q b >/dev/null || true",
            "a merge is in progress in ",
        ),
    ],
)  # fmt: skip
def test_whatever_of_the_user_is_in_the_way_stays_and_is_named(
    repo: MakeRepo, tmp_path: Path, meanwhile: str, said: str
) -> None:
    message = Case(repo(FILES), tmp_path / "state", meanwhile=meanwhile).refused()
    assert said in message


@pytest.mark.parametrize(
    ("change", "mine", "named"),
    [
        ("echo '!x.log' >> .gitignore; echo r > x.log", "echo mine > x.log", "x.log"),
        ("echo '*.tmp' > .gitignore; mkdir build; echo r > build/out", "mkdir build; echo mine > build/out", "build/out"),
        ("echo '*.tmp' > .gitignore; echo r > build", "mkdir build; echo mine > build/out", "build"),
        ("mkdir nested; echo r > nested/f", "git init -q nested", "nested"),
    ],
)  # fmt: skip
def test_an_ignored_file_in_the_way_is_never_overwritten(
    repo: MakeRepo, tmp_path: Path, change: str, mine: str, named: str
) -> None:
    case = Case(repo(FILES), tmp_path / "state", change=change, meanwhile=mine)
    assert case.refused() == f"{named} is in the way of a file the result adds."


def test_work_of_the_user_beside_the_change_stays_as_it_is(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo(FILES)
    mine = "echo mine >> other; echo s2 > staged; git add staged; echo u > untracked; echo i > x.log; touch app.py"
    source, found = Case(user, tmp_path / "state", meanwhile=mine).run()
    assert found == Merged(source, How.FAST_FORWARD)
    assert user.git("status", "--porcelain").splitlines() == ["M other".rjust(8), "A  staged", "?? untracked"]
    assert (user.path / "x.log").read_text() == "i\n"
    assert user.git("show", ":staged") == "s2"
    assert user.git("rev-parse", "main@{1}") == user.git("rev-parse", f"{source}~2")


def test_nothing_outside_of_the_branch_changes_and_no_hook_or_filter_runs(
    repo: MakeRepo, tmp_path: Path
) -> None:
    user = repo(FILES)
    mark = with_hooks(user)
    user.write(".git/hooks/post-index-change", f"#!/bin/sh\necho index >> {mark}\n", mode=0o755)
    for key in ("clean", "smudge", "process"):
        user.git("config", f"filter.x.{key}", f"echo {key} >> {mark}; cat")
    user.git("config", "core.fsmonitor", f"echo fsmonitor >> {mark}")
    user.git("config", "merge.x.driver", f"echo driver >> {mark}")
    shell(user.path, "echo 'other filter=x' > .git/info/attributes; git branch kept; git tag t")
    mark.unlink(missing_ok=True)
    before = everything(user)
    Case(user, tmp_path / "state").run()
    assert not mark.exists()
    after = everything(user)
    differs = {path for path in {*before, *after} if before.get(path) != after.get(path)}
    moved = {".git/index", ".git/logs/HEAD", ".git/logs/refs/heads/main", ".git/refs/heads/main"}
    assert differs == {*moved, *TOUCHED, "s"}


@pytest.mark.parametrize("squash", [True, False])
@pytest.mark.parametrize("aside", ["true", ASIDE])
def test_a_branch_that_a_rival_moves_meanwhile_is_not_overwritten(
    repo: MakeRepo, tmp_path: Path, squash: bool, aside: str
) -> None:
    user = repo(FILES)
    theirs = user.git("commit-tree", "-p", "HEAD", "-m", "rival", "HEAD^{tree}")
    program, real = tmp_path / "git", shutil.which("git")
    rival = f"env -i PATH=/usr/bin:/bin {real} -C {user.path} update-ref refs/heads/main {theirs}"
    program.write_text(f'#!/bin/sh\ncase "$*" in *"update-ref "*) {rival};; esac\nexec {real} "$@"\n')
    program.chmod(0o755)

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            case = Case(user, tmp_path / "state", squash=squash)
            source = await case.source(side)
            shell(user.path, aside)
            git = replace(side.git, program=program)
            mortal = replace(side, repository=replace(side.repository, git=git))
            with pytest.raises(WorkspaceError) as caught:
                await case.merged(mortal, source)
            assert "the branch main was moved to" in caught.value.message
            assert user.git("log", "-1", "--format=%s", "main") == "rival"
            assert user.git("status", "--porcelain") == ""

    asyncio.run(scenario())


def test_a_branch_switched_away_from_meanwhile_is_not_moved_nor_is_the_other(
    repo: MakeRepo, tmp_path: Path
) -> None:
    user = repo(FILES)
    user.git("branch", "other")
    program, real = tmp_path / "git", shutil.which("git")
    rival = f"env -i PATH=/usr/bin:/bin {real} -C {user.path} symbolic-ref HEAD refs/heads/other"
    program.write_text(f'#!/bin/sh\ncase "$*" in *"update-ref "*) {rival};; esac\nexec {real} "$@"\n')
    program.chmod(0o755)

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            case = Case(user, tmp_path / "state")
            source = await case.source(side)
            mortal = replace(
                side, repository=replace(side.repository, git=replace(side.git, program=program))
            )
            with pytest.raises(WorkspaceError, match="another branch was checked out"):
                await case.merged(mortal, source)
            assert user.git("rev-parse", "main") == user.git("rev-parse", "other") == side.base
            assert user.git("status", "--porcelain") == ""

    asyncio.run(scenario())


def test_merging_in_a_linked_worktree_leaves_the_main_one_alone(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo(FILES)
    user.git("checkout", "-q", "-b", "aside")
    user.git("worktree", "add", "-q", tmp_path / "linked", "main")
    linked = TestRepo(tmp_path / "linked")
    before = {path: found for path, found in everything(user).items() if not path.startswith(".git/")}
    source, found = Case(linked, tmp_path / "state").run()
    assert found == Merged(source, How.FAST_FORWARD)
    clean(linked, source)
    assert before == {path: found for path, found in everything(user).items() if not path.startswith(".git/")}
    assert user.git("status", "--porcelain") == ""


def test_a_detached_head_does_not_move_with_the_branch(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo(FILES)
    source, _ = Case(
        user, tmp_path / "state", meanwhile="git checkout -q --detach; echo mine >> app.py"
    ).run()
    assert user.git("rev-parse", "main") == source
    assert user.git("status", "--porcelain") == " M app.py"
    assert user.head == user.git("rev-parse", f"{source}~2")


def test_line_endings_sha256_and_odd_names_are_written_as_the_user_has_them(
    repo: MakeRepo, tmp_path: Path
) -> None:
    user = repo(FILES, object_format="sha256")
    user.git("config", "core.autocrlf", "true")
    odd = b"\xe9\n\t.py".decode("utf8", "surrogateescape")
    change = f"{CHANGE}; printf 'a\\n' > \"$(printf '\\351\\n\\t.py')\""
    source, _ = Case(user, tmp_path / "state", change=change).run()
    clean(user, source)
    assert (user.path / odd).read_bytes() == b"a\r\n"


def test_a_file_that_becomes_a_folder_and_the_other_way_round(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo(FILES)
    source, _ = Case(user, tmp_path / "state", change=TURNED).run()
    clean(user, source)
    assert (user.path / "app.py/x").read_text() == "x\n"


class Killed(BaseException):
    pass


def dying_at(point: Point) -> Callable[[Point], None]:
    def die(at: Point) -> None:
        if at is point:
            raise Killed

    return die


@pytest.mark.parametrize(("change", "squash"), [(CHANGE, True), (TURNED, False)])
@pytest.mark.parametrize("point", list(Point))
def test_stopped_at_any_point_it_loses_nothing_and_is_finished_the_next_time(
    repo: MakeRepo, tmp_path: Path, change: str, point: Point, squash: bool
) -> None:
    user = repo(FILES)
    case = Case(user, tmp_path / "state", change=change, squash=squash)

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            source = await case.source(side)
            with pytest.raises(Killed):
                await case.merged(side, source, dying_at(point))
            tip = user.git("rev-parse", "main")
            found = await case.merged(side, source)
            assert tip == (found.commit if point is Point.MOVED else side.base)
            assert found.how is (How.SQUASH if squash else How.FAST_FORWARD)
            clean(user, found.commit)
            assert user.tree("main") == await side.workspaces.tree(source)
            assert user.git("rev-list", "--count", "main") == ("2" if squash else "3")

    asyncio.run(scenario())


@pytest.mark.parametrize(
    "half",
    [
        "rm app.py",
        "rm -r app.py d",
        "rm -r app.py d; mkdir app.py; printf x > app.py/x",
        "rm -r app.py d; mkdir app.py; echo x > app.py/x; touch d s",
        "echo s > s",
    ],
)
def test_whatever_a_killed_git_had_written_is_taken_back_and_done_again(
    repo: MakeRepo, tmp_path: Path, half: str
) -> None:
    user = repo(FILES)
    case = Case(user, tmp_path / "state", change=TURNED)

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            source = await case.source(side)
            with pytest.raises(Killed):
                await case.merged(side, source, dying_at(Point.BEGUN))
            shell(user.path, half)
            assert await case.merged(side, source) == Merged(source, How.FAST_FORWARD)
            clean(user, source)

    asyncio.run(scenario())


@pytest.mark.parametrize("point", [Point.LOCKED, Point.WRITTEN, Point.INDEXED])
def test_a_process_killed_for_good_leaves_nothing_that_the_next_one_cannot_finish(
    repo: MakeRepo, tmp_path: Path, point: Point
) -> None:
    user = repo(FILES)
    case = Case(user, tmp_path / "state")

    async def made() -> str:
        async with side_of(user, tmp_path / "state") as side:
            return await case.source(side)

    source = asyncio.run(made())
    module = "tests.integration.git.killed_merge"
    command = [sys.executable, "-m", module, user.path, tmp_path / "state", source, point]
    done = subprocess.run(command, capture_output=True, check=False, timeout=60)
    assert done.returncode == GONE, done.stderr
    assert (user.path / ".git/index.lock").exists() is (point is not Point.INDEXED)
    assert user.git("rev-parse", "main") != source

    async def again() -> None:
        async with side_of(user, tmp_path / "state") as side:
            assert await case.merged(side, source) == Merged(source, How.FAST_FORWARD)

    asyncio.run(again())
    clean(user, source)


def test_locks_that_a_power_cut_left_are_removed_when_they_are_ours(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo(FILES)
    case = Case(user, tmp_path / "state")

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            source = await case.source(side)
            note = side.workspaces.store.folder / "forwarding"
            locks = [user.path / ".git" / name for name in ("HEAD.lock", "refs/heads/main.lock")]
            for lock in locks:
                lock.touch()
            note.write_text(f"refs/heads/main {side.base} {source}\n{locks[0].stat().st_ino}\n")
            with pytest.raises(WorkspaceError, match=r"main\.lock': File exists"):
                await case.merged(side, source)
            assert [lock.exists() for lock in locks] == [False, True]
            locks[1].unlink()
            assert await case.merged(side, source) == Merged(source, How.FAST_FORWARD)
            clean(user, source)

    asyncio.run(scenario())


def test_what_the_user_wrote_after_a_kill_is_kept_and_named(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo(FILES)
    case = Case(user, tmp_path / "state")

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            source = await case.source(side)
            with pytest.raises(Killed):
                await case.merged(side, source, dying_at(Point.WRITTEN))
            # As a killed git leaves files: one missing, one only begun, one that the user has edited since.
            shell(user.path, "rm s; printf fi > d.txt; echo mine > app.py")
            before = everything(user)
            for _ in range(2):
                with pytest.raises(WorkspaceError, match=r"app\.py was changed after an attempt"):
                    await case.merged(side, source)
                assert everything(user) == before
            user.git("checkout", "-q", "--", "app.py")
            assert await case.merged(side, source) == Merged(source, How.FAST_FORWARD)
            clean(user, source)

    asyncio.run(scenario())


def test_which_branch_is_merged_into_when_none_is_named(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo(FILES)
    cloned = clone(user, tmp_path / "cloned")

    async def scenario() -> None:
        async with side_of(cloned, tmp_path / "state") as side:
            assert await target_branch(side.repository, None) == "main"
            assert await target_branch(side.repository, "refs/heads/main") == "main"
            with pytest.raises(UsageError, match="there is no branch 'nope'"):
                await target_branch(side.repository, "nope")
        cloned.git("checkout", "-q", "-b", "work")
        cloned.git("branch", "-q", "-D", "main")
        async with side_of(cloned, tmp_path / "state") as side:
            with pytest.raises(UsageError, match="there is no branch 'main'"):
                await target_branch(side.repository, None)
        user.git("branch", "-q", "-m", "main", "odd")
        async with side_of(user, tmp_path / "other") as side:
            assert await target_branch(side.repository, None) == "odd"
            user.git("checkout", "-q", "--detach")
            with pytest.raises(UsageError, match="HEAD is detached"):
                await target_branch(await discover(side.git, user.path), None)
            with pytest.raises(WorkspaceError, match="no branch gone any more"):
                await merge(
                    side.repository, side.workspaces.store, side.base, "gone", squash=False, message="x"
                )

    asyncio.run(scenario())


def test_a_shallow_clone_is_merged_as_far_as_its_history_goes(repo: MakeRepo, tmp_path: Path) -> None:
    origin = repo(FILES, name="origin")
    origin.commit("second", {"other": "p\n"})
    user = clone(origin, tmp_path / "shallow", "--depth=1")
    _, found = Case(user, tmp_path / "state", meanwhile=THEIRS).run()
    assert found.how is How.MERGE
    clean(user, found.commit)


def test_a_partial_clone_is_told_to_merge_by_hand(repo: MakeRepo, tmp_path: Path) -> None:
    origin = repo(FILES, name="origin")
    origin.git("config", "uploadpack.allowFilter", "true")
    user = clone(origin, tmp_path / "partial", "--filter=blob:none")
    assert "is a partial clone" in Case(user, tmp_path / "state").refused()


def test_cancelled_in_the_middle_it_is_finished_first(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo(FILES)
    case = Case(user, tmp_path / "state")

    async def scenario() -> str:
        async with side_of(user, tmp_path / "state") as side:
            source = await case.source(side)
            merging = asyncio.ensure_future(case.merged(side, source, cancel))
            running.append(merging)
            with pytest.raises(asyncio.CancelledError):
                await merging
            return source

    def cancel(at: Point) -> None:
        if at is Point.PREPARED:
            running[0].cancel()

    running: list[asyncio.Future[Merged]] = []
    clean(user, asyncio.run(scenario()))


@pytest.mark.parametrize(
    "meanwhile",
    [
        "git update-index --split-index",
        "git update-index --index-version 4; git update-index --untracked-cache; git status -s",
        "git sparse-checkout set --cone --sparse-index d",
        "mv .git ../elsewhere; ln -s ../elsewhere .git",
        "touch .git/index.lock; (sleep 0.3; rm .git/index.lock) >/dev/null 2>&1 &",
    ],
)
def test_an_index_of_any_kind_and_one_that_is_busy_for_a_moment(
    repo: MakeRepo, tmp_path: Path, meanwhile: str
) -> None:
    user = repo(FILES)
    source, found = Case(user, tmp_path / "state", meanwhile=meanwhile).run()
    assert found == Merged(source, How.FAST_FORWARD)
    clean(user, source)
