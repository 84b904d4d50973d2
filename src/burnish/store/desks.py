"""Desks in a folder: the files that pass between Burnish and an agent in one step."""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from burnish.errors import StoreError
from burnish.model.step import Step
from burnish.ports import Desk

LONGEST = 100
SESSION = "session"


class FolderDesks:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def lay(self, step: Step, files: Mapping[str, str]) -> Desk:
        """A desk left by a crashed attempt is cleared first: nothing of it may answer for this one."""
        try:
            return self._lay(self.folder / _name(step.key), files)
        except OSError as error:
            raise StoreError(
                f"laying out the files of step {step.key} failed: {error.strerror}.",
                hint=f"free some space, or look at {self.folder}, then go on",
            ) from error

    def session(self, key: str) -> Path:
        """With the desk, so it goes when the step is done again."""
        return self.folder / _name(key) / SESSION

    def _lay(self, place: Path, files: Mapping[str, str]) -> Desk:
        if place.is_symlink() or place.is_file():
            place.unlink()
        shutil.rmtree(place, ignore_errors=True)
        desk = Desk(place / "inbox", place / "outbox")
        desk.inbox.mkdir(parents=True)
        desk.outbox.mkdir()
        for name, text in files.items():
            path = desk.inbox / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf8", "replace")
        return desk


def _name(key: str) -> str:
    """A folder name of the key's own: what had to be changed or cut gets a hash, so that no two are one."""
    name = re.sub(r"[^A-Za-z0-9.-]+", "_", key).strip("_")
    if re.fullmatch(r"[A-Za-z0-9./-]*", key) and len(name) <= LONGEST:
        return name
    return f"{name[:LONGEST]}-{hashlib.sha256(key.encode('utf8', 'surrogatepass')).hexdigest()[:10]}"
