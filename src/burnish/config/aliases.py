"""The spellings of the five origins, accepted in configuration files for the settings they became."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Alias:
    """`factor` turns the unit of the spelling into ours."""

    key: str
    factor: int | None = None


_MINUTES = {
    "timeout_minutes": Alias("timeouts.implement_s", 60),
    "review_timeout_minutes": Alias("timeouts.review_s", 60),
    "improve_timeout_minutes": Alias("timeouts.fix_s", 60),
}

ALIASES: dict[str, Alias] = {
    "MAX_CYCLES": Alias("limits.cycles"),
    "reviewEnabled": Alias("review.enabled"),
    "reviewMaxFixAttempts": Alias("limits.fixes"),
    "developerPromptPath": Alias("prompts.implement"),
    "reviewerPromptPath": Alias("prompts.review"),
    "promptPath": Alias("slots.prompt"),
    "parallelAgents": Alias("slots.parallel_agents"),
    "iterationLimit": Alias("slots.iterations"),
    "pauseMs": Alias("slots.pause_ms"),
    "maxRevisionAttempts": Alias("limits.fixes"),
    "max_review_cycles": Alias("limits.cycles"),
    "limits.budget_usd": Alias("budget.run_cost_usd"),
    **{prefix + name: alias for prefix in ("", "defaults.") for name, alias in _MINUTES.items()},
}
