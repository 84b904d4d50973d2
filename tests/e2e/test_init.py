"""`burnish init` as a user calls it."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli import burnish, program
from tests.repos import TestRepo, run_git


@pytest.fixture
def bare_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH with git, python and pytest, and room for programs that look like agents."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("python", "pytest"):
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return folder


def test_what_is_seen_is_written_and_holds_once_it_is_committed(
    repo: Callable[..., TestRepo], bare_path: Path
) -> None:
    (bare_path / "codex").write_text("#!/bin/sh\n")
    (bare_path / "codex").chmod(0o755)
    there = repo({"app/x.py": "", "pytest.ini": "[pytest]\n", "AGENTS.md": "Be kind.\n", "web/a.ts": ""})
    said = burnish(there.path / "app", "init")
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(
        f"wrote {there.path}/burnish.toml (Python and TypeScript, default branch main,"
    )
    text = (there.path / "burnish.toml").read_text()
    assert "guidelines in AGENTS.md" in text
    assert "# Found on your PATH: codex." in text
    assert '\ncommand = "python -m pytest -q"\n' in text
    there.commit("settings")
    shown = json.loads(burnish(there.path, "config", "show", "--json").out)
    assert shown["gate.command"] == {
        "value": "python -m pytest -q",
        "origin": f"burnish.toml at {there.head[:12]}",
    }


def test_with_agents_filled_in_a_task_runs(repo: Callable[..., TestRepo], tmp_path: Path) -> None:
    there = repo({"app.txt": "", "Makefile": "test:\n\ttrue\n"})
    assert burnish(there.path, "init").code == 0
    writer = program(tmp_path / "agents", "writer", "Path('app.txt').write_text('done')\n")
    reader = program(tmp_path / "agents", "reader", "print('**Verdict: APPROVED**')\n")
    path = there.path / "burnish.toml"
    text = re.sub("# implementer = .*", lambda _: f"implementer = {json.dumps(writer)}", path.read_text())
    text = re.sub("# reviewer = .*", lambda _: f"reviewer = {json.dumps(reader)}", text)
    path.write_text(text)
    there.commit("settings")
    said = burnish(there.path, "run", "Add it", "--json")
    assert (said.code, said.end["outcome"]) == (0, "passed"), said.err


def test_a_file_that_is_there_is_left_alone_unless_forced(repo: Callable[..., TestRepo]) -> None:
    there = repo({"burnish.toml": "[limits]\ncycles = 2\n"})
    said = burnish(there.path, "init")
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(
        f"burnish: {there.path}/burnish.toml is there already, and is left as it is.\n"
    )
    assert (there.path / "burnish.toml").read_text() == "[limits]\ncycles = 2\n"
    printed = burnish(there.path, "init", "--print")
    assert (printed.code, printed.out[:10]) == (0, "# Burnish:")
    assert (there.path / "burnish.toml").read_text() == "[limits]\ncycles = 2\n"
    assert burnish(there.path, "init", "--force").code == 0
    assert (there.path / "burnish.toml").read_text() == printed.out


def test_a_burnish_yaml_is_not_joined_by_a_second_file(repo: Callable[..., TestRepo]) -> None:
    there = repo({"burnish.yaml": "limits: {cycles: 2}\n"})
    said = burnish(there.path, "init", "--force")
    assert said.code == 2
    assert f"{there.path}/burnish.yaml is there already, and one configuration is enough." in said.err
    assert not (there.path / "burnish.toml").exists()


def test_a_link_in_its_place_is_not_followed(repo: Callable[..., TestRepo], tmp_path: Path) -> None:
    there = repo({"app.py": ""})
    elsewhere = tmp_path / "elsewhere"
    (there.path / "burnish.toml").symlink_to(elsewhere)
    assert burnish(there.path, "init").code == 2
    assert burnish(there.path, "init", "--force").code == 0
    assert not elsewhere.exists()
    assert not (there.path / "burnish.toml").is_symlink()


def test_an_empty_repository_gets_one_too(tmp_path: Path) -> None:
    run_git(tmp_path, "init", "-q", "new")
    said = burnish(tmp_path / "new", "init")
    assert said.code == 0, said.err
    assert "default branch main" in said.out
    assert "# No test command was found" in (tmp_path / "new" / "burnish.toml").read_text()


def test_outside_of_a_repository_it_is_one_sentence(tmp_path: Path) -> None:
    said = burnish(tmp_path, "init")
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(f"burnish: {tmp_path} is not inside a git repository.\n")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_one_sentence(repo: Callable[..., TestRepo]) -> None:
    there = repo({"app.py": ""})
    there.path.chmod(0o555)
    try:
        said = burnish(there.path, "init")
    finally:
        there.path.chmod(0o755)
    assert said.code != 0
    assert "writing burnish.toml failed: Permission denied" in said.err


def test_nothing_of_the_repository_is_run(repo: Callable[..., TestRepo], tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    there = repo({"Makefile": f"test:\n\ttouch {marker}\n$(shell touch {marker})\n", "conftest.py": ""})
    hook = there.path / ".git" / "fsmonitor"
    hook.write_text(f"#!/bin/sh\ntouch {marker}\n")
    hook.chmod(0o755)
    there.git("config", "core.fsmonitor", str(hook))
    assert burnish(there.path, "init").code == 0
    assert not marker.exists()
