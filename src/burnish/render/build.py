"""A build as lines: what its loops do, what they have to do with each other, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TextIO

from burnish.codec import plain
from burnish.loops.report import BuildReport, LoopReport, LoopState
from burnish.model.events import Noticed, Recorded, RunResumed, RunStarted, StepFinished
from burnish.render.plain import PrintedLines, count
from burnish.sanitise import clean, clean_line

KIND = "build_summary"
VERSION = 1


class LoopLines(PrintedLines):
    """A listener for the run of one loop; every line begins with its number."""

    def __init__(self, out: TextIO, report: LoopReport, past: Sequence[Recorded] = ()) -> None:
        """`past` is what happened in its run before, which is known and not told again."""
        super().__init__(out, f"loop {report.number}")
        self._report = report
        self._known = {recorded.seq for recorded in past}

    def _lines(self, recorded: Recorded) -> list[str]:
        if recorded.seq in self._known:
            return []
        if isinstance(recorded.event, RunStarted):
            again = f", attempt {self._report.attempts}" if self._report.attempts > 1 else ""
            return [f"{self._report.task.id}: {self._report.task.title} ({recorded.run}{again})"]
        return super()._lines(recorded)


class BuildLines(PrintedLines):
    """A listener for the build's own run."""

    def _lines(self, recorded: Recorded) -> list[str]:
        match recorded.event:
            case RunStarted() as started:
                return [f"build: {started.title} ({recorded.run})"]
            case RunResumed():
                return [f"build: {recorded.run} goes on"]
            case Noticed(_, text):
                return [f"note: {text}"]
            case StepFinished(_, "Enumerated", found):
                return _outlined("enumerate", found, count(len(found["tasks"]), "task"))
            case StepFinished(_, "Grouped", found):
                return _outlined("plan", found, count(len(found["groups"]), "group"))
            case StepFinished(step, "Review", review):
                return [f"{step.phase}: review {review['native']}: {review['summary']}".rstrip(": ")]
            case StepFinished(_, "Round", called):
                return [f"checkpoint: {count(len(called['loops']), 'loop')} reviewed"]
            case StepFinished(step, "Merged", merged):
                number = step.phase.rpartition("-")[2]
                return [f"loop {number}: {merged['message'] or 'merged as ' + merged['commit'][:12]}"]
            case _:
                return []


def _outlined(phase: str, found: dict[str, Any], what: str) -> list[str]:
    return [f"{phase}: {one}" for one in found["problems"]] or [f"{phase}: {what}"]


def summary(report: BuildReport) -> list[str]:
    """A line for each loop, then where all of it went."""
    head = f"build {report.path} ({report.run}), effort {report.effort}, onto {report.onto}"
    found = ["", clean_line(head)]
    group = None
    for loop in report.loops:
        if loop.group != group:
            group = loop.group
            found.append(f"group {group}")
        found += _loop(loop)
    if report.cost_usd is not None:
        found.append(f"cost: ${report.cost_usd:,.2f}")
    return found


def ending(report: BuildReport) -> list[str]:
    """The sentence, and how to go on."""
    said = [clean_line(report.message)]
    if report.hints:
        said += ["go on with:", *(f"  {clean(hint)}" for hint in report.hints)]
    return said


def data(report: BuildReport) -> dict[str, Any]:
    return {"kind": KIND, "v": VERSION, **plain(report)}


def _loop(loop: LoopReport) -> list[str]:
    tries = f" in {count(loop.attempts, 'attempt')}" if loop.attempts > 1 else ""
    after = f" after {count(loop.revisions, 'revision')}" if loop.revisions else ""
    where = f", {loop.commit[:12]}" if loop.commit and loop.state is LoopState.MERGED else ""
    rows = [
        clean_line(
            f"  loop {loop.number} {loop.task.id} {loop.task.title}: {loop.state}{after}{tries}{where}"
        )
    ]
    if loop.why and loop.state is not LoopState.MERGED:
        rows.append(f"      {clean_line(loop.why)}")
    if loop.question and loop.question != loop.why:
        rows.append(f"      asks: {clean_line(loop.question)}")
    if loop.branch and loop.state is not LoopState.MERGED:
        rows.append(f"      its work is on {clean_line(loop.branch)}")
    return rows
