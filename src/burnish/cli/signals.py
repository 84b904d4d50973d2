"""`burnish signals`: where a session of `burnish spec` stands, by the files that its steps left."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from burnish.model.exit_codes import ExitCode

_ACTIONS = ("summary", "count", "failures", "paths", "sizes", "total-size")


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--action", type=click.Choice(_ACTIONS), default="summary", show_default=True)
@click.option(
    "--expected",
    type=click.IntRange(min=0),
    metavar="N",
    help="Say instead whether N signals are done; exit 0 only then.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def signals(folder: Path, **options: Any) -> int:
    """The signals in DIR, the folder of a session: one line each, in the order of its steps."""
    from burnish.app.signal_files import FOLDER, find_signals
    from burnish.sanitise import clean_line

    found = find_signals(folder)
    for name in found.strays:
        click.echo(f"WARNING: {clean_line(name)} is counted, and lies outside of {FOLDER}/", err=True)
    for sentence in found.damaged:
        click.echo(f"WARNING: {clean_line(sentence)}", err=True)
    named = [(one.name, one.signal) for one in found.signals]
    code = _complete(named, **options) if options["expected"] is not None else _answer(named, **options)
    # An answer that leaves a signal out is not the whole answer.
    return ExitCode.FAILED if found.damaged else code


def _answer(named: list[tuple[str, Any]], action: str, as_json: bool, **_: Any) -> int:
    from burnish.codec import dumps
    from burnish.render.signals import Action, data, lines

    if as_json:
        click.echo(dumps(data(Action(action), named)))
    else:
        for line in lines(Action(action), named):
            click.echo(line)
    return ExitCode.OK


def _complete(named: list[tuple[str, Any]], expected: int, as_json: bool, **_: Any) -> int:
    from datetime import UTC, datetime

    from burnish.codec import dumps
    from burnish.render.signals import Completeness, completeness

    state = completeness(named, expected, datetime.now(UTC))
    words = "{status}: {complete} of {expected} done, {failed} failed".format(**state)
    click.echo(dumps(state) if as_json else words)
    return ExitCode.OK if state["status"] is Completeness.COMPLETE else ExitCode.FAILED
