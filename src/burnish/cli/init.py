"""`burnish init`: a first burnish.toml, written from what is seen in the repository."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import click


@click.command()
@click.option("--print", "only_print", is_flag=True, help="Print it instead of writing it.")
@click.option("--force", is_flag=True, help="Write it over the burnish.toml that is there.")
def init(only_print: bool, force: bool) -> None:
    """Look at this repository and write a commented burnish.toml; nothing of the repository is run."""
    from burnish.app.init import make_starter
    from burnish.sanitise import clean_line

    made = asyncio.run(make_starter(Path.cwd(), os.environ))
    if only_print:
        click.echo(made.text, nl=False)
        return
    made.write(force=force)
    tests = f"tests: {made.seen.tests.command}" if made.seen.tests else "no test command found"
    click.echo(f"wrote {clean_line(str(made.path))} ({clean_line(f'{made.seen.summary}; {tests}')})")
    click.echo(
        "look through it, then commit it: Burnish reads it from the commit a change is measured against"
    )
