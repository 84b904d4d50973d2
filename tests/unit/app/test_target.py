"""What a user typed, and what it means."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnish.app.target import Kind, Target, read_target
from burnish.errors import UsageError

NONE: dict[str, str | bool | None] = {}


def read(*words: str, root: Path = Path("/nowhere"), **options: str | bool) -> Target:
    return read_target(words, {**options}, root)


@pytest.mark.conformance("C-21", "C-22", "C-23")
@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("src/auth/**", Kind.MODULE),
        ("WFS-payment-integration", Kind.SESSION),
        ("lib/x.py", Kind.MODULE),
        ("a.ts", Kind.MODULE),
        ("app/models/user.rb", Kind.MODULE),
        ("docs/", Kind.MODULE),
        ("WFS-migrate.tsx-files", Kind.SESSION),
        ("payment", Kind.SESSION),
        ("../x", Kind.MODULE),
    ],
)
def test_a_word_is_a_path_or_a_session(word: str, kind: Kind) -> None:
    assert read(word).kind is kind


@pytest.mark.conformance("C-19")
def test_nothing_typed_means_the_work_at_hand() -> None:
    assert read() == Target(Kind.WORK)


@pytest.mark.conformance("C-18")
def test_patterns_may_be_parted_by_commas() -> None:
    assert read("src/auth/**, src/payment/**").words == ("src/auth/**", "src/payment/**")


def test_a_word_that_exists_is_a_path_whatever_it_looks_like(tmp_path: Path) -> None:
    (tmp_path / "payment").mkdir()
    assert read("payment", root=tmp_path).kind is Kind.MODULE


def test_two_places_at_once_are_one_too_many() -> None:
    with pytest.raises(UsageError, match="expected one of --commit, --staged"):
        read(commit="HEAD", staged=True)
    with pytest.raises(UsageError, match="no path beside --commit"):
        read("src/", commit="HEAD")


def test_an_empty_word_is_not_the_work_at_hand() -> None:
    with pytest.raises(UsageError, match="empty word"):
        read("")
