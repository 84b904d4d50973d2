"""A session of a spec as lines: what each phase does, cycle by cycle, and what came of all of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TextIO

from burnish.contracts.grade import part_grades
from burnish.model.events import (
    Noticed,
    Recorded,
    RunFinished,
    RunInterrupted,
    RunResumed,
    RunStarted,
    StepFinished,
)
from burnish.model.outcome import Outcome
from burnish.model.review import Review, Verdict
from burnish.render.plain import PrintedLines, count, lines


class PhaseLines(PrintedLines):
    """A listener for the runs of one phase; every line begins with its number."""

    def __init__(self, out: TextIO, phase: int, name: str, past: Sequence[Recorded] = ()) -> None:
        """`past` is what happened in its run before, which is known and not told again."""
        super().__init__(out, f"phase {phase}")
        self._name = name
        self._limit = 0
        self._reviews = 0
        for recorded in past:
            self._lines(recorded)

    def _lines(self, recorded: Recorded) -> list[str]:
        match recorded.event:
            case RunStarted() as started:
                self._limit, self._reviews = started.limit, 0
                return [f"{self._name} ({recorded.run}, at most {count(started.limit, 'review')})"]
            case StepFinished(step, Review.__name__, review) if step.ask > 1 or not review["unclear"]:
                self._reviews += 1
                return [status(step.cycle, review, last=self._reviews >= self._limit)]
            case RunInterrupted(why):
                return [f"interrupted ({why})"]
            case RunFinished(Outcome.PASSED, cycles=cycles):
                return [f"PASS after {count(cycles, 'review')}"]
            case RunFinished() as finished:
                return [
                    f"{finished.final_verdict or finished.outcome}: {finished.message or finished.reason}"
                ]
            case event:
                return lines(recorded.run, event)


def status(cycle: int, review: dict[str, Any], *, last: bool) -> str:
    """The status report of a cycle: grade, the grades of its two parts, and what follows."""
    grade = str(review["verdict"]).upper()
    compliance, quality = part_grades(review["text"])
    not_passed = "ESCALATE" if last else "FIX + re-review"
    action = "EARLY EXIT" if review["verdict"] == Verdict.PASS else not_passed
    stained = f" ({review['overruled']})" if review["overruled"] else ""
    return (
        f"REVIEW cycle {cycle} grade: {grade}{stained}; Compliance: {compliance or '-'}; "
        f"Quality: {quality or '-'}; Action: {action}"
    )


class SessionLines(PrintedLines):
    """A listener for the session's own run: what phases have to do with each other."""

    def _lines(self, recorded: Recorded) -> list[str]:
        match recorded.event:
            case RunStarted() as started:
                return [f"spec: {started.title} ({recorded.run})"]
            case RunResumed():
                return [f"spec: {recorded.run} goes on"]
            case Noticed(_, text):
                return [f"note: {text}"]
            case StepFinished(step, "Placed", placed):
                how = ", rebased and checked there" if placed["rebased"] else ""
                on = f"on the branch at {placed['commit'][:12]}{how}"
                return [f"phase {step.phase}: {placed['message'] or on}"]
            case StepFinished(step, "Kept", kept) if kept["branch"]:
                return [f"phase {step.phase}: its work is kept on {kept['branch']}"]
            case _:
                return []
