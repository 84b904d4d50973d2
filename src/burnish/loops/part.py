"""What one loop of a build is told besides its task; stored with its run."""

from __future__ import annotations

from dataclasses import dataclass

from burnish.loops.effort import Depth, Effort


@dataclass(frozen=True)
class LoopPart:
    """`loop_id` and `task_id` are what reviewers report by; the limits come from the effort preset.

    Checkpoint rounds up to `rounds_before` were called before this attempt began.
    """

    loop_id: str
    task_id: str
    title: str
    effort: Effort
    depth: Depth
    max_iterations: int
    stuck_threshold: int
    checkpoint_interval: int | None = None
    rounds_before: int = 0
