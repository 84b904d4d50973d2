"""A night as a picture: where on the page which step of which task is; the page itself is a template."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from burnish.config.durations import in_words
from burnish.model.morning import Morning, Span, Told
from burnish.model.step import Role
from burnish.render.columns import cut
from burnish.render.report import drawn, part_of
from burnish.sanitise import clean_line

WIDTH, LEFT, RIGHT = 1000.0, 250.0, 30.0
TOP, ROW, BAR = 26, 22, 12
MOST_ROWS = 200
MOST_TICKS = 9
LABEL_CELLS = 34
_STEPS_S = (60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800)


@dataclass(frozen=True)
class Tick:
    x: float
    text: str


@dataclass(frozen=True)
class Bar:
    x: float
    width: float
    role: str
    said: str


@dataclass(frozen=True)
class Row:
    y: int
    label: str
    title: str
    part: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True)
class Timeline:
    height: int
    ticks: tuple[Tick, ...]
    rows: tuple[Row, ...]
    roles: tuple[str, ...]
    left_out: int


def timeline(morning: Morning) -> Timeline | None:
    """None when nothing worked in this time."""
    worked = [one for one in morning.tasks if any(drawn(one, span.end) for span in one.spans)]
    if not worked:
        return None
    spans = [span for one in worked for span in one.spans if drawn(one, span.end)]
    begin = max(min(span.start for span in spans), morning.since)
    last = max(span.end or morning.until for span in spans)
    end = max(last, begin + timedelta(seconds=1))
    axis = _Axis(begin, end, morning.until)
    ordered = sorted(worked, key=lambda one: one.spans[0].start)[:MOST_ROWS]
    rows = tuple(_row(one, TOP + number * ROW, axis) for number, one in enumerate(ordered))
    height = TOP + len(rows) * ROW + 6
    return Timeline(height, axis.ticks(), rows, _roles(rows), len(worked) - len(rows))


@dataclass(frozen=True)
class _Axis:
    begin: datetime
    end: datetime
    now: datetime

    def x(self, at: datetime) -> float:
        part = (at - self.begin) / (self.end - self.begin)
        return round(LEFT + min(max(part, 0.0), 1.0) * (WIDTH - LEFT - RIGHT), 1)

    def ticks(self) -> tuple[Tick, ...]:
        """On round times of the clock on the wall."""
        whole_s = (self.end - self.begin).total_seconds()
        step = next((step for step in _STEPS_S if whole_s / step <= MOST_TICKS), _STEPS_S[-1])
        local = self.begin.astimezone()
        midnight = local.replace(hour=0, minute=0, second=0, microsecond=0)
        first = -(-(local - midnight).total_seconds() // step)
        form = "%m-%d" if step >= 86_400 else "%H:%M"
        found: list[Tick] = []
        at = midnight + timedelta(seconds=first * step)
        while at <= self.end and len(found) < 2 * MOST_TICKS:
            found.append(Tick(self.x(at), at.strftime(form)))
            at += timedelta(seconds=step)
        return tuple(found)


def _row(one: Told, y: int, axis: _Axis) -> Row:
    view = one.view
    title = clean_line(view.task.title)
    bars = tuple(_bar(span, axis) for span in one.spans if drawn(one, span.end))
    return Row(y, cut(f"#{view.number} {title}", LABEL_CELLS), title, part_of(view).name.lower(), bars)


def _bar(span: Span, axis: _Axis) -> Bar:
    end = span.end or axis.now
    x = axis.x(span.start)
    cycle = f" {span.cycle}" if span.cycle else ""
    took = in_words(max((end - span.start).total_seconds(), 0.0))
    said = f"{span.role}{cycle}: {span.start.astimezone():%H:%M:%S}, {took}{'' if span.end else ', goes on'}"
    # What took no time to speak of is still to be seen.
    return Bar(x, max(round(axis.x(end) - x, 1), 2.0), str(span.role), said)


def _roles(rows: Sequence[Row]) -> tuple[str, ...]:
    """Those that are to be seen, in the order of the loop."""
    seen = {bar.role for row in rows for bar in row.bars}
    return tuple(str(role) for role in (Role.IMPLEMENT, Role.GATE, Role.REVIEW, Role.FIX) if role in seen)
