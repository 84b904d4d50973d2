"""Where in the repository a failure happened, by the `file:line` that its traceback names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

_PYTHON = re.compile(r'File "([^"]+)", line (\d+)')
# A path with a suffix, then a line; up to a space, a quote or a bracket.
_PLACE = re.compile(r"(?:^|[\s(\"'`@])((?:file://)?[^\s()\"'`:]+\.\w{1,8}):(\d+)")
_ELSEWHERE = ("node_modules/", "site-packages/", ".venv/", "venv/", "vendor/", ".tox/", ".nox/")


@dataclass(frozen=True)
class Place:
    file: str
    line: int


@dataclass(frozen=True)
class Layout:
    """The files of a tree, and the folder they were in when the tests ran."""

    folder: str
    files: frozenset[str]

    def innermost(self, block: tuple[str, ...], *, last: bool) -> Place | None:
        """The deepest frame that is in the repository; runners print it first or last."""
        found = list(self.places(block))
        return (found[-1] if last else found[0]) if found else None

    def places(self, block: tuple[str, ...]) -> Iterator[Place]:
        for line in block:
            for found in (*_PYTHON.finditer(line), *_PLACE.finditer(line)):
                file = self.known(found[1])
                if file:
                    yield Place(file, int(found[2]))

    def known(self, name: str) -> str:
        """A name out of an output as a path of the tree; empty when it is not one of its files."""
        name = name.removeprefix("file://")
        for prefix in (f"{self.folder}/", "./"):
            name = name.removeprefix(prefix)
        if any(part in name for part in _ELSEWHERE):
            return ""
        if name in self.files:
            return name
        return self._by_end(name) if not name.startswith("/") else ""

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in self.files:
            found.setdefault(path.rpartition("/")[2], []).append(path)
        return found

    def _by_end(self, name: str) -> str:
        """Runners that work folder by folder (go, workspaces of npm) print paths from there."""
        pure = PurePosixPath(name)
        if ".." in pure.parts:
            return ""
        fits = [path for path in self._by_name.get(pure.name, ()) if path.endswith(f"/{pure}")]
        return fits[0] if len(fits) == 1 else ""
