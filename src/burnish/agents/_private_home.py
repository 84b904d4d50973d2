"""The configuration home of one session: a folder of our own in which only the user's login is theirs."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from burnish import codec
from burnish.agents._adapter import Call

MOST_BYTES = 1024 * 1024


class PrivateHome:
    """Made beside a desk, so it lies where runs are kept and goes when they go."""

    def __init__(self, beside: Path) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="agent-", dir=beside))
        self._links: dict[Path, tuple[Path, bytes]] = {}

    def furnish(self, call: Call) -> None:
        for path, text in call.files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            if not os.path.lexists(path):
                path.touch(mode=0o700 if text.startswith("#!") else 0o600)
                path.write_text(text, "utf8")
        for path, target in call.links.items():
            if not os.path.lexists(path):
                path.symlink_to(target)
                self._links[path] = (target, _content(target))

    def give_back(self) -> None:
        """A renewed login that the CLI put in the place of our link is the only valid one: it goes home."""
        for path, (target, before) in self._links.items():
            if path.is_symlink() or not path.is_file():
                continue
            renewed = _content(path)
            # Renewed elsewhere meanwhile, the user's own is newer than ours.
            if renewed and renewed != before and _content(target) == before and _is_login(renewed):
                _replace(target, renewed)

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(MOST_BYTES)
    except OSError:
        return b""


def _is_login(data: bytes) -> bool:
    try:
        found = codec.loads(data.decode("utf8"))
    except ValueError:
        return False
    return isinstance(found, Mapping) and bool(found)


def _replace(target: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=target.parent)
    try:
        os.write(handle, data)
        os.fsync(handle)
    finally:
        os.close(handle)
    Path(name).replace(target)
