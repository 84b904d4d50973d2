"""`burnish clean`: remove old runs from the state folder."""

from __future__ import annotations

import asyncio

import click


@click.command()
@click.option("--dry-run", is_flag=True, help="Only say what would be removed.")
@click.option("--days", type=click.IntRange(min=0), help="Keep what ended in the last DAYS days.")
def clean(dry_run: bool, days: int | None) -> None:
    """Remove runs that ended long ago, never one that is live or can be resumed."""
    from burnish.app.clean import clean as clean_up

    for line in asyncio.run(clean_up(days=days, dry_run=dry_run)):
        click.echo(line)
