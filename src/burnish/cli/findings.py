"""`burnish findings`: what is open, and what people decided about it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import click

from burnish.model.ledger import DISMISSED, LedgerEntry, LedgerState


@click.group()
def findings() -> None:
    """What became of each finding: list, show, dismiss, reopen."""


@findings.command("list")
@click.option("--all", "everything", is_flag=True, help="Also fixed and dismissed ones.")
@click.option("--file", default="", metavar="PATH", help="Only below this path.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
def list_(everything: bool, file: str, as_json: bool) -> None:
    """The open findings of this repository; dismissed ones are counted, --all lists them."""
    from burnish.app.findings import Wanted, list_findings
    from burnish.codec import dumps, plain

    everyone = asyncio.run(list_findings(Wanted(tuple(LedgerState), file)))
    found = [entry for entry in everyone if everything or entry.state not in (*DISMISSED, LedgerState.FIXED)]
    if as_json:
        click.echo(dumps([plain(entry) for entry in found]))
        return
    for entry in found:
        click.echo(_line(entry))
    hidden = len(everyone) - len(found)
    more = f"; {hidden} fixed or dismissed (--all)" if hidden else ""
    click.echo(f"{len(found)} finding(s){more}")


@findings.command()
@click.argument("finding")
def show(finding: str) -> None:
    """Everything about one finding: FINDING is F12 or the id a review showed."""
    from burnish.app.findings import find_finding

    click.echo("\n".join(_story(asyncio.run(find_finding(finding)))))


@findings.command()
@click.argument("finding")
@click.option("--as", "state", required=True, type=click.Choice([str(state) for state in DISMISSED]))
@click.option("--why", required=True, metavar="TEXT", help="The reason, for whoever asks later.")
def dismiss(finding: str, state: str, why: str) -> None:
    """Decide that a finding does not block; it stays visible, with who, when and why."""
    _decide(finding, LedgerState(state), why)


@findings.command()
@click.argument("finding")
@click.option("--why", default="reopened", metavar="TEXT")
def reopen(finding: str, why: str) -> None:
    """Take a dismissal back."""
    _decide(finding, LedgerState.OPEN, why)


def _decide(finding: str, state: LedgerState, why: str) -> None:
    from burnish.app.findings import decide

    click.echo(_line(asyncio.run(decide(finding, state, why))))


def _line(entry: LedgerEntry) -> str:
    from burnish.sanitise import clean_line

    found: Any = entry.finding
    place = f"{found.file}:{found.line}" if found.line else found.file
    said = f"  ({clean_line(entry.last.why)})" if entry.state.dismissed else ""
    head = f"F{entry.number:<4} {entry.state:13} {found.severity:8}"
    return f"{head} {clean_line(place)}  {clean_line(found.title)}{said}"


def _story(entry: LedgerEntry) -> Iterator[str]:
    from burnish.model.flow import flow_lines, flow_title
    from burnish.sanitise import clean, clean_line

    found = entry.finding
    yield _line(entry)
    for name, text in (
        ("id", found.id), ("dimension", f"{found.dimension} / {found.category}"), ("rule", found.rule),
        ("tools", ", ".join(found.tools)), ("also by", ", ".join(found.same_rules)),
        ("weakness", " ".join((found.cwe, found.owasp)).strip()),
        ("confidence", "" if found.confidence is None else f"{found.confidence:.0%}"),
        ("what to do", found.suggestion), ("detail", found.detail), ("fingerprint", entry.fingerprint),
    ):  # fmt: skip
        if text:
            yield f"  {name}: {clean_line(text)}"
    for line in clean(found.snippet).splitlines():
        yield f"  | {line}"
    if found.flow:
        yield f"  {flow_title(found.flow)}:"
        yield from (f"    {line}" for line in flow_lines(found.flow, clean_line))
    for change in entry.history:
        run = f" in {change.run}" if change.run else ""
        yield f"  {change.at}  {change.state}  by {clean_line(change.by)}{run}: {clean_line(change.why)}"
