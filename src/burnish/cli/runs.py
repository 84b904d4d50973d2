"""`burnish runs`: the runs of this repository, newest first."""

from __future__ import annotations

import asyncio

import click


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
@click.option("-n", "--limit", type=click.IntRange(min=1), help="At most this many.")
def runs(as_json: bool, limit: int | None) -> None:
    """List the runs of this repository, newest first."""
    from burnish.app.archive import open_archive
    from burnish.codec import dumps
    from burnish.render.runs import as_record, table

    with asyncio.run(open_archive()) as archive:
        found = archive.runs(limit)
    if as_json:
        click.echo(dumps([as_record(view) for view in found]))
    elif not found:
        click.echo(
            "no runs yet; begin one with: burnish run 'what is to be done' --implementer CMD --reviewer CMD"
        )
    else:
        click.echo(table(found))
