"""What the loops of a build are doing at this moment: a fold of the build's own events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from burnish.loops.report import LoopReport
from burnish.model.badge import Badge
from burnish.model.events import Recorded, RunFinished, RunInterrupted, RunResumed, StepFinished, StepStarted
from burnish.model.step import Step

PASSED = "passed; waits for the others of its group"


@dataclass(frozen=True)
class LoopRow:
    """`run` is that of its newest attempt; None as its badge: whatever that run does."""

    number: int
    task: str = ""
    title: str = ""
    group: int = 0
    attempts: int = 0
    badge: Badge | None = Badge.QUEUED
    run: str = ""
    why: str = ""


@dataclass(frozen=True)
class LoopBoard:
    """`rows` by the number of the loop; `ended` is how the build ended, or why it waits."""

    session: str = ""
    rows: Mapping[int, LoopRow] = field(default_factory=dict)
    ended: str = ""

    def of_run(self, run: str) -> LoopRow | None:
        return next((row for row in self.rows.values() if row.run == run), None)


def laid_out(board: LoopBoard, reports: Iterable[LoopReport]) -> LoopBoard:
    """All loops there will be, before or after any of them began."""
    rows = dict(board.rows)
    for one in reports:
        row = rows.get(one.number, LoopRow(one.number))
        rows[one.number] = replace(row, task=one.task.id, title=one.task.title, group=one.group)
    return replace(board, rows=dict(sorted(rows.items())))


def fold(board: LoopBoard, recorded: Recorded) -> LoopBoard:
    """The board after an event of the build's own run; those of its loops' runs change nothing here."""
    match recorded.event:
        case RunResumed():
            return replace(board, ended="")
        case StepStarted(step) if step.part == "merge":
            return _row(board, step, badge=Badge.MERGE, why="")
        case StepFinished(step, "LoopBegun", begun):
            run = str(begun.get("run") or "")
            return _row(board, step, badge=None, run=run, attempts=step.cycle, why="")
        case StepFinished(step, "LoopEnded", ended):
            return _ended(board, step, ended)
        case StepFinished(step, "Merged", merged):
            landed = merged.get("fate") == "landed"
            why = "" if landed else str(merged.get("message") or "")
            return _row(board, step, badge=Badge.DONE if landed else Badge.QUEUED, why=why)
        case StepFinished(step, "Resolved", resolved):
            skipped = resolved.get("way") == "skip"
            why = f"left out by {resolved.get('by')}" if skipped else ""
            return _row(board, step, badge=Badge.SKIPPED if skipped else Badge.QUEUED, why=why)
        case RunFinished(message=message) | RunInterrupted(why=message):
            return replace(board, ended=message)
        case _:
            return board


def _ended(board: LoopBoard, step: Step, ended: Mapping[str, Any]) -> LoopBoard:
    if ended.get("passed"):
        return _row(board, step, badge=Badge.WAIT, why=PASSED)
    badge = Badge.STUCK if ended.get("stuck") else Badge.FAILED
    return _row(board, step, badge=badge, why=str(ended.get("question") or ended.get("why") or ""))


def _row(board: LoopBoard, step: Step, **changes: Any) -> LoopBoard:
    """Of the loop that a step is of: its id ends in its number."""
    number = step.phase.rpartition("-")[2]
    if not number.isdecimal():
        return board
    row = board.rows.get(int(number), LoopRow(int(number)))
    rows = {**board.rows, row.number: replace(row, **changes)}
    return replace(board, rows=dict(sorted(rows.items())))
