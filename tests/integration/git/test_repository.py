"""Finding the user's repository, and one clear sentence where there is none to work with."""

import asyncio
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from burnish.errors import BurnishError, UsageError, WorkspaceError
from burnish.git.call import Git
from burnish.git.identity import Identity
from burnish.git.repository import Repository, discover
from tests.repos import TestRepo, clone, run_git

MakeRepo = Callable[..., TestRepo]


def found(path: Path, state: Path) -> Repository:
    async def scenario() -> Repository:
        return await discover(await Git.start(state), path)

    return asyncio.run(scenario())


def refused(path: Path, state: Path) -> BurnishError:
    with pytest.raises(BurnishError) as caught:
        found(path, state)
    assert "\n" not in caught.value.message
    assert caught.value.hint
    return caught.value


def test_a_repository_is_found_from_any_folder_in_it(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"a/b/c.txt": "x"}, name="with spaces ünïcode")
    seen = found(user.path / "a" / "b", tmp_path / "state")
    assert seen.root == user.path
    assert (seen.head, seen.branch, seen.shallow, seen.partial) == (user.head, "main", False, False)
    assert found(user.path / "a" / "b" / "c.txt", tmp_path / "state").id == seen.id
    assert seen.id.startswith("with-spaces-")


def test_a_folder_without_a_repository_is_refused(tmp_path: Path) -> None:
    assert "is not inside a git repository" in refused(tmp_path, tmp_path / "state").message
    assert "does not exist" in refused(tmp_path / "no" / "such", tmp_path / "state").message


def test_a_bare_repository_and_the_inside_of_dot_git_are_refused(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"a": "x"})
    user.git("clone", "-q", "--bare", ".", tmp_path / "bare.git")
    assert "bare repository" in refused(tmp_path / "bare.git", tmp_path / "state").message
    error = refused(user.path / ".git" / "refs", tmp_path / "state")
    assert "inside a .git folder" in error.message
    assert str(user.path) in error.hint


def test_a_planted_bare_repository_inside_a_checkout_is_not_taken_for_one(
    repo: MakeRepo, tmp_path: Path
) -> None:
    user = repo({"a": "x"})
    user.git("clone", "-q", "--bare", ".", user.path / "planted")
    assert isinstance(refused(user.path / "planted", tmp_path / "state"), UsageError)


@pytest.mark.parametrize("damage", ["garbage\n", "", "0" * 40 + "\n", "ref: refs/heads/broken\n"])
def test_a_damaged_head_is_said_to_be_damaged(repo: MakeRepo, tmp_path: Path, damage: str) -> None:
    user = repo({"a": "x"})
    (user.path / ".git/refs/heads/broken").write_text("1" * 40 + "\n")
    (user.path / ".git/HEAD").write_text(damage)
    error = refused(user.path, tmp_path / "state")
    assert isinstance(error, WorkspaceError)
    assert "damaged" in error.hint


def test_a_git_file_that_leads_nowhere_is_said_to_be_damaged(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / ".git").write_text("gitdir: /no/such/place\n")
    assert "cannot read the repository" in refused(tmp_path / "work", tmp_path / "state").message


def test_a_repository_without_a_commit_is_found_but_has_nothing_to_start_from(
    repo: MakeRepo, tmp_path: Path
) -> None:
    seen = found(repo().path, tmp_path / "state")
    assert (seen.head, seen.branch) == ("", "main")
    with pytest.raises(UsageError, match="no commit yet") as caught:
        asyncio.run(seen.resolve("HEAD"))
    assert "git commit" in caught.value.hint


def test_a_detached_head_is_just_a_commit(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"a": "x"})
    user.git("checkout", "-q", "--detach")
    seen = found(user.path, tmp_path / "state")
    assert (seen.head, seen.branch) == (user.head, "")


def test_a_repository_of_another_user_just_works(repo: MakeRepo, tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    user = repo({"a": "x"})
    head = user.head
    for path in [user.path, *user.path.rglob("*")]:
        os.chown(path, 65534, 65534, follow_symlinks=False)
    plain = subprocess.run(["git", "status"], cwd=user.path, capture_output=True, text=True, check=False)
    assert "dubious ownership" in plain.stderr
    seen = found(user.path, tmp_path / "state")
    assert asyncio.run(seen.resolve("main")) == head


def test_every_worktree_of_a_repository_has_the_same_id_and_its_own_head(
    repo: MakeRepo, tmp_path: Path
) -> None:
    user = repo({"a": "x"})
    user.git("worktree", "add", "-q", "-b", "side", tmp_path / "linked")
    linked = TestRepo(tmp_path / "linked")
    side = linked.commit("more", {"b": "y"})
    first, second = found(user.path, tmp_path / "state"), found(linked.path, tmp_path / "state")
    assert first.id == second.id
    assert (second.head, second.branch, second.root) == (side, "side", linked.path)
    assert first.head != second.head


def test_two_repositories_of_one_name_have_different_ids(repo: MakeRepo, tmp_path: Path) -> None:
    one, two = repo({"a": "x"}, name="x/same"), repo({"a": "x"}, name="y/same")
    assert found(one.path, tmp_path / "state").id != found(two.path, tmp_path / "state").id


def test_shallow_and_sha256_are_seen(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"a": "x"})
    user.commit("second", {"a": "y"})
    assert found(clone(user, tmp_path / "shallow", "--depth=1").path, tmp_path / "state").shallow
    modern = found(repo({"a": "x"}, object_format="sha256").path, tmp_path / "state")
    assert (modern.object_format, len(modern.head), len(modern.zero)) == ("sha256", 64, 64)


def test_names_resolve_to_commits_and_wrong_ones_suggest_the_right_one(
    repo: MakeRepo, tmp_path: Path
) -> None:
    user = repo({"a": "x"})
    user.git("branch", "feature/login")
    user.git("tag", "-a", "-m", "tag", "v1")
    seen = found(user.path, tmp_path / "state")
    for name in ("HEAD", "main", "feature/login", "v1", user.head[:10]):
        assert asyncio.run(seen.resolve(name)) == user.head
    with pytest.raises(UsageError) as caught:
        asyncio.run(seen.resolve("feature/logn"))
    assert "feature/login" in caught.value.hint


@pytest.mark.parametrize(
    "name", ["", "-x", "--all", "--output=/tmp/x", "a\0b", "HEAD:a", "HEAD^{tree}", "no..where"]
)
def test_what_is_no_commit_is_a_usage_error(repo: MakeRepo, tmp_path: Path, name: str) -> None:
    seen = found(repo({"a": "x"}).path, tmp_path / "state")
    with pytest.raises(UsageError):
        asyncio.run(seen.resolve(name))


def test_the_default_branch_is_origins_else_a_usual_name(repo: MakeRepo, tmp_path: Path) -> None:
    origin = repo({"a": "x"}, name="origin")
    origin.git("branch", "-q", "-m", "trunk")
    copy = clone(origin, tmp_path / "copy")
    assert asyncio.run(found(origin.path, tmp_path / "state").default_branch()) == "trunk"
    assert asyncio.run(found(copy.path, tmp_path / "state").default_branch()) == "origin/trunk"
    origin.git("branch", "-q", "-m", "unusual")
    assert asyncio.run(found(origin.path, tmp_path / "state").default_branch()) is None
    origin.git("config", "init.defaultBranch", "unusual")
    assert asyncio.run(found(origin.path, tmp_path / "state").default_branch()) == "unusual"


def test_merge_bases_are_found_and_unrelated_histories_have_none(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"a": "x"})
    base = user.head
    user.git("checkout", "-q", "-b", "side")
    side = user.commit("side", {"b": "y"})
    user.git("checkout", "-q", "main")
    main = user.commit("main", {"c": "z"})
    user.git("checkout", "-q", "--orphan", "alone")
    alone = user.commit("alone")
    seen = found(user.path, tmp_path / "state")
    assert asyncio.run(seen.merge_base(side, main)) == base
    assert asyncio.run(seen.merge_base(alone, main)) is None
    assert asyncio.run(seen.branch_exists("side"))
    assert not asyncio.run(seen.branch_exists("sid"))


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("", Identity()),
        ("[user]\n\tname = Grace\n\temail = g@x.org\n", Identity("Grace", "g@x.org")),
        ("[user]\n\tname = ...\n\temail = g@x.org\n", Identity("Burnish", "g@x.org")),
        ('[user]\n\tname = "A <b>\\nC"\n\temail = g@x.org\n', Identity("A b C", "g@x.org")),
        (
            "[user]\n\tname = Grace\n\temail = g@x.org\n[author]\n\tname = Other\n",
            Identity("Other", "g@x.org"),
        ),
    ],
)
def test_the_identity_is_the_users_own_or_a_stand_in(
    repo: MakeRepo, tmp_path: Path, isolated_environment: Path, lines: str, expected: Identity
) -> None:
    (isolated_environment / "gitconfig").write_text(lines)
    assert asyncio.run(found(repo({"a": "x"}).path, tmp_path / "state").identity()) == expected


def test_the_identity_of_a_home_without_git_config_global_is_read_too(
    repo: MakeRepo, tmp_path: Path, isolated_environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = repo({"a": "x"})
    monkeypatch.delenv("GIT_CONFIG_GLOBAL")
    (isolated_environment / ".gitconfig").write_text("[user]\n\tname = Home\n\temail = h@x.org\n")
    assert asyncio.run(found(user.path, tmp_path / "state").identity()) == Identity("Home", "h@x.org")
    run_git(user.path, "config", "user.name", "Local")
    assert asyncio.run(found(user.path, tmp_path / "state").identity()) == Identity("Local", "h@x.org")
