"""`burnish session`: a name for work in progress, so that a review looks at all of it."""

from __future__ import annotations

import asyncio

import click

from burnish.model.session import Session


@click.group()
def session() -> None:
    """Name work in progress: start, list, complete."""


@session.command()
@click.argument("name")
@click.option("--description", default="", metavar="TEXT", help="What it is about.")
def start(name: str, description: str) -> None:
    """Begin session NAME here: a review of it looks at all that changes from now on."""
    from burnish.app.sessions import start_session

    begun = asyncio.run(start_session(name, description))
    click.echo(f"{begun.id} began at {begun.base[:12]}; review it with: burnish review {begun.id}")


@session.command("list")
def list_() -> None:
    """All sessions of this repository, oldest first."""
    from burnish.app.sessions import list_sessions

    found = asyncio.run(list_sessions())
    for one in found:
        click.echo(_line(one))
    if not found:
        click.echo("no sessions yet; begin one with: burnish session start NAME")


@session.command()
@click.argument("name")
def complete(name: str) -> None:
    """End session NAME; its reviews stay."""
    from burnish.app.sessions import complete_session

    click.echo(_line(asyncio.run(complete_session(name))))


def _line(one: Session) -> str:
    from burnish.sanitise import clean_line

    about = f"  {clean_line(one.description)}" if one.description else ""
    return f"{one.id}  {one.state}  since {one.created_at[:16]}  base {one.base[:12]}{about}"
