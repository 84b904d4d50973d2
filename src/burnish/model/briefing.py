"""What a run tells its agents besides the task: the repository's rules, a plan, a spec, a person's note."""

from __future__ import annotations

from dataclasses import dataclass, replace

from burnish.model.question import Answer
from burnish.model.slot import SlotPart
from burnish.model.step import Role

# The repository's words for whoever writes, and those for whoever judges.
FOR_WRITERS = "AGENTS.md"
FOR_REVIEWERS = "REVIEW.md"


@dataclass(frozen=True)
class Briefing:
    """`guidelines` are file names and texts; `plan_from` says whose plan it is, such as `task 3`.

    `spec` is a text of which the task may be one phase, and `note` is what a person adds for the next fix.
    `slot` is the place of the run in a session of slots; `answers` are those to its questions so far.
    """

    guidelines: tuple[tuple[str, str], ...] = ()
    plan: str = ""
    plan_from: str = ""
    spec: str = ""
    spec_path: str = ""
    note: str = ""
    slot: SlotPart | None = None
    answers: tuple[Answer, ...] = ()

    def told_to(self, role: Role) -> Briefing:
        """An implementer is not told how it will be judged; reviewer and fixer see all guidelines."""
        if role is not Role.IMPLEMENT:
            return self
        return replace(self, guidelines=tuple(one for one in self.guidelines if one[0] != FOR_REVIEWERS))
