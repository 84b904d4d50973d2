"""`burnish receipt`: show, check and sign what a run's end rests on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from burnish.model.exit_codes import ExitCode


@click.group()
def receipt() -> None:
    """The evidence of a run: show it, verify it, sign it."""


@receipt.command()
@click.argument("run")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def show(run: str, as_json: bool) -> None:
    """Show the receipt of RUN (an id, or a receipt file)."""
    from burnish.app.receipts import find_receipt
    from burnish.receipts.make import write
    from burnish.render.receipt import page

    found = asyncio.run(find_receipt(run))
    # Written anew instead of passed on: what we write is ASCII, and the same bytes for a file of ours.
    click.echo(write(found.receipt) if as_json else page(found.receipt, found.path), nl=not as_json)


@receipt.command()
@click.argument("run")
@click.option(
    "--signers",
    type=click.Path(path_type=Path, exists=True),
    help="Allowed signers file; requires a signature.",
)
def verify(run: str, signers: Path | None) -> int:
    """Recompute the receipt of RUN (an id, or a receipt file) and name the first thing that does not hold."""
    from burnish.app.receipts import check, find_receipt
    from burnish.render.receipt import checked

    found = asyncio.run(find_receipt(run))
    checks = asyncio.run(check(found, signers))
    click.echo(checked(found.receipt, checks))
    return ExitCode.OK if all(one.holds for one in checks) else ExitCode.FAILED


@receipt.command()
@click.argument("run")
@click.option("--key", type=click.Path(path_type=Path), required=True, help="Private ssh key to sign with.")
def sign(run: str, key: Path) -> None:
    """Sign the receipt of RUN; the signature lies beside it."""
    from burnish.app.receipts import find_receipt
    from burnish.app.signing import sign as sign_file

    found = asyncio.run(find_receipt(run))
    click.echo(f"signed: {asyncio.run(sign_file(found.path, key))}")
