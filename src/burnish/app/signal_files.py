"""The signals in a session's folder, as they are found: whatever lies there is somebody's text."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from burnish.errors import UsageError
from burnish.repository_files import read_below
from burnish.sanitise import clean_line, decoded
from burnish.specs.signal_text import read_signal
from burnish.specs.signals import Signal, in_order, parse_name

FOLDER = ".signals"
# What agents leave for themselves is none of the session's signals.
_PRIVATE = ".agents"
MAX_BYTES = 256 * 1024
MAX_ENTRIES = 100_000


@dataclass(frozen=True)
class FoundSignal:
    """`name` is the file's name, with the folders above it when it is not where signals belong."""

    name: str
    signal: Signal


@dataclass(frozen=True)
class FoundSignals:
    """In the order in which they come about; `strays` lie in the wrong folder, `damaged` are sentences."""

    signals: tuple[FoundSignal, ...]
    strays: tuple[str, ...] = ()
    damaged: tuple[str, ...] = ()


def find_signals(folder: Path) -> FoundSignals:
    """All signals of a session, whose folder or whose `.signals` folder is given; no symlink is followed."""
    if not folder.is_dir():
        what = "a file" if folder.exists() else "nothing there"
        raise UsageError(
            f"expected the folder of a session, found {what}: {clean_line(str(folder))}",
            hint="sessions lie in .burnish/sessions/",
        )
    own = "" if folder.resolve().name == FOLDER else FOLDER
    found: list[FoundSignal] = []
    strays: list[str] = []
    damaged: list[str] = []
    if own and (folder / own).is_symlink():
        damaged.append(f"{own} is a symlink, which is not followed.")
    for path in _signal_files(folder):
        above = path.parent.relative_to(folder).as_posix()
        in_place = above == (own or ".")
        name = path.name if in_place else path.relative_to(folder).as_posix()
        try:
            found.append(FoundSignal(name, read_signal(path.name, _content(folder, path))))
        except UsageError as error:
            damaged.append(error.message)
            continue
        if not in_place:
            strays.append(name)
    ordered = sorted(found, key=lambda one: (in_order(one.signal), one.name))
    return FoundSignals(tuple(ordered), tuple(sorted(strays)), tuple(damaged))


def _signal_files(folder: Path) -> Iterator[Path]:
    seen = 0
    for here, folders, files in os.walk(folder, onerror=_refuse):
        folders[:] = sorted(name for name in folders if name != _PRIVATE)
        seen += len(folders) + len(files)
        if seen > MAX_ENTRIES:
            raise UsageError(
                f"{clean_line(str(folder))} has more than {MAX_ENTRIES} entries, which no session has.",
                hint="give the folder of one session",
            )
        yield from (Path(here, name) for name in sorted(files) if parse_name(name))


def _refuse(error: OSError) -> None:
    raise UsageError(
        f"cannot list {clean_line(str(error.filename))}: {error.strerror}.", hint="look at its permissions"
    )


def _content(folder: Path, path: Path) -> str:
    """At most so much of a regular file; anything else of that name is no signal."""
    name = clean_line(path.name)
    try:
        data = read_below(folder, path.relative_to(folder), MAX_BYTES)
    except OSError as error:
        raise UsageError(f"signal {name} cannot be read: {error.strerror}.") from None
    if len(data) > MAX_BYTES:
        raise UsageError(f"signal {name} is damaged: it is larger than {MAX_BYTES // 1024} KB.")
    return decoded(data)
