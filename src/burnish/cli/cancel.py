"""`burnish cancel`: end a run, keeping its work."""

from __future__ import annotations

import asyncio

import click


@click.command()
@click.argument("run")
def cancel(run: str) -> None:
    """End RUN. What it made so far is kept, and `burnish show` names where."""
    from burnish.app.cancel import cancel as cancel_run

    click.echo(asyncio.run(cancel_run(run)))
