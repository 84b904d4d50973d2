"""A session of slots as lines: whenever a slot begins something else, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from burnish.model.badge import Badge
from burnish.model.events import Noticed, Recorded, RunInterrupted, RunResumed, RunStarted, StepFinished
from burnish.render.plain import count
from burnish.sanitise import clean_line
from burnish.slots.board import Board, Row, fold
from burnish.slots.report import Fate, SlotReport, SlotsReport

_WORDS = {
    Fate.PASSED: "pass",
    Fate.UNREVIEWED: "not reviewed",
    Fate.FAILED: "FAILED",
    Fate.IDLE: "idle",
    Fate.ASKS: "ASKS",
}


class SlotLines:
    """A listener for the session's own run and those of all its slots."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._board = Board()
        self._told: set[str] = set()

    def begin(self, past: Iterable[Recorded]) -> None:
        """All that the session has recorded so far; of what slots do, it is the beginning."""
        self._board = Board()
        self.known(past)

    def known(self, past: Iterable[Recorded]) -> None:
        """What happened before is not told again."""
        for recorded in past:
            self._board = fold(self._board, recorded)

    def __call__(self, recorded: Recorded) -> None:
        before, self._board = self._board, fold(self._board, recorded)
        if isinstance(recorded.event, Noticed) and recorded.event.text in self._told:
            # What holds for every slot alike is said once.
            return
        if isinstance(recorded.event, Noticed):
            self._told.add(recorded.event.text)
        for line in (*_session(before, recorded), *_moved(before, self._board)):
            self._out.write(f"{clean_line(line)}\n")
        self._out.flush()


def _session(board: Board, recorded: Recorded) -> list[str]:
    own = board.of_run(recorded.run) is None
    match recorded.event:
        case RunStarted() if own:
            return [f"slots: {recorded.run}"]
        case RunResumed() if own:
            return [f"slots: {recorded.run} goes on"]
        case Noticed(_, text):
            row = board.of_run(recorded.run)
            return [f"slot {row.slot}: note: {text}" if row else f"note: {text}"]
        case RunInterrupted(why) if own:
            return [f"slots: {recorded.run} interrupted ({why})"]
        case StepFinished(_, "Kept", kept) if own and kept["branch"]:
            return [f"kept: {kept['branch']}"]
        case _:
            return []


def _moved(before: Board, now: Board) -> list[str]:
    """A line for the iteration, and one for each slot that shows something else than before."""
    lines = [f"iteration {now.iteration}"] if now.iteration != before.iteration else []
    for row in now.rows.values():
        was = before.rows.get(row.slot) if now.iteration == before.iteration else None
        quiet = row.badge is Badge.QUEUED or (was and (was.badge, was.attempt, was.run) == _shown(row))
        if not quiet:
            lines.append(line_of(row))
    return lines


def _shown(row: Row) -> tuple[Badge, int, str]:
    return row.badge, row.attempt, row.run


def line_of(row: Row) -> str:
    said = f": {row.last_line}" if row.over and row.last_line else ""
    return f"slot {row.slot} [{row.badge}] {row.label}".rstrip() + said


def summary(report: SlotsReport) -> list[str]:
    """A line for each slot that did something, by iteration."""
    return [clean_line(_line(slot)) for slot in report.slots]


def _line(slot: SlotReport) -> str:
    # The origin's reasons begin with who failed.
    none = "no verdict" if slot.why.startswith("reviewer") else "no review"
    did = f"{count(slot.reviews, 'review')}, {count(slot.fixes, 'fix')}" if slot.reviews else none
    why = f": {slot.why}" if slot.why and slot.fate is not Fate.PASSED else ""
    where = f" -> {slot.branch}" if slot.branch else ""
    name = f"{slot.item} {slot.title}".strip() or slot.run
    return f"iteration {slot.iteration} slot {slot.slot}: {_WORDS[slot.fate]} ({did}) {name}{where}{why}"
