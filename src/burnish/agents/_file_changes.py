"""What an agent changed in a folder: seen from outside, kept as data, and done again elsewhere."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from burnish.errors import AgentFailed

MOST_BYTES = 16 * 1024 * 1024
_EXECUTABLE = 0o111
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
Look = Mapping[str, tuple[int, ...]]


@dataclass(frozen=True)
class FileChange:
    """A file as it is afterwards: gone (None), a link to `link`, or its bytes. `too_large`: not kept."""

    path: str
    data: bytes | None = None
    link: str = ""
    executable: bool = False
    too_large: bool = False


def look(folder: Path) -> Look:
    """Every file and link below a folder, with what changes when it does; nothing of git's own."""
    found = {}
    for path, name in _walk(folder):
        try:
            seen = path.lstat()
        except OSError:
            continue
        if stat.S_ISREG(seen.st_mode) or stat.S_ISLNK(seen.st_mode):
            found[name] = (seen.st_mode, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino)
    return found


def changes(folder: Path, before: Look) -> tuple[FileChange, ...]:
    after = look(folder)
    gone = tuple(FileChange(name) for name in sorted(before.keys() - after.keys()))
    changed = sorted(name for name, seen in after.items() if before.get(name) != seen)
    return (*gone, *(_kept(folder, name) for name in changed))


def redo(folder: Path, wanted: tuple[FileChange, ...]) -> None:
    """Raises AgentFailed for a path that is not simply a file below the folder: recordings are data."""
    for change in wanted:
        if change.too_large:
            raise AgentFailed(
                f"the recording has not kept {change.path!r}, which was larger than {MOST_BYTES} bytes",
                hint="record it without large files",
            )
        _redo(_place(folder, change.path), change)


def _redo(path: Path, change: FileChange) -> None:
    if path.is_dir() and not path.is_symlink():
        raise AgentFailed(f"the recording has a file {change.path!r} where there is a folder")
    path.unlink(missing_ok=True)
    if change.link:
        path.symlink_to(change.link)
    elif change.data is not None:
        with os.fdopen(os.open(path, _NEW, 0o777 if change.executable else 0o666), "wb") as file:
            file.write(change.data)


def _place(folder: Path, name: str) -> Path:
    """Every folder on the way is a real one, so that nothing is written elsewhere through a link."""
    parts = PurePosixPath(name).parts
    bad = not parts or "\0" in name or name.startswith("/") or ".." in parts
    if bad or any(part.casefold() == ".git" for part in parts):
        raise AgentFailed(f"the recording names {name!r}, which is not a path of a file in the workspace")
    place = folder
    for part in parts[:-1]:
        place = place / part
        if place.is_symlink() or (place.exists() and not place.is_dir()):
            raise AgentFailed(f"the recording has a file {name!r}, but {part!r} is not a folder")
        place.mkdir(exist_ok=True)
    return place / parts[-1]


def _kept(folder: Path, name: str) -> FileChange:
    path = folder / name
    try:
        if path.is_symlink():
            return FileChange(name, link=os.readlink(path))  # noqa: PTH115
        seen = path.lstat()
        executable = bool(seen.st_mode & _EXECUTABLE)
        if seen.st_size > MOST_BYTES:
            return FileChange(name, executable=executable, too_large=True)
        return FileChange(name, path.read_bytes(), executable=executable)
    except FileNotFoundError:
        return FileChange(name)
    except OSError:
        return FileChange(name, too_large=True)


def _walk(folder: Path) -> Iterator[tuple[Path, str]]:
    for base, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name != ".git"]
        links = [name for name in folders if (Path(base) / name).is_symlink()]
        for name in (*files, *links):
            path = Path(base) / name
            yield path, path.relative_to(folder).as_posix()
