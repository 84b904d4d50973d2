"""Prompt templates by name: the package's own, unless a user or repository brought another."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files

from jinja2 import FunctionLoader, StrictUndefined, Template, TemplateError
from jinja2.sandbox import SandboxedEnvironment

from burnish.errors import UsageError
from burnish.model.flow import flow_lines, flow_title
from burnish.model.review import FlowStep, SuspectLine
from burnish.sanitise import clean_line

# Those of the loop, then of the profile `spec`, then of tasks that answer with a report.
NAMES = ("implement", "review", "fix", "spec_implement", "spec_review", "spec_fix", "plan", "explore")
# Those of the profile `slots`; `burnish slots` puts the user's own words on top of them.
SLOT_NAMES = ("slot_implement", "slot_review", "slot_fix")
# Those of a loop of `burnish build`, then of the build as a whole.
LOOP_NAMES = ("loop_build", "loop_review", "loop_checkpoint", "loop_revise")
BUILD_NAMES = ("enumerate", "plan_groups", "review_tasks", "review_plan")
# What the agents of a loop are told besides, when its change meets a branch that moved.
MERGE_NAMES = ("conflict",)
# Those of `burnish review` and `burnish fix`; a role per dimension stands in `dimensions/`.
PANEL_NAMES = ("view", "dive", "plan_fixes", "fix_finding")
# Pieces that several templates share; a user's template may include them as well, but not replace them.
PARTS = (
    "background",
    "answers",
    "change",
    "before",
    "found",
    "evidence",
    "followed",
    "loop_review",
    "loop_depth",
)


MOST_SUSPECTS = 10


def fence(text: str) -> str:
    """Text as a fenced block that the text itself cannot close."""
    text = str(text)  # a value that is missing says so itself
    longest = max(map(len, re.findall("`+", text)), default=0)
    ticks = "`" * max(3, longest + 1)
    return f"{ticks}text\n{text}\n{ticks}"


def cap(text: str, limit: int) -> str:
    """The beginning of a long text, and a line saying how much is missing."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]}\n[cut: {len(text) - limit} of {len(text)} characters are not shown]"


def path(flow: tuple[FlowStep, ...]) -> str:
    """The way of untrusted input, a step a line."""
    return "\n".join(flow_lines(flow, clean_line))


def suspects(lines: tuple[SuspectLine, ...]) -> str:
    """The most suspicious lines, each with its place and how suspicious it is, from 0 to 1."""
    told = [
        f"{clean_line(f'{one.file}:{one.line}')}  {one.score:.2f}  {clean_line(one.text)}" for one in lines
    ]
    more = [f"... {len(told) - MOST_SUSPECTS} more are not shown ..."] if len(told) > MOST_SUSPECTS else []
    return "\n".join((*told[:MOST_SUSPECTS], *more))


@dataclass(frozen=True)
class PromptBook:
    """`overrides` maps a prompt's name to the template text that replaces ours.

    `instead` is a profile's choice: the name of the template that it uses for a role.
    """

    overrides: Mapping[str, str] = field(default_factory=dict)
    instead: Mapping[str, str] = field(default_factory=dict)

    def render(self, name: str, **values: object) -> str:
        """A template with its values; one that asks for something unknown is an error, never a gap."""
        name = self.instead.get(name, name)
        try:
            return _compiled(self.source(name)).render(**values).strip() + "\n"
        except TemplateError as error:
            raise UsageError(
                f"the prompt template {name!r} cannot be rendered: {error}",
                hint=f"known values: {', '.join(sorted(values))}",
            ) from error

    def source(self, name: str) -> str:
        if name in self.overrides:
            return self.overrides[name]
        return _own(f"{name}.md")


def _own(path: str) -> str:
    return files("burnish.prompts").joinpath("templates", *path.split("/")).read_text("utf8")


def _part(path: str) -> str | None:
    """What `include` finds: our parts and nothing else, whatever a template asks for."""
    return _own(path) if path in {f"parts/{name}.md" for name in PARTS} else None


@lru_cache(maxsize=1)
def _environment() -> SandboxedEnvironment:
    # Sandboxed, because a repository may bring its own templates; not escaped, because this is no HTML.
    environment = SandboxedEnvironment(
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        loader=FunctionLoader(_part),
    )
    environment.filters.update(fence=fence, cap=cap, line=clean_line)
    environment.filters.update(path=path, path_title=flow_title, suspects=suspects)
    return environment


@lru_cache(maxsize=64)
def _compiled(source: str) -> Template:
    """The same few texts are rendered in every cycle, and compiling one takes longer than rendering it."""
    return _environment().from_string(source)
