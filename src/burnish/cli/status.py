"""`burnish status`: every task of the queue, a line each."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from burnish.model.overview import Overview
    from burnish.model.queue import TaskView


@click.command()
@click.argument("group", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
@click.option("--watch", is_flag=True, help="Go on showing it until Ctrl-C.")
@click.option("--why", metavar="ID", help="Say why that task is where it is, and what to do.")
def status(group: str | None, as_json: bool, watch: bool, why: str | None) -> int | None:
    """List the tasks of the queue, or those of GROUP."""
    from burnish.render.tasks import coloured, overview, plain

    seen = asyncio.run(_look(whole=as_json))
    views = _of_group(seen, group)
    colour = on_colour_terminal()
    show = coloured if colour else plain
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    sys.stdout.write("".join(f"{show(line)}\n" for line in overview(seen, views, width)))
    return None


def on_colour_terminal() -> bool:
    dull = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not dull


async def _look(*, whole: bool) -> Overview:
    from burnish.app.overview import overview
    from burnish.app.place import find_place

    return await overview(await find_place(), whole=whole)


def _of_group(seen: Overview, group: str | None) -> tuple[TaskView, ...]:
    return seen.views
