"""The spellings of the five origins, accepted in configuration files for the settings they became."""

from __future__ import annotations

from dataclasses import dataclass

# Tables of seed 001: what is said for a task type is said more exactly, so it comes first.
TASK_TYPE, DEFAULTS = "task_types.implement.", "defaults."


@dataclass(frozen=True)
class Alias:
    """`factor` turns the unit of the spelling into ours."""

    key: str
    factor: int | None = None


_ANYWHERE = {
    "max_review_cycles": Alias("limits.cycles"),
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
    "maxRevisionAttempts": Alias("limits.fixes"),
    **{prefix + name: alias for prefix in ("", TASK_TYPE, DEFAULTS) for name, alias in _ANYWHERE.items()},
}


def beaten(spelled: str, others: set[str]) -> bool:
    """True for a default of seed 001 that a task type says again: the one case where saying twice is fine."""
    name = spelled.removeprefix(DEFAULTS)
    return name != spelled and TASK_TYPE + name in others
