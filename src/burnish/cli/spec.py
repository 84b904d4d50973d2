"""`burnish spec`: a document taken through its phases, each reviewed and fixed until it passes."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import click

from burnish.cli.agent_options import agent_options
from burnish.cli.output import output_options, tell_report
from burnish.model.exit_codes import ExitCode

_PHASE = click.IntRange(min=0, max=999_999)
ROLES = ("implementer", "reviewer", "fixer")
# Options that are settings too: the flag's name, and the key it sets.
SETTINGS = {
    "fallback": "agents.fallback",
    "model": "agents.model",
    "implementer": "agents.implementer",
    "reviewer": "agents.reviewer",
    "fixer": "agents.fixer",
    "cycles": "limits.cycles",
    "gate": "gate.command",
}


@click.command()
@click.argument("document", metavar="SPEC.md", type=click.Path(path_type=Path))
@click.option(
    "--cycles", type=click.IntRange(min=1), metavar="N", help="At most N reviews a phase.  [default: 3]"
)
@click.option("--phase", "only", type=_PHASE, multiple=True, metavar="P", help="Only this phase; repeatable.")
@click.option("--skip", type=_PHASE, multiple=True, metavar="P", help="Go on without this phase; repeatable.")
@click.option("--phased", is_flag=True, help="Refuse a document without phases.")
@click.option("--resume", is_flag=True, help="Go on with the last session of this document.")
@click.option("--number", default="", metavar="N", help="The spec's number, for commit subjects.")
@agent_options
@click.option("--implementer", metavar="CMD", help="Agent that implements.")
@click.option("--reviewer", metavar="CMD", help="Agent that reviews.")
@click.option("--fixer", metavar="CMD", help="Agent that fixes.  [default: the implementer]")
@click.option("--gate", metavar="CMD", help="Check that must not turn red, such as 'pytest -q'.")
@click.option(
    "-j", "--jobs", type=click.IntRange(min=1), default=2, show_default=True, metavar="N",
    help="So many phases at once.",
)  # fmt: skip
@output_options
def spec(**options: Any) -> int:
    """Take SPEC.md through its phases: implement, then review and fix until the grade is PASS."""
    from burnish.process.reaping import wait_without_threads

    wait_without_threads()
    try:
        return asyncio.run(_spec(options))
    except asyncio.CancelledError:
        from shlex import quote

        click.echo(
            f"interrupted; go on with: burnish spec {quote(str(options['document']))} --resume", err=True
        )
        return ExitCode.INTERRUPTED


async def _spec(options: dict[str, Any]) -> int:
    from burnish.app.spec_open import SpecRequest
    from burnish.app.spec_session import run_spec

    # Role by role: when a session goes on, what is said then is stronger than what was said first.
    named = {**options, **{role: options[role] or options["agent"] for role in ROLES}}
    flags = {key: named[name] for name, key in SETTINGS.items() if named[name] is not None}
    request = SpecRequest(
        path=options["document"],
        flags=flags,
        number=options["number"],
        phased=options["phased"],
        only=options["only"],
        skip=options["skip"],
        resume=options["resume"],
        jobs=options["jobs"],
    )
    report = await run_spec(request, front(as_json=options["as_json"]))
    _tell(report, as_json=options["as_json"])
    return report.exit_code


def _tell(report: Any, *, as_json: bool) -> None:
    from burnish.render import spec_summary

    tell_report(report, spec_summary, as_json=as_json)


def front(*, as_json: bool) -> Any:
    """JSON lines when asked, else lines for people; who sits at a terminal is also asked."""
    from burnish.app.spec_session import Front
    from burnish.render.jsonl import JsonLines
    from burnish.render.spec import PhaseLines, SessionLines

    if as_json:
        every = JsonLines(sys.stdout)
        return Front(every, lambda phase, past: every)
    ask: Any = None
    if sys.stdin.isatty() and sys.stdout.isatty():
        from burnish.cli.spec_question import ask
    return Front(
        SessionLines(sys.stdout),
        lambda phase, past: PhaseLines(sys.stdout, phase.num, phase.name, past),
        ask,
    )
