"""A line of commits is put on top of another one with its messages and authors, the same each time."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from burnish.errors import WorkspaceError
from burnish.git.joining import Contested, Joined
from tests.integration.git.sides import Side, shell, side_of
from tests.repos import TestRepo, make_repo

MakeRepo = Callable[..., TestRepo]
LINES = [f"line {number}\n" for number in range(30)]


def text(*changes: tuple[int, str]) -> str:
    lines = list(LINES)
    for number, line in changes:
        lines[number] = line + "\n"
    return "".join(lines)


async def line(side: Side, *steps: dict[str, str]) -> str:
    """Commits on top of the base, each with its own message and trailer."""
    at = side.base
    for number, files in enumerate(steps, 1):
        tree = await side.edited(files)
        at = await side.workspaces.commit(tree, at, f"Step {number}\n\nWhy: ünd so\n\nStep-Id: fix/{number}")
    return at


def joined(user: TestRepo, state: Path, theirs: dict[str, str], *steps: dict[str, str]) -> Joined | Contested:
    """The user goes on with a commit of theirs; the steps are put on top of it, twice, and landed."""

    async def scenario() -> Joined | Contested:
        async with side_of(user, state) as side:
            tip = await line(side, *steps)
            onto = user.commit("theirs", theirs)
            before = user.fingerprint(landed_aside=False)
            found = await side.workspaces.join(onto, side.base, tip)
            assert await side.workspaces.join(onto, side.base, tip) == found
            assert user.fingerprint(landed_aside=False) == before
            if isinstance(found, Joined):
                await side.lander.branch(found.commit, "joined")
            return found

    return asyncio.run(scenario())


def test_commits_are_put_on_top_with_messages_authors_and_trailers(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"app.py": text(), "b": "b\n"})
    found = joined(
        user, tmp_path / "state", {"app.py": text((1, "theirs")), "c": "c\n"},
        {"app.py": text((20, "ours"))}, {"app.py": text((20, "ours")), "d": "d\n"},
    )  # fmt: skip
    assert isinstance(found, Joined)
    assert found.rebased
    assert user.git("log", "--format=%s", "joined").splitlines() == ["Step 2", "Step 1", "theirs", "first"]
    assert user.git("log", "--format=%b", "-1", "joined") == "Why: ünd so\n\nStep-Id: fix/2"
    assert user.show("joined", "app.py") == text((1, "theirs"), (20, "ours"))
    assert user.files("joined") == ["app.py", "b", "c", "d"]
    assert user.tree("joined") == found.tree
    user.git("fsck", "--strict")


def test_the_author_of_a_commit_stays_and_no_date_runs_backwards(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"app.py": text()})

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            base = side.base
            user.git("checkout", "-q", "-b", "side")
            user.write("n", "n\n")
            user.git("add", "n")
            user.git(
                "commit", "-q", "--author=Gräfin <g@example.org>", "--date=@1000000000 +0200", "-m", "By her"
            )
            tip = user.head
            user.git("checkout", "-q", "main")
            late = "GIT_COMMITTER_DATE='@1900000000 +0000'"
            shell(user.path, f"echo m > m; git add m; {late} git commit -q -m theirs")
            onto = user.head
            found = await side.workspaces.join(onto, base, tip)
            assert isinstance(found, Joined)
            await side.lander.branch(found.commit, "joined")
            assert user.git("log", "-1", "--format=%an <%ae> %ad", "--date=raw", "joined") == (
                "Gräfin <g@example.org> 1000000000 +0200"
            )
            when, parent = user.git("log", "-2", "--format=%ct", "joined").split()
            assert int(when) == int(parent) == 1900000000

    asyncio.run(scenario())


def test_on_top_of_their_own_base_the_commits_are_the_very_same(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"app.py": text()})

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            one = await line(side, {"a": "a\n"})
            tip = await side.workspaces.commit(await side.edited({"b": "b\n"}), one, "Two")
            tree = await side.workspaces.tree(tip)
            assert await side.workspaces.join(side.base, side.base, tip) == Joined(tip, tree, rebased=False)
            assert await side.workspaces.join(one, side.base, tip) == Joined(tip, tree, rebased=False)
            nothing = await side.workspaces.join(tip, side.base, one)
            assert nothing == Joined(tip, tree, rebased=False)
            assert await side.workspaces.join(tip, one, one) == nothing

    asyncio.run(scenario())


def test_what_does_not_go_together_is_named_and_nothing_is_made(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"app.py": text(), "b é.py": "b\n"})
    theirs = {"app.py": text((20, "theirs")), "b é.py": "theirs\n"}
    found = joined(
        user, tmp_path / "state", theirs, {"c": "c\n"}, {"app.py": text((20, "ours")), "b é.py": "ours\n"}
    )
    assert isinstance(found, Contested)
    assert found.paths == ("app.py", "b é.py")
    assert "joined" not in user.branches


def test_what_is_there_already_is_left_out(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"app.py": text()})
    both = {"app.py": text((3, "same"))}
    found = joined(user, tmp_path / "state", both, both, {**both, "n": "n\n"})
    assert isinstance(found, Joined)
    assert user.git("log", "--format=%s", "joined").splitlines() == ["Step 2", "theirs", "first"]


def test_a_tip_that_was_not_made_on_the_base_is_refused(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"app.py": text()})

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            with pytest.raises(WorkspaceError, match="was not made on top of"):
                await side.workspaces.join(side.base, await line(side, {"a": "a\n"}), side.base)

    asyncio.run(scenario())


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ours=st.sets(st.integers(0, 13)), theirs=st.sets(st.integers(16, 29)))
def test_changes_of_different_lines_always_go_together(
    tmp_path_factory: pytest.TempPathFactory, ours: set[int], theirs: set[int]
) -> None:
    folder = tmp_path_factory.mktemp("joined")
    user = make_repo(folder / "repo", {"app.py": text()})
    mine, others = [(number, "ours") for number in ours], [(number, "theirs") for number in theirs]
    found = joined(user, folder / "state", {"app.py": text(*others)}, {"app.py": text(*mine), "n": "n\n"})
    assert isinstance(found, Joined)
    assert user.show("joined", "app.py") == text(*mine, *others)


def test_moved_files_are_followed_and_sha256_is_no_different(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"old.py": text()}, object_format="sha256")

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            tip = await line(side, {"old.py": text((20, "ours"))})
            user.git("mv", "old.py", "new.py")
            found = await side.workspaces.join(user.commit("theirs"), side.base, tip)
            assert isinstance(found, Joined)
            assert await side.blob(found.tree, "new.py") == text((20, "ours")).encode()
            assert await side.names(found.tree) == [b"new.py"]

    asyncio.run(scenario())
