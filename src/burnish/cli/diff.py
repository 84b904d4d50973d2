"""`burnish diff`: what a task or a run changed."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import click

from burnish.cli.completing import task_ids


@click.command()
@click.argument("task", metavar="ID|RUN", shell_complete=task_ids)
@click.option("--stat", is_flag=True, help="How much of each file.")
@click.option("--name-only", is_flag=True, help="Only which files.")
def diff(**options: Any) -> None:
    """Print what task ID changed since it parted from its base, also when it did not land."""
    asyncio.run(_diff(options))


async def _diff(options: dict[str, Any]) -> None:
    from burnish.app.archive import Archive
    from burnish.app.queue_place import open_queue
    from burnish.app.task_diff import DiffRequest, diff_text
    from burnish.errors import UsageError
    from burnish.git.diff_stream import DiffForm

    form = DiffForm.STAT if options["stat"] else DiffForm.NAMES if options["name_only"] else DiffForm.FULL
    with await open_queue() as here:
        view = here.named(options["task"])
        run = view.task.run_id if view else Archive(here.place, here.database).run(options["task"]).id
        found = Archive(here.place, here.database).run(run) if run else None
        if found is None or not found.commit:
            raise UsageError(f"{options['task']} has no commit: there is nothing to compare.")
        people = sys.stdout.isatty()
        request = DiffRequest(found.base, found.commit, found.id, form, for_people=people)
        if await diff_text(here.place, request, sys.stdout.buffer.write) == 0:
            click.echo("nothing changed", err=True)
