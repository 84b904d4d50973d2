"""The options that a task takes when it is added and when it is edited: they stay with it as settings."""

from __future__ import annotations

from typing import Any

import click

from burnish.cli.agent_options import AGENT_SETTINGS, agent_options, resume_option

# The option's name, and the setting it gives.
SETTINGS = {
    **AGENT_SETTINGS,
    "implementer": "agents.implementer",
    "reviewer": "agents.reviewer",
    "fixer": "agents.fixer",
    "resume_fixer": "agents.fixer_session",
    "gate": "gate.command",
    "max_cost": "budget.task_cost_usd",
    "max_tokens": "budget.task_tokens",
    "max_time": "budget.task_minutes",
}


def task_options(command: Any) -> Any:
    from burnish.cli.budgets import Dollars, Minutes

    auto = "-a/-A", "--auto-review/--no-auto-review"
    for option in reversed(
        (
            click.option(*auto, default=None, help="Review and improve until approved."),
            click.option("--max-cycles", type=click.IntRange(min=1), metavar="N", help="At most N reviews."),
            agent_options,
            click.option("--implementer", metavar="CMD", help="Agent that implements."),
            click.option("--reviewer", metavar="CMD", help="Agent that reviews."),
            click.option("--fixer", metavar="CMD", help="Agent that fixes."),
            resume_option,
            click.option("--gate", metavar="CMD", help="Check that must not turn red."),
            click.option(
                "--max-cost", type=Dollars(), metavar="USD", help="Most that all attempts may cost."
            ),
            click.option(
                "--max-tokens", type=click.IntRange(min=1), metavar="N", help="Most tokens of them all."
            ),
            click.option(
                "--max-time", type=Minutes(), metavar="90m", help="Most of agents' time of them all."
            ),
        )
    ):
        command = option(command)
    return command


def settings_of(options: dict[str, Any]) -> dict[str, Any]:
    """The settings among the options, by key."""
    return {key: options[name] for name, key in SETTINGS.items() if options[name] is not None}
