"""Named pipes that git waits on for ever, looked for only while a call takes long: no other call pays."""

from __future__ import annotations

import asyncio
import os
import stat
from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path

from burnish.git.files import read_small
from burnish.git.names import shown

FIRST_LOOK_S = 1.0
MAX_ENTRIES = 1_000_000
# What git opens by name in a checkout. Other pipes there are somebody's own, and not to be touched.
_OPENED_BY_GIT = (b".gitignore", b".gitattributes", b".gitmodules")


class Watch:
    """Looks after a while, then ever more rarely; ends the call's time limit when it has found a pipe."""

    def __init__(self, places: Iterable[Path]) -> None:
        self._places = tuple(places)
        self._pause_s = FIRST_LOOK_S
        self._timer: asyncio.TimerHandle | None = None
        self._looking: asyncio.Task[None] | None = None
        self.found = ""

    def begin(self, limit: asyncio.Timeout) -> None:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(self._pause_s, self._start, limit)

    def end(self) -> None:
        if self._timer:
            self._timer.cancel()
        if self._looking:
            self._looking.cancel()

    async def looked(self) -> None:
        """A look that is under way is seen to its end: it may be what let git go on."""
        while self._looking is not None and not self._looking.done():
            await asyncio.wait({self._looking})

    def _start(self, limit: asyncio.Timeout) -> None:
        self._looking = asyncio.ensure_future(self._look(limit))

    async def _look(self, limit: asyncio.Timeout) -> None:
        await asyncio.to_thread(self._search)
        if not self.found:
            self._pause_s *= 2
            self.begin(limit)
        elif not limit.expired():
            limit.reschedule(asyncio.get_running_loop().time())

    def _search(self) -> None:
        path = waited_on(self._places)
        self.found = shown(path) if path else ""


def waited_on(places: Iterable[Path]) -> bytes | None:
    """The first pipe in these git directories and working trees that somebody waits to read from."""
    return next((path for place in places for path in _pipes(place) if _has_reader(path)), None)


def _pipes(place: Path) -> Iterator[bytes]:
    """Any pipe of a git directory; in a working tree those with the names that git opens."""
    git_dir = _git_dir(place)
    for inside in (git_dir, git_dir and _common_dir(git_dir)):
        if inside:
            yield from _walk(os.fsencode(inside), anything=True)
    if git_dir != place:
        yield from _walk(os.fsencode(place), anything=False)


def _git_dir(place: Path) -> Path | None:
    """The git directory of a place: itself, the one in it, or above it."""
    if (place / "objects").is_dir() and (place / "refs").is_dir():
        return place
    for up in (place, *place.parents):
        inside = up / ".git"
        if inside.is_dir():
            return inside
        named = read_small(inside)
        if named and named.startswith(b"gitdir:"):
            return up / os.fsdecode(named.removeprefix(b"gitdir:").strip())
    return None


def _common_dir(git_dir: Path) -> Path | None:
    """Where a linked worktree has all that it shares with the others."""
    named = read_small(git_dir / "commondir")
    return git_dir / os.fsdecode(named.strip()) if named else None


def _walk(top: bytes, *, anything: bool) -> Iterator[bytes]:
    """Breadth first, never through a symlink: what lies at the top is the likeliest."""
    waiting, left = deque([top]), MAX_ENTRIES
    while waiting and left > 0:
        try:
            with os.scandir(waiting.popleft()) as entries:
                listed = list(entries)
        except OSError:
            continue
        left -= len(listed)
        for entry in listed:
            if entry.is_dir(follow_symlinks=False):
                if anything or entry.name != b".git":
                    waiting.append(entry.path)
            elif (anything or entry.name in _OPENED_BY_GIT) and _is_pipe(entry):
                yield entry.path


def _is_pipe(entry: os.DirEntry[bytes]) -> bool:
    if entry.is_file(follow_symlinks=False):
        return False
    try:
        return stat.S_ISFIFO(entry.stat(follow_symlinks=True).st_mode)
    except OSError:
        return False


def _has_reader(path: bytes) -> bool:
    """Opening a pipe to write without waiting succeeds only when somebody is at its other end."""
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC))
    except OSError:
        return False
    return True
