"""Files below a repository are opened at one place, which follows no link and leaves no repository."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from burnish.repository_files import (
    LINK,
    NOT_A_FILE,
    OF_GIT,
    OUTSIDE,
    THROUGH_LINK,
    below,
    open_below,
    read_below,
    read_named,
)

SECRET = b"the user's key"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    (root / "docs").mkdir(parents=True)
    (root / "docs/a.md").write_bytes(b"inside")
    (root / ".git").mkdir()
    (root / ".git/config").write_bytes(SECRET)
    (tmp_path / "key").write_bytes(SECRET)
    return root


def why(root: Path, path: str) -> str:
    with pytest.raises(OSError) as error:
        read_below(root, path, 100)
    return str(error.value.strerror)


def test_a_regular_file_is_read_up_to_one_byte_more_than_wanted(root: Path) -> None:
    assert read_below(root, "docs/a.md", 100) == b"inside"
    assert read_below(root, "./docs//a.md", 3) == b"insi"


@pytest.mark.parametrize("target", ["../../key", "a.md", "/etc/hostname", "nowhere"])
def test_a_link_is_not_followed_wherever_it_leads(root: Path, target: str) -> None:
    (root / "docs/link.md").symlink_to(target)
    assert why(root, "docs/link.md") == LINK


def test_a_link_on_the_way_is_not_followed(root: Path, tmp_path: Path) -> None:
    (root / "away").symlink_to(tmp_path)
    (root / "docs/deep").symlink_to("..")
    assert why(root, "away/key") == THROUGH_LINK
    assert why(root, "docs/deep/docs/a.md") == THROUGH_LINK


@pytest.mark.parametrize("path", ["../key", "docs/../../key", "/etc/hostname", "~/key", "", ".", "a\0b"])
def test_a_path_that_leads_out_is_refused(root: Path, path: str) -> None:
    assert why(root, path) == OUTSIDE


@pytest.mark.parametrize("path", [".git/config", ".GIT/config", ".Git/config", "git~1/config", "docs/.git/x"])
def test_the_folder_of_git_is_not_read_in_any_spelling(root: Path, path: str) -> None:
    assert why(root, path) == OF_GIT


def test_what_is_no_file_is_refused_at_once(root: Path) -> None:
    os.mkfifo(root / "pipe")
    assert why(root, "pipe") == NOT_A_FILE
    assert why(root, "docs") == NOT_A_FILE
    assert "No such file" in why(root, "docs/none.md")


def test_the_repository_itself_may_be_named_through_a_link(root: Path, tmp_path: Path) -> None:
    (tmp_path / "other").symlink_to(root)
    assert read_below(tmp_path / "other", "docs/a.md", 100) == b"inside"
    assert str(below(root, tmp_path / "other/docs/a.md")) == "docs/a.md"


def test_a_link_that_is_swapped_in_meanwhile_is_never_followed(root: Path, tmp_path: Path) -> None:
    """Folder and link take turns as fast as they can; whatever is read is the file inside."""
    (tmp_path / "away").mkdir()
    (tmp_path / "away/a.md").write_bytes(SECRET)
    (root / "link").symlink_to(tmp_path / "away")
    over = threading.Event()

    def swap() -> None:
        while not over.is_set():
            os.rename(root / "docs", root / "kept")  # noqa: PTH104
            os.rename(root / "link", root / "docs")  # noqa: PTH104
            os.rename(root / "docs", root / "link")  # noqa: PTH104
            os.rename(root / "kept", root / "docs")  # noqa: PTH104

    swapping = threading.Thread(target=swap)
    swapping.start()
    seen: list[bytes | str] = []
    try:
        while len(seen) < 4000:
            try:
                seen.append(read_below(root, "docs/a.md", 100))
            except OSError as error:
                seen.append(str(error.strerror))
    finally:
        over.set()
        swapping.join()
    assert SECRET not in seen
    assert {b"inside", THROUGH_LINK} <= set(seen)


def test_what_a_user_names_outside_of_the_repository_is_their_own(root: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").symlink_to(tmp_path / "key")
    assert read_named(root, tmp_path / "mine", 100) == SECRET
    (root / "theirs").symlink_to(tmp_path / "key")
    with pytest.raises(OSError, match=LINK):
        read_named(root, root / "theirs", 100)
    with pytest.raises(OSError, match=OF_GIT):
        read_named(root, root / "docs/../.git/config", 100)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match=NOT_A_FILE):
        read_named(root, tmp_path / "pipe", 100)


def test_no_descriptor_is_left_open(root: Path) -> None:
    (root / "docs/link.md").symlink_to("a.md")
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    for _ in range(20):
        open_below(root, "docs/a.md").close()
        why(root, "docs/link.md")
        why(root, "docs")
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208
