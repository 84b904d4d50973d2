"""`burnish improve`: a task that addresses the last review of another one's work."""

from __future__ import annotations

import asyncio

import click

from burnish.cli.completing import task_ids


@click.command()
@click.argument("task", metavar="ID", shell_complete=task_ids)
@click.option("--review", is_flag=True, help="Add a review task when it is done.")
@click.option("--note", default="", metavar="TEXT", help="What you want to add to the review.")
def improve(task: str, review: bool, note: str) -> None:
    """Add a task that addresses the last review of task ID, on its branch; `burnish work` does it."""
    asyncio.run(_improve(task, review, note))


async def _improve(wanted: str, review: bool, note: str) -> None:
    from burnish.app.queue_place import open_queue
    from burnish.app.task_verbs import improve as improve_task

    with await open_queue() as here:
        task, warning = await improve_task(here, here.task(wanted).number, review=review, note=note)
    if warning:
        click.echo(f"warning: {warning}", err=True)
    click.echo(f"Added task #{task.number}: {task.title} (improve)")
