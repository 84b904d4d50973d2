"""A CLI's session kept beyond its step: the file it wrote it down in, and what it had used by then."""

from __future__ import annotations

import fnmatch
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from burnish import codec
from burnish.agents._adapter import CliAdapter
from burnish.model.agent import Request, Usage
from burnish.model.step import Role

MOST_BYTES = 32 * 1024 * 1024
MOST_ENTRIES = 1000
ABOUT = "session.json"
TRANSCRIPT = "transcript.jsonl"
# It becomes a word of a command line and part of a path.
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{3,99}", re.A)
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True)
class KeptSession:
    """`name` is where the transcript lay below the CLI's home, empty where none was found; `used` is all that
    the session had used when it was kept, as the CLI itself counts."""

    adapter: str
    session: str
    name: str
    used: Usage = Usage()


def keep(request: Request, adapter: CliAdapter, home: Path, session: str, used: Usage) -> bool:
    """Keep the session where the request wants it; whether it is.

    The home was the agent's to write in: nothing but a plain file in plain folders is taken. One without any
    is noted all the same: played again from a recording, it is known by its name.
    """
    use = request.sessions
    if use is None or request.role is Role.REVIEW or not _ID.fullmatch(session):
        return False
    pattern = PurePosixPath(adapter.transcript(request.workspace, session))
    found = _transcript(home, pattern.parts)
    try:
        use.keep.mkdir(parents=True, exist_ok=True, mode=0o700)
        if found is not None:
            _write(use.keep / TRANSCRIPT, found[1])
        kept = KeptSession(adapter.name, session, found[0] if found else "", used)
        # The last of all: with it the session is whole.
        _write(use.keep / ABOUT, codec.dumps(codec.plain(kept)).encode())
    except OSError:
        return False
    return True


def earlier(request: Request) -> KeptSession | None:
    """The session that a request wants to go on with, as far as it is there. A reviewer never has one."""
    use = request.sessions
    if use is None or use.goes_on is None or request.role is Role.REVIEW:
        return None
    about = _read(use.goes_on / ABOUT)
    try:
        kept: KeptSession = codec.validate(KeptSession, codec.loads((about or b"").decode("utf8")))
    except ValueError:
        return None
    return kept if _ID.fullmatch(kept.session) else None


def place(request: Request, adapter: CliAdapter, home: Path, kept: KeptSession | None) -> str:
    """Put the transcript where the CLI looks for it from its new workspace; why not, where that cannot be."""
    use = request.sessions
    if use is None or use.goes_on is None or kept is None:
        return "the session of the step before is not there any more"
    if kept.adapter != adapter.name or not adapter.abilities.resume:
        return f"the session of the step before is one of {kept.adapter}"
    pattern = adapter.transcript(request.workspace, kept.session)
    name = PurePosixPath(kept.name if "*" in pattern else pattern)
    data = _read(use.goes_on / TRANSCRIPT) if kept.name else None
    if data is None or ".." in name.parts or name.is_absolute() or not name.match(pattern):
        return "the transcript of the session before is not there any more"
    try:
        (home / name).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        _write(home / name, data)
    except OSError as error:
        return f"the transcript of the session before cannot be put into place ({error.strerror})"
    return ""


def _transcript(home: Path, parts: tuple[str, ...]) -> tuple[str, bytes] | None:
    try:
        folder = os.open(home, _READ | os.O_DIRECTORY)
    except OSError:
        return None
    try:
        return _below(folder, parts)
    finally:
        os.close(folder)


def _below(folder: int, parts: tuple[str, ...]) -> tuple[str, bytes] | None:
    """The first file that fits, by its path from here, and what is in it."""
    first, rest = parts[0], parts[1:]
    for name in sorted(fnmatch.filter(os.listdir(folder), first))[:MOST_ENTRIES]:
        try:
            handle = os.open(name, _READ | (os.O_DIRECTORY if rest else 0), dir_fd=folder)
        except OSError:
            continue
        try:
            if not rest:
                data = _content(handle)
                found = None if data is None else ("", data)
            else:
                found = _below(handle, rest)
        finally:
            os.close(handle)
        if found is not None:
            return f"{name}/{found[0]}".rstrip("/"), found[1]
    return None


def _read(path: Path) -> bytes | None:
    try:
        handle = os.open(path, _READ)
    except OSError:
        return None
    try:
        return _content(handle)
    finally:
        os.close(handle)


def _content(handle: int) -> bytes | None:
    """Of a plain file that has no second name and is not too large."""
    about = os.fstat(handle)
    if not stat.S_ISREG(about.st_mode) or about.st_nlink != 1 or about.st_size > MOST_BYTES:
        return None
    with os.fdopen(os.dup(handle), "rb") as file:
        return file.read(MOST_BYTES)


def _write(path: Path, data: bytes) -> None:
    """Whole or not at all, for its owner alone."""
    beside = path.with_name(f".{path.name}.new")
    beside.unlink(missing_ok=True)
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
