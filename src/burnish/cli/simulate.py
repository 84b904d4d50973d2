"""`burnish simulate`: what each policy costs and saves, against simulated reviewers and fixers."""

from __future__ import annotations

import asyncio
import sys
import time
from typing import Any

import click

QUIET_S = 2.0


@click.command()
@click.option("--runs", type=click.IntRange(1, 100_000), default=100, show_default=True, metavar="N",
              help="Runs of each policy, reviewer and fixer.")  # fmt: skip
@click.option("--seed", type=int, default=1, show_default=True, metavar="S", help="Same seed, same table.")
@click.option("--cycles", type=click.IntRange(1, 100), default=10, show_default=True, metavar="N",
              help="At most N reviews a run.")  # fmt: skip
@click.option("--gate-share", type=click.FloatRange(0, 1), default=0.3, show_default=True, metavar="P",
              help="Share of the blocking defects that the gate notices.")  # fmt: skip
@click.option("--policy", "policies", multiple=True, metavar="NAME[=VALUE][+...]",
              help="Only these, as burnish run --policy takes them; none for no other.")  # fmt: skip
@click.option("--reviewer", "reviewers", multiple=True, metavar="NAME",
              help="Only these: honest, noisy, stubborn, oscillating, lazy, lying.")  # fmt: skip
@click.option("--fixer", "fixers", multiple=True, metavar="NAME",
              help="Only these: good, partial, breaking, idle.")  # fmt: skip
@click.option("--full", is_flag=True, help="Also each reviewer with each fixer, before the sums.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def simulate(**options: Any) -> None:
    """Run the real loop and policies against simulated reviewers and fixers, and count what came of it."""
    from burnish.codec import dumps
    from burnish.simulator import trial
    from burnish.simulator.table import lines, plain

    numbers = {name: options[name] for name in ("runs", "seed", "cycles", "gate_share")}
    chosen = {name: options[name] for name in ("policies", "reviewers", "fixers") if options[name]}
    setting = trial.Setting(**numbers, **chosen)
    found = asyncio.run(trial.simulate(setting, Progress()))
    if options["as_json"]:
        click.echo(dumps(plain(setting, found)))
        return
    for line in lines(setting, found, full=options["full"]):
        click.echo(line)


class Progress:
    """Says on stderr how far it is, once it has taken a while, and then as often as that."""

    def __init__(self, what: str = "simulating", quiet_s: float = QUIET_S) -> None:
        self._what, self._quiet_s = what, quiet_s
        self._said = time.monotonic()

    def __call__(self, share: float) -> None:
        if time.monotonic() - self._said < self._quiet_s:
            return
        self._said = time.monotonic()
        on_terminal = sys.stderr.isatty()
        click.echo(f"{self._what}: {share:4.0%}", err=True, nl=not on_terminal)
        if on_terminal:
            click.echo("\r", err=True, nl=False)
