"""Folders are removed whatever is in them, and small files read without trusting them."""

import contextlib
import os
import socket
from pathlib import Path

from burnish.git.files import empty_folder, read_small, remove_folder, write_atomically


def test_a_folder_with_everything_unpleasant_in_it_is_removed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "keep").write_text("mine")
    folder = tmp_path / "folder"
    (folder / "locked" / "inner").mkdir(parents=True)
    (folder / "locked" / "inner" / "file").write_text("x")
    (folder / "locked" / "inner").chmod(0)
    (folder / "locked").chmod(0)
    (folder / "link").symlink_to(outside)
    (folder / ".burnish-removing-1").mkdir()
    os.mkfifo(folder / "pipe")
    (folder / os.fsdecode(b"caf\xe9\n")).write_text("x")
    # By its name alone: a whole path may be longer than an address of a socket.
    with socket.socket(socket.AF_UNIX) as listener, contextlib.chdir(folder):
        listener.bind("socket")
    assert remove_folder(folder)
    assert not folder.exists()
    assert (outside / "keep").read_text() == "mine"


def test_a_folder_deeper_than_any_path_can_say_is_removed(tmp_path: Path) -> None:
    folder = tmp_path / "deep"
    folder.mkdir()
    here = os.open(folder, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("sub-folder", dir_fd=here)
        deeper = os.open("sub-folder", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = deeper
    os.close(here)
    assert remove_folder(folder)
    assert not folder.exists()


def test_emptying_keeps_the_folder_itself(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "c").write_text("x")
    before = tmp_path.stat().st_ino
    empty_folder(tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert tmp_path.stat().st_ino == before


def test_a_symlink_to_a_folder_is_removed_and_the_folder_is_not(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert remove_folder(tmp_path / "link")
    assert (tmp_path / "real").is_dir()


def test_small_files_are_read_only_when_they_are_small_files(tmp_path: Path) -> None:
    (tmp_path / "good").write_bytes(b"yes")
    (tmp_path / "large").write_bytes(b"x" * 70_000)
    (tmp_path / "link").symlink_to(tmp_path / "good")
    os.mkfifo(tmp_path / "pipe")
    assert read_small(tmp_path / "good") == b"yes"
    assert [read_small(tmp_path / name) for name in ("large", "link", "pipe", "none")] == [None] * 4
    assert read_small(tmp_path) is None


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    write_atomically(tmp_path / "state", b"one")
    write_atomically(tmp_path / "state", b"two")
    assert (tmp_path / "state").read_bytes() == b"two"
    assert [path.name for path in tmp_path.iterdir()] == ["state"]
