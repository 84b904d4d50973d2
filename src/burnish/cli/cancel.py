"""`burnish cancel`: end a task or a run, keeping its work."""

from __future__ import annotations

import asyncio

import click

from burnish.cli.completing import task_ids


@click.command()
@click.argument("task", metavar="ID|RUN", shell_complete=task_ids)
def cancel(task: str) -> None:
    """End a task or a run. What it made so far is kept, and `burnish show` names where."""
    click.echo(asyncio.run(_cancel(task)))


async def _cancel(wanted: str) -> str:
    from burnish.app.cancel import cancel as cancel_run
    from burnish.app.queue_place import open_queue
    from burnish.app.task_verbs import cancel as cancel_task

    with await open_queue() as here:
        task = here.named(wanted)
        if task is not None:
            return await cancel_task(here, task.number)
    return await cancel_run(wanted)
