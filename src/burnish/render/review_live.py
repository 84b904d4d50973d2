"""A review on a terminal: one row per dimension with state and counts, redrawn in place; then its end."""

from __future__ import annotations

import time

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from burnish.model.dimension import Dimension
from burnish.model.events import Noticed, Recorded, RunFinished, RunInterrupted
from burnish.model.review import Severity
from burnish.render.review_view import ReviewView, Row, State, first_view, fold
from burnish.sanitise import clean_line

_MARK = {
    State.PENDING: ("·", "dim"),
    State.WORKING: ("▸", "cyan"),
    State.DONE: ("✓", "green"),
    State.SKIPPED: ("–", "dim"),
    State.FAILED: ("✗", "red"),
}
_COLOUR = {"critical": "bold red", "high": "red", "medium": "yellow", "low": "dim"}
MOST_GROUPS = 8


class ReviewLive:
    """A listener. The table stays on the screen in its last state; notes stand above it."""

    def __init__(self, console: Console, dimensions: tuple[Dimension, ...], title: str = "") -> None:
        self._console = console
        self._view = first_view(dimensions)
        self._title = title
        self._doing = ""
        self._began = time.monotonic()
        self._live = Live(console=console, get_renderable=self._draw, refresh_per_second=8)

    def __call__(self, recorded: Recorded) -> None:
        self._view = fold(self._view, recorded)
        match recorded.event:
            case Noticed(_, text):
                self._console.print(Text(f"note: {clean_line(text)}", style="yellow"), highlight=False)
            case RunFinished() | RunInterrupted():
                self.stop()
                return
        if not self._live.is_started:
            self._live.start()
        self._live.refresh()

    def progress(self, text: str) -> None:
        """What a tool is at that takes long, below the table until it is over."""
        self._doing = text
        if self._live.is_started:
            self._live.refresh()

    def stop(self) -> None:
        if self._live.is_started:
            self._live.refresh()
            self._live.stop()

    def _draw(self) -> Group:
        seconds = time.monotonic() - self._began
        return draw(self._view, self._title, seconds, self._doing)


def draw(view: ReviewView, title: str, seconds: float, doing: str = "") -> Group:
    """The whole view; fits 80 columns."""
    head = Text(clean_line(title)[:60], style="bold")
    again = f" (again: cycle {view.cycle})" if view.cycle > 1 else ""
    head.append(f"{again}  {seconds:.0f} s", style="dim")
    parts: list[Text | Table] = [head, _phases(view), _dimensions(view)]
    if view.groups:
        parts.append(_groups(view))
    if view.working:
        parts.append(Text(f"  at work: {clean_line(', '.join(view.working))[:70]}", style="dim"))
    if doing:
        parts.append(Text(f"  {clean_line(doing)}", style="cyan", no_wrap=True, overflow="ellipsis"))
    return Group(*parts)


def _phases(view: ReviewView) -> Text:
    line = Text(" ")
    for number, state in view.phases.items():
        mark, style = _MARK[state]
        line.append(f" {mark} {number}", style=style)
    now = next((n for n, state in view.phases.items() if state is State.WORKING), None)
    if now:
        line.append(f"  {view.phase_name(now)}", style="cyan")
    return line


def _dimensions(view: ReviewView) -> Table:
    table = Table(box=None, padding=(0, 1), pad_edge=True)
    table.add_column("dimension", no_wrap=True)
    table.add_column("state", no_wrap=True)
    for severity in Severity:
        table.add_column(severity.value, justify="right", no_wrap=True)
    table.add_column("by", no_wrap=True, overflow="ellipsis", max_width=24)
    for name, row in view.rows.items():
        cells = [_count(row, severity.value) for severity in Severity]
        table.add_row(name, _state(row.state), *cells, Text(clean_line(row.said), style="dim"))
    return table


def _groups(view: ReviewView) -> Table:
    table = Table(box=None, padding=(0, 1), pad_edge=True)
    table.add_column("group", no_wrap=True)
    table.add_column("state", no_wrap=True)
    table.add_column("what", no_wrap=True, overflow="ellipsis", max_width=50)
    open_first = sorted(view.groups.items(), key=lambda item: item[1].state is not State.WORKING)
    for name, row in open_first[:MOST_GROUPS]:
        table.add_row(name, _state(row.state), Text(clean_line(f"{row.name}: {row.said}")))
    left = len(view.groups) - MOST_GROUPS
    if left > 0:
        table.add_row("…", Text(""), Text(f"and {left} more", style="dim"))
    return table


def _state(state: State) -> Text:
    mark, style = _MARK[state]
    return Text(f"{mark} {state.value.replace('_', ' ')}", style=style)


def _count(row: Row, severity: str) -> Text:
    number = row.counts.get(severity, 0)
    return Text(str(number) if number else "-", style=_COLOUR[severity] if number else "dim")
