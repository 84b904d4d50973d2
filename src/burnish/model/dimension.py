"""The seven viewpoints of a review, and what each is about."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Dimension(StrEnum):
    SECURITY = "security"
    ARCHITECTURE = "architecture"
    QUALITY = "quality"
    ACTION_ITEMS = "action-items"
    PERFORMANCE = "performance"
    MAINTAINABILITY = "maintainability"
    BEST_PRACTICES = "best-practices"

    @property
    def about(self) -> About:
        return _ABOUT[self]

    @property
    def title(self) -> str:  # type: ignore[override]
        return self.value.replace("-", " ").capitalize()


@dataclass(frozen=True)
class About:
    """`prefix` begins the ids of its findings; 1 is the first `priority`."""

    prefix: str
    priority: int
    timeout_s: float
    categories: tuple[str, ...]


_ABOUT = {
    Dimension.SECURITY: About(
        "sec", 1, 3600,
        ("injection", "authentication", "authorization", "encryption", "input-validation", "access-control",
         "data-exposure"),
    ),
    Dimension.ARCHITECTURE: About(
        "arch", 2, 3600,
        ("coupling", "cohesion", "layering", "dependency", "pattern-violation", "scalability",
         "separation-of-concerns"),
    ),
    Dimension.QUALITY: About(
        "qual", 3, 2400,
        ("code-smell", "duplication", "complexity", "naming", "error-handling", "testability", "readability"),
    ),
    Dimension.ACTION_ITEMS: About(
        "act", 2, 2400,
        ("requirement-coverage", "acceptance-criteria", "documentation", "deployment-readiness",
         "missing-functionality"),
    ),
    Dimension.PERFORMANCE: About(
        "perf", 3, 3600,
        ("n-plus-one", "inefficient-query", "memory-leak", "blocking-operation", "caching", "resource-usage"),
    ),
    Dimension.MAINTAINABILITY: About(
        "mnt", 3, 2400,
        ("technical-debt", "magic-number", "long-method", "large-class", "dead-code", "commented-code"),
    ),
    Dimension.BEST_PRACTICES: About(
        "bp", 3, 2400,
        ("convention-violation", "anti-pattern", "deprecated-api", "missing-validation",
         "inconsistent-style"),
    ),
}  # fmt: skip
