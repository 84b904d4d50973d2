"""What a build was asked to do: the document as it was read, how much care, and where all of it goes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from burnish.loops.effort import PRESETS, Effort, EffortPreset


@dataclass(frozen=True)
class BuildPlan:
    """`path` is the document's, as people and prompts name it; `digest` tells whether it was edited since.

    `onto` is the branch that everything is merged into, `base` the commit it began with, whose settings hold
    for all of it. `flags` are settings given with the command, by key.
    """

    path: str
    text: str
    digest: str
    title: str
    effort: Effort
    onto: str
    base: str
    max_loops: int
    max_iterations: int
    flags: Mapping[str, Any] = field(default_factory=dict)

    @property
    def preset(self) -> EffortPreset:
        return PRESETS[self.effort]


def loop_id(run: str, number: int) -> str:
    """Unique in the repository, since agents report by it."""
    return f"{run}-{number}"
