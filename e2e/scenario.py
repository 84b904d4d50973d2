"""What a scenario is: a story that a CLI goes through by way of Burnish, and what must be true after it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from e2e._stage import Stage


@dataclass(frozen=True)
class Scenario:
    """`play` raises AssertionError with what was found instead of what should be.

    `may_pass` tells that a reviewer of the story approves: in all others a pass is a false one.
    """

    name: str
    play: Callable[[Stage], str]
    may_pass: bool = False


@dataclass
class Result:
    """`said` is what a reader of the table should know: how it ended, or why it fell."""

    agent: str
    scenario: str
    held: bool
    said: str
    took_s: float
    left: list[str] = field(default_factory=list)
    false_passes: int = 0
    elsewhere: list[str] = field(default_factory=list)
    # Files that hold the key, and what was left in the user's home.
    leaks: list[str] = field(default_factory=list)
    strays: list[str] = field(default_factory=list)
