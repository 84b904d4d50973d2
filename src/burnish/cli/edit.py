"""`burnish edit`: change what is known about a task; who, when and why is recorded."""

from __future__ import annotations

import asyncio
from typing import Any

import click

from burnish.cli.completing import task_ids
from burnish.cli.task_options import settings_of, task_options

EDITOR = "\0editor"


@click.command()
@click.argument("task", metavar="ID", shell_complete=task_ids)
@click.option(
    "--verdict", metavar="WORD", help="APPROVED, CHANGES_REQUESTED, MAX_CYCLES_REACHED, NEEDS_DISCUSSION."
)
@click.option(
    "--prompt",
    is_flag=False,
    flag_value=EDITOR,
    metavar="[TEXT]",
    help="What to do; alone: opens your editor.",
)
@click.option("--group", metavar="G", help="A name for tasks that belong together.")
@click.option(
    "--depends-on", multiple=True, metavar="ID", help="Start only when these are done (0: nothing)."
)
@task_options
@click.option("--note", metavar="TEXT", help="What agents are told besides.")
@click.option("--why", default="", metavar="TEXT", help="Why you change it; kept beside the change.")
def edit(**options: Any) -> None:
    """Change task ID. A verdict given here is yours: it is recorded as such and makes no receipt."""
    for line in asyncio.run(_edit(options)):
        click.echo(line)


async def _edit(options: dict[str, Any]) -> list[str]:
    from burnish.app.adding import check_settings
    from burnish.app.queue_place import open_queue
    from burnish.app.task_verbs import edit as edit_task

    with await open_queue() as here:
        view = here.task(options["task"])
        same = ("verdict", "prompt", "group", "max_cycles", "auto_review", "note")
        wanted = {name: options[name] for name in same if options[name] is not None}
        if wanted.get("prompt") == EDITOR:
            wanted["prompt"] = click.edit(view.task.prompt) or view.task.prompt
        if options["depends_on"]:
            given = [number for number in options["depends_on"] if number != "0"]
            wanted["depends_on"] = tuple(here.task(number).number for number in given)
        settings = settings_of(options)
        await check_settings(here, settings)
        wanted |= settings
        if not wanted:
            raise click.UsageError(
                "expected something to change, such as --verdict APPROVED or --group night."
            )
        return edit_task(here, view.number, wanted, options["why"])
