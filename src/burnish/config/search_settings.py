"""The settings of repair by search."""

from __future__ import annotations

from pydantic import Field

from burnish.config.section import Section


class Searching(Section):
    """Repair by search: only in runs that fix, and only where a test fails."""

    enabled: bool = True
    """Whether small edits are tried on the tests where one of them fails."""
    max_time_s: float = Field(default=120, gt=0)
    """How long may be searched for one failing test."""
    total_time_s: float = Field(default=900, gt=0)
    """How long may be searched for all the failing tests of one run."""
