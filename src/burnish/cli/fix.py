"""`burnish fix`: repair findings in tested, reversible steps."""

from __future__ import annotations

import asyncio
from typing import Any

import click

from burnish.cli.agent_options import fallback_option, model_option, run_unsandboxed_option
from burnish.cli.review import SETTINGS, SEVERITIES, listening, tell
from burnish.model.dimension import Dimension
from burnish.model.exit_codes import ExitCode
from burnish.model.review import Severity


@click.command()
@click.argument("source", default="", metavar="[REVIEW-DIR|EXPORT-FILE|ID]")
@click.option("--resume", is_flag=True, help="Go on with a fix session that was interrupted.")
@click.option("--finding", "findings", multiple=True, metavar="ID", help="Only this one (F12 or its id).")
@click.option("--batch-size", type=click.IntRange(min=1), default=5, metavar="N", help="Findings a plan.")
@click.option("--gate", metavar="CMD", help="The test command.  [default: found by itself]")
@click.option("--unsafe", is_flag=True, help="Also fixes that may change what the code does.")
@click.option("--min-severity", type=SEVERITIES, default="low", help="Lowest severity that is fixed.")
@click.option(
    "--agent",
    "--fixer",
    "agent",
    default="",
    metavar="NAME|CMD",
    help="Agent that fixes what no fixer of ours can.",
)
@fallback_option
@model_option
@click.option("--land", type=click.Choice(["branch", "apply", "none"]), help="Where the fixes go.")
@click.option("--sandbox", type=click.Choice(["auto", "off", "require"]), help="Use bubblewrap.")
@run_unsandboxed_option
@click.option(
    "--rollback", metavar="GROUP", help="Take one group (G2) of a fix session back, on a new branch."
)
@click.option("--dry-run", is_flag=True, help="Say what would be fixed and how; change nothing.")
def fix(**options: Any) -> int:
    """Fix what a review found: by default the newest review of this repository."""
    from burnish.app.fix import fix as start
    from burnish.app.fix import to_fix
    from burnish.app.request import ReviewRequest
    from burnish.app.review import resume_review
    from burnish.config.load import Flag

    if options["rollback"]:
        return _roll_back(options["source"], options["rollback"])
    shown = listening(tuple(Dimension))
    if options["resume"]:
        source = options["source"] if options["source"].startswith("r-") else ""
        return tell(asyncio.run(resume_review(source, *shown)), "text", None)
    flags = {key: Flag(f"--{name.replace('_', '-')}", options.get(name)) for name, key in SETTINGS.items()}
    request = ReviewRequest(
        words=(),
        flags=flags,
        places={},
        fix=True,
        unsafe=options["unsafe"],
        batch_size=options["batch_size"],
        fixer=options["agent"],
        min_severity=Severity(options["min_severity"]),
        wanted=options["findings"],
    )
    if options["dry_run"]:
        _would(asyncio.run(to_fix(options["source"], request)))
        return ExitCode.OK
    return tell(asyncio.run(start(options["source"], request, *shown)), "text", None)


def _roll_back(run: str, group: str) -> int:
    from burnish.app.rollback import roll_back

    branch = asyncio.run(roll_back(run, group))
    click.echo(f"{branch} has all the fixes but those of {group}; the branch with them stays as it is")
    return ExitCode.OK


def _would(request: Any) -> None:
    from burnish.app.fix_preview import preview
    from burnish.sanitise import clean_line

    able = 0
    for finding, fixer in preview(request):
        able += bool(fixer)
        how = f"by {fixer}" if fixer else "needs an agent or a person"
        place = f"{finding.file}:{finding.line or 0}"
        click.echo(f"{finding.severity:8} {clean_line(place)}  {clean_line(finding.title)}  ({how})")
    click.echo(f"{able} of {len(request.given)} would be tried without an agent; nothing was changed")
