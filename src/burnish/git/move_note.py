"""Which move of a branch is about to be made, and for which run: whoever comes after a kill finds it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from burnish.git.files import read_small, trouble_told, write_atomically


@dataclass(frozen=True)
class Move:
    run: str
    target: str
    new: str
    old: str


@dataclass(frozen=True)
class MoveNote:
    path: Path

    def write(self, move: Move) -> None:
        fields = (move.run, move.target, move.new, move.old)
        with trouble_told("noting which branch is about to be moved"):
            write_atomically(self.path, " ".join(fields).encode("utf8", "surrogateescape"))

    def read(self) -> Move | None:
        """Names of branches have no spaces."""
        fields = (read_small(self.path) or b"").decode("utf8", "surrogateescape").split(" ")
        return Move(*fields) if len(fields) == 4 else None

    def forget(self) -> None:
        self.path.unlink(missing_ok=True)
