"""A folder of ours inside the user's repository: rendered files only, never through a symlink."""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from burnish.git.files import remove_folder, write_atomically

OWN = ".burnish"
_HALF = re.compile(r"\..+\.(\d{1,9})\.tmp")
KEPT = 20
_NAMELESS = re.compile(r"WFS-review-\d{13,}")


@dataclass
class Folder:
    """`trouble` is the first reason why files could not be written; a review goes on without them."""

    root: Path
    path: str
    trouble: str = ""
    _made: set[Path] = field(default_factory=set)

    @property
    def place(self) -> Path:
        return self.root / OWN / self.path

    def write(self, name: str, text: str) -> None:
        if self.trouble:
            return
        target = Path(os.path.normpath(self.place / name))
        try:
            self._make(target.parent)
            if target.is_symlink():
                raise OSError(f"{target} is a symlink")
            write_atomically(target, text.encode("utf8", "replace"))
        except OSError as error:
            self.trouble = f"{target} could not be written: {error.strerror or error}"

    def write_if_missing(self, name: str, text: str) -> None:
        if not Path(os.path.normpath(self.place / name)).exists():
            self.write(name, text)

    def prune(self, kept: int = KEPT) -> None:
        """Folders of reviews that had no session of their own, but for the newest; what is not ours stays."""
        sessions = self.root / OWN / "sessions"
        if (self.root / OWN).is_symlink() or sessions.is_symlink() or not sessions.is_dir():
            return
        made = [
            path for path in sessions.iterdir() if _NAMELESS.fullmatch(path.name) and not path.is_symlink()
        ]
        for path in sorted(made, key=lambda path: path.name)[: -kept or None]:
            remove_folder(path)

    def remove(self, name: str) -> None:
        target = Path(os.path.normpath(self.place / name))
        try:
            if not self.trouble and os.path.lexists(target):
                self._make(target.parent)
                target.unlink(missing_ok=True)
        except OSError as error:
            self.trouble = f"{target} could not be removed: {error.strerror or error}"

    def _make(self, folder: Path) -> None:
        """Every part from .burnish on must be a real folder; .burnish ignores itself."""
        if folder in self._made:
            return
        own = self.root / OWN
        if folder != own and not folder.is_relative_to(own):
            raise OSError(f"{folder} is outside {own}")
        parts = [own, *(own / parent for parent in reversed(folder.relative_to(own).parents)), folder]
        for part in dict.fromkeys(parts):
            part.mkdir(exist_ok=True)
            if not stat.S_ISDIR(part.lstat().st_mode):
                raise OSError(f"{part} is not a folder")
        ignore = own / ".gitignore"
        if not os.path.lexists(ignore):
            write_atomically(ignore, b"*\n")
        _sweep(folder)
        self._made.add(folder)


def _sweep(folder: Path) -> None:
    """Takes away halves of files whose writers were killed; another review may be writing there right now."""
    for path in folder.glob(".*.tmp"):
        found = _HALF.fullmatch(path.name)
        if found and not psutil.pid_exists(int(found[1])):
            path.unlink(missing_ok=True)
