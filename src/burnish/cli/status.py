"""`burnish status`: every task of the queue, a line each."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from burnish.app.place import Place
    from burnish.model.overview import DayUse, Overview
    from burnish.model.queue import TaskView


@click.command()
@click.argument("group", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
@click.option("--watch", is_flag=True, help="Go on showing it until Ctrl-C.")
@click.option("--why", metavar="ID", help="Say why that task is where it is, and what to do.")
def status(group: str | None, as_json: bool, watch: bool, why: str | None) -> int | None:
    """List the tasks of the queue, or those of GROUP."""
    from burnish.app.overview import look
    from burnish.render.tasks import coloured, overview, plain

    place, limits = asyncio.run(_where())
    # Outside of the event loop, which makes a text of its result (Task.__repr__): of ten thousand tasks.
    seen = look(place, limits, whole=as_json)
    views = _of_group(seen, group)
    colour = on_colour_terminal()
    show = coloured if colour else plain
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    sys.stdout.write("".join(f"{show(line)}\n" for line in overview(seen, views, width)))
    return None


def on_colour_terminal() -> bool:
    dull = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not dull


async def _where() -> tuple[Place, DayUse | None]:
    from burnish.app.overview import day_limits
    from burnish.app.place import find_place

    place = await find_place()
    return place, await day_limits(place)


def _of_group(seen: Overview, group: str | None) -> tuple[TaskView, ...]:
    return seen.views
