"""What rows show of many runs at once: the slots of a session, or the loops of a build; pure folds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol, Self

from burnish.loops import board as loops
from burnish.loops.board import LoopBoard, LoopRow
from burnish.loops.report import LoopReport
from burnish.model.badge import Badge
from burnish.model.events import Recorded
from burnish.render.gauge import Gauge, after
from burnish.slots import board as slots
from burnish.slots.board import Board, Row

# What the agent of a run printed last, by the run.
Heard = Mapping[str, str]


@dataclass(frozen=True)
class LiveRow:
    """`number` goes with the badge: which fix, which iteration. `until`: when a wait is over."""

    name: str
    badge: Badge
    what: str = ""
    number: int = 0
    cycle: int = 0
    cycles: int = 0
    began: str = ""
    ended: str = ""
    until: str = ""
    tokens: int = 0
    cost: float | None = None
    estimated: bool = False
    line: str = ""


@dataclass(frozen=True)
class LiveView:
    """`until`: all wait for this moment. `ended` freezes the clock."""

    head: str
    rows: tuple[LiveRow, ...] = ()
    until: str = ""
    began: str = ""
    ended: str = ""
    tokens: int = 0
    cost: float | None = None
    estimated: bool = False


class Fold(Protocol):
    """A state that events go into, and a view comes out of."""

    def after(self, recorded: Recorded) -> Self: ...
    def view(self, heard: Heard) -> LiveView: ...


@dataclass(frozen=True)
class Gauges:
    """One for each run that anything was recorded of."""

    by_run: Mapping[str, Gauge] = field(default_factory=dict)

    def after(self, recorded: Recorded) -> Gauges:
        found = after(self.by_run.get(recorded.run, Gauge()), recorded)
        return Gauges({**self.by_run, recorded.run: found})

    def of(self, run: str) -> Gauge:
        return self.by_run.get(run, Gauge())

    def whole(self, head: str, rows: Iterable[LiveRow], session: str) -> LiveView:
        """With what all of them used together."""
        own, known = self.of(session), [one for one in self.by_run.values() if one.cost is not None]
        return LiveView(
            head,
            tuple(rows),
            began=own.began,
            ended=own.ended,
            tokens=sum(one.tokens for one in self.by_run.values()),
            cost=sum(one.cost or 0.0 for one in known) if known else None,
            estimated=any(one.estimated for one in known),
        )


@dataclass(frozen=True)
class SlotsView:
    """The slots of the iteration at work."""

    board: Board = field(default_factory=Board)
    gauges: Gauges = field(default_factory=Gauges)

    def after(self, recorded: Recorded) -> SlotsView:
        return SlotsView(slots.fold(self.board, recorded), self.gauges.after(recorded))

    def view(self, heard: Heard) -> LiveView:
        board = self.board
        head = f"slots {board.session}"
        if board.iteration:
            head += f", iteration {board.iteration}"
        rows = [self._row(row, heard) for _, row in sorted(board.rows.items())]
        return replace(self.gauges.whole(head, rows, board.session), until=board.wait_until)

    def _row(self, row: Row, heard: Heard) -> LiveRow:
        gauge = self.gauges.of(row.run)
        inside = row.run and (row.badge.at_work or row.badge is Badge.WAIT) and row.badge is not Badge.MERGE
        found = _row(str(row.slot), gauge, f"{row.item} {row.title}".strip(), heard.get(row.run, ""))
        if not inside:
            line = row.last_line if row.badge.over and row.badge is not Badge.DONE else ""
            return replace(found, badge=row.badge, number=0, until="", line=line)
        return found


@dataclass(frozen=True)
class BuildView:
    """All loops of a build; until there are any, what its run as a whole does."""

    board: LoopBoard = field(default_factory=LoopBoard)
    gauges: Gauges = field(default_factory=Gauges)

    def after(self, recorded: Recorded) -> BuildView:
        session = self.board.session or recorded.run
        gauges = self.gauges.after(recorded)
        if recorded.run != session:
            return replace(self, gauges=gauges)
        return BuildView(loops.fold(replace(self.board, session=session), recorded), gauges)

    def laid_out(self, reports: Iterable[LoopReport]) -> BuildView:
        return replace(self, board=loops.laid_out(self.board, reports))

    def view(self, heard: Heard) -> LiveView:
        board, own = self.board, self.gauges.of(self.board.session)
        rows = [self._row(row, heard) for row in board.rows.values()]
        if not rows and own.began:
            rows = [replace(_row("-", own, own.phase, heard.get(board.session, "")), cycle=0)]
        return self.gauges.whole(f"build {own.title or board.session}", rows, board.session)

    def _row(self, row: LoopRow, heard: Heard) -> LiveRow:
        gauge, what = self.gauges.of(row.run), f"{row.task} {row.title}".strip()
        found = _row(str(row.number), gauge, what or gauge.title, heard.get(row.run, ""))
        if row.badge is None and found.badge is Badge.DONE:
            # Its run is over; the loop is not, before it is merged.
            return replace(found, badge=Badge.WAIT, line=loops.PASSED)
        if row.badge is None and self.board.ended and found.badge.at_work:
            # Stopped before its run had begun, so that this never said so.
            return replace(found, badge=Badge.WAIT, number=0, line="")
        if row.badge is None:
            return found
        return replace(found, badge=row.badge, number=0, until="", line=row.why)


def _row(name: str, gauge: Gauge, what: str, line: str) -> LiveRow:
    return LiveRow(
        name,
        gauge.badge,
        what,
        gauge.number,
        gauge.cycle,
        gauge.cycles,
        gauge.began,
        gauge.ended,
        gauge.wait_until,
        gauge.tokens,
        gauge.cost,
        gauge.estimated,
        line or gauge.line,
    )
