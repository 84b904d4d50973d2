"""`burnish runs`: the runs of this repository, newest first."""

from __future__ import annotations

import asyncio

import click

from burnish.model.question import Waiting
from burnish.model.run_view import RunView


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
@click.option("-n", "--limit", type=click.IntRange(min=1), help="At most this many.")
def runs(as_json: bool, limit: int | None) -> None:
    """List the runs of this repository, newest first."""
    from burnish.app.archive import open_archive
    from burnish.app.overview import look as overview
    from burnish.codec import dumps
    from burnish.render.runs import as_record, table
    from burnish.render.waiting import asking_tasks, waiting_lines

    async def look() -> tuple[tuple[RunView, ...], dict[str, int], list[Waiting]]:
        with await open_archive() as archive:
            seen = overview(archive.place, None)
            waiting = [*asking_tasks(seen.views), *seen.waiting]
            return await archive.looked_at(*archive.runs(limit)), archive.tasks(), waiting

    found, tasks, waiting = asyncio.run(look())
    if as_json:
        click.echo(dumps([{**as_record(view), "task": tasks.get(view.id)} for view in found]))
    elif not found:
        click.echo(
            "no runs yet; begin one with: burnish run 'what is to be done' --implementer CMD --reviewer CMD"
        )
    else:
        click.echo(table(found, tasks))
        for line in waiting_lines(waiting, most=None):
            click.echo(line)
