"""`burnish build`: a document built by many loops at once, each reviewed, merged when all have passed."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from shlex import quote
from typing import Any

import click

from burnish.cli.agent_options import agent_options
from burnish.cli.live import build_shown
from burnish.cli.output import live_options, output_options, reader_gone, tell_report
from burnish.loops.effort import Effort
from burnish.model.exit_codes import ExitCode

ROLES = ("implementer", "reviewer", "fixer")
SETTINGS = {
    "fallback": "agents.fallback",
    "model": "agents.model",
    "implementer": "agents.implementer",
    "reviewer": "agents.reviewer",
    "fixer": "agents.fixer",
    "gate": "gate.command",
    "sandbox": "sandbox.mode",
}


class _Verbs(click.Group):
    """`build SPEC` is `build start SPEC`: whatever is no verb here is a document."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ("--help", "-h"):
            args = ["start", *args]
        return super().parse_args(ctx, args)


@click.group(cls=_Verbs)
def build() -> None:
    """Build SPEC by many loops at once: `burnish build SPEC --effort medium`.

    A document is enumerated into tasks, planned in groups, and every task of a group is built, reviewed and
    revised in a loop of its own; when all of a group have passed, they are merged, and the next group begins.
    """


@build.command("start")
@click.argument("document", metavar="SPEC", type=click.Path(path_type=Path))
@click.option(
    "--effort", type=click.Choice([str(one) for one in Effort]),
    help="How much care: reviews, revisions, checkpoints, models, costs.  [default: medium]",
)  # fmt: skip
@click.option(
    "--max-loops",
    type=click.IntRange(min=1),
    metavar="N",
    help="So many loops at once.  [default: 4]",
)
@click.option(
    "--max-iterations", type=click.IntRange(min=1), metavar="N",
    help="Iterations that a loop may take until its task is complete.  [default: 20]",
)  # fmt: skip
@click.option(
    "--onto", default="", metavar="BRANCH", help="Branch to merge into.  [default: the default branch]"
)
@click.option(
    "--max-cost", type=click.FloatRange(min=0, min_open=True), metavar="USD",
    help="What the build may cost, as far as costs are known.  [default: by the effort]",
)  # fmt: skip
@click.option("--resume", is_flag=True, help="Go on with the last build of this document.")
@click.option("--dry-run", is_flag=True, help="Enumerate and plan, show it, build nothing.")
@agent_options
@click.option("--implementer", metavar="CMD", help="Agent that builds.")
@click.option("--reviewer", metavar="CMD", help="Agent that reviews.")
@click.option("--fixer", metavar="CMD", help="Agent that revises.  [default: the implementer]")
@click.option(
    "--gate", metavar="CMD", help="Check that must be green on what is merged, such as 'pytest -q'."
)
@click.option(
    "--sandbox", type=click.Choice(["auto", "off", "require"]), help="Use bubblewrap.  [default: auto]"
)
@live_options
def start(**options: Any) -> int:
    """Begin a build of SPEC, or go on with one."""
    return drive_build(options)


@build.command()
@output_options
def status(as_json: bool) -> int:
    """How the newest build stands."""
    from burnish.app.build_verbs import build_status

    report = asyncio.run(build_status())
    _tell(report, as_json=as_json)
    return ExitCode.OK


@build.command()
@click.argument("loop", metavar="LOOP")
@click.argument("words", metavar="[WORDS]...", nargs=-1)
@click.option("--skip", is_flag=True, help="Go on without it, and without what needs it.")
@click.option("--implementer", metavar="CMD", help="Another agent for the next attempt.")
def resolve(loop: str, words: tuple[str, ...], skip: bool, implementer: str | None) -> int:
    """Say how a loop that waits for a person goes on: with your WORDS, or not at all (--skip)."""
    from burnish.app.build_facts import Way
    from burnish.app.build_verbs import Saying, resolve

    flags = {"agents.implementer": implementer, "agents.fixer": implementer} if implementer else {}
    saying = Saying(Way.SKIP if skip else Way.RETRY, " ".join(words), flags)
    path, report = asyncio.run(resolve(loop, saying))
    what = "is left out" if skip else "is tried again"
    click.echo(f"loop {report.number} {what}; go on with: burnish build {quote(path)} --resume")
    return ExitCode.OK


@build.command()
@live_options
def unblock(as_json: bool, plain: bool) -> int:
    """Try every loop again that waits for a person, and go on with the build."""
    from burnish.app.build_verbs import unblock

    path, loops = asyncio.run(unblock())
    if not as_json:
        click.echo(f"{len(loops)} tried again" if loops else "no loop waits for a person")
    return drive_build({"document": Path(path), "resume": True, "as_json": as_json, "plain": plain})


def drive_build(options: dict[str, Any]) -> int:
    from burnish.process.reaping import wait_without_threads

    wait_without_threads()
    try:
        return asyncio.run(_build(options))
    except asyncio.CancelledError:
        path = quote(str(options["document"]))
        click.echo(f"interrupted; go on with: burnish build {path} --resume", err=True)
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        return reader_gone(f"burnish build {quote(str(options['document']))} --resume")


async def _build(options: dict[str, Any]) -> int:
    from burnish.app.build_open import BuildRequest
    from burnish.app.build_session import run_build

    named = {**options, **{role: options.get(role) or options.get("agent") for role in ROLES}}
    flags = {key: named[name] for name, key in SETTINGS.items() if named.get(name) is not None}
    wanted = {
        name: options[name]
        for name in ("onto", "max_loops", "max_iterations", "resume", "dry_run", "max_cost")
        if name in options
    }
    effort = Effort(options["effort"]) if options.get("effort") else None
    request = BuildRequest(options["document"], flags, effort, **wanted)
    async with build_shown(options, front) as (shown, hooks):
        report = await run_build(request, shown, hooks)
    _tell(report, as_json=options["as_json"])
    return report.exit_code


def _tell(report: Any, *, as_json: bool) -> None:
    from burnish.render import build

    tell_report(report, build, as_json=as_json)


def front(*, as_json: bool) -> Any:
    """JSON lines when asked, else lines for people."""
    from burnish.app.build_session import Front
    from burnish.render.build import BuildLines, LoopLines
    from burnish.render.jsonl import JsonLines

    if as_json:
        every = JsonLines(sys.stdout)
        return Front(every, lambda report, past: every)
    return Front(BuildLines(sys.stdout), lambda report, past: LoopLines(sys.stdout, report, past))
