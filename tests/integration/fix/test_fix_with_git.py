"""The fix pipeline over real git: what the line, the trees and the user's repository look like."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from burnish.errors import UsageError, WorkspaceError
from burnish.gates.command import CommandGate
from burnish.git.memory import MemoryWorkspaces, remember
from burnish.process.environment import child_environment
from burnish.store.memory import MemoryRun
from burnish.workflows.fix_crew import FixTask
from burnish.workflows.fix_cycle import fix_cycle
from burnish.workflows.rolling_back import rollback_group
from tests.e2e.killer import Counter
from tests.integration.fix.session import AFTER, FILES, FINDINGS, Deed, Read, crew_of, session
from tests.integration.git.sides import Side, side_of
from tests.repairs import findings_in, told
from tests.repos import TestRepo, git_env

MakeRepo = Callable[..., TestRepo]
BASE = {"a": "1\n", "b": "1\n", "d/x": "1\n"}


async def _tree(side: Side, files: dict[str, str]) -> str:
    async with side.workspaces.open(await side.base_tree(), "edit") as workspace:
        for name in BASE:
            (workspace.path / name).unlink()
        for name, text in files.items():
            path = workspace.path / name
            if path.is_dir():
                path.rmdir()
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return (await workspace.snapshot()).tree


@pytest.mark.parametrize(
    ("here", "there", "both"),
    [
        ({**BASE, "a": "2\n"}, {**BASE, "b": "2\n"}, ()),
        ({**BASE, "a": "2\n"}, {**BASE, "a": "3\n"}, ("a",)),
        ({**BASE, "a": "2\n"}, {**BASE, "a": "2\n"}, ()),
        ({"a": "1\n", "d/x": "1\n"}, {**BASE, "new/y": "1\n"}, ()),
        ({"a": "1\n", "d/x": "1\n"}, {**BASE, "b": "2\n"}, ("b",)),
        ({**BASE, "a": "2\n"}, {"b": "1\n"}, ("a",)),
        ({**BASE, "n": "1\n"}, {**BASE, "n": "2\n"}, ("n",)),
        ({**BASE, "a": "2\n"}, {"a": "1\n", "b": "1\n", "d": "a file now\n"}, ()),
        ({**BASE, "a": "2\n"}, {"a": "1\n", "b/c": "a folder now\n", "d/x": "1\n"}, ()),
    ],
    ids=["apart", "same file", "same change", "deleted here", "deleted and edited", "edited and deleted",
         "both new", "folder to file", "file to folder"],
)  # fmt: skip
def test_a_change_is_carried_whole_or_not_at_all_in_git_as_in_memory(
    repo: MakeRepo, tmp_path: Path, here: dict[str, str], there: dict[str, str], both: tuple[str, ...]
) -> None:
    memory = MemoryWorkspaces(BASE)
    trees = [remember(memory.trees, files) for files in (here, BASE, there)]
    expected, contested = asyncio.run(memory.carry(*trees))
    assert contested == both

    async def scenario() -> None:
        async with side_of(repo(BASE), tmp_path / "state") as side:
            onto, after = await _tree(side, here), await _tree(side, there)
            tree, names = await side.workspaces.carry(onto, await side.base_tree(), after)
            assert names == both
            assert await Read(side)(tree) == memory.trees[expected]

    asyncio.run(scenario())


def test_a_file_where_the_other_made_a_folder_is_contested(repo: MakeRepo, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with side_of(repo(BASE), tmp_path / "state") as side:
            base = await side.base_tree()
            file, folder = await _tree(side, {**BASE, "n": "x\n"}), await _tree(side, {**BASE, "n/y": "x\n"})
            assert await side.workspaces.carry(file, base, folder) == (file, ("n/y",))
            assert await side.workspaces.carry(folder, base, file) == (folder, ("n",))

    asyncio.run(scenario())


def test_the_line_has_one_commit_a_fix_and_the_user_s_repository_is_as_it_was(
    repo: MakeRepo, tmp_path: Path
) -> None:
    user = repo(FILES)
    user.write("a.py", "my own work\n")
    user.write("mine.txt", "untracked\n")
    before = (user.git("status", "--porcelain"), user.git("for-each-ref"), user.git("count-objects", "-v"))
    outcome = asyncio.run(session(Deed(str(user.path), str(tmp_path / "state")), Counter(0)))
    after = (user.git("status", "--porcelain"), user.git("for-each-ref"), user.git("count-objects", "-v"))
    assert before == after
    assert (user.path / "a.py").read_text() == "my own work\n"
    assert (outcome.fixed, outcome.failed) == (4, 1)
    [store] = (tmp_path / "state").glob("repos/*/runs/*/run.git")
    shown = TestRepo(store).git("log", "--format=%H %s", f"{outcome.start}..{outcome.commit}").splitlines()
    commits = [f"{fix.commit} {fix.message.splitlines()[0]}" for fix in outcome.line]
    assert shown == commits[::-1]


def test_a_real_gate_in_fresh_checkouts_decides(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo(
        {"a.py": "BAD = 1\n", "b.py": "UGLY = 2\n", "check.sh": "grep -q BAD a.py && ! ls litter.py\n"}
    )

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            gate = CommandGate("sh check.sh", side.workspaces, child_environment(git_env()), 60, None)
            crew = replace(crew_of(side, tmp_path / "desks", lambda name, part: part), gate=gate)
            files = {"a.py": "BAD = 1\n", "b.py": "UGLY = 2\n"}
            task = FixTask(findings_in(files), side.base, await side.base_tree())
            outcome = await fix_cycle(task, crew, MemoryRun())
            assert told(outcome) == {"qual-001-0a1b2c3d": "failed", "qual-002-0a1b2c3d": "fixed"}
            assert outcome.verified_by == ("toy:UGLY is gone; `sh check.sh` is green",)
            left = await Read(side)(outcome.tree)
            assert (left["a.py"], left["b.py"], len(left)) == ("BAD = 1\n", "good = 2\n", 3)

    asyncio.run(scenario())


@pytest.mark.conformance("C-88")
def test_a_refusal_of_git_leaves_everything_for_the_next_call(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo(FILES)
    deed = Deed(str(user.path), str(tmp_path / "state"))

    class Locked(Counter):
        """Somebody else's lock on the run's line, at the moment it is to be moved for the second stage."""

        def point(self, name: str) -> None:
            super().point(name)
            if self.names.count("workspaces.advance:before") == 2:
                [store] = (tmp_path / "state").glob("repos/*/runs/*/run.git")
                (store / "refs/burnish/head.lock").touch()

    counter = Locked(0)
    with pytest.raises(WorkspaceError):
        asyncio.run(session(deed, counter))
    [store] = (tmp_path / "state").glob("repos/*/runs/*/run.git")
    (store / "refs/burnish/head.lock").unlink(missing_ok=True)
    again = Counter(0)
    outcome = asyncio.run(session(deed, again))
    assert outcome.fixed == 4
    assert again.names.count("workspaces.commit:after") == 0, "fixes were made a second time"


def test_a_group_is_taken_back_from_a_real_line(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo(FILES)

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            task = FixTask(FINDINGS, side.base, await side.base_tree())
            crew = crew_of(side, tmp_path / "desks", lambda name, part: part)
            outcome = await fix_cycle(task, crew, MemoryRun())
            assert await Read(side)(outcome.tree) == AFTER
            with pytest.raises(UsageError, match=r"G2 changed a\.py after it"):
                await rollback_group(side.workspaces, outcome, "G1")
            back = await rollback_group(side.workspaces, outcome, "G3")
            assert await Read(side)(back.tree) == {**AFTER, "b.py": FILES["b.py"]}
            assert await side.workspaces.tree(back.commit) == back.tree
            assert await side.workspaces.head() == outcome.commit, "only objects are made"
            with pytest.raises(UsageError, match="none called 'G4'"):
                await rollback_group(side.workspaces, outcome, "G4")

    asyncio.run(scenario())
