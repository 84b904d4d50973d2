"""A command's version is what its program and script are made of."""

from __future__ import annotations

from pathlib import Path

from burnish.agents._version import version_of


def test_the_same_bytes_are_the_same_version_and_others_are_not(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_text("#!/bin/sh\necho 1\n")
    other.write_text("#!/bin/sh\necho 1\n")
    assert version_of(one, (), tmp_path) == version_of(other, (), tmp_path)
    assert version_of(one, (), tmp_path).startswith("sha256:")
    other.write_text("#!/bin/sh\necho 22\n")
    assert version_of(one, (), tmp_path) != version_of(other, (), tmp_path)


def test_a_script_that_the_arguments_name_counts(tmp_path: Path) -> None:
    (tmp_path / "python").write_text("p")
    (tmp_path / "agent.py").write_text("print(1)")
    before = version_of(tmp_path / "python", ("agent.py", "--flag"), tmp_path)
    (tmp_path / "agent.py").write_text("print(22)")
    assert version_of(tmp_path / "python", ("agent.py", "--flag"), tmp_path) != before


def test_what_cannot_be_read_has_no_version(tmp_path: Path) -> None:
    assert version_of(tmp_path / "gone", ("a\0b", "x" * 5000), tmp_path) == ""
