"""The first two phases of a build: its tasks enumerated and planned in groups, reviewed as effort says."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from burnish.app.build_facts import ENUMERATE, PLAN, Enumerated, Grouped
from burnish.app.build_questions import Questions
from burnish.loops.grouping import apart, derive_groups
from burnish.loops.work import Outline, PlanGroup, PlannedTask
from burnish.model.change import Failure, FailureKind
from burnish.model.review import Review
from burnish.model.step import Role, Step
from burnish.store.queries import run_steps
from burnish.store.schema import StepState
from burnish.workflows.attempts import refined
from burnish.workflows.complaint import complaint_of

# How often an answer of the wrong form is asked for, each time somebody starts the build.
ASKS = 2


class Undecided(Exception):
    """What is to be built could not be settled; a person can look, and go on."""


T = TypeVar("T", Enumerated, Grouped)
Ask = Callable[[Step, str], Awaitable[T]]


@dataclass
class Outlining:
    """Every question is a step of the build's own run, so that what was settled is not asked again."""

    questions: Questions
    _known: frozenset[str] = field(default=frozenset(), init=False)

    async def settle(self) -> Outline:
        own = self.questions
        steps = run_steps(own.run.database, own.run.id)
        self._known = frozenset(step.key for step in steps if step.state is StepState.FINISHED)
        enumerated = await self._enumerated()
        tasks = enumerated.tasks
        made = Outline(tasks, apart(tasks, await self._planned(tasks)), enumerated.intent)

        async def settled() -> Outline:
            return made

        # Recorded as a whole as well: groups may come from dependencies, or were put apart.
        return await own.run.do(Step(Role.LAND, part="outline"), settled)

    async def _enumerated(self) -> Enumerated:
        why, reviewed = "", self.questions.plan.preset.review_after_enumerate
        for cycle in self._cycles(ENUMERATE):
            found = await self._asked(Step(Role.IMPLEMENT, cycle, ENUMERATE), self.questions.enumerate, why)
            why = await self._refused(cycle, ENUMERATE, found.tasks, ()) if reviewed else ""
            if not why:
                return found
        raise Undecided(f"{ENUMERATE}: its review does not pass: {why}")

    async def _planned(self, tasks: tuple[PlannedTask, ...]) -> tuple[PlanGroup, ...]:
        """By an agent; where none can say it in the right form, by what the tasks depend on."""
        why, reviewed = "", self.questions.plan.preset.review_after_plan
        for cycle in self._cycles(PLAN):
            step = Step(Role.IMPLEMENT, cycle, PLAN)
            try:
                found = await self._asked(step, partial(self._group, tasks), why)
            except Undecided as undecided:
                text = f"the groups come from what the tasks depend on ({undecided})"
                await self.questions.run.note("derived_groups", text)
                return derive_groups(tasks)
            why = await self._refused(cycle, PLAN, tasks, found.groups) if reviewed else ""
            if not why:
                return found.groups
        raise Undecided(f"{PLAN}: its review does not pass: {why}")

    async def _group(self, tasks: tuple[PlannedTask, ...], step: Step, why: str) -> Grouped:
        return await self.questions.group(step, why, tasks)

    def _cycles(self, phase: str) -> range:
        """Those there were, and as many revisions as the effort allows on top of them."""
        done = 0
        while Step(Role.REVIEW, done + 1, phase).key in self._known:
            done += 1
        return range(1, done + self.questions.plan.preset.max_revisions + 2)

    async def _asked(self, step: Step, ask: Ask[T], why: str) -> T:
        fresh = 0
        while True:
            fresh += step.key not in self._known
            found = await self.questions.run.do(step, ask, step, why)
            if not found.problems:
                return found
            if fresh >= ASKS:
                raise Undecided(f"{step.phase}: {found.problems[0]}")
            step, why = replace(step, ask=step.ask + 1), complaint_of(found.problems)

    async def _refused(
        self, cycle: int, phase: str, tasks: tuple[PlannedTask, ...], groups: tuple[PlanGroup, ...]
    ) -> str:
        """What its review wants changed; empty when it passed. Words that do not fit are asked for again."""
        step, why, first = Step(Role.REVIEW, cycle, phase), "", None
        for ask in range(1, ASKS + 1):
            again = replace(step, ask=ask)
            review = await self.questions.run.do(again, self.questions.review, again, why, tasks, groups)
            review = refined(first, review) if first else review
            if isinstance(review, Review):
                return "" if review.passed else review.text or review.summary
            if review.kind is not FailureKind.VIOLATION:
                break
            first, why = review, complaint_of(review.problems or (review.message,), review.answer)
        assert isinstance(review, Failure)
        raise Undecided(f"{phase}: its reviewer failed: {review.message}")
