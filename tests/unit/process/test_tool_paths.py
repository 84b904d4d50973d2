"""What stays visible of a hidden home so that programs run."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnish.process.tool_paths import tool_paths


def program(path: Path, text: str = "#!/bin/sh\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def needed(home: Path, *entries: str, program: Path = Path("/bin/sh")) -> set[str]:
    path = ":".join(str(home / entry) for entry in entries)
    return {str(found.relative_to(home)) for found in tool_paths(path, program, (home,))}


@pytest.mark.parametrize(
    ("entry", "shown"),
    [
        (".pyenv/shims", {".pyenv"}),
        (".nvm/versions/node/v20/bin", {".nvm"}),
        (".local/share/mise/shims", {".local/share/mise"}),
        (".local/bin", {".local/bin"}),
        (".cargo/bin", {".cargo/bin", ".rustup"}),
        ("bin", {"bin"}),
        ("opt/tool/bin", {"opt/tool/bin", "opt/tool/lib"}),
        ("scripts", {"scripts"}),
    ],
)
def test_each_kind_of_folder_on_path_shows_what_its_programs_need(
    tmp_path: Path, entry: str, shown: set[str]
) -> None:
    program(tmp_path / entry / "tool")
    for name in (".rustup", ".cargo", ".ssh", "opt/tool/lib", "opt/tool/private", ".local/share/keyrings"):
        (tmp_path / name).mkdir(parents=True, exist_ok=True)
    assert needed(tmp_path, entry) == shown


def test_a_program_of_npm_shows_the_packages_it_is_made_of(tmp_path: Path) -> None:
    script = program(tmp_path / "project/node_modules/@vendor/agent/bin/agent.js", "#!/usr/bin/env node\n")
    program(tmp_path / "project/node_modules/@vendor/agent-linux-x64/bin/agent")
    link = tmp_path / "project/node_modules/.bin/agent"
    link.parent.mkdir()
    link.symlink_to(script)
    assert needed(tmp_path, "project/node_modules/.bin") == {"project/node_modules"}
    assert "project/node_modules" in needed(tmp_path, program=link)
    assert "project" not in needed(tmp_path, program=link)


def test_a_virtual_environment_shows_itself_and_the_interpreter_below_it(tmp_path: Path) -> None:
    base = program(tmp_path / ".pyenv/versions/3.11.7/bin/python3")
    python = tmp_path / "project/.venv/bin/python"
    python.parent.mkdir(parents=True)
    python.symlink_to(base)
    (tmp_path / "project/.venv/pyvenv.cfg").write_text(f"home = {base.parent}\n")
    assert needed(tmp_path, "project/.venv/bin") == {"project/.venv", ".pyenv"}
    assert "project" not in needed(tmp_path, program=python)
    assert {"project/.venv", ".pyenv"} <= needed(tmp_path, program=python)


def test_a_visible_virtual_environment_on_a_hidden_interpreter_shows_the_interpreter(tmp_path: Path) -> None:
    home = tmp_path / "home"
    base = program(home / "python/bin/python3")
    (home / "python/lib").mkdir()
    venv = tmp_path / "venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "pyvenv.cfg").write_text(f"home = {base.parent}\n")
    found = tool_paths(f"{venv}/bin", Path("/bin/sh"), (home,))
    assert set(found) == {home / "python/bin", home / "python/lib"}


def test_links_on_path_are_followed(tmp_path: Path) -> None:
    target = program(tmp_path / ".local/share/pipx/venvs/black/bin/black")
    (target.parent.parent / "pyvenv.cfg").write_text("home = /usr/bin\n")
    (tmp_path / ".local/bin").mkdir(parents=True)
    (tmp_path / ".local/bin/black").symlink_to(target)
    assert needed(tmp_path, ".local/bin") == {".local/bin", ".local/share/pipx"}


def test_the_home_folder_itself_is_never_shown(tmp_path: Path) -> None:
    program(tmp_path / "tool")
    (tmp_path / ".ssh").mkdir()
    assert needed(tmp_path, "", ".") == set()
    assert tool_paths(str(tmp_path.parent), tmp_path / "tool", (tmp_path,)) == (tmp_path / "tool",)


def test_a_program_of_its_own_shows_only_itself_and_its_interpreter(tmp_path: Path) -> None:
    helper = program(tmp_path / "a/helper")
    mine = program(tmp_path / "b/mine", f"#!{helper}\n")
    program(tmp_path / "b/other")
    assert needed(tmp_path, program=mine) == {"a/helper", "b/mine"}
