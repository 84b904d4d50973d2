"""The queue as it goes: a live view on a terminal, the lines that changed everywhere else."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, TextIO

from burnish.model.overview import Overview
from burnish.model.queue import TaskState, TaskView
from burnish.render.tasks import Line, footer, lines, needs_person, overview, plain

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

# Lines that must stay free below the tasks: the sums may wrap, and the cursor needs one.
BELOW = 6


class ChangedLines:
    """Everything once, then each task whose line changed, with the time of day."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._before: dict[int, str] | None = None

    def __enter__(self) -> ChangedLines:
        return self

    def __exit__(self, *ignored: object) -> None:
        pass

    def show(self, seen: Overview, views: Sequence[TaskView]) -> None:
        # Without a shared width a line does not change because another one did.
        now = {view.number: lines([view])[0] for view in views}
        if self._before is None:
            said = [plain(line) for line in overview(seen, views)]
        else:
            at = f"{datetime.fromisoformat(seen.at).astimezone():%H:%M:%S}"
            said = [f"{at}{line}" for number, line in now.items() if self._before.get(number) != line]
            said += [f"{at}  #{number} was removed" for number in self._before if number not in now]
        self._before = now
        for line in said:
            self._out.write(f"{line}\n")
        self._out.flush()


class LiveTasks:
    """Drawn again only when something changed or the terminal has another size."""

    def __init__(self, console: Console) -> None:
        from rich.live import Live

        self._console = console
        # A screen of its own: what was drawn before a resize would else stay behind in pieces.
        self._live = Live(console=console, auto_refresh=False, screen=True, vertical_overflow="crop")
        self._drawn: tuple[tuple[Line, ...], object] = ((), None)

    def __enter__(self) -> LiveTasks:
        self._live.start()
        return self

    def __exit__(self, *ignored: object) -> None:
        """The last state stays on the screen that was there before."""
        self._live.stop()
        self._console.print(_text(self._drawn[0]), soft_wrap=True)

    def show(self, seen: Overview, views: Sequence[TaskView]) -> None:
        size = self._console.size
        drawn = screen(seen, views, size.width, size.height)
        if (drawn, size) != self._drawn:
            self._drawn = (drawn, size)
            self._live.update(_text(drawn), refresh=True)


def screen(seen: Overview, views: Sequence[TaskView], width: int, height: int) -> tuple[Line, ...]:
    """As much of it as fits: what moves and what needs a person goes before what waits or is done."""
    whole = overview(seen, views, width - 1)
    room = max(height - BELOW, 3)
    if len(whole) <= room:
        return tuple(whole)
    ranked = sorted(views, key=lambda view: (_rank(view), view.number))
    chosen = sorted(ranked[:room], key=lambda view: view.number)
    kept: list[Line] = [((line, ""),) for line in lines(chosen, width - 1)]
    return (*kept, ((f"  … and {len(views) - len(chosen):,} more", "dim"),), *footer(seen, views))


def _rank(view: TaskView) -> int:
    if view.state in (TaskState.IN_PROGRESS, TaskState.INTERRUPTED):
        return 0
    if needs_person(view):
        return 1
    return 2 if view.state is TaskState.PENDING else 3


def _text(drawn: Sequence[Line]) -> Text:
    from rich.text import Text

    text = Text(no_wrap=False)
    for number, line in enumerate(drawn):
        text.append("\n" if number else "")
        for piece, style in line:
            text.append(piece, style=style or None)
    return text
