"""What became of simulated runs, counted against the truth that only the simulator knows."""

from __future__ import annotations

from dataclasses import astuple, dataclass

from burnish.model.decision import Stop
from burnish.model.outcome import Outcome
from burnish.simulator.code import Code

# A stop is wrong when so few rounds more would have shown it.
HORIZON = 2


@dataclass(frozen=True)
class Course:
    """One run as it went: how it ended, and the truth at each of its reviews."""

    stop: Stop
    codes: tuple[Code, ...]

    @property
    def passed(self) -> bool:
        return self.stop.outcome is Outcome.PASSED

    @property
    def false_pass(self) -> bool:
        """Passed, while a defect that must not stay is still in it."""
        return self.passed and self.codes[-1].blocking > 0

    @property
    def wasted(self) -> int:
        """Rounds after the first that neither passed nor left fewer defects than there ever were."""
        rounds = range(1, len(self.codes) - self.passed)
        return sum(not self.better_at(number) for number in rounds)

    def better_at(self, number: int, than_first: int | None = None) -> bool:
        """Whether a review saw fewer defects than the first `than_first` of them did (unset: all before)."""
        before = self.codes[: number if than_first is None else than_first]
        return len(self.codes[number].defects) < min(len(code.defects) for code in before)


@dataclass(frozen=True)
class Tally:
    """Sums over runs. A clean stop left nothing in the change that blocks: a person may take it."""

    runs: int = 0
    rounds: int = 0
    wasted_rounds: int = 0
    passes: int = 0
    false_passes: int = 0
    stops: int = 0
    wrong_stops: int = 0
    clean_stops: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(mine + theirs for mine, theirs in zip(astuple(self), astuple(other), strict=True)))

    @property
    def true_passes(self) -> int:
        return self.passes - self.false_passes


def tally(course: Course, unstopped: Course) -> Tally:
    """One run, beside the same run that no policy stopped."""
    stopped = course.stop.outcome is Outcome.STOPPED
    return Tally(
        runs=1,
        rounds=len(course.codes),
        wasted_rounds=course.wasted,
        passes=int(course.passed),
        false_passes=int(course.false_pass),
        stops=int(stopped),
        wrong_stops=int(stopped and was_wrong(course, unstopped)),
        clean_stops=int(stopped and course.codes[-1].blocking == 0),
    )


def was_wrong(course: Course, unstopped: Course) -> bool:
    """Stopped, though the next rounds would have passed truly, or brought the change further than ever."""
    done = len(course.codes)
    soon = len(unstopped.codes) <= done + HORIZON
    if unstopped.passed and not unstopped.false_pass and soon:
        return True
    following = range(done, min(done + HORIZON, len(unstopped.codes)))
    return any(unstopped.better_at(number, done) for number in following)
