"""What a sandboxed child sees of the disk: one list of mounts, ordered so that the deeper one wins."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from pwd import getpwuid

from burnish.ports import Sandbox
from burnish.process import secrets
from burnish.process.child import Command
from burnish.process.environment import certificate_paths
from burnish.process.program import inside
from burnish.process.tool_paths import tool_paths

TEMPORARY = (Path("/tmp"), Path("/var/tmp"), Path("/run"), Path("/var/run"))  # noqa: S108 - hidden, not used
HOMES = (Path("/root"), Path("/home"))
_NEVER_HIDDEN = "/usr /bin /sbin /lib /lib32 /lib64 /etc /proc /sys /dev /nix /boot"
NEVER_HIDDEN = tuple(Path(name) for name in _NEVER_HIDDEN.split())
SCRIPTS = (".py", ".sh", ".bash", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".php", ".lua")
RESOLVER = Path("/etc/resolv.conf")
# Each is a mount of its own, and bubblewrap takes longer for each one than for the one before.
MOST_KEPT = 200
_WHOLE_PATH = re.compile(r"(?<![\w./~-])/[\w.+@/-]{1,4000}")


class View(IntEnum):
    """How a path is seen. At the same path the higher number wins."""

    EMPTY = 0
    BLANK = 1
    READ = 2
    WRITE = 3
    HIDDEN = 4

    @property
    def shows(self) -> bool:
        return self in (View.READ, View.WRITE)


@dataclass(frozen=True)
class Mount:
    """`source` is seen at `path`; both are real paths: bubblewrap would lose its way on a link."""

    view: View
    path: Path
    source: Path


def hidden_folders(env: Mapping[str, str]) -> tuple[Path, ...]:
    """Folders that a child finds empty: homes, temporary files, and the sockets of the system."""
    homes = [*HOMES, *_own_homes(env)]
    wanted = [Path(os.path.realpath(path)) for path in (*TEMPORARY, *homes)]
    return tuple(dict.fromkeys(path for path in wanted if _can_be_hidden(path)))


def plan(sandbox: Sandbox, command: Command) -> list[Mount]:
    """All mounts over a read-only root, parents before what lies in them."""
    hidden = hidden_folders(command.env)
    wanted = [Mount(View.EMPTY, path, path) for path in hidden]
    homes = _own_homes(command.env)
    blank = [path for home in homes for path in secrets.in_home(home)]
    wanted += _mounts(View.BLANK, (*blank, *secrets.of_the_system()), hidden)
    readable = (
        *_needed(command, hidden, sandbox.network),
        *(home / _in_home(path) for home in homes for path in sandbox.home_paths),
        *sandbox.readable,
        *sandbox.sockets,
    )
    wanted += _mounts(View.READ, readable, hidden)
    wanted += _mounts(View.WRITE, sandbox.writable, hidden)
    for folder in sandbox.kept:
        wanted += _kept(folder, hidden)
    wanted += _mounts(View.HIDDEN, sandbox.hidden, hidden)
    return _ordered(wanted)


def _ordered(wanted: Iterable[Mount]) -> list[Mount]:
    """Shallow first; the strongest view of each path; nothing that its parent already shows."""
    strongest: dict[Path, Mount] = {}
    for mount in wanted:
        if mount.path not in strongest or mount.view > strongest[mount.path].view:
            strongest[mount.path] = mount
    kept: dict[Path, Mount] = {}
    for path in sorted(strongest, key=lambda path: (len(path.parts), path)):
        mount = strongest[path]
        above = next((kept[parent] for parent in path.parents if parent in kept), None)
        seen = above.view if above else View.READ
        if mount.view.shows and mount.view == seen and mount.source == path:
            continue
        # A link that is seen through the folder it lies in is not lost, and nothing can be mounted on it.
        if mount.source != path and above is not None and above.view.shows:
            continue
        if mount.view in (View.BLANK, View.HIDDEN) and not seen.shows:
            continue
        kept[path] = mount
    return list(kept.values())


def _needed(command: Command, hidden: tuple[Path, ...], network: bool) -> Iterator[Path]:
    yield command.cwd
    for program in _programs(command):
        yield from tool_paths(command.env.get("PATH", ""), program, hidden)
    yield from certificate_paths(command.env)
    private = tuple(path for home in _own_homes(command.env) for path in secrets.in_home(home))
    yield from (path for path in _named(command.argv, hidden) if not inside(path, private))
    if network:
        # A link into /run on many systems: without it no name would resolve.
        yield Path(os.path.realpath(RESOLVER))


def _named(arguments: Iterable[str], hidden: tuple[Path, ...]) -> Iterator[Path]:
    """Files and folders that the command line itself names by their full path, and a script's own folder."""
    for argument in arguments:
        path = Path(argument.rpartition("=")[2] if argument.startswith("-") else argument)
        if not path.is_absolute() or len(argument) > 4096 or not os.path.exists(path):  # noqa: PTH110
            continue
        if any(folder.is_relative_to(path) for folder in hidden):
            continue
        yield path
        folder = path.parent
        private = folder in hidden or os.path.lexists(folder / ".git")
        if _is_script(path) and not private and not any(root.is_relative_to(folder) for root in hidden):
            yield folder


def _is_script(path: Path) -> bool:
    """A program often consists of more than the one file that is named; data does not."""
    return path.is_file() and (path.suffix in SCRIPTS or os.access(path, os.X_OK))


def _mounts(view: View, paths: Iterable[Path], hidden: tuple[Path, ...]) -> Iterator[Mount]:
    for path in paths:
        if not os.path.exists(path):  # noqa: PTH110 - False where we may not look
            continue
        real = Path(os.path.realpath(path))
        yield Mount(view, real, real)
        spelling = _lost_spelling(path, hidden) if view.shows and real != path else None
        if spelling:
            yield Mount(view, spelling, real)


def _lost_spelling(path: Path, hidden: tuple[Path, ...]) -> Path | None:
    """The path as it was written, if a link in it is hidden and so leads nowhere in the sandbox."""
    parts = path.parts
    for count in range(1, len(parts) + 1):
        step = Path(*parts[:count])
        if step.is_symlink() and inside(Path(os.path.realpath(step.parent)), hidden):
            return Path(os.path.realpath(step.parent), *parts[count - 1 :])
    return None


def _kept(folder: Path, hidden: tuple[Path, ...]) -> Iterator[Mount]:
    """A folder that can be written in, under read-only mounts of all that is in it now.

    Nothing can be mounted on a link: one at the top can be replaced. With too many entries all is read-only.
    """
    entries = [path for path in sorted(folder.glob("*")) if not path.is_symlink()]
    if len(entries) > MOST_KEPT:
        yield from _mounts(View.READ, (folder,), hidden)
        return
    yield from _mounts(View.WRITE, (folder,), hidden)
    yield from _mounts(View.READ, entries, hidden)


def _in_home(path: Path) -> Path:
    """`~/x` as `x`; relative paths count from the home folder."""
    return Path(*path.parts[1:]) if path.parts[:1] == ("~",) else path


def _own_homes(env: Mapping[str, str]) -> list[Path]:
    try:
        listed = getpwuid(os.getuid()).pw_dir
    except KeyError:
        listed = ""
    return list(dict.fromkeys(Path(home) for home in (env.get("HOME", ""), listed) if home.startswith("/")))


def _can_be_hidden(path: Path) -> bool:
    if path == Path("/") or any(path.is_relative_to(root) for root in NEVER_HIDDEN):
        return False
    return path not in (Path("/var"), Path("/opt"), Path("/mnt")) and os.path.isdir(path)  # noqa: PTH112


def _programs(command: Command) -> list[Path]:
    """The program, and for a line given to a shell those it names by their whole path: a gate often does."""
    found = [Path(command.argv[0])]
    if len(command.argv) == 3 and command.argv[1] == "-c":
        named = (Path(word) for word in _WHOLE_PATH.findall(command.argv[2]))
        found += [path for path in named if path.is_file() and os.access(path, os.X_OK)]
    return list(dict.fromkeys(found))
