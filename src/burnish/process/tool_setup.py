"""What every tool that reads or repairs code gets: where its program may be, its environment, its limits."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from burnish.ports import Sandbox
from burnish.process.program import inside

TIMEOUT_S = 600.0
# Told what a tool is at, for people who look on; an empty text when it is over. Nothing of it is kept.
Progress = Callable[[str], None]


def unseen(text: str) -> None:
    """Nobody looks on."""


@dataclass(frozen=True)
class ToolSetup:
    """`search` is PATH without relative entries; `sandbox` is for tools that load or build what they read.

    `sarif` are files of other tools' findings to take in. No program is taken from `outside`, the repository
    under review, even where PATH leads there: the change could have brought it. `tests_off` says why there is
    a test command that is not here to be run.
    """

    env: Mapping[str, str]
    search: str = ""
    timeout_s: float = TIMEOUT_S
    sandbox: Sandbox | None = None
    sarif: tuple[Path, ...] = ()
    scratch: Path | None = None
    test_command: str = ""
    tests_off: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    outside: tuple[Path, ...] = ()
    progress: Progress = unseen

    @contextmanager
    def temporary(self, label: str) -> Iterator[Path]:
        """An empty folder for one call of a tool, gone afterwards."""
        if self.scratch is not None:
            self.scratch.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f"burnish-{label}-", dir=self.scratch) as made:
            yield Path(made)

    def program(self, name: str) -> Path | None:
        """Beside our own interpreter first (tools we depend on), then on PATH; always absolute."""
        beside = Path(sys.executable).parent / name
        if beside.is_file():
            return beside
        for part in self.search.split(":"):
            found = shutil.which(name, path=part) if Path(part).is_absolute() else None
            if found and not inside(Path(found), self.outside):
                return Path(found)
        return None
