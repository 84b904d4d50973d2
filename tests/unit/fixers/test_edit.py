"""A fixer reaches nothing outside its workspace, and leaves all but the repair as it was."""

from __future__ import annotations

import asyncio
import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.errors import WorkspaceError
from burnish.fixers import codemods
from burnish.fixers._choose import code_fixers
from burnish.fixers._edit import read_text, write_text
from burnish.model.review import Finding
from burnish.process.tool_setup import ToolSetup

SETUP = ToolSetup(env={})
UNSAFE_YAML = b"import yaml\nyaml.load(x)\n"
SAFE_YAML = b"import yaml\nyaml.safe_load(x)\n"


@pytest.fixture
def place(tmp_path: Path) -> tuple[Path, Path]:
    """A workspace, and a file beside it that must never change."""
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    outside = tmp_path / "outside.py"
    outside.write_bytes(UNSAFE_YAML)
    return workspace, outside


def fix(workspace: Path, name: str, rule: str = "ruff:S506", line: int = 2) -> str:
    finding = Finding("x", file=name, line=line, rule=rule, fixable=True)
    return asyncio.run(codemods.make(SETUP).fix(finding, workspace))


def test_a_symlink_is_not_followed(place: tuple[Path, Path]) -> None:
    workspace, outside = place
    (workspace / "a.py").symlink_to(outside)
    with pytest.raises(WorkspaceError, match="is not edited"):
        fix(workspace, "a.py")
    assert outside.read_bytes() == UNSAFE_YAML
    assert (workspace / "a.py").is_symlink()


def test_a_symlinked_folder_is_not_entered(place: tuple[Path, Path]) -> None:
    workspace, outside = place
    (workspace / "sub").symlink_to(outside.parent)
    with pytest.raises(WorkspaceError, match="symlink"):
        fix(workspace, "sub/outside.py")
    assert outside.read_bytes() == UNSAFE_YAML


def test_a_hard_link_is_not_written_through(place: tuple[Path, Path]) -> None:
    workspace, outside = place
    os.link(outside, workspace / "a.py")
    assert fix(workspace, "a.py")
    assert (workspace / "a.py").read_bytes() == SAFE_YAML
    assert outside.read_bytes() == UNSAFE_YAML


@pytest.mark.parametrize(
    "name",
    [
        "../outside.py",
        "sub/../../outside.py",
        "{outside}",
        "",
        ".",
        "a\0.py",
        ".git/hooks/x.py",
        "a/.GIT/x.py",
    ],
)
def test_a_path_that_leads_out_is_refused(place: tuple[Path, Path], name: str) -> None:
    workspace, outside = place
    (workspace / "sub").mkdir()
    (workspace / ".git" / "hooks").mkdir(parents=True)
    (workspace / ".git" / "hooks" / "x.py").write_bytes(UNSAFE_YAML)
    with pytest.raises(WorkspaceError, match="is not edited"):
        read_text(workspace, name.format(outside=outside))
    assert outside.read_bytes() == UNSAFE_YAML
    assert (workspace / ".git" / "hooks" / "x.py").read_bytes() == UNSAFE_YAML


def test_special_files_and_folders_are_refused_without_waiting(place: tuple[Path, Path]) -> None:
    workspace, _ = place
    os.mkfifo(workspace / "pipe.py")
    (workspace / "folder.py").mkdir()
    for name in ("pipe.py", "folder.py", "gone.py", "gone/a.py"):
        with pytest.raises(WorkspaceError, match="is not edited"):
            fix(workspace, name)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"import yaml\r\nyaml.load(x)\r\n", b"import yaml\r\nyaml.safe_load(x)\r\n"),
        (b"\xef\xbb\xbf" + UNSAFE_YAML, b"\xef\xbb\xbf" + SAFE_YAML),
        (b"# coding: latin-1\nyaml.load('\xe9')\n", b"# coding: latin-1\nyaml.safe_load('\xe9')\n"),
        (b"import yaml\nyaml.load(x)", b"import yaml\nyaml.safe_load(x)"),
        (b"import yaml\ryaml.load(x)\r", b"import yaml\ryaml.safe_load(x)\r"),
        (b"x = '\x0c \xe2\x80\xa8'\nyaml.load('\xf0\x9f\x98\x80')\n",
         b"x = '\x0c \xe2\x80\xa8'\nyaml.safe_load('\xf0\x9f\x98\x80')\n"),
    ],
)  # fmt: skip
def test_line_ends_marks_and_encodings_stay(place: tuple[Path, Path], before: bytes, after: bytes) -> None:
    workspace, _ = place
    (workspace / "a.py").write_bytes(before)
    assert fix(workspace, "a.py")
    assert (workspace / "a.py").read_bytes() == after


def test_an_inserted_line_ends_as_the_others_do(place: tuple[Path, Path]) -> None:
    workspace, _ = place
    (workspace / "a.py").write_bytes(b"def f(a=[]):\r\n    return a\r\n")
    assert fix(workspace, "a.py", "ruff:B006", line=1)
    expected = b"def f(a=None):\r\n    if a is None:\r\n        a = []\r\n    return a\r\n"
    assert (workspace / "a.py").read_bytes() == expected


@pytest.mark.parametrize("mode", [0o755, 0o600, 0o444])
def test_the_mode_stays(place: tuple[Path, Path], mode: int) -> None:
    workspace, _ = place
    (workspace / "a.py").write_bytes(UNSAFE_YAML)
    (workspace / "a.py").chmod(mode)
    assert fix(workspace, "a.py")
    assert stat.S_IMODE((workspace / "a.py").stat().st_mode) == mode
    assert [path.name for path in workspace.iterdir()] == ["a.py"], "no temporary file is left"


def test_bytes_that_are_no_text_are_refused(place: tuple[Path, Path]) -> None:
    workspace, _ = place
    (workspace / "a.py").write_bytes(b"yaml.load('\xff')\n")
    (workspace / "b.py").write_bytes(b"# coding: nonsense\nyaml.load(x)\n")
    for name in ("a.py", "b.py"):
        with pytest.raises(WorkspaceError, match="is not edited"):
            fix(workspace, name)


def test_a_file_that_changed_meanwhile_is_not_overwritten(place: tuple[Path, Path]) -> None:
    workspace, _ = place
    (workspace / "a.py").write_bytes(UNSAFE_YAML)
    before = read_text(workspace, "a.py")
    (workspace / "a.py").write_bytes(b"x = 1\n")
    with pytest.raises(WorkspaceError, match="changed"):
        write_text(workspace, before, "y = 2\n")
    assert (workspace / "a.py").read_bytes() == b"x = 1\n"


@given(text=st.text().map(lambda text: text.encode("utf8", "replace")))
def test_what_is_read_can_be_written_back_to_the_byte(
    text: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    workspace = tmp_path_factory.getbasetemp()
    (workspace / "note.txt").write_bytes(text)
    before = read_text(workspace, "note.txt")
    assert before.encoded(before.text) == text
    assert write_text(workspace, before, before.text + "\n")
    assert (workspace / "note.txt").read_bytes() == text + b"\n"


@pytest.mark.parametrize("fixer", code_fixers(SETUP), ids=lambda fixer: str(fixer.name))
def test_no_fixer_follows_a_link_out(place: tuple[Path, Path], fixer: object) -> None:
    workspace, outside = place
    outside.write_bytes(b"import os\nif a == None: pass\nif typeof(x) == 1: pass\n")
    for name in ("a.py", "a.js"):
        (workspace / name).symlink_to(outside)
        for rule in ("ruff:E711", "ruff:F401", "oxlint:eqeqeq", "ruff:S602"):
            finding = Finding("x", file=name, line=2, rule=rule, fixable=True)
            if fixer.can(finding, unsafe=True):  # type: ignore[attr-defined]
                with pytest.raises(WorkspaceError):
                    asyncio.run(fixer.fix(finding, workspace))  # type: ignore[attr-defined]
    assert outside.read_bytes() == b"import os\nif a == None: pass\nif typeof(x) == 1: pass\n"
