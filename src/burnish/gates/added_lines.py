"""A diff, read: which lines a change adds, where they stand, and what goes beside them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

_HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


@dataclass(frozen=True)
class Hunk:
    """`added` and `removed` are lines without their line feed; the first of `added` stands at `start`."""

    path: str
    start: int
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    def numbered(self) -> Iterator[tuple[int, str]]:
        return enumerate(self.added, self.start)


def read_hunks(text: str) -> list[Hunk]:
    """Lines are counted as the hunks' heads say, so that no content is taken for a head."""
    lines = iter(text.split("\n"))
    found: list[Hunk] = []
    path = ""
    for line in lines:
        head = _HUNK.match(line)
        if line.startswith("+++ "):
            path = _path(line.removeprefix("+++ "))
        elif head:
            found += _runs(path, lines, head)
    return [hunk for hunk in found if hunk.path]


def _runs(path: str, lines: Iterator[str], head: re.Match[str]) -> list[Hunk]:
    """What stands together between lines that stay."""
    old, new, at = int(head[1] or "1"), int(head[3] or "1"), int(head[2])
    found: list[Hunk] = []
    start, added, removed = at, list[str](), list[str]()
    while old > 0 or new > 0:
        line = next(lines, None)
        if line is None:
            break
        if line.startswith("-"):
            removed.append(line[1:])
            old -= 1
        elif line.startswith("+"):
            added.append(line[1:])
            new, at = new - 1, at + 1
        elif not line.startswith("\\"):
            found.append(Hunk(path, start, tuple(added), tuple(removed)))
            old, new, at = old - 1, new - 1, at + 1
            start, added, removed = at, [], []
    return [
        hunk
        for hunk in (*found, Hunk(path, start, tuple(added), tuple(removed)))
        if hunk.added or hunk.removed
    ]


def _path(named: str) -> str:
    """Git quotes names with odd characters in them, as Python writes them; nothing for a deleted file."""
    if named.startswith('"'):
        try:
            named = str(ast.literal_eval(named.rstrip("\t")))
        except (ValueError, SyntaxError):
            return ""
    named = named.rstrip("\t")
    return named.removeprefix("b/") if named.startswith("b/") else ""
