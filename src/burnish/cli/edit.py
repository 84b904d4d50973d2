"""`burnish edit`: change what is known about a task; who, when and why is recorded."""

from __future__ import annotations

import asyncio
from typing import Any

import click

from burnish.cli.add import flags_of
from burnish.cli.completing import task_ids

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
@click.option("--max-cycles", type=click.IntRange(min=1), metavar="N", help="At most N reviews.")
@click.option(
    "-a/-A", "--auto-review/--no-auto-review", default=None, help="Review and improve until approved."
)
@click.option("--note", metavar="TEXT", help="What agents are told besides.")
@click.option("--implementer", metavar="CMD", help="Program that implements.")
@click.option("--reviewer", metavar="CMD", help="Program that reviews.")
@click.option("--fixer", metavar="CMD", help="Program that fixes.")
@click.option("--gate", metavar="CMD", help="Check that must not turn red.")
@click.option("--max-cost", type=float, metavar="USD", help="Most that all attempts together may cost.")
@click.option("--max-tokens", type=click.IntRange(min=1), metavar="N", help="Most tokens of all attempts.")
@click.option("--max-time", metavar="TIME", help="Most time of all attempts, such as 90m.")
@click.option("--why", default="", metavar="TEXT", help="Why you change it; kept beside the change.")
def edit(**options: Any) -> None:
    """Change task ID. A verdict given here is yours: it is recorded as such and makes no receipt."""
    for line in asyncio.run(_edit(options)):
        click.echo(line)


async def _edit(options: dict[str, Any]) -> list[str]:
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
        wanted |= flags_of(options)
        if not wanted:
            raise click.UsageError(
                "expected something to change, such as --verdict APPROVED or --group night."
            )
        return edit_task(here, view.number, wanted, options["why"])
