"""Rows on a terminal for verbs that drive many runs at once; elsewhere what the verb shows by itself."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from burnish.cli.output import on_a_live_terminal
from burnish.model.badge import Badge

if TYPE_CHECKING:
    from rich.console import Console

    from burnish.app.start import Hooks
    from burnish.model.events import Recorded
    from burnish.render.row_view import SlotsView

# JSON lines when asked, else lines for people.
Lines = Callable[..., Any]


@asynccontextmanager
async def slots_shown(options: Mapping[str, Any], lines: Lines) -> AsyncIterator[tuple[Any, Hooks | None]]:
    """What `run_slots` is given to show itself by."""
    if not on_a_live_terminal(options):
        yield lines(as_json=options["as_json"]), None
        return
    from burnish.app.signals import said_by
    from burnish.app.slots_session import Front
    from burnish.app.start import Hooks
    from burnish.render.row_view import SlotsView
    from burnish.render.rows_live import RowsLive

    async with RowsLive(_console(), SlotsView(), _iteration_over) as live:

        def show(picked: Any, past: Sequence[Recorded]) -> Any:
            live.past(past)
            return live

        with said_by(live.say):
            yield Front(live, show, live.past), Hooks(heard=live.heard)


@asynccontextmanager
async def build_shown(options: Mapping[str, Any], lines: Lines) -> AsyncIterator[tuple[Any, Hooks | None]]:
    """What `run_build` is given to show itself by."""
    if not on_a_live_terminal(options):
        yield lines(as_json=options["as_json"]), None
        return
    from burnish.app.build_session import Front
    from burnish.app.signals import said_by
    from burnish.app.start import Hooks
    from burnish.render.row_view import BuildView
    from burnish.render.rows_live import RowsLive

    async with RowsLive(_console(), BuildView()) as live:

        def show(report: Any, past: Sequence[Recorded]) -> Any:
            live.past(past)
            return live

        def planned(loops: Sequence[Any], past: Sequence[Recorded]) -> None:
            live.begin_with(BuildView().laid_out(loops))
            live.past(past)

        with said_by(live.say):
            yield Front(live, show, planned), Hooks(heard=live.heard)


def _console() -> Console:
    """Without colours nothing is bold or dim, either."""
    from rich.console import Console

    return Console(color_system=None) if os.environ.get("NO_COLOR") else Console()


def _iteration_over(before: SlotsView, now: SlotsView) -> Iterable[str]:
    """The rows of an iteration make room for the next one; what came of them stays above."""
    if before.board.iteration in (0, now.board.iteration):
        return ()
    rows = [row for row in before.view({}).rows if row.badge is not Badge.IDLE]
    head = f"iteration {before.board.iteration}"
    return [f"{head}: {row.badge} {row.what}: {row.line}".rstrip(": ") for row in rows]
