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
    """Show the receipt of RUN: a run id, or a file (a path with a slash, or ending in .json)."""
    from burnish.app.receipts import find_receipt
    from burnish.receipts.make import write
    from burnish.render.receipt import page

    found = asyncio.run(find_receipt(run))
    # Written anew instead of passed on: what we write is ASCII, and the same bytes for a file of ours.
    click.echo(
        write(found.receipt) if as_json else page(found.receipt, found.path, checked=not found.by_path),
        nl=not as_json,
    )


@receipt.command()
@click.argument("run")
@click.option(
    "--signers",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Count only a signature by a signer in this file (ssh allowed_signers format).",
)
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
def verify(run: str, signers: Path | None, as_json: bool) -> int:
    """Recompute the receipt of RUN: a run id, or a file (a path with a slash, or ending in .json).

    \b
    exit 0  proven: this machine's journal or an allowed signer vouches for it
    exit 4  consistent but not proven: nothing vouches for it
    exit 1  does not hold: the first thing that does not is named
    """
    from burnish.app.receipts import check, find_receipt
    from burnish.receipts.proof import Proof
    from burnish.render.receipt import answer, checked

    found = asyncio.run(find_receipt(run))
    told = asyncio.run(check(found, signers))
    click.echo(answer(found.receipt, told) if as_json else checked(found.receipt, told))
    codes = {Proof.PROVEN: ExitCode.OK, Proof.NOT_PROVEN: ExitCode.STOPPED}
    return codes.get(told.proof, ExitCode.FAILED)


@receipt.command()
@click.argument("run")
@click.option("--key", type=click.Path(path_type=Path), required=True, help="Private ssh key to sign with.")
def sign(run: str, key: Path) -> None:
    """Sign the receipt of RUN, if this machine's journal proves it; the signature lies beside it."""
    from burnish.app.receipts import find_receipt, sign_proven

    found = asyncio.run(find_receipt(run))
    click.echo(f"signed: {asyncio.run(sign_proven(found, key))}")
