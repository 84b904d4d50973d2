"""Where each phase stands, by its signals alone: what is left to do when everything else is gone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from burnish.model.review import Verdict
from burnish.model.step import Role
from burnish.specs.signals import Signal, Status, in_order


@dataclass(frozen=True)
class Standing:
    """`next` is the role to act next, in `next_cycle`; None when the phase passed and can show it.

    `last_cycle` is the highest cycle that has a signal; `grade` what the last review said (None: no review
    yet); `unverified`: that is a PASS whose receipt does not verify; `commits`: what writing steps made, in
    order; `fixed`: the cycles whose fix is finished; `error`: why the step to do next failed before.
    """

    phase: int
    last_cycle: int
    grade: Verdict | None
    next: Role | None
    next_cycle: int
    commits: tuple[str, ...] = ()
    fixed: tuple[int, ...] = ()
    unverified: bool = False
    error: str = ""

    @property
    def done(self) -> bool:
        return self.next is None


def standing(signals: Iterable[Signal], verifies: Callable[[Signal], bool]) -> dict[int, Standing]:
    """By phase; `verifies` tells of a review that says PASS whether its receipt shows it."""
    by_phase: dict[int, list[Signal]] = {}
    for signal in sorted((one for one in signals if one.kind is not None), key=in_order):
        by_phase.setdefault(signal.phase, []).append(signal)
    return {phase: _standing(phase, found, verifies) for phase, found in by_phase.items()}


def _standing(phase: int, signals: Sequence[Signal], verifies: Callable[[Signal], bool]) -> Standing:
    finished = [signal for signal in signals if signal.status is Status.SUCCESS]
    reviews = [signal for signal in finished if signal.kind is Role.REVIEW]
    unverified = bool(finished) and finished[-1].passed and not verifies(finished[-1])
    role, cycle = _next(finished[-1] if finished else None, unverified=unverified)
    failures = [
        one for one in signals if one.status is Status.FAIL and (one.kind, one.cycle) == (role, cycle)
    ]
    return Standing(
        phase=phase,
        last_cycle=max(signal.cycle for signal in signals),
        # A review that gave no grade counts as the worst one.
        grade=(reviews[-1].grade or Verdict.FAIL) if reviews else None,
        next=role,
        next_cycle=cycle,
        commits=tuple(one.commit for one in finished if one.commit and one.kind is not Role.REVIEW),
        fixed=tuple(one.cycle for one in finished if one.kind is Role.FIX),
        unverified=unverified,
        error=failures[-1].error if failures else "",
    )


def _next(last: Signal | None, *, unverified: bool) -> tuple[Role | None, int]:
    """The step behind the last one that finished; numbers go on, so that no signal is written over."""
    if last is None:
        return Role.IMPLEMENT, 0
    if last.kind is not Role.REVIEW or unverified:
        return Role.REVIEW, last.cycle + 1
    if last.passed:
        return None, last.cycle
    return Role.FIX, last.cycle
