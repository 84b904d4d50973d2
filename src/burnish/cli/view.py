"""`burnish view`: watch a review that another process works on, or see the last one again."""

from __future__ import annotations

import asyncio

import click

from burnish.cli.review import listening
from burnish.model.dimension import Dimension
from burnish.model.exit_codes import ExitCode


@click.command()
@click.argument("run", default="", metavar="[ID]")
def view(run: str) -> int:
    """Phases, dimensions and groups of review ID (the newest by default), live while it runs."""
    from burnish.app.told import follow
    from burnish.registry import load

    listener, _ = listening(tuple(Dimension))
    report = asyncio.run(follow(run, listener))
    if report is not None:
        click.echo(load("render.formats", "text")()(report), nl=False)
    return ExitCode.OK
