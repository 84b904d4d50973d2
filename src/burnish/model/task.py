"""What someone wants done."""

from __future__ import annotations

from dataclasses import dataclass, field

from burnish.model.briefing import Briefing


@dataclass(frozen=True)
class Task:
    """`base` and `start` are commits: the change is measured against the base, work begins at the start."""

    prompt: str
    base: str
    base_tree: str
    start: str
    start_tree: str
    id: str = ""
    briefing: Briefing = field(default_factory=Briefing)

    @property
    def title(self) -> str:
        """The first line, short enough for a commit subject or a table."""
        first = next((line.strip() for line in self.prompt.splitlines() if line.strip()), "")
        return first if len(first) <= 72 else first[:71].rstrip() + "…"
