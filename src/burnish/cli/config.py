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
def show(as_json: bool) -> None:
    """Print every setting with its value and where that came from."""
    import asyncio

    from burnish.app.settings import load_settings
    from burnish.codec import dumps
    from burnish.config.schema import FIELDS, value_of
    from burnish.sanitise import clean_line

    loaded = asyncio.run(load_settings(Path.cwd(), os.environ))
    for notice in loaded.notices:
        click.echo(f"note: {clean_line(notice)}", err=True)
    values = {key: value_of(loaded.settings, key) for key in FIELDS}
    if as_json:
        said = {key: {"value": value, "origin": loaded.origins[key]} for key, value in values.items()}
        click.echo(dumps(said, indent=2))
        return
    rows = [
        (f"{key} = {dumps(value) if value is not None else '(unset)'}", key) for key, value in values.items()
    ]
    width = min(max(len(text) for text, _ in rows), 60)
    for text, key in rows:
        click.echo(f"{clean_line(text):{width}}  # {clean_line(loaded.origins[key])}")
