"""What every git call of ours is told: our own configuration, flags and environment, never the user's."""

from __future__ import annotations

import os
from pathlib import Path

from burnish.git.files import read_small, remove_folder, write_atomically

MINIMUM_VERSION = (2, 38)  # the first with safe.bareRepository

# Read by git and by the helpers it starts (upload-pack), but a repository's own configuration beats it.
CONFIG = """\
[safe]
\tdirectory = *
\tbareRepository = explicit
[core]
\thooksPath = /dev/null
\tattributesFile = /dev/null
\texcludesFile = /dev/null
\tfsmonitor = false
[gc]
\tauto = 0
[maintenance]
\tauto = false
[protocol]
\tallow = never
[protocol "file"]
\tallow = always
[submodule]
\trecurse = false
[fetch]
\trecurseSubmodules = false
"""

# Beat a repository's own configuration, but do not reach the helpers git starts. Hence both.
FLAGS = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.alternateRefsCommand=true",
    "core.sshCommand=false",
    "core.pager=cat",
    "core.quotePath=false",
    "credential.helper=",
    "gc.auto=0",
    "maintenance.auto=false",
    "submodule.recurse=false",
    "safe.directory=*",
)

# For calls that look at a working tree with a git directory of ours: no guesses about the file system.
TREE_FLAGS = (
    "core.bare=false",
    "core.fileMode=true",
    "core.symlinks=true",
    "core.ignoreCase=false",
    "core.protectNTFS=true",
    "core.protectHFS=true",
    "core.safecrlf=false",
)


# Our git directories have none of these. Each would change what git runs, ignores or takes for its settings.
STEERING = (
    "commondir", "config.worktree", "hooks", "info/attributes", "info/exclude", "info/grafts",
    "info/sparse-checkout",
)  # fmt: skip
# The git directories in the state folder that our own calls work with, by their names.
OWN = ("run.git", "mirror.git")


def environment(program: Path, config: Path) -> dict[str, str]:
    """The whole environment of a git call: an allow-list, so nothing of the caller's can steer it."""
    return {
        "PATH": os.pathsep.join(dict.fromkeys((os.fspath(program.parent), "/usr/bin", "/bin"))),
        "HOME": "/nonexistent",
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.fspath(config),
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "file",
        "GIT_OPTIONAL_LOCKS": "0",
    }


def write_config(state: Path) -> Path:
    """Our configuration file in the state folder, made again when it is missing or was edited."""
    path = state / "git" / "config"
    path.parent.mkdir(parents=True, exist_ok=True)
    _renew(path, CONFIG)
    return path


def own_config(object_format: str, *, bare: bool = True) -> str:
    """The configuration of a git directory of ours; one that is not bare is that of a checkout."""
    version = 0 if object_format == "sha1" else 1
    yes, no = ("true", "false") if bare else ("false", "true")
    text = f"[core]\n\trepositoryformatversion = {version}\n\tfilemode = true\n\tbare = {yes}\n"
    text += f"\tlogAllRefUpdates = {no}\n[gc]\n\tauto = 0\n"
    return text + (f"[extensions]\n\tobjectFormat = {object_format}\n" if version else "")


def renew_settings(git_dir: Path, object_format: str) -> None:
    """Everything of a git directory of ours that tells git what to do, as we made it.

    Outside of a sandbox an agent can write there, and git would start a filter of its after it ended.
    """
    if (git_dir / "info").is_symlink():
        (git_dir / "info").unlink()
    for name in STEERING:
        path = git_dir / name
        if os.path.lexists(path):
            remove_folder(path)
    _renew(git_dir / "config", own_config(object_format))


def _renew(path: Path, text: str) -> None:
    data = text.encode()
    if read_small(path) != data:
        if path.is_dir() and not path.is_symlink():
            remove_folder(path)
        write_atomically(path, data)
