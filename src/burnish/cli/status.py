"""`burnish status`: every task of the queue, a line each."""

from __future__ import annotations

import asyncio
from typing import Any

import click


@click.command()
@click.argument("group", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def status(group: str | None, as_json: bool) -> None:
    """List the tasks of the queue, or those of GROUP."""
    from burnish.render.tasks import lines

    for line in lines(asyncio.run(_views(group))):
        click.echo(line)


async def _views(group: str | None) -> Any:
    from burnish.app.queue_place import open_queue

    with await open_queue() as here:
        return [view for view in here.queue.all() if group is None or view.task.group == group]
