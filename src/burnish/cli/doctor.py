"""`burnish doctor`: what would stop a run, each with its remedy."""

from __future__ import annotations

import asyncio

import click

from burnish.model.exit_codes import ExitCode


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
def doctor(as_json: bool) -> int:
    """Look for everything that would stop a run, and say what to do about it."""
    from burnish.app.doctor import examine
    from burnish.codec import dumps, plain

    found = asyncio.run(examine())
    if as_json:
        click.echo(dumps([plain(check) for check in found]))
    else:
        for check in found:
            click.echo(f"{check.mark} {check.name}: {check.found}")
            if check.remedy:
                click.echo(f"    {check.remedy}")
    return ExitCode.FAILED if any(check.stops for check in found) else ExitCode.OK
