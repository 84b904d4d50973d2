"""Programs are found on PATH, not in the workspace, and are checked before they are started."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnish.process.child import ProgramMissing
from burnish.process.program import Lookup, find_program, needed_files


def script(path: Path, text: str = "#!/bin/sh\n", mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    return path


def test_the_first_runnable_file_on_path_is_taken(tmp_path: Path) -> None:
    script(tmp_path / "a/tool", mode=0o644)
    wanted = script(tmp_path / "b/tool")
    script(tmp_path / "c/tool")
    path = f"{tmp_path}/a:{tmp_path}/b:{tmp_path}/c"
    assert find_program("tool", Lookup(path, tmp_path)) == wanted


def test_the_workspace_is_never_searched_by_any_of_its_names(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    script(workspace / "bin/tool")
    (tmp_path / "link").symlink_to(workspace)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/tool").symlink_to(workspace / "bin/tool")
    path = f"{workspace}/bin:{tmp_path}/link/bin:{tmp_path}/bin:.:bin:"
    with pytest.raises(ProgramMissing, match="'tool' was not found on PATH"):
        find_program("tool", Lookup(path, workspace, (workspace,)))


def test_a_name_with_a_slash_counts_from_where_the_user_stands(tmp_path: Path) -> None:
    wanted = script(tmp_path / "agents/mine.sh")
    assert find_program("./agents/mine.sh", Lookup("", tmp_path)) == wanted
    assert find_program("agents/../agents/mine.sh", Lookup("", tmp_path)) == wanted


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("./absent", "'./absent' was not found"),
        ("./folder", "is a folder, not a program"),
        ("./plain", "is not executable"),
        ("./orphan", "asks for the interpreter '/no/such/interpreter', which is not there"),
        ("./lost", "program 'no-such-interpreter' was not found on PATH"),
    ],
)
def test_what_is_wrong_is_one_sentence_with_a_hint(tmp_path: Path, name: str, sentence: str) -> None:
    (tmp_path / "folder").mkdir()
    script(tmp_path / "plain", mode=0o644)
    script(tmp_path / "orphan", "#!/no/such/interpreter -x\n")
    script(tmp_path / "lost", "#!/usr/bin/env -S no-such-interpreter\n")
    with pytest.raises(ProgramMissing) as caught:
        find_program(name, Lookup("/usr/bin:/bin", tmp_path))
    assert sentence in caught.value.message
    assert caught.value.hint


def test_the_interpreters_of_a_script_are_followed(tmp_path: Path) -> None:
    outer = script(tmp_path / "outer", f"#!{tmp_path}/inner\n")
    inner = script(tmp_path / "inner", "#!/usr/bin/env sh\n")
    found = needed_files(outer, Lookup("/usr/bin:/bin", tmp_path))
    assert found[:3] == [outer, inner, Path("/usr/bin/env")]
    assert found[3].name == "sh"


def test_scripts_that_ask_for_each_other_do_not_hang(tmp_path: Path) -> None:
    first = script(tmp_path / "first", f"#!{tmp_path}/second\n")
    script(tmp_path / "second", f"#!{tmp_path}/first\n")
    assert len(needed_files(first, Lookup("", tmp_path))) < 20
