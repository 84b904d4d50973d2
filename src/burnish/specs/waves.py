"""In which order phases go: waves whose phases can be worked on at the same time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from posixpath import normpath

from burnish.specs.phase import Phase, refuse_cycle

_WILD = re.compile(r"[*?\[{]")


def waves(phases: Sequence[Phase]) -> tuple[tuple[int, ...], ...]:
    """Every phase once, behind all it depends on; phases that name the same file are never in one wave.

    A dependency on a phase that is not among these counts as settled: the caller knows how that one ended.
    """
    refuse_cycle("the spec", phases)
    left = sorted(phases, key=lambda phase: phase.num)
    found: list[tuple[int, ...]] = []
    while left:
        waiting = {phase.num for phase in left}
        ready = [phase for phase in left if not any(one.phase in waiting for one in phase.depends)]
        found += _apart(ready)
        taken = {phase.num for phase in ready}
        left = [phase for phase in left if phase.num not in taken]
    return tuple(found)


def blocked_by(phases: Sequence[Phase], failed: Iterable[int]) -> dict[int, str]:
    """The phases that cannot begin any more because one that they need failed, each with the reason."""
    why = dict.fromkeys(failed, "which failed")
    blocked: dict[int, str] = {}
    by_num = {phase.num: phase for phase in phases}
    for num in (num for wave in waves(phases) for num in wave):
        needed = [one.phase for one in by_num[num].depends if one.hard and one.phase in why]
        if needed and num not in why:
            blocked[num] = f"phase {num} needs phase {needed[0]}, {why[needed[0]]}"
            why[num] = "which is blocked"
    return blocked


def _apart(ready: Sequence[Phase]) -> list[tuple[int, ...]]:
    """One wave as several when its phases would change the same files."""
    parts: list[tuple[list[int], set[str], set[str]]] = []
    for phase in ready:
        paths = {_literal(path) for path in phase.files}
        above = {folder for path in paths for folder in _folders(path)}
        for nums, taken, taken_above in parts:
            if not (paths & taken or paths & taken_above or above & taken):
                nums.append(phase.num)
                taken.update(paths)
                taken_above.update(above)
                break
        else:
            parts.append(([phase.num], paths, above))
    return [tuple(nums) for nums, _, _ in parts]


def _literal(path: str) -> str:
    """A path as others may write it too; of a pattern the folder that it is about."""
    wild = _WILD.search(path)
    literal = path[: wild.start()].rpartition("/")[0] if wild else path
    return normpath(literal.lstrip("/") or ".")


def _folders(path: str) -> Iterator[str]:
    """Every folder that a path is in, the repository itself (`.`) included."""
    while path not in (".", ""):
        path = path.rpartition("/")[0] or "."
        yield path
