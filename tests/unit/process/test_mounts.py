"""The deeper mount wins, and the safer of two at the same place."""

from __future__ import annotations

import os
import pwd
from pathlib import Path

from burnish.ports import Sandbox
from burnish.process.child import Command
from burnish.process.mounts import View, hidden_folders, plan


def views(sandbox: Sandbox, cwd: Path, home: Path, *argv: str) -> list[tuple[View, Path]]:
    command = Command(argv or ("/bin/sh",), cwd, {"HOME": str(home), "PATH": "/usr/bin:/bin"}, 1.0)
    return [(mount.view, mount.path) for mount in plan(sandbox, command)]


def test_parents_come_before_what_lies_in_them(tmp_path: Path) -> None:
    workspace = tmp_path / "home/state/run/workspace"
    workspace.mkdir(parents=True)
    found = views(
        Sandbox(writable=(workspace,), hidden=(tmp_path / "home/state",)), workspace, tmp_path / "home"
    )
    order = [path for _, path in found]
    assert order.index(Path("/tmp")) < order.index(tmp_path / "home") < order.index(workspace)
    assert (View.WRITE, workspace) in found


def test_the_same_path_twice_is_mounted_once_and_hidden_beats_written(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    found = views(
        Sandbox(
            writable=(tmp_path / "a", tmp_path / "b"), readable=(tmp_path / "a",), hidden=(tmp_path / "b",)
        ),
        tmp_path / "a",
        tmp_path / "home",
    )
    assert [view for view, path in found if path == tmp_path / "a"] == [View.WRITE]
    assert (View.WRITE, tmp_path / "b") not in found


def test_what_a_parent_already_shows_is_not_mounted_again(tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    found = views(Sandbox(readable=(tmp_path / "a", tmp_path / "a/b")), tmp_path / "a/b", tmp_path / "home")
    assert [path for view, path in found if view is View.READ and tmp_path in path.parents] == [
        tmp_path / "a"
    ]


def test_a_read_only_part_of_a_writable_folder_stays_read_only(tmp_path: Path) -> None:
    (tmp_path / "w/inner").mkdir(parents=True)
    found = views(
        Sandbox(writable=(tmp_path / "w",), readable=(tmp_path / "w/inner",)),
        tmp_path / "w",
        tmp_path / "home",
    )
    assert (View.READ, tmp_path / "w/inner") in found


def test_a_secret_is_blanked_only_where_it_would_be_seen(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / ".cargo").mkdir(parents=True)
    (home / ".cargo/credentials.toml").write_text("token")
    blank = (View.BLANK, home / ".cargo/credentials.toml")
    assert blank not in views(Sandbox(), tmp_path, home)
    assert blank in views(Sandbox(home_paths=(Path(".cargo"),)), tmp_path, home)


def test_system_folders_are_never_hidden_even_if_somebody_calls_them_home() -> None:
    for home in ("/", "/usr/sbin", "/etc", "/nonexistent", "/var", "relative", ""):
        hidden = hidden_folders({"HOME": home})
        assert Path("/") not in hidden
        assert not any(path.is_relative_to("/usr") or path.is_relative_to("/etc") for path in hidden)
        assert Path("/tmp") in hidden


def test_the_real_home_is_hidden_whatever_the_environment_says() -> None:
    own = Path(pwd.getpwuid(os.getuid()).pw_dir)
    assert any(own.is_relative_to(path) for path in hidden_folders({"HOME": "/nonexistent"}))


def test_the_folder_of_a_script_is_shown_but_not_a_repository_or_the_home(tmp_path: Path) -> None:
    home = tmp_path / "home"
    for name in ("agents/a.py", "repo/b.py", "c.py", "data/d.toml"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("")
    (home / "repo/.git").mkdir()
    names = [str(home / name) for name in ("agents/a.py", "repo/b.py", "c.py", "data/d.toml")]
    shown = [path for view, path in views(Sandbox(), Path("/"), home, "/bin/sh", *names) if view is View.READ]
    assert set(shown) >= {home / "agents", home / "repo/b.py", home / "c.py", home / "data/d.toml"}
    assert home / "data" not in shown
    assert home / "repo" not in shown
    assert home not in shown


def test_a_link_in_a_folder_that_is_shown_is_not_mounted_over(tmp_path: Path) -> None:
    """A virtual environment below the home folder: its python is a link, and bubblewrap cannot mount on one."""
    real = tmp_path / "home/versions/bin/python"
    link = tmp_path / "home/project/.venv/bin/python"
    for path in (real, link):
        path.parent.mkdir(parents=True)
    real.write_text("#!/bin/sh\n")
    real.chmod(0o755)
    link.symlink_to(real)
    (tmp_path / "home/project/.venv/pyvenv.cfg").write_text(f"home = {real.parent}\n")
    workspace = tmp_path / "work"
    workspace.mkdir()
    found = [path for _, path in views(Sandbox(), workspace, tmp_path / "home", str(link))]
    assert tmp_path / "home/project/.venv" in found
    assert link not in found
