"""`burnish merge` as the command line calls it: from a run's id, commit and branch to one sentence."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from burnish.app.merge import MergeRequest, merge_commit
from burnish.app.place import find_place
from burnish.app.start import workspaces_of
from burnish.errors import UsageError, WorkspaceError
from burnish.git.files import remove_folder
from burnish.git.lander import GitLander
from tests.integration.git.test_task_diff import made
from tests.repos import TestRepo

MakeRepo = Callable[..., TestRepo]
RUN, BRANCH = "r-1", "burnish/1-add-login"


def landed(user: TestRepo) -> MergeRequest:
    async def scenario() -> MergeRequest:
        place = await find_place(user.path)
        base = place.repository.head
        commit = await made(place, base, "echo two > app.py")
        async with await workspaces_of(place, RUN, base) as workspaces:
            lander = GitLander(place.repository, workspaces.store, base)
            return MergeRequest(RUN, commit, await lander.branch(commit, BRANCH), "Add login")

    return asyncio.run(scenario())


def merged(user: TestRepo, request: MergeRequest) -> str:
    async def scenario() -> str:
        return await merge_commit(await find_place(user.path), request)

    return asyncio.run(scenario())


def test_a_landed_task_is_merged_and_told_so_once_more(repo: MakeRepo) -> None:
    user = repo({"app.py": "one\n"})
    request = landed(user)
    short = request.commit[:12]
    assert merged(user, request) == f"{BRANCH} is now in main, which went forward to {short}"
    assert merged(user, request) == f"{BRANCH} is in main already; nothing was changed"
    assert (user.path / "app.py").read_text() == "two\n"


def test_the_message_of_a_merge_names_branch_and_title_and_that_of_a_squash_the_title(repo: MakeRepo) -> None:
    user = repo({"app.py": "one\n"})
    request = landed(user)
    user.git("branch", "release")
    user.commit("theirs", {"b": "b\n"})
    said = merged(user, request)
    assert said == f"{BRANCH} is now in main, merged as {user.head[:12]}"
    assert user.git("log", "-1", "--format=%B") == f"Merge branch '{BRANCH}'\n\nAdd login"
    into = MergeRequest(RUN, request.commit, BRANCH, " Add\nlogin ", target="release", squash=True)
    assert "is now in release, as the one commit " in merged(user, into)
    assert user.git("log", "-1", "--format=%B", "release") == "Add login\n\n- Change"
    assert user.git("log", "-1", "--format=%an", "release") == "Burnish"


@pytest.mark.parametrize("branch", [BRANCH, ""])
def test_what_is_left_of_a_cleaned_run_is_enough(repo: MakeRepo, branch: str) -> None:
    user = repo({"app.py": "one\n"})
    request = landed(user)
    place = asyncio.run(find_place(user.path))
    assert remove_folder(place.run_folder(RUN))
    assert remove_folder(place.mirror)
    merged(user, MergeRequest(RUN, request.commit, branch, "Add login"))
    assert user.head == request.commit


def test_a_branch_somebody_added_to_is_not_merged_as_if_it_were_reviewed(repo: MakeRepo) -> None:
    user = repo({"app.py": "one\n"})
    request = landed(user)
    user.git("checkout", "-q", BRANCH)
    user.commit("more", {"more": "m\n"})
    user.git("checkout", "-q", "main")
    with pytest.raises(WorkspaceError, match="what was reviewed is") as caught:
        merged(user, request)
    assert caught.value.hint == f"merge it as it is now with `git merge {BRANCH}`"
    assert user.git("log", "--format=%s") == "first"


def test_no_such_target_and_a_bare_repository_are_told_in_a_sentence(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"app.py": "one\n"})
    request = landed(user)
    with pytest.raises(UsageError, match="there is no branch 'nope'"):
        merged(user, MergeRequest(RUN, request.commit, BRANCH, "x", target="nope"))
    user.git("clone", "-q", "--bare", ".", tmp_path / "bare.git")
    with pytest.raises(UsageError, match="is a bare repository"):
        merged(TestRepo(tmp_path / "bare.git"), request)
