"""`burnish run`: one task, driven to its end with any programs as agents."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from burnish.cli.agent_options import AGENT_SETTINGS, agent_options, resume_option
from burnish.cli.budgets import BUDGETS, budget_options
from burnish.cli.output import follow_with, output_options

SECONDS = click.FloatRange(min=0, min_open=True)
# Options that are settings too: the flag's name, and the key it sets.
SETTINGS = {
    **AGENT_SETTINGS,
    "implementer": "agents.implementer",
    "reviewer": "agents.reviewer",
    "fixer": "agents.fixer",
    "resume_fixer": "agents.fixer_session",
    "profile": "profile",
    "contract": "contract",
    "compat": "compat",
    "cycles": "limits.cycles",
    "fixes": "limits.fixes",
    "patience": "limits.patience",
    "stop_on_no_progress": "limits.stop_on_no_progress",
    **BUDGETS,
    "gate": "gate.command",
    "allow_test_edits": "gate.allow_test_edits",
    "gate_timeout": "timeouts.gate_s",
    "timeout_implement": "timeouts.implement_s",
    "timeout_review": "timeouts.review_s",
    "timeout_fix": "timeouts.fix_s",
    "land": "land.how",
    "fail_on": "review.fail_on",
    "sandbox": "sandbox.mode",
    "network": "sandbox.network",
}


@click.command()
@click.argument("task")
@agent_options
@click.option("--implementer", metavar="CMD|none", help="Agent that implements; none: review what is there.")
@click.option("--reviewer", metavar="CMD", help="Agent that reviews, such as codex.")
@click.option("--fixer", metavar="CMD", help="Agent that fixes.  [default: the implementer]")
@resume_option
@click.option("--profile", metavar="NAME", help="spec, task, slots, loops or review.  [default: task]")
@click.option("--contract", metavar="NAME", help="Form of the verdict.  [default: the profile's]")
@click.option("--compat", is_flag=True, default=None, help="Read verdicts by the seeds' literal rules.")
@click.option("--cycles", type=click.IntRange(min=1), metavar="N", help="At most N reviews.")
@click.option("--fixes", type=click.IntRange(min=0), metavar="N", help="At most N fixes.")
@click.option("--gate", metavar="CMD", help="Check that must not turn red, such as 'pytest -q'.")
@click.option("--gate-timeout", type=SECONDS, metavar="S", help="Seconds the gate may take.")
@click.option("--allow-test-edits", is_flag=True, default=None, help="Let the change edit what judges it.")
@click.option("--base", metavar="REF", help="What the change is measured against.  [default: HEAD]")
@click.option(
    "--land", type=click.Choice(["branch", "apply", "none"]), help="Where the result goes.  [default: branch]"
)
@click.option("--timeout-implement", type=SECONDS, metavar="S", help="Seconds the implementer may take.")
@click.option("--timeout-review", type=SECONDS, metavar="S", help="Seconds each review may take.")
@click.option("--timeout-fix", type=SECONDS, metavar="S", help="Seconds each fix may take.")
@click.option(
    "--fail-on", type=click.Choice(["critical", "high", "medium", "low"]), help="Lowest severity that blocks."
)
@click.option(
    "--patience", type=click.IntRange(min=1), metavar="N", help="Stop when N fixes leave the same findings."
)
@click.option(
    "--stop-on-no-progress", is_flag=True, default=None, help="Stop when a fix leaves a tree reviewed before."
)
@budget_options
@click.option("--policy", "policies", multiple=True, metavar="NAME[=VALUE]", help="Add a policy by name.")
@click.option(
    "--sandbox", type=click.Choice(["auto", "off", "require"]), help="Use bubblewrap.  [default: auto]"
)
@click.option("--network/--no-network", default=None, help="Whether agents may reach the network.")
@click.option("--strict", is_flag=True, help="Exit 0 only for a pass.")
@click.option(
    "--sign",
    type=click.Path(path_type=Path, exists=True, dir_okay=False, resolve_path=True),
    metavar="KEY",
    help="Sign the receipt with this ssh key.",
)
@click.option(
    "--record",
    type=click.Path(path_type=Path, file_okay=False, resolve_path=True),
    metavar="DIR",
    help="Record what agents are asked and do, to be replayed with cassette:DIR.",
)
@output_options
def run(**options: Any) -> int:
    """Drive TASK (a sentence, or - to read it) through implement, review and fix until the review passes."""
    from burnish.app.request import RunRequest
    from burnish.app.start import start
    from burnish.config.load import Flag

    prompt = sys.stdin.read() if options["task"] == "-" else options["task"]
    flags = {key: Flag(f"--{name.replace('_', '-')}", options[name]) for name, key in SETTINGS.items()}
    sign = str(options["sign"] or "")
    record = str(options["record"] or "")
    request = RunRequest(
        prompt, flags, options["base"], options["policies"], options["strict"], sign, record=record
    )
    return follow_with(options, lambda listener: start(request, listener))
