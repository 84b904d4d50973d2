"""What every git call of ours is told: our own configuration, flags and environment, never the user's."""

from __future__ import annotations

import os
from pathlib import Path

from burnish.git.files import write_atomically

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
    text = CONFIG.encode()
    if not path.is_file() or path.read_bytes() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, text)
    return path
