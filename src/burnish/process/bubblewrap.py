"""Bubblewrap: where it is, whether it works here, and the command line that runs a child in it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from burnish.ports import Sandbox
from burnish.process.child import Command
from burnish.process.mounts import Mount, View, plan

# Only folders of the system: a bubblewrap from PATH could be one that the workspace brought along.
FOLDERS = tuple(Path(name) for name in ("/usr/bin", "/bin", "/usr/local/bin", "/run/current-system/sw/bin"))
CHECK_S = 10.0
NAMESPACES = (
    "--die-with-parent", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try",
    # As root, bubblewrap keeps every capability unless told otherwise.
    "--cap-drop", "ALL", "--new-session",
)  # fmt: skip
# Root needs no capability to write kernel settings (core_pattern: any program on the host, as root), and
# bubblewrap takes that folder for read-only because the folder itself is.
SYSTEM = ("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys")
# For root the kernel refuses a user namespace inside to whoever has no capabilities. In one that knows root
# by another number it has no more rights than before, and root gets what an ordinary user has anyhow.
AS_USER = ("--unshare-user", "--uid", "1000", "--gid", "1000")
# Between its start and its last set-up step bubblewrap does not notice that we died. So the first thing
# that runs inside is a watcher on our pipe ($0), which ends everything when that closes. It ends every
# process it can see, so it must first see that it is in a process namespace of bubblewrap's.
WATCHED = (
    'read -r first </proc/1/comm && [ "$first" = bwrap ] || exit 125; '
    '( (read -r _ <"/proc/self/fd/$0"; kill -9 -1) </dev/null >/dev/null 2>&1 & ); exec "$@"'
)


def find(folders: tuple[Path, ...] = FOLDERS) -> Path | None:
    """Bubblewrap's own path, if it is installed by the system."""
    return next((path for path in (folder / "bwrap" for folder in folders) if os.access(path, os.X_OK)), None)


@cache
def works(bwrap: Path) -> bool:
    """Whether a sandbox can be made here at all: some containers and kernels forbid it."""
    return _succeeds([str(bwrap), *NAMESPACES, *SYSTEM, "--tmpfs", "/tmp", "--", "/bin/sh", "-c", "exit 0"])  # noqa: S108


@cache
def nests(bwrap: Path) -> bool:
    """Whether a child of ours can make a sandbox of its own with bubblewrap."""
    inner = (str(bwrap), "--unshare-user", "--unshare-pid", "--ro-bind", "/", "/", "--dev", "/dev")
    outer = (str(bwrap), *NAMESPACES, *_nesting(), *SYSTEM, "--tmpfs", "/tmp")  # noqa: S108
    return _succeeds([*outer, "--", *inner, "--", "/bin/sh", "-c", "exit 0"])


def _succeeds(trial: list[str]) -> bool:
    try:
        done = subprocess.run(trial, capture_output=True, timeout=CHECK_S, check=False, cwd="/", env={})
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _nesting() -> tuple[str, ...]:
    return AS_USER if os.geteuid() == 0 else ()


def usable(folders: tuple[Path, ...] = FOLDERS) -> Path | None:
    """The bubblewrap to use, or None."""
    found = find(folders)
    return found if found and works(found) else None


def arguments(
    bwrap: Path, command: Command, status_fd: int, control_fd: int, filter_fd: int | None = None
) -> list[str]:
    """The whole command line: namespaces, mounts, then the child behind its watcher."""
    sandbox = command.sandbox or Sandbox()
    return [
        str(bwrap),
        *NAMESPACES,
        *(_nesting() if sandbox.nests else ()),
        *(() if sandbox.network else ("--unshare-net",)),
        *("--json-status-fd", str(status_fd)),
        *(() if filter_fd is None else ("--seccomp", str(filter_fd))),
        *SYSTEM,
        *(word for mount in plan(sandbox, command) for word in _words(mount)),
        # The folder it names outside may not be there inside.
        *(("--setenv", "TMPDIR", "/tmp") if "TMPDIR" in command.env else ()),  # noqa: S108
        *("--chdir", os.path.realpath(command.cwd)),
        *("--", "/bin/sh", "-c", WATCHED, str(control_fd)),
        *command.argv,
    ]


def isolation_name(sandbox: Sandbox | None) -> str:
    return "bubblewrap" if sandbox is None or sandbox.network else "bubblewrap, no network"


def _words(mount: Mount) -> Iterator[str]:
    path, source = str(mount.path), str(mount.source)
    if mount.view is View.WRITE:
        yield from ("--bind", source, path)
    elif mount.view is View.READ:
        yield from ("--ro-bind", source, path)
    elif os.path.isdir(path):  # noqa: PTH112
        yield from ("--tmpfs", path)
    else:
        yield from ("--ro-bind", "/dev/null", path)
