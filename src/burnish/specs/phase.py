"""A phase of a spec, what it waits for, and what a plan of phases must never be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from burnish.errors import UsageError

MAX_PHASES = 500
_SHOWN = 12


@dataclass(frozen=True)
class Dependency:
    """Hard: the other phase must have passed. Soft: it is waited for, and its failure does not block."""

    phase: int
    hard: bool = True


@dataclass(frozen=True)
class Phase:
    """`criteria` are its success criteria, `files` the paths it says it will change."""

    num: int
    name: str
    text: str = ""
    criteria: tuple[str, ...] = ()
    depends: tuple[Dependency, ...] = ()
    files: tuple[str, ...] = ()


@dataclass(frozen=True)
class Spec:
    """`number` is what commit subjects carry (`042`); `whole`: the one phase is the whole document."""

    number: str
    title: str
    topic: str
    text: str
    phases: tuple[Phase, ...]
    whole: bool = False


def checked(name: str, phases: Sequence[Phase]) -> tuple[Phase, ...]:
    """The phases in the order of their numbers; refused when they cannot be a plan."""
    if len(phases) > MAX_PHASES:
        raise UsageError(f"{name} has {len(phases)} phases; at most {MAX_PHASES} are accepted.")
    known: dict[int, Phase] = {}
    for phase in phases:
        if phase.num in known:
            names = f"{known[phase.num].name!r} and {phase.name!r}"
            raise UsageError(
                f"{name} has phase {phase.num} twice: {names}.", hint="give each phase a number of its own"
            )
        known[phase.num] = phase
    ordered = tuple(known[num] for num in sorted(known))
    for phase in ordered:
        _check_depends(name, phase, known)
    refuse_cycle(name, ordered)
    return ordered


def _check_depends(name: str, phase: Phase, known: Mapping[int, Phase]) -> None:
    for dependency in phase.depends:
        if dependency.phase == phase.num:
            raise UsageError(
                f"{name}: phase {phase.num} depends on itself.", hint="remove that dependency from the phase"
            )
        if dependency.phase not in known:
            there = ", ".join(str(num) for num in sorted(known)[:_SHOWN])
            more = ", ..." if len(known) > _SHOWN else ""
            raise UsageError(
                f"{name}: phase {phase.num} depends on phase {dependency.phase}, which there is not "
                f"(there is: {there}{more}).",
                hint="correct the number, or add that phase",
            )


def refuse_cycle(name: str, phases: Sequence[Phase]) -> None:
    """Phases that wait for each other would wait for ever."""
    waits = _waits(phases)
    while free := [num for num, others in waits.items() if not others]:
        for num in free:
            del waits[num]
        gone = set(free)
        waits = {num: others - gone for num, others in waits.items()}
    if waits:
        circle = " -> ".join(f"phase {num}" for num in _circle(waits))
        raise UsageError(
            f"{name}: phases depend on each other in a circle: {circle}.",
            hint="remove one of these dependencies",
        )


def _waits(phases: Sequence[Phase]) -> dict[int, set[int]]:
    """What each phase waits for among the others, hard or soft."""
    there = {phase.num for phase in phases}
    return {phase.num: {one.phase for one in phase.depends} & there for phase in phases}


def _circle(waits: Mapping[int, set[int]]) -> list[int]:
    """One circle among phases that all wait: whoever follows what they wait for comes back."""
    path, seen, num = list[int](), dict[int, int](), min(waits)
    while num not in seen:
        seen[num] = len(path)
        path.append(num)
        num = min(waits[num])
    return [*path[seen[num] :], num]
