"""The options that say who does the work, the same for every verb that has agents at work."""

from __future__ import annotations

from typing import Any

import click

# The option's name, and the setting it gives.
AGENT_SETTINGS = {"agent": "agents.agent", "fallback": "agents.fallback", "model": "agents.model"}


def listed(context: click.Context, option: click.Parameter, value: str | None) -> list[str] | None:
    """`codex,claude`: names in the order in which they are asked."""
    if value is None:
        return None
    names = [name.strip() for name in value.split(",")]
    if not all(names):
        raise click.BadParameter(f"expected names with commas between them, found {value!r}.")
    return names


def fallback_option(command: Any) -> Any:
    return click.option(
        "--fallback", callback=listed, metavar="A,B", help="Agents asked when one gives no answer."
    )(command)


def model_option(command: Any) -> Any:
    return click.option("--model", metavar="NAME", help="Model of every role, or: strong, fast.")(command)


def run_unsandboxed_option(command: Any) -> Any:
    words = "Run the change's tests even where there is no sandbox."
    return click.option("--run-unsandboxed", is_flag=True, default=None, help=words)(command)


def resume_option(command: Any) -> Any:
    words = "Whether a fixer goes on with the session of the step before it. Reviewers are always fresh."
    names = "--resume-fixer/--fresh-fixer"
    return click.option(names, default=None, callback=_fixer_session, help=words)(command)


def _fixer_session(context: click.Context, option: click.Parameter, value: bool | None) -> str | None:
    return None if value is None else "resume" if value else "fresh"


def agent_options(command: Any) -> Any:
    command = model_option(fallback_option(command))
    return click.option(
        "--agent", metavar="NAME|CMD", help="Agent for every role.  [default: the best that is ready]"
    )(command)
