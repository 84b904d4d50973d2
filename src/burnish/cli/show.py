"""`burnish show`: everything about one task or one run."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import click

from burnish.cli.completing import task_ids

if TYPE_CHECKING:
    from burnish.app.queue_place import QueuePlace
    from burnish.model.run_view import RunView


@click.command()
@click.argument("wanted", metavar="ID", shell_complete=task_ids)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def show(wanted: str, as_json: bool) -> None:
    """Show everything about task or run ID: how it stands, each review, and where its work is."""
    click.echo(asyncio.run(_shown(wanted, as_json=as_json)))


async def _shown(wanted: str, *, as_json: bool) -> str:
    from burnish.app.named import find_named
    from burnish.app.queue_place import open_queue
    from burnish.app.task_story import story_of
    from burnish.codec import dumps
    from burnish.model.run_view import RunView
    from burnish.render.task_page import task_page
    from burnish.render.task_record import story_record

    with await open_queue() as here:
        found, views = find_named(here, wanted)
        if isinstance(found, RunView):
            return await _run(here, found, as_json=as_json)
        story = story_of(here, found, views)
        return dumps(story_record(story), indent=2) if as_json else task_page(story)


async def _run(here: QueuePlace, view: RunView, *, as_json: bool) -> str:
    from burnish.app.stale import with_staleness
    from burnish.codec import dumps
    from burnish.render.show import as_record, page
    from burnish.store.queries import run_events

    [looked] = await with_staleness(here.place, [view])
    events = run_events(here.database, view.id)
    task = here.queue.of_run(view.id)
    if as_json:
        return dumps({**as_record(looked, events), "task": task.number if task else None}, indent=2)
    store = here.place.run_folder(view.id) / "run.git"
    text = page(looked, events, store if store.is_dir() else None)
    return f"{text}\n\nAn attempt at task #{task.number}: burnish show {task.number}" if task else text
