"""What a reader left in its throw-away copy: named, because whoever may only read should leave nothing."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from burnish.model.change import Snapshot
from burnish.model.step import Step
from burnish.ports import Run, Touched
from burnish.sanitise import clean_line

NAMES_SHOWN = 5
# What test runners leave wherever they run; a reviewer may run the tests.
_CACHES = frozenset((
    "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis", ".tox", ".nox", ".cache",
    ".coverage", "htmlcov", "coverage", ".nyc_output", "node_modules", ".gradle", ".phpunit.result.cache",
    ".phpunit.cache",
))  # fmt: skip
_CACHE_ENDS = (".pyc", ".gcda", ".profraw")


def left_behind(touched: Touched, left: Snapshot) -> tuple[str, ...]:
    """New files and what a snapshot does not take, without the caches of test runners."""
    found = (*touched.added, *(one.path for one in left.dropped))
    return tuple(dict.fromkeys(path for path in found if not _is_cache(path)))


def _is_cache(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return path.endswith(_CACHE_ENDS) or any(
        part in _CACHES or part.startswith(".coverage.") for part in parts
    )


async def tell_left_behind(run: Run, step: Step, who: str, names: tuple[str, ...]) -> None:
    """One note for a step, with the first few of them."""
    if names:
        about = f"{step.part}: {who}" if step.part else who
        await run.note(f"left_behind/{step.key}", f"{about} left behind: {few(names)}")


def few(paths: Iterable[str]) -> str:
    every = tuple(paths)
    more = f", and {len(every) - NAMES_SHOWN} more" if len(every) > NAMES_SHOWN else ""
    return clean_line(", ".join(every[:NAMES_SHOWN])) + more
