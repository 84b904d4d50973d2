"""A review off a terminal: one plain line when a phase, a dimension or a fix is over."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TextIO

from burnish.model.dimension import Dimension
from burnish.model.events import Noticed, Recorded, RunFinished, RunInterrupted, RunResumed, StepFailed
from burnish.render.plain import lines
from burnish.render.review_view import ReviewView, State, first_view, fold
from burnish.sanitise import clean_line

QUIET_S = 10.0


class ReviewLines:
    """A listener: says what is different from the view before, and now and then what takes long."""

    def __init__(
        self,
        out: TextIO,
        dimensions: tuple[Dimension, ...],
        title: str = "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._out = out
        self._clock = clock
        self._silent_until = 0.0
        self._view = first_view(dimensions)
        if title:
            self._say(title)

    def __call__(self, recorded: Recorded) -> None:
        before, self._view = self._view, fold(self._view, recorded)
        for line in difference(before, self._view):
            self._say(line)
        match recorded.event:
            case Noticed() | RunFinished() | RunInterrupted() | RunResumed() | StepFailed():
                for line in lines(recorded.run, recorded.event):
                    self._say(line)

    def progress(self, text: str) -> None:
        """What a tool is at; in a log a few such lines are enough."""
        if text and self._clock() >= self._silent_until:
            self._silent_until = self._clock() + QUIET_S
            self._say(f"  {text}")

    def _say(self, text: str) -> None:
        indent = text[: len(text) - len(text.lstrip())]
        self._out.write(indent + clean_line(text) + "\n")
        self._out.flush()


def difference(before: ReviewView, after: ReviewView) -> list[str]:
    """What happened between two views, in lines: a phase ends behind the last of what belongs to it."""
    turned = {
        number: state
        for number, state in after.phases.items()
        if before.phases.get(number) is not state and state is not State.PENDING
    }
    begun = max((number for number, state in turned.items() if state is State.WORKING), default=0)
    phases = {number: f"{after.phase_name(number)} -> {state}" for number, state in turned.items()}
    said = [line for number, line in phases.items() if number <= begun]
    for name, row in after.rows.items():
        if row.state in (State.DONE, State.FAILED) and before.rows[name].state is not row.state:
            counts = ", ".join(f"{n} {severity}" for severity, n in row.counts.items() if n) or "no findings"
            said.append(f"  {name}: {counts} ({row.said})" if row.said else f"  {name}: {counts}")
    for name, row in after.groups.items():
        was = before.groups.get(name)
        if row.state in (State.DONE, State.FAILED) and (was is None or was.state is not row.state):
            said.append(f"  {name} {row.name}: {row.said}")
    return [*said, *(line for number, line in phases.items() if number > begun)]
