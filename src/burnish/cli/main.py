"""`burnish`: a table of verbs. Each is loaded when it is called, so that --help stays quick."""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

import click

from burnish import __version__
from burnish.cli.last_line import guarded

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

VERBS = {
    "add": ("burnish.cli.add", "Put a task into the queue"),
    "work": ("burnish.cli.work", "Do what is in the queue"),
    "status": ("burnish.cli.status", "Every task of the queue, a line each"),
    "report": ("burnish.cli.report", "What the queue did while nobody looked"),
    "improve": ("burnish.cli.improve", "Address the last review of a task"),
    "edit": ("burnish.cli.edit", "Change a task: verdict, prompt, group, limits"),
    "retry": ("burnish.cli.retry", "Go on with a task that failed, at the phase that failed"),
    "merge": ("burnish.cli.merge", "Put what a task made into a branch of yours"),
    "diff": ("burnish.cli.diff", "What a task or a run changed"),
    "rm": ("burnish.cli.rm", "Take tasks out of the queue"),
    "run": ("burnish.cli.run", "Drive one task through implement, review and fix"),
    "review": ("burnish.cli.review", "Review what changed, or any paths, and fix what can be fixed"),
    "fix": ("burnish.cli.fix", "Fix what a review found, each fix tested or undone"),
    "view": ("burnish.cli.view", "Watch a review at work, or see the last one again"),
    "findings": ("burnish.cli.findings", "What is open, and what people decided about it"),
    "session": ("burnish.cli.session", "Name work in progress: start, list, complete"),
    "resume": ("burnish.cli.resume", "Go on with a run that was interrupted"),
    "answer": ("burnish.cli.answer", "Answer a question that waits for a person, and go on"),
    "cancel": ("burnish.cli.cancel", "End a task or a run; its work so far is kept"),
    "runs": ("burnish.cli.runs", "List the runs of this repository"),
    "show": ("burnish.cli.show", "Everything about one task or run"),
    "receipt": ("burnish.cli.receipt", "The evidence of a run: show, verify, sign"),
    "spec": ("burnish.cli.spec", "Take a document through its phases, each reviewed until it passes"),
    "build": ("burnish.cli.build", "Build a document by many loops at once, merged when all have passed"),
    "slots": ("burnish.cli.slots", "Many agents at once, each with a task of its own and a reviewer"),
    "signals": ("burnish.cli.signals", "Where the session of a spec stands, signal by signal"),
    "mcp": ("burnish.cli.mcp", "Serve Burnish to a host agent over MCP"),
    "log": ("burnish.cli.log", "What happened in a task or run, event by event"),
    "clean": ("burnish.cli.clean", "Remove old runs from the state folder"),
    "contract": ("burnish.cli.contract", "The verdict contracts: list, show, parse"),
    "corpus": ("burnish.cli.corpus", "Score a parser or a loop on labelled replies and gate cheats"),
    "simulate": ("burnish.cli.simulate", "What each policy costs and saves, on simulated reviewers"),
    "init": ("burnish.cli.init", "Look at the repository, write a commented burnish.toml"),
    "config": ("burnish.cli.config", "Show the configuration and where it comes from"),
    "agents": ("burnish.cli.agents", "Which agents are there, what each can do; try one out"),
    "doctor": ("burnish.cli.doctor", "Look for what would stop a run, with remedies"),
    "completion": ("burnish.cli.completion", "The completion script for bash, zsh or fish"),
}


# These start no agent and run no code of others. Every other verb starts with a cleaned environment.
_STARTS_NOTHING = """
    add status report edit diff rm view findings session cancel runs show receipt signals log clean contract
    simulate init config completion
"""
STARTS_NOTHING = frozenset(_STARTS_NOTHING.split())


class Verbs(click.Group):
    """Loads a verb's module only when it is asked for."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in VERBS:
            return None
        command: click.Command = getattr(importlib.import_module(VERBS[name][0]), name)
        return command

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in VERBS.items()])

    def shell_complete(self, context: click.Context, incomplete: str) -> list[CompletionItem]:
        """The verbs from the table, without loading any of them."""
        from click.shell_completion import CompletionItem

        verbs = [
            CompletionItem(name, help=text)
            for name, (_, text) in VERBS.items()
            if name.startswith(incomplete) and not incomplete.startswith("-")
        ]
        return verbs or click.Command.shell_complete(self, context, incomplete)

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in VERBS and not args[0].startswith("-"):
            from difflib import get_close_matches

            close = get_close_matches(args[0], VERBS, n=1)
            hint = f" Did you mean {close[0]!r}?" if close else f" Known: {', '.join(VERBS)}."
            raise click.UsageError(f"there is no command {args[0]!r}.{hint}")
        return super().resolve_command(context, args)


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, "-V", "--version", message="burnish %(version)s")
def burnish() -> None:
    """Drive coding agents through implement, review and fix until the review passes."""


def main(arguments: list[str] | None = None) -> Any:
    """The program itself; with arguments it is called by another one, whose environment stays as it is."""
    if arguments is None and sys.argv[1:] and sys.argv[1] in VERBS and sys.argv[1] not in STARTS_NOTHING:
        from burnish.process.clean_start import start_clean

        start_clean()
    sys.exit(guarded(burnish, sys.argv[1:] if arguments is None else arguments))
