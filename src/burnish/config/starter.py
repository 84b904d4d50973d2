"""A first burnish.toml for a repository: what was seen there, set or as a comment, each with its reason."""

from __future__ import annotations

from dataclasses import dataclass

from burnish.config.test_command import TestCommand
from burnish.sanitise import clean_line


@dataclass(frozen=True)
class KnownAgent:
    """A program that is an agent: how it writes, how it only reads, and what it needs of its user."""

    name: str
    writes: str = ""
    reads: str = ""
    home_paths: tuple[str, ...] = ()
    pass_env: tuple[str, ...] = ()


KNOWN_AGENTS = (
    # Burnish drives these two itself: their modes and logins are in `agents/`, not here.
    KnownAgent("claude", "claude", "claude"),
    KnownAgent("codex", "codex", "codex"),
    KnownAgent(
        "gemini",
        "gemini --approval-mode auto_edit",
        "gemini --approval-mode plan",
        (".gemini",),
        ("GEMINI_API_KEY",),
    ),
    KnownAgent("qwen", "qwen --approval-mode auto-edit", "qwen --approval-mode plan", (".qwen",)),
    KnownAgent("opencode", "opencode run", home_paths=(".config/opencode", ".local/share/opencode")),
    KnownAgent("copilot", "copilot --no-ask-user --allow-tool write", "copilot --no-ask-user", (".copilot",)),
    KnownAgent("aider"),
    KnownAgent("amp"),
    KnownAgent("cursor-agent"),
    KnownAgent("goose"),
)


@dataclass(frozen=True)
class Seen:
    """What a look at a repository and at PATH told."""

    languages: tuple[str, ...] = ()
    tests: TestCommand | None = None
    default_branch: str = ""
    guidelines: tuple[str, ...] = ()
    agents: tuple[KnownAgent, ...] = ()

    @property
    def summary(self) -> str:
        parts = [
            _joined(self.languages) or "no files in a language Burnish knows",
            f"default branch {clean_line(self.default_branch)}" if self.default_branch else "",
            f"guidelines in {_joined(self.guidelines)}" if self.guidelines else "",
        ]
        return ", ".join(filter(None, parts))


def starter(seen: Seen) -> str:
    """The text of the file."""
    parts = [_head(seen), _agents(seen), _gate(seen), TASKS, _work(seen), LANDING, BUDGET, _sandbox(seen)]
    return "\n".join(parts)


def _head(seen: Seen) -> str:
    return f"""\
# Burnish: how changes to this repository are written, reviewed and landed.
# Seen here: {seen.summary}.
#
# Commit this file: Burnish reads it from the commit a change is measured against, never from the
# change itself. `# key = value` is a default or an example; take the `# ` away to set it.
# All settings, and where each comes from: burnish config show
"""


def _agents(seen: Seen) -> str:
    writer = next((agent.writes for agent in seen.agents if agent.writes), "")
    # Somebody else should review, where there is somebody else.
    reader = next(reversed([agent.reads for agent in seen.agents if agent.reads][:2]), "")
    names = _joined(tuple(agent.name for agent in seen.agents))
    found = f"Found on your PATH: {names}." if names else "None was found on your PATH."
    return f"""\
[agents]
# Any program can be an agent: it reads its prompt from standard input, edits the files of the
# folder it is started in, and prints its answer. `burnish review` also works without any.
# {found} `burnish agents` tells what each can do.
# Unset, the best of claude and codex that is ready is taken, and the other one reviews.
# What only you have belongs into your own ~/.config/burnish/burnish.toml, with the same keys.
# implementer = {_quoted(writer or "my-agent --write")}
# reviewer = {_quoted(reader or writer or "my-agent --read-only")}
# Who fixes what the reviewer found; unset: the implementer.
# fixer = {_quoted(writer or "my-agent --write")}
"""


def _gate(seen: Seen) -> str:
    if seen.tests:
        chosen = f"""\
# A change that turns this red cannot pass. It runs before each review, in a fresh checkout, so it
# must bring what it needs. Found by: {clean_line(seen.tests.why)}.
command = {_quoted(seen.tests.command)}"""
    else:
        chosen = """\
# No test command was found, so nothing is checked yet. A change that turns this red cannot pass;
# it runs before each review, in a fresh checkout.
# command = "make test\""""
    return f"""\
[gate]
{chosen}
# Tests that exist are taken from the base, and editing them is a finding. To allow it:
# allow_test_edits = true
"""


TASKS = """\
[defaults]
# Tasks of the queue (burnish add, burnish work). With true each is reviewed and improved until
# approved, as with `burnish add -a`.
# auto_review = false
# max_review_cycles = 3

[task_types.implement]
# For one type of task; the others are task, explore, plan, review and improve. A model is a name
# that your agent knows, or a tier, strong or fast: it is told BURNISH_MODEL and BURNISH_TIER.
# model = "strong"
# review_model = "strong"
# improve_model = "fast"
# timeout_minutes = 60
# review_timeout_minutes = 10
# improve_timeout_minutes = 30
"""

LANDING = """\
[land]
# A result comes as a branch and your checkout stays as it is; "apply" puts it into your files.
# how = "branch"
# Branches of tasks, made of {project}, {task_id}, {date}, {slug}, {type} and {number}.
# branch_pattern = "burnish/{task_id}"
"""

BUDGET = """\
[budget]
# Nothing new is started once this is spent. There is no limit unless you set one.
# run_cost_usd = 5
# day_cost_usd = 50
"""


def _work(seen: Seen) -> str:
    branch = clean_line(seen.default_branch)
    return f"""\
[work]
# How many tasks run at once, and where they start from{f"; unset: {branch}" if branch else ""}.
# jobs = 1
# base = {_quoted(branch or "main")}
"""


def _sandbox(seen: Seen) -> str:
    paths = [path for agent in seen.agents for path in agent.home_paths] or [".config/my-agent"]
    names = [name for agent in seen.agents for name in agent.pass_env] or ["MY_API_KEY"]
    return f"""\
[sandbox]
# Agents see neither your home folder nor your environment. One that has its login there needs:
# home_paths = {_list(paths)}
# pass_env = {_list(names)}
"""


def _joined(names: tuple[str, ...]) -> str:
    *first, last = map(clean_line, names or ("",))
    return f"{', '.join(first)} and {last}" if first else last


def _list(items: list[str]) -> str:
    return f"[{', '.join(map(_quoted, items))}]"


def _quoted(text: str) -> str:
    """A TOML string on one line, whatever stands in it."""
    escaped = clean_line(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
