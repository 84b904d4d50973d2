"""`burnish add`: put tasks into the queue."""

from __future__ import annotations

import asyncio
from typing import Any

import click

TYPES = ["implement", "plan", "explore", "review", "improve", "task"]
# Options that are settings too, kept with the task: the option's name, and the key it sets.
SETTINGS = {
    "implementer": "agents.implementer",
    "reviewer": "agents.reviewer",
    "fixer": "agents.fixer",
    "gate": "gate.command",
}


@click.command()
@click.argument("prompt", required=False)
@click.option("-t", "--type", "task_type", type=click.Choice(TYPES), default="implement", show_default=True)
@click.option(
    "-a/-A", "--auto-review/--no-auto-review", default=None, help="Review and improve until approved."
)
@click.option(
    "--max-cycles", type=click.IntRange(min=1), metavar="N", help="At most N reviews.  [default: 3]"
)
@click.option("--depends-on", multiple=True, metavar="ID", help="Start only when that task is done.")
@click.option("--group", default="", metavar="G", help="A name for tasks that belong together.")
@click.option("--spec", default="", metavar="FILE", help="A document of the repository the task follows.")
@click.option("--implementer", metavar="CMD", help="Program that implements.")
@click.option("--reviewer", metavar="CMD", help="Program that reviews.")
@click.option("--fixer", metavar="CMD", help="Program that fixes.")
@click.option("--gate", metavar="CMD", help="Check that must not turn red.")
@click.option("--review", "create_review", is_flag=True, help="Add a review task when it is done.")
def add(**options: Any) -> None:
    """Put a task into the queue; `burnish work` does it."""
    for task in asyncio.run(_add(options)):
        auto = f", reviewed up to {task.max_review_cycles} times" if task.auto_review else ""
        click.echo(f"Added task #{task.number}: {task.title} ({task.task_type}{auto})")


async def _add(options: dict[str, Any]) -> Any:
    from burnish.app.adding import NewTask, add_tasks
    from burnish.app.queue_place import open_queue
    from burnish.model.queue import TaskType

    with await open_queue() as here:
        new = NewTask(
            prompt=options["prompt"] or "",
            task_type=TaskType(options["task_type"]),
            auto_review=options["auto_review"],
            max_cycles=options["max_cycles"],
            depends_on=tuple(here.task(wanted).number for wanted in options["depends_on"]),
            create_review=options["create_review"],
            group=options["group"],
            spec=options["spec"],
            flags={key: options[name] for name, key in SETTINGS.items() if options[name] is not None},
        )
        return await add_tasks(here, new)
