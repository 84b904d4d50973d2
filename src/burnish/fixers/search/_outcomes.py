"""What a run of the whole test command says about each test, from what it printed. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from burnish.fixers.search._contexts import guessed, named, shared
from burnish.fixers.search._jobs import PASSED, Ran, Told
from burnish.suite_output import Failure, Layout, count_of, failures, passes

FAILED = "failed"
# Stands for the tests that a runner does not name while they pass.
OTHERS = "(all other tests)"


@dataclass(frozen=True)
class Printed:
    """A run that is over: all it printed, and how it ended. `ended` is False where it was stopped."""

    output: str
    exit: int | None
    ended: bool
    duration_s: float = 0.0


@dataclass
class Before:
    """How the tests stood before anything was edited, for all the copies of one search.

    `silent` are tests that passed without being named. `count` is how many there are, as the runner says.
    `left` are the functions of tests that were watched, and the test that each is where that failed.
    """

    failing: frozenset[str] = frozenset()
    silent: tuple[str, ...] = ()
    named: bool = False
    count: int = 0
    known: bool = False
    left: dict[str, str] = field(default_factory=dict)

    @property
    def tells(self) -> bool:
        """Whether the runner says anything about tests that pass: else its silence is no proof."""
        return self.named or self.count > 0

    def proven(self, watched: Told, told: Told) -> bool:
        """Whether every test that was watched before went to its end, but for those that still fail."""
        due = [function for function, test in self.left.items() if test not in told.failing]
        return bool(due) and all(watched.left.get(function, False) for function in due)


def first(printed: Printed, watched: Told, layout: Layout, texts: Mapping[str, str], before: Before) -> Told:
    """The tests as they are, with the lines that each of them ran; fills `before`."""
    failed = failures(printed.output)
    passed = passes(printed.output)
    ran = _ran(printed, failed, passed, layout)
    lines: Mapping[str, Mapping[str, frozenset[int]]] = named(watched.lines, ran)
    silent = tuple(name for name in lines if name and name not in ran)
    if _complete(printed, failed) and not passed and not silent:
        silent = (OTHERS,)
    bad = [one.name for one in failed]
    lines = shared(lines, bad, (*passed, *silent))
    if not lines:
        lines = {one.name: guessed(one, ran[one.name].frames, texts) for one in failed}
    before.failing, before.silent, before.known = frozenset(bad), silent, True
    before.named, before.count = bool(passed), count_of(printed.output)
    before.left = {
        function: "" if ended else next(iter(named({function: {}}, bad)), "")
        for function, ended in watched.left.items()
    }
    ran |= {name: Ran(name, PASSED) for name in silent}
    return Told(
        ran,
        lines,
        finished=_complete(printed, failed),
        duration_s=printed.duration_s,
        memory_bytes=watched.memory_bytes,
        judges=watched.judges,
    )


def again(printed: Printed, layout: Layout, before: Before) -> Told:
    """The tests with something edited. What is not named passes only where nothing new fails and all ran."""
    failed = failures(printed.output)
    passed = passes(printed.output)
    ran = _ran(printed, failed, passed, layout)
    complete = _complete(printed, failed)
    bad = {one.name for one in failed}
    if not complete:
        # What ends badly and names no failing test has failed as a whole.
        ran = {name: ran[name] for name in bad}
    fine = complete and bad <= before.failing and count_of(printed.output) >= before.count
    if fine:
        unnamed = before.silent
        if before.count or not before.named:
            unnamed = (*unnamed, *(before.failing - bad))
        ran |= {name: Ran(name, PASSED) for name in unnamed if name not in ran}
    return Told(ran, {}, (), complete, printed.duration_s)


def _complete(printed: Printed, failed: tuple[Failure, ...]) -> bool:
    """Whether it went to its end: what fails and does not say which test has not."""
    return printed.ended and (printed.exit == 0 or bool(failed))


def _ran(
    printed: Printed, failed: tuple[Failure, ...], passed: tuple[str, ...], layout: Layout
) -> dict[str, Ran]:
    each_s = printed.duration_s / max(1, len(failed) + len(passed))
    ran = {name: Ran(name, PASSED, each_s) for name in passed}
    for one in failed:
        frames = [(place.file, place.line) for place in layout.places(one.block)]
        way = tuple(frames if one.innermost_last else reversed(frames))
        ran[one.name] = Ran(one.name, FAILED, each_s, one.said, way)
    return ran
