"""A crew that begins by addressing a review made elsewhere; from there on it is the crew it wraps."""

from __future__ import annotations

from dataclasses import dataclass, replace

from burnish.model.change import Change, Failure
from burnish.model.history import History, Skipped
from burnish.model.mode import GivenReview
from burnish.model.review import Review, Verdict
from burnish.model.step import Role, Step
from burnish.ports import Run
from burnish.workflows import gating
from burnish.workflows.crew import Crew
from burnish.workflows.going_on import turn_of

GIVEN = "given"


@dataclass(frozen=True)
class Improving:
    """The first step is a fix of `given`, in the numbering of where that review was made."""

    crew: Crew
    given: GivenReview

    async def implement(self, run: Run, history: History) -> Change | Failure:
        await gating.prepare(run, self.crew.checks, history)
        review = Review(Verdict.FAIL, "CHANGES_REQUESTED", text=self.given.text, tree=history.task.start_tree)
        step = Step(Role.FIX, self.given.cycle, phase=self.crew.phase, part=f"{GIVEN}{turn_of(history)}")
        return await self.crew.address(run, replace(history, facts=(review, *history.facts)), step)

    async def gate(self, run: Run, history: History) -> History:
        return await self.crew.gate(run, history)

    async def review(self, run: Run, history: History) -> Review | Failure | Skipped:
        return await self.crew.review(run, history)

    async def fix(self, run: Run, history: History) -> Change | Failure:
        return await self.crew.fix(run, history)
