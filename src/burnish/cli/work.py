"""`burnish work`: do what is in the queue."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import click

from burnish.cli.completing import task_ids
from burnish.cli.output import output_options, task_renderer

# What a verb does first; the numbers of the tasks to work on, or None for none.
Prepare = Callable[[Any, dict[str, Any]], Awaitable[frozenset[int] | None]]


@click.command()
@click.argument("tasks", nargs=-1, metavar="[ID]...", shell_complete=task_ids)
@click.option("--all", "everything", is_flag=True, help="Go on until nothing is ready any more.")
@click.option("-j", "--jobs", type=click.IntRange(min=1), metavar="N", help="So many tasks at once.")
@click.option("--watch", is_flag=True, help="Wait for new tasks instead of ending.")
@output_options
def work(**options: Any) -> int:
    """Do the next task, those named, or all: implement, review and improve until approved."""
    return drive(options, _named)


async def _named(here: Any, options: dict[str, Any]) -> frozenset[int]:
    return frozenset(here.task(wanted).number for wanted in options["tasks"])


def drive(options: dict[str, Any], prepare: Prepare) -> int:
    from burnish.process.reaping import wait_without_threads

    wait_without_threads()
    return asyncio.run(_drive(options, prepare))


async def _drive(options: dict[str, Any], prepare: Prepare) -> int:
    from burnish.app.queue_place import open_queue
    from burnish.app.work import Pool, Wanted

    with await open_queue() as here:
        numbers = await prepare(here, options)
        if numbers is None:
            return 0
        settings = (await here.place.settings(here.place.repository.head)).settings.work
        everything = options.get("everything") or options.get("watch")
        wanted = Wanted(
            numbers=numbers or None,
            most=None if everything else len(numbers) or 1,
            jobs=options.get("jobs") or settings.jobs,
            watch=bool(options.get("watch")),
            stop_after=settings.stop_after_failures,
        )
        pool = Pool(
            here,
            lambda task: task_renderer(task, as_json=options["as_json"], beside=wanted.jobs > 1),
            lambda text: click.echo(text, err=True),
        )
        tally = await pool.work(wanted)
        if not tally.ended and not tally.signalled:
            click.echo("nothing to do: no task is ready (burnish status)", err=True)
        if tally.stopped:
            click.echo(tally.stopped, err=True)
        return tally.exit_code
