"""The escalation question of a spec: a phase did not pass, and a person says how it goes on."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from burnish.app.queue_place import whoami
from burnish.app.spec_facts import Choice, Way
from burnish.render.plain import count
from burnish.sanitise import clean_line
from burnish.specs.report import PhaseReport
from burnish.store.clock import SystemClock

_WAYS = {"r": Way.RETRY, "s": Way.SKIP, "a": Way.ABORT}
# What can be another one in the next attempt, by the settings it sets.
_OTHERS = {
    "implementer": ("agents.implementer",),
    "reviewer": ("agents.reviewer",),
    "fixer": ("agents.fixer",),
    "model of implementer and fixer": ("task_types.implement.model", "task_types.implement.improve_model"),
}


async def ask(report: PhaseReport) -> Choice:
    """Asked when no phase is at work, so waiting here holds nobody up."""
    grade = f" ({report.grade.upper()} after {count(report.cycles, 'cycle')})" if report.grade else ""
    click.echo(
        f"\nSTAGE_FAILED: phase {report.phase.num} {clean_line(report.phase.name)} did not pass{grade}."
    )
    click.echo(clean_line(report.why))
    click.echo("  r  retry with a different agent or model; a fresh one in any case")
    click.echo("  s  skip the phase and go on")
    click.echo("  a  abort")
    with _signals_as_usual():
        way = _WAYS[click.prompt("How does it go on?", type=click.Choice(list(_WAYS)))]
        flags = _others() if way is Way.RETRY else {}
    return Choice(way, whoami(), SystemClock().now(), flags)


def _others() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for what, keys in _OTHERS.items():
        said = click.prompt(f"  {what} (Enter: as before)", default="", show_default=False).strip()
        found |= dict.fromkeys(keys, said) if said else {}
    return found


@contextmanager
def _signals_as_usual() -> Iterator[None]:
    """While a person is waited for, Ctrl-C must not wait for the event loop, which stands still."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.getsignal(number) for number in numbers}
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
