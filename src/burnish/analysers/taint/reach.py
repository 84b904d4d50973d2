"""Which other files of the tree lead into those under review: who imports them, and who imports those."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

# Callers of callers; the pass itself follows calls about as deep.
LEVELS = 4
# Under this name the files that use what is reviewed are listed where they were not followed whole.
CALLERS = "(callers)"
MOST_FILES = 300
READ_BYTES = 200_000
# An import can go on over lines within brackets, and no further than this.
_IMPORT = re.compile(rb"^[ \t]*(?:from|import)[ \t][^\n(]{0,500}(?:\([^()]{0,5000}\))?", re.MULTILINE)
_WORD = re.compile(rb"\w+")


def leading_into(
    root: Path, files: Iterable[str], wanted: frozenset[str], most: int = MOST_FILES
) -> tuple[tuple[str, ...], int]:
    """Files outside of `wanted`, the nearest first, and how many more there are than are followed.

    A word of an import decides, so that it finds one too many rather than one too few.
    """
    others = [file for file in files if file not in wanted]
    users: dict[str, list[str]] = defaultdict(list)
    for file in others:
        for word in _imported(root / file):
            users[word].append(file)
    found: dict[str, None] = {}
    nearest = set(wanted)
    for _ in range(LEVELS):
        names = {_stem(file) for file in nearest}
        nearest = {file for name in names for file in users.get(name, ()) if file not in found}
        found |= dict.fromkeys(sorted(nearest))
        if not nearest:
            break
    return tuple(found)[:most], max(0, len(found) - most)


def _stem(file: str) -> str:
    """What an import calls it: a package by its folder."""
    path = PurePosixPath(file)
    return path.parent.name if path.name == "__init__.py" else path.stem


def _imported(path: Path) -> set[str]:
    """Imports stand mostly at the top; those further down than this are not seen."""
    try:
        with path.open("rb") as file:
            text = file.read(READ_BYTES)
    except OSError:
        return set()
    words = {word for line in _IMPORT.findall(text) for word in _WORD.findall(line)}
    return {word.decode("utf8", "replace") for word in words}
