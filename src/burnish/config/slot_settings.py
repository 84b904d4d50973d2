"""The settings of `burnish slots`."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from burnish.config.section import Section


class Picks(StrEnum):
    BURNISH = "burnish"
    AGENT = "agent"


class Slots(Section):
    parallel_agents: int = Field(default=1, ge=1, le=256)
    """How many slots `burnish slots` has at work at once."""
    iterations: int = Field(default=50, ge=1)
    """How many times the slots are filled at most."""
    source: str = Field(default="", examples=["checklist:TODO.md"])
    """Where work comes from: `beads`, `tasks` or `checklist:FILE`; empty: beads if there, else tasks."""
    picks: Picks = Field(default=Picks.BURNISH, strict=False)
    """Who picks what a slot does: `burnish`, or with beads the `agent` itself."""
    pause_ms: int = Field(default=0, ge=0)
    """Milliseconds between two iterations."""
    prompt: str | None = Field(default=None, min_length=1)
    """Words for the developer, as a path in the repository, where `prompts.implement` is not set."""
    close_beads: bool = False
    """Whether `bd close` is called for a bead whose work has landed; else its status stays as it is."""
