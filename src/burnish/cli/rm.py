"""`burnish rm`: take a task out of the queue."""

from __future__ import annotations

import asyncio

import click

from burnish.cli.completing import task_ids


@click.command()
@click.argument("tasks", nargs=-1, required=True, metavar="ID...", shell_complete=task_ids)
def rm(tasks: tuple[str, ...]) -> None:
    """Remove tasks from the queue. Branches and runs stay; `burnish clean` removes old runs."""
    asyncio.run(_rm(tasks))


async def _rm(tasks: tuple[str, ...]) -> None:
    from burnish.app.queue_place import open_queue
    from burnish.app.task_verbs import remove

    with await open_queue() as here:
        for wanted in tasks:
            click.echo(remove(here, here.task(wanted).number))
