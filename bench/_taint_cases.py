"""The labelled pairs of one half, and each side of a pair laid out as a tree of its own."""

from __future__ import annotations

import ast
import shutil
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from bench._scene import HERE

LABELLED = HERE / "labelled" / "taint"
DEV, HELD = "dev", "held"
GUARD = (
    "The held half is opened once, for the final table: whoever looks at it, or at what an analyser says of it, has spent it. "
    "Measure with --split dev; if this is the final table, add --final."
)
FLOWLESS = frozenset({"weak_hash", "weak_cipher", "weak_random", "insecure_cookie"})


@dataclass(frozen=True)
class Variant:
    """One side of a pair. `sink` is where the weakness is, as file and line; None in the look-alike."""

    case: Case
    side: str
    files: tuple[str, ...]
    sink: tuple[str, int] | None

    @property
    def name(self) -> str:
        return f"{self.case.id}_{self.side}"

    @cached_property
    def handler(self) -> tuple[tuple[str, int, int], ...]:
        """File, first and last line of what bears the name of the handler."""
        wanted = self.case.function.rpartition(".")[2]
        return tuple(place for path in self.files for place in _functions(path, wanted))


@dataclass(frozen=True)
class Case:
    id: str
    kind: str
    framework: str
    function: str


def variants(split: str = DEV, *, final: bool = False) -> list[Variant]:
    """Both sides of every pair of a half; the half that is held is refused unless this is the final table."""
    if split == HELD and not final:
        raise SystemExit(GUARD)
    listed = tomllib.loads((LABELLED / "labels.toml").read_text("utf8"))["case"]
    return [side for entry in listed if entry["split"] == split for side in _sides(entry)]


def _sides(entry: dict[str, Any]) -> Iterable[Variant]:
    case = Case(entry["id"], entry["class"], entry["framework"], entry["function"])
    path, _, line = entry["sink"].rpartition(":")
    for side in "ab":
        sink = (path, int(line)) if entry["vulnerable"] == side else None
        yield Variant(case, side, tuple(entry[f"files_{side}"]), sink)


def lay(some: Iterable[Variant], folder: Path) -> dict[str, Variant]:
    """A folder for each, in which its files (or its package) lie: `a` and `b` do not see each other."""
    laid = {one.name: one for one in some}
    for name, one in laid.items():
        for path in one.files:
            place = folder / name / below(path)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(LABELLED / path, place)
    return laid


def below(path: str) -> Path:
    """`cases/<class>/<id>_a/app.py` -> `<id>_a/app.py`: packages keep the name that their imports use."""
    return Path(*Path(path).parts[2:])


def _functions(path: str, name: str) -> Iterable[tuple[str, int, int]]:
    for node in ast.walk(ast.parse((LABELLED / path).read_bytes())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name:
            first = min(node.lineno, *(one.lineno for one in node.decorator_list), node.lineno)
            yield path, first, node.end_lineno or node.lineno
