"""`burnish log`: what happened in a run, event by event."""

from __future__ import annotations

import asyncio
import sys

import click

POLL_S = 0.3


@click.command()
@click.argument("run")
@click.option("-f", "--follow", is_flag=True, help="Go on until the run ends.")
@click.option("--json", "as_json", is_flag=True, help="Print each event as one JSON line.")
def log(run: str, follow: bool, as_json: bool) -> None:
    """Print the events of RUN."""
    asyncio.run(_log(run, follow=follow, as_json=as_json))


async def _log(run: str, *, follow: bool, as_json: bool) -> None:
    from burnish.app.archive import open_archive
    from burnish.render.jsonl import JsonLines
    from burnish.render.plain import PlainLines

    say = JsonLines(sys.stdout) if as_json else PlainLines(sys.stdout, times=True)
    with await open_archive() as archive:
        view, seen = archive.run(run), 0
        while True:
            live = archive.run(view.id).live
            for recorded in archive.events(view.id, seen):
                say(recorded)
                seen = recorded.seq
            # Asked before the events were read, so that the last ones are never missed.
            if not (follow and live):
                return
            await asyncio.sleep(POLL_S)
