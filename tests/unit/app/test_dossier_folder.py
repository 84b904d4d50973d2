"""Our folder in the user's repository: rendered files only, nothing through a symlink, nothing for ever."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from burnish.app.dossier_folder import Folder


def test_it_ignores_itself_and_files_are_whole(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "sessions/WFS-x/.review")
    folder.write("dimensions/security.json", "[]")
    assert (tmp_path / ".burnish/.gitignore").read_text() == "*\n"
    assert (tmp_path / ".burnish/sessions/WFS-x/.review/dimensions/security.json").read_text() == "[]"
    assert folder.trouble == ""


def test_names_cannot_leave_it(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "sessions/WFS-x/.review")
    folder.write("../../../../../escape.txt", "x")
    assert "outside" in folder.trouble
    assert not (tmp_path.parent / "escape.txt").exists()
    assert not (tmp_path / "escape.txt").exists()


def test_a_symlink_on_the_way_or_at_the_end_is_not_written_through(tmp_path: Path) -> None:
    away = tmp_path / "away"
    away.mkdir()
    (tmp_path / ".burnish/sessions").mkdir(parents=True)
    (tmp_path / ".burnish/sessions/WFS-x").symlink_to(away)
    folder = Folder(tmp_path, "sessions/WFS-x/.review")
    folder.write("a.json", "x")
    assert folder.trouble
    assert list(away.iterdir()) == []
    (tmp_path / "secret").write_text("mine")
    other = Folder(tmp_path, "sessions/WFS-y")
    other.write("b.json", "x")
    (tmp_path / ".burnish/sessions/WFS-y/c.json").symlink_to(tmp_path / "secret")
    other.write("c.json", "x")
    assert (tmp_path / "secret").read_text() == "mine"


def test_only_nameless_old_reviews_are_pruned(tmp_path: Path) -> None:
    sessions = tmp_path / ".burnish/sessions"
    for name in [f"WFS-review-{1794745234000 + count}" for count in range(5)] + ["WFS-pay", "notes"]:
        (sessions / name).mkdir(parents=True)
    Folder(tmp_path, "sessions/x").prune(kept=2)
    assert sorted(path.name for path in sessions.iterdir()) == [
        "WFS-pay", "WFS-review-1794745234003", "WFS-review-1794745234004", "notes",
    ]  # fmt: skip


def test_halves_of_files_whose_writer_was_killed_are_taken_away(tmp_path: Path) -> None:
    place = tmp_path / ".burnish/sessions/WFS-x"
    place.mkdir(parents=True)
    dead = subprocess.Popen(["/bin/true"])
    dead.wait()
    half, living = place / f".a.json.{dead.pid}.tmp", place / f".a.json.{os.getpid()}.tmp"
    for path in (half, living, place / ".mine.tmp"):
        path.write_text("half")
    Folder(tmp_path, "sessions/WFS-x").write("b.json", "x")
    assert not half.exists()
    assert living.exists(), "somebody writes it right now"
    assert (place / ".mine.tmp").exists(), "not ours"


def test_a_link_where_half_a_file_would_be_is_not_written_through(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "sessions/WFS-x")
    folder.write("a.json", "x")
    (tmp_path / "secret").write_text("mine")
    (folder.place / f".b.json.{os.getpid()}.tmp").symlink_to(tmp_path / "secret")
    folder.write("b.json", "x")
    assert folder.trouble
    assert (tmp_path / "secret").read_text() == "mine"
