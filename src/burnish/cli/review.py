"""`burnish review`: what changed, or any paths, from seven dimensions; with no agent, no key, no network."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from burnish.cli.agent_options import fallback_option, model_option, run_unsandboxed_option
from burnish.model.dimension import Dimension
from burnish.model.fixing import FixResult
from burnish.model.review import Severity
from burnish.ports import Listener

if TYPE_CHECKING:
    from burnish.app.review import Reviewed
    from burnish.app.start import Hooks
    from burnish.model.report import ReviewReport

FORMATS = ("text", "json", "sarif", "junit", "rdjson", "github", "markdown", "html")
SEVERITIES = click.Choice([severity.value for severity in Severity])
FILE = click.Path(exists=True, dir_okay=False, resolve_path=True)
# Options that are settings too: the flag's name, and the key it sets.
SETTINGS = {
    "fallback": "agents.fallback",
    "model": "agents.model",
    "fail_on": "review.fail_on",
    "min_confidence": "review.min_confidence",
    "gate": "gate.command",
    "land": "land.how",
    "sandbox": "sandbox.mode",
    "run_unsandboxed": "sandbox.run_unsandboxed",
}


def dimensions_of(
    context: click.Context, option: click.Parameter, value: str | None
) -> tuple[Dimension, ...]:
    """`security,quality`: any of the seven, each once, in the order of the seven."""
    if value is None:
        return tuple(Dimension)
    words = [word.strip().lower() for word in value.split(",") if word.strip()]
    unknown = [word for word in words if word not in list(Dimension)]
    if unknown or not words:
        known = ", ".join(Dimension)
        raise click.BadParameter(f"expected some of {known}, found {unknown[0] if unknown else value!r}.")
    return tuple(dimension for dimension in Dimension if dimension in words)


@click.command()
@click.argument("target", nargs=-1)
@click.option("--base", metavar="REF", help="Review all since this branch or commit began to differ.")
@click.option("--commit", metavar="SHA", help="Review one commit.")
@click.option("--staged", is_flag=True, default=None, help="Review what is staged.")
@click.option("--range", "range", metavar="A..B", help="Review what B has that A has not.")
@click.option(
    "--dimensions", callback=dimensions_of, metavar="LIST", help="Some of the seven.  [default: all]"
)
@click.option(
    "--max-iterations",
    type=click.IntRange(min=0),
    default=3,
    metavar="N",
    help="Rounds of deep dives; 0: none.",
)
@click.option("--fix", is_flag=True, help="Fix what can be fixed, each fix tested or undone.")
@click.option("-y", "--yes", is_flag=True, help="Answer the question about fixes with yes.")
@click.option("--batch-size", type=click.IntRange(min=1), default=5, metavar="N", help="Findings a plan.")
@click.option("--resume", is_flag=True, help="Go on with a review or fix session that was interrupted.")
@click.option(
    "--agent",
    "--reviewer",
    "agents",
    multiple=True,
    metavar="NAME|CMD",
    help="Agent to ask first; may be repeated.  [default: none, offline]",
)
@click.option("--fixer", default="", metavar="NAME|CMD", help="Agent that fixes what no fixer of ours can.")
@fallback_option
@model_option
@click.option("--all", "everything", is_flag=True, help="Also tell what was there before the change.")
@click.option("--new", "only_new", is_flag=True, help="Only what the change brought (the default).")
@click.option("--min-severity", type=SEVERITIES, default="low", help="Lowest severity that is told.")
@click.option("--fail-on", type=SEVERITIES, help="Lowest severity that blocks.  [default: high]")
@click.option("--min-confidence", type=click.FloatRange(0, 1), metavar="X", help="Surer than this to block.")
@click.option("--gate", metavar="CMD", help="The test command.  [default: found by itself]")
@click.option("--land", type=click.Choice(["branch", "apply", "none"]), help="Where fixes go.")
@click.option("--no-tests", is_flag=True, help="Do not run the tests.")
@click.option("--sarif", multiple=True, type=FILE, metavar="FILE", help="Take in another tool's findings.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", help="Form of the result.")
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Write it to a file.")
@click.option("--sandbox", type=click.Choice(["auto", "off", "require"]), help="Use bubblewrap.")
@run_unsandboxed_option
def review(**options: Any) -> int:
    """Review what changed, a session (WFS-x), or TARGET: paths and globs, also comma-separated."""
    from burnish.app.fix import fix
    from burnish.app.fix_source import is_fix_source
    from burnish.app.review import review as start

    words = options["target"]
    if options["everything"] and options["only_new"]:
        raise click.UsageError("expected --all or --new, found both.")
    shown = listening(options["dimensions"])
    if options["resume"] or (options["fix"] and len(words) == 1 and is_fix_source(words[0])):
        return _enter_fix(options, shown)
    reviewed = asyncio.run(start(request_of(options), *shown))
    code = tell(reviewed, options["form"], options["output"])
    if not options["fix"] and _wants_fixes(reviewed, options):
        again = listening(options["dimensions"])
        done = asyncio.run(fix(reviewed.run, request_of(options), *again))
        return tell(done, options["form"], None)
    return code


def tell(reviewed: Reviewed, form: str, output: Path | None) -> int:
    """Print or write the result; the exit code is the run's."""
    from burnish.registry import load
    from burnish.sanitise import clean_line

    if reviewed.trouble:
        click.echo(f"note: the files of this review: {clean_line(reviewed.trouble)}", err=True)
    if reviewed.report is None:
        return reviewed.exit_code
    if form == "text" and output is None and in_colour():
        _show(reviewed.report)
    else:
        text: str = load("render.formats", form)()(reviewed.report)
        _write(output, text) if output else click.echo(text, nl=False)
    if reviewed.report.fixes and form == "text":
        offer_completion(reviewed.report)
    return reviewed.exit_code


def offer_completion(report: ReviewReport) -> None:
    """C-57: when every fix of a named session succeeded, its end is offered; otherwise that is said."""
    from burnish.app.sessions import complete_session, is_active

    if not asyncio.run(is_active(report.session)):
        return
    if not all(fix.result in (FixResult.FIXED, FixResult.ALREADY_GONE) for fix in report.fixes):
        click.echo("Some findings failed. Review fix-summary.md before completing session.", err=True)
    elif (
        sys.stdin.isatty()
        and sys.stdout.isatty()
        and click.confirm("All fixes complete. Complete workflow session?", default=True)
    ):
        asyncio.run(complete_session(report.session))


def in_colour() -> bool:
    """On a terminal, and unless NO_COLOR asks for none."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def _show(report: ReviewReport) -> None:
    from rich.console import Console

    from burnish.render.formats.text import styled

    Console().print(styled(report), soft_wrap=True, highlight=False, end="")


def _write(output: Path, text: str) -> None:
    from burnish.errors import UsageError

    try:
        output.write_text(text, "utf8")
    except OSError as error:
        raise UsageError(f"the result cannot be written to {output}: {error.strerror}.") from None


def _enter_fix(options: dict[str, Any], shown: tuple[Listener, Hooks]) -> int:
    """`review --fix DIR`, `review --fix EXPORT` and `review --fix --resume` begin at phase 6 (C-20, C-24)."""
    from burnish.app.fix import fix
    from burnish.app.review import resume_review

    if options["resume"]:
        return tell(asyncio.run(resume_review("", *shown)), options["form"], options["output"])
    done = asyncio.run(fix(options["target"][0], request_of(options), *shown))
    return tell(done, options["form"], options["output"])


def _wants_fixes(reviewed: Reviewed, options: dict[str, Any]) -> bool:
    """C-43: asked on a terminal only, and only when there is something to fix; -y is a yes."""
    if reviewed.report is None or not reviewed.report.open or options["form"] != "text":
        return False
    if options["yes"]:
        return True
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    return click.confirm("Run automated fixes on findings?", default=True)


def listening(dimensions: tuple[Dimension, ...]) -> tuple[Listener, Hooks]:
    """A live table on a terminal, plain lines elsewhere; always on stderr: the result has stdout."""
    from burnish.app.start import Hooks

    if sys.stderr.isatty():
        from rich.console import Console

        from burnish.render.review_live import ReviewLive

        live = ReviewLive(Console(stderr=True), dimensions)
        return live, Hooks(progress=live.progress)
    from burnish.render.review_lines import ReviewLines

    lines = ReviewLines(sys.stderr, dimensions)
    return lines, Hooks(progress=lines.progress)


def request_of(options: dict[str, Any]) -> Any:
    from burnish.app.request import ReviewRequest
    from burnish.config.load import Flag

    flags = {key: Flag(f"--{name.replace('_', '-')}", options.get(name)) for name, key in SETTINGS.items()}
    return ReviewRequest(
        words=options["target"],
        flags=flags,
        places={name: options[name] for name in ("base", "commit", "staged", "range", "only_new")},
        dimensions=options["dimensions"],
        max_iterations=options["max_iterations"],
        everything=options["everything"],
        fix=options["fix"],
        batch_size=options["batch_size"],
        agents=options["agents"],
        fixer=options["fixer"],
        sarif=options["sarif"],
        tests=not options["no_tests"],
        min_severity=Severity(options["min_severity"]),
    )
