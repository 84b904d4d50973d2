"""The repository fixture tells the truth about what changed in a repository."""

from collections.abc import Callable

import pytest

from tests.repos import TestRepo


@pytest.mark.parametrize(
    ("command", "seen"),
    [
        (("config", "user.name", "Eve"), True),
        (("branch", "other"), True),
        (("tag", "v1"), True),
        (("branch", "burnish/r-1"), False),
        (("rm", "-q", "--cached", "a.txt"), True),
    ],
)
def test_a_fingerprint_sees_what_a_run_must_not_do(
    repo: Callable[..., TestRepo], command: tuple[str, ...], seen: bool
) -> None:
    user = repo({"a.txt": "a\n"})
    before = user.fingerprint()
    user.git(*command)
    assert (user.fingerprint() != before) is seen


def test_a_fingerprint_sees_an_edited_file(repo: Callable[..., TestRepo]) -> None:
    user = repo({"a.txt": "a\n"})
    before = user.fingerprint()
    user.write("a.txt", "b\n")
    assert user.fingerprint() != before


def test_commits_are_the_same_each_time(repo: Callable[..., TestRepo]) -> None:
    assert repo({"a": "1"}).head == repo({"a": "1"}).head
