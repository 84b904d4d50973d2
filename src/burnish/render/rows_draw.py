"""A view of rows as lines of a terminal of any size: never wider, never higher, the busiest first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from rich.text import Text

from burnish.model.badge import Badge
from burnish.render.columns import cells, cut, filled
from burnish.render.row_view import LiveRow, LiveView
from burnish.sanitise import clean_line

STYLES = {
    Badge.QUEUED: "dim",
    Badge.SPAWN: "cyan",
    Badge.GATE: "blue",
    Badge.REVIEW: "magenta",
    Badge.FIX: "yellow",
    Badge.MERGE: "bold cyan",
    Badge.WAIT: "yellow",
    Badge.DONE: "green",
    Badge.FAILED: "bold red",
    Badge.STUCK: "bold red",
    Badge.SKIPPED: "dim",
    Badge.IDLE: "dim",
}
# From this width on an agent's last line has a column; below it stands under its row.
WIDE = 120
# From these widths on there is room for what things cost, and for how far they are.
COSTS_FROM, TIMES_FROM = 60, 30
# With less lines than this the names of the columns are left out.
NAMED_FROM = 12
BADGE, CYCLE, TIME, TOKENS, COST = 10, 5, 7, 6, 7
MOST_NAME = 6
LEAST_WHAT = 4
# What needs a person goes before what needs nobody.
_ORDER = (
    Badge.FIX, Badge.REVIEW, Badge.SPAWN, Badge.GATE, Badge.MERGE, Badge.STUCK, Badge.FAILED,
    Badge.WAIT, Badge.QUEUED, Badge.DONE, Badge.SKIPPED, Badge.IDLE,
)  # fmt: skip
_WITH_LINE = (*_ORDER[: _ORDER.index(Badge.WAIT) + 1], Badge.IDLE)


@dataclass(frozen=True)
class Size:
    columns: int
    lines: int


def draw(view: LiveView, size: Size, now: datetime) -> list[Text]:
    """At most `size.lines` lines of at most `size.columns` cells."""
    width, room = size.columns, size.lines - 1
    if width < 1 or size.lines < 1:
        return []
    found = [_head(view, width, now)]
    names = _Widths.of(view.rows, width)
    if view.rows and size.lines >= NAMED_FROM:
        found.append(Text(cut(names.titles(), width), style="dim"))
        room -= 1
    shown, left = _fitting(view.rows, room)
    below = 0 if names.line else room - len(shown) - bool(left)
    for row in shown:
        found.append(names.row(row, now))
        line = clean_line(row.line)
        if below > 0 and line and row.badge in _WITH_LINE:
            below -= 1
            indent = " " * min(names.name + 1, width // 4)
            found.append(Text(cut(f"{indent}└ {line}", width), style="dim"))
    if left:
        found.append(Text(cut(_more(left), width), style="dim"))
    return found


def _fitting(rows: Sequence[LiveRow], room: int) -> tuple[list[LiveRow], list[LiveRow]]:
    """All in their order, or the busiest of them and the rest."""
    if len(rows) <= room:
        return list(rows), []
    busiest = sorted(rows, key=lambda row: _ORDER.index(row.badge))
    most = max(room - 1, 0)
    return busiest[:most], busiest[most:] if room > 0 else []


def _more(rows: Iterable[LiveRow]) -> str:
    counted = Counter(row.badge for row in rows)
    kinds = ", ".join(f"{number} {badge}" for badge, number in counted.items())
    return f"and {counted.total()} more: {kinds}"


def _head(view: LiveView, width: int, now: datetime) -> Text:
    """What it is on the left; how long it took and what it used on the right, where there is room."""
    right = [elapsed(view.began, view.ended, now)]
    if width >= COSTS_FROM:
        right += [f"{tokens(view.tokens)} tokens" if view.tokens else "", _cost(view)]
    end = "  ".join(part for part in right if part)
    at_work = sum(_badge(row, now)[0].at_work for row in view.rows)
    over = sum(row.badge.over for row in view.rows)
    left = clean_line(view.head)
    if view.until and (wait := _left(view.until, now)):
        left += f": {Badge.WAIT} {wait}"
    elif view.rows and not view.ended:
        left += f": {at_work} at work, {over} over"
    space = width - cells(end) - 2
    if space < LEAST_WHAT:
        return Text(cut(left, width), style="bold")
    return Text.assemble((filled(cut(left, space), space), "bold"), "  ", (end, "dim"))


@dataclass(frozen=True)
class _Widths:
    """Of the columns that fit; 0 for one that does not."""

    width: int
    name: int
    what: int
    times: bool
    costs: bool
    line: int

    @classmethod
    def of(cls, rows: Sequence[LiveRow], width: int) -> _Widths:
        name = min(max((cells(clean_line(row.name)) for row in rows), default=1), MOST_NAME)
        times, costs = width >= TIMES_FROM, width >= COSTS_FROM
        taken = name + 1 + BADGE + 1 + (CYCLE + TIME + 2) * times + (TOKENS + COST + 2) * costs
        left = max(width - taken, 0)
        line = left * 3 // 5 if width >= WIDE else 0
        return cls(width, name, max(left - line - bool(line), 0), times, costs, line)

    def titles(self) -> str:
        parts = [filled("", self.name), filled("doing", BADGE), filled(cut("task", self.what), self.what)]
        parts += ["cycle", f"{'time':>{TIME}}"] if self.times else []
        parts += [f"{'tokens':>{TOKENS}}", f"{'cost':>{COST}}"] if self.costs else []
        return " ".join(parts) + (" last line" if self.line else "")

    def row(self, row: LiveRow, now: datetime) -> Text:
        text = Text(filled(cut(clean_line(row.name), self.name), self.name) + " ")
        badge, number = _badge(row, now)
        text.append(filled(cut(f"{badge} {number}".rstrip(), BADGE), BADGE), style=STYLES[badge])
        what = cut(clean_line(row.what), self.what) if self.what > 1 else ""
        text.append(" " + filled(what, self.what))
        if self.times:
            cycle = f"{row.cycle}/{row.cycles}" if row.cycles and row.cycle else "-"
            text.append(f" {cut(cycle, CYCLE):>{CYCLE}}")
            text.append(f" {elapsed(row.began, row.ended, now):>{TIME}}", style="dim")
        if self.costs:
            used = tokens(row.tokens) if row.tokens else "-"
            text.append(f" {used:>{TOKENS}} {_cost(row) or '-':>{COST}}", style="dim")
        if self.line:
            text.append(" " + cut(clean_line(row.line), self.line), style="dim")
        text.truncate(self.width)
        return text


def _badge(row: LiveRow, now: datetime) -> tuple[Badge, str]:
    """One that waits shows how long it still will; when that is over it is at work again."""
    if row.until and (left := _left(row.until, now)):
        return Badge.WAIT, left
    return row.badge, str(row.number or "")


def tokens(number: int) -> str:
    """In five characters."""
    if number < 10_000:
        return str(number)
    for unit in ("k", "M", "G"):
        number, rest = divmod(number, 1000)
        if number < 1000:
            return f"{number}.{rest // 100}{unit}" if number < 100 else f"{number}{unit}"
    return "999G+"


def _cost(of: LiveRow | LiveView) -> str:
    if of.cost is None:
        return ""
    about = "~" if of.estimated else ""
    return f"{about}${of.cost:.2f}" if of.cost < 1000 else f"{about}${min(of.cost, 99_999):.0f}"


def elapsed(began: str, ended: str, now: datetime) -> str:
    start, end = moment(began), moment(ended) or now
    return "" if start is None else clock((end - start).total_seconds())


def _left(until: str, now: datetime) -> str:
    """The rest of a wait; empty when it is over, or nobody knows its end."""
    end = moment(until)
    seconds = 0.0 if end is None else (end - now).total_seconds()
    return clock(seconds + 0.999) if seconds > 0 else ""


def clock(seconds: float) -> str:
    minutes, rest = divmod(max(int(seconds), 0), 60)
    hours, minutes = divmod(minutes, 60)
    if hours >= 100:
        return f"{min(hours // 24, 99_999)}d"
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def moment(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
