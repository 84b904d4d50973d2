"""How much care a build takes: everything that `--effort` decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from burnish.model.agent import Tier


class Effort(StrEnum):
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    MAX = "max"


class Depth(StrEnum):
    """How much a reviewer of a loop is asked to look at."""

    SHALLOW = "shallow"
    STANDARD = "standard"
    DEEP = "deep"
    COMPREHENSIVE = "comprehensive"


@dataclass(frozen=True)
class CostLimits:
    """In US dollars; more than that, not exactly that, is too much."""

    per_loop: float
    per_phase: float
    per_run: float


@dataclass(frozen=True)
class Models:
    """The tier each kind of work is asked with, where the user named no model."""

    build: Tier
    review: Tier
    revise: Tier
    conflict: Tier


@dataclass(frozen=True)
class EffortPreset:
    """`checkpoint_interval` is in iterations of a loop, None for never; `stuck_threshold` as well.

    `max_revision_attempts` is per task, `max_revisions` for the whole build.
    """

    effort: Effort
    review_after_enumerate: bool
    review_after_plan: bool
    depth: Depth
    checkpoint_interval: int | None
    max_revision_attempts: int
    stuck_threshold: int
    max_revisions: int
    costs: CostLimits
    models: Models


_STRONG, _FAST = Tier.STRONG, Tier.FAST
PRESETS: Mapping[Effort, EffortPreset] = {
    preset.effort: preset
    for preset in (
        EffortPreset(
            Effort.LOW, False, False, Depth.SHALLOW, None, 2, 5, 10,
            CostLimits(1, 2, 5), Models(_STRONG, _FAST, _FAST, _FAST),
        ),
        EffortPreset(
            Effort.MEDIUM, False, True, Depth.STANDARD, 5, 3, 4, 8,
            CostLimits(2, 5, 15), Models(_STRONG, _STRONG, _FAST, _FAST),
        ),
        EffortPreset(
            Effort.HIGH, True, True, Depth.DEEP, 3, 4, 3, 5,
            CostLimits(5, 10, 30), Models(_STRONG, _STRONG, _STRONG, _STRONG),
        ),
        EffortPreset(
            Effort.MAX, True, True, Depth.COMPREHENSIVE, 1, 5, 2, 3,
            CostLimits(10, 25, 100), Models(_STRONG, _STRONG, _STRONG, _STRONG),
        ),
    )
}  # fmt: skip
