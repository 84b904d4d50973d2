"""The files of the base as the reader of a command line sees them: a checkout, and no link out of it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

MAX_BYTES = 64 * 1024
MAX_NAMES = 200_000


class BaseFiles:
    """`text` and `names` of a checkout of ours, in which nothing has run yet."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._names = tuple(_names(root))

    def names(self) -> Iterable[str]:
        return self._names

    def real(self, path: str) -> str:
        inside = os.path.relpath(os.path.realpath(self._root / path), os.path.realpath(self._root))
        return path if inside.startswith("..") else Path(inside).as_posix()

    def text(self, path: str) -> str | None:
        """What a file of the checkout holds, also through a link that stays inside."""
        real = os.path.realpath(self._root / path)
        if not real.startswith(f"{os.path.realpath(self._root)}/") or not Path(real).is_file():
            return None
        with open(real, "rb") as file:  # noqa: PTH123
            data = file.read(MAX_BYTES)
        return None if b"\0" in data else data.decode("utf8", "replace")


def _names(root: Path) -> Iterable[str]:
    count = 0
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name != ".git"]
        for name in (*files, *(each for each in folders if Path(folder, each).is_symlink())):
            count += 1
            if count > MAX_NAMES:
                return
            yield Path(folder, name).relative_to(root).as_posix()
