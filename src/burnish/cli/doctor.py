"""`burnish doctor`: what would stop a run, each with its remedy."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import click

from burnish.model.exit_codes import ExitCode

if TYPE_CHECKING:
    from burnish.model.check import Check


@click.command()
@click.option("--fix", is_flag=True, help="Remove what dead processes of Burnish left; nothing of yours.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
def doctor(fix: bool, as_json: bool) -> int:
    """Look for everything that would stop a run, and say what to do about it."""
    from burnish.app.doctor import examine
    from burnish.codec import dumps, plain
    from burnish.sanitise import clean_line

    for line in asyncio.run(_repaired()) if fix else ():
        click.echo(clean_line(line), err=as_json)
    found = asyncio.run(examine())
    if as_json:
        click.echo(dumps([plain(check) for check in found]))
    else:
        for check in found:
            click.echo(f"{check.mark} {check.name}: {clean_line(check.found)}")
            if check.remedy:
                click.echo(f"    {clean_line(check.remedy)}")
        click.echo(_summary(found))
    return ExitCode.FAILED if any(check.stops for check in found) else ExitCode.OK


def _summary(found: list[Check]) -> str:
    """What stops `run` and `work` need not stop a review."""
    stops = [check for check in found if check.stops]
    if not stops:
        advised = any(check.remedy for check in found)
        return "nothing would stop a run" + ("; what is marked ! is advice" if advised else "")
    harmless = all(check.review_works for check in stops)
    return f"{len(stops)} would stop a run" + (
        "; burnish review and fix work all the same" if harmless else ""
    )


async def _repaired() -> list[str]:
    """A state that cannot even be read is told by the examination."""
    from burnish.app.repairs import repair
    from burnish.errors import BurnishError

    try:
        return await repair() or ["there was nothing to repair"]
    except BurnishError as error:
        return [f"not repaired: {error.message}"]
