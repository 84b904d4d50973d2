"""`burnish config`: what is set, to what, and by whom."""

from __future__ import annotations

import os
from pathlib import Path

import click


@click.group()
def config() -> None:
    """The configuration: burnish.toml at the base commit, your own file, the environment."""


@config.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object: key, value and origin.")
@click.option(
    "--type",
    "task_type",
    type=click.Choice(["task", "explore", "plan", "implement", "review", "improve"]),
    help="Print what a task of this type gets, and by which key.",
)
def show(as_json: bool, task_type: str | None) -> None:
    """Print every setting with its value and where that came from."""
    import asyncio

    from burnish.app.settings import load_settings, of_type, one_by_one
    from burnish.codec import dumps
    from burnish.sanitise import clean_line

    loaded = asyncio.run(load_settings(Path.cwd(), os.environ))
    for notice in loaded.notices:
        click.echo(f"note: {clean_line(notice)}", err=True)
    shown = of_type(loaded, task_type) if task_type else one_by_one(loaded)
    if as_json:
        said = {name: {"value": value, "origin": origin} for name, value, origin in shown}
        click.echo(dumps(said, indent=2))
        return
    rows = [
        (f"{name} = {dumps(value) if value is not None else '(unset)'}", origin)
        for name, value, origin in shown
    ]
    width = min(max(len(text) for text, _ in rows), 60)
    for text, origin in rows:
        click.echo(f"{clean_line(text):{width}}  # {clean_line(origin)}")
