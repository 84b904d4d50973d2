"""`burnish merge`: put what a task made into a branch of yours."""

from __future__ import annotations

import asyncio
from typing import Any

import click

from burnish.cli.completing import task_ids


@click.command()
@click.argument("task", metavar="ID", shell_complete=task_ids)
@click.option("--squash", is_flag=True, help="As one commit.  [default: with all its commits]")
@click.option("--into", metavar="BRANCH", help="Where to.  [default: the default branch]")
@click.option("--anyway", is_flag=True, help="Also what no review approved.")
def merge(**options: Any) -> None:
    """Merge the approved work of task ID. A conflict is told, and nothing is changed then."""
    click.echo(asyncio.run(_merge(options)))


async def _merge(options: dict[str, Any]) -> str:
    from burnish.app.queue_place import open_queue
    from burnish.app.task_merge import merge_task

    with await open_queue() as here:
        number = here.task(options["task"]).number
        return await merge_task(
            here, number, squash=options["squash"], into=options["into"], anyway=options["anyway"]
        )
