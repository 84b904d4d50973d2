"""`burnish work`: do what is in the queue."""

from __future__ import annotations

import asyncio
from typing import Any

import click

from burnish.cli.output import output_options, renderer


@click.command()
@click.argument("tasks", nargs=-1, metavar="[ID]...")
@click.option("--all", "everything", is_flag=True, help="Go on until nothing is ready any more.")
@click.option("-j", "--jobs", type=click.IntRange(min=1), metavar="N", help="So many tasks at once.")
@click.option("--watch", is_flag=True, help="Wait for new tasks instead of ending.")
@output_options
def work(**options: Any) -> int:
    """Do the next task, those named, or all: implement, review and improve until approved."""
    from burnish.process.reaping import wait_without_threads

    wait_without_threads()
    try:
        return asyncio.run(_work(options))
    except asyncio.CancelledError:
        return 130


async def _work(options: dict[str, Any]) -> int:
    from burnish.app.queue_place import open_queue
    from burnish.app.work import Pool, Wanted, exit_code_of

    with await open_queue() as here:
        settings = (await here.place.settings(here.place.repository.head)).settings.work
        numbers = frozenset(here.task(wanted).number for wanted in options["tasks"])
        everything = options["everything"] or options["watch"]
        wanted = Wanted(
            numbers=numbers or None,
            most=None if everything else len(numbers) or 1,
            jobs=options["jobs"] or settings.jobs,
            watch=options["watch"],
            stop_after=settings.stop_after_failures,
        )
        pool = Pool(here, lambda task: renderer(as_json=options["as_json"], label=f"#{task.number}"))
        tally = await pool.work(wanted)
        if not tally.ended:
            click.echo("nothing to do: no task is ready", err=True)
        if tally.stopped:
            click.echo(tally.stopped, err=True)
        return exit_code_of(tally)
