"""`burnish retry`: go on with a task that failed, at the phase that failed."""

from __future__ import annotations

from typing import Any

import click

from burnish.cli.completing import task_ids
from burnish.cli.output import output_options
from burnish.cli.work import drive


@click.command()
@click.argument("task", metavar="ID", shell_complete=task_ids)
@click.option("--fresh", is_flag=True, help="Start over instead of going on where it failed.")
@click.option("--take-over", is_flag=True, help="The machine or container that held it is gone for good.")
@click.option("--later", is_flag=True, help="Only make it ready; `burnish work` does it.")
@output_options
def retry(**options: Any) -> int:
    """Go on with task ID at the phase that failed; finished phases are kept."""
    return drive(options, _prepare)


async def _prepare(here: Any, options: dict[str, Any]) -> frozenset[int] | None:
    from burnish.app.task_verbs import retry as retry_task

    number = here.task(options["task"]).number
    click.echo(
        await retry_task(here, number, fresh=options["fresh"], take_over=options["take_over"]), err=True
    )
    return None if options["later"] else frozenset({number})
