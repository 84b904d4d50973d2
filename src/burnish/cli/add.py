"""`burnish add`: put tasks into the queue."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from burnish.cli.task_options import settings_of, task_options
from burnish.sanitise import clean_line

if TYPE_CHECKING:
    from burnish.app.adding import NewTask
    from burnish.app.queue_place import QueuePlace
    from burnish.model.queue import QueueTask

TYPES = ["implement", "plan", "explore", "review", "improve", "task"]
MOST_BYTES = 4 * 1024 * 1024
TEMPLATE = (
    "\n# Write above what is to be done; the first line is its title. Lines like this one are left out.\n"
)


@click.command()
@click.argument("prompt", required=False)
@click.option("-t", "--type", "task_type", type=click.Choice(TYPES), default="implement", show_default=True)
@task_options
@click.option("--depends-on", multiple=True, metavar="ID", help="Start only when that task is done.")
@click.option("--group", default="", metavar="G", help="A name for tasks that belong together.")
@click.option("--spec", default="", metavar="FILE", help="A document of the repository the task follows.")
@click.option("--review", "create_review", is_flag=True, help="Add a review task when it is done.")
@click.option("--note", default="", metavar="TEXT", help="What agents are told besides.")
@click.option("--edit", "in_editor", is_flag=True, help="Write the prompt in your editor.")
@click.option("--from", "source", metavar="FILE.md|-", help="One task for each checklist item or heading.")
def add(**options: Any) -> None:
    """Put a task into the queue; `burnish work` does it."""
    for task in asyncio.run(_add(options)):
        auto = f", reviewed up to {task.max_review_cycles} times" if task.auto_review else ""
        after = ", ".join(f"#{number}" for number in task.depends_on)
        waits = f", after {after}" if after else ""
        click.echo(clean_line(f"Added task #{task.number}: {task.title} ({task.task_type}{auto}{waits})"))


async def _add(options: dict[str, Any]) -> tuple[QueueTask, ...]:
    from burnish.app.adding import add_tasks
    from burnish.app.queue_place import open_queue

    with await open_queue() as here:
        if options["source"]:
            return await _from_file(here, options)
        return await add_tasks(here, _new(here, options, _prompt(options)))


def _new(here: QueuePlace, options: dict[str, Any], prompt: str) -> NewTask:
    from burnish.app.adding import NewTask
    from burnish.model.queue import TaskType

    return NewTask(
        prompt=prompt,
        task_type=TaskType(options["task_type"]),
        auto_review=options["auto_review"],
        max_cycles=options["max_cycles"],
        depends_on=tuple(here.task(wanted).number for wanted in options["depends_on"]),
        create_review=options["create_review"],
        group=options["group"],
        spec=options["spec"],
        note=options["note"],
        flags=settings_of(options),
    )


def _prompt(options: dict[str, Any]) -> str:
    given: str = options["prompt"] or ""
    if not options["in_editor"]:
        return given
    written = click.edit(f"{given}\n{TEMPLATE}") or ""
    return written.replace(TEMPLATE.strip(), "").strip()


async def _from_file(here: QueuePlace, options: dict[str, Any]) -> tuple[QueueTask, ...]:
    """All of the file or nothing: `after: #3` in it is its own third task."""
    from dataclasses import replace

    from burnish.app.adding import add_tasks
    from burnish.specs.checklist import read_items

    if options["prompt"] or options["in_editor"]:
        raise click.UsageError("expected a prompt or --from, found both.")
    name, text = _read(here, options["source"])
    items = read_items(text, name)
    places = [place for place, item in enumerate(items, 1) if not item.done]
    if not places:
        raise click.UsageError(f"every item of {name} is ticked: there is nothing to add.")
    new = []
    for item in (items[place - 1] for place in places):
        queued = (here.task(str(number)).number for number in item.waits_for)
        # What is ticked is done, so nobody waits for it; the others are named by their place among these.
        beside = (-places.index(place) - 1 for place in item.after if place in places)
        first = _new(here, options, item.text)
        new.append(replace(first, depends_on=(*first.depends_on, *queued, *beside)))
    return await add_tasks(here, *new)


def _read(here: QueuePlace, source: str) -> tuple[str, str]:
    from burnish.errors import UsageError
    from burnish.repository_files import read_named

    name = "standard input" if source == "-" else source
    try:
        if source == "-":
            data = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            data = read_named(here.place.repository.root, Path(source), MOST_BYTES)
    except OSError as error:
        raise UsageError(f"cannot read {source!r}: {error.strerror}.") from None
    if len(data) > MOST_BYTES:
        raise UsageError(f"{name} is larger than {MOST_BYTES // 1024 // 1024} MB.", hint="split it")
    return name, data.decode("utf8", "replace")
