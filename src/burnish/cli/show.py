"""`burnish show`: everything about one run."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from burnish.model.events import Recorded
from burnish.model.run_view import RunView


@click.command()
@click.argument("run")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def show(run: str, as_json: bool) -> None:
    """Show everything about RUN: how it ended, each cycle, and where its work is."""
    from burnish.app.archive import open_archive
    from burnish.codec import dumps
    from burnish.render.show import as_record, page

    async def look() -> tuple[RunView, tuple[Recorded, ...], Path | None]:
        with await open_archive() as archive:
            [view] = await archive.looked_at(archive.run(run))
            store = archive.place.run_folder(view.id) / "run.git"
            return view, archive.events(view.id), store if store.is_dir() else None

    view, events, store = asyncio.run(look())
    click.echo(dumps(as_record(view, events), indent=2) if as_json else page(view, events, store))
