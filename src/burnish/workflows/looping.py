"""The hands of one loop of a build: several iterations until its task is complete, then review and revise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from burnish.contracts.loop_result import LoopResult
from burnish.loops.part import LoopPart
from burnish.model.change import Change, Failure
from burnish.model.history import History, Skipped
from burnish.model.review import Review
from burnish.model.step import Role
from burnish.ports import Run
from burnish.profiles.loops import CHECKPOINT_PROMPTS, PROMPTS
from burnish.prompts.book import PromptBook
from burnish.team_ports import Board
from burnish.workflows import gating
from burnish.workflows.building import Building, Site, scope_of
from burnish.workflows.crew import Crew
from burnish.workflows.reviewing import WORKSPACE, Reviewer


@dataclass(frozen=True)
class LoopCrew:
    """A crew whose implementer may take several iterations. `board` is None where no other loop is seen."""

    crew: Crew
    part: LoopPart
    board: Board | None = None

    async def implement(self, run: Run, history: History) -> Change | Failure:
        await gating.prepare(run, self.crew.checks, history)
        if self.crew.implementer is None:
            return await self.crew.implement(run, history)
        return await Building(run, self._site(), history).to_its_end()

    async def gate(self, run: Run, history: History) -> History:
        return await self.crew.gate(run, history)

    async def review(self, run: Run, history: History) -> Review | Failure | Skipped:
        """Of the complete task, by a reviewer that knows of the other loops."""
        ids = {"loopId": self.part.loop_id, "taskId": self.part.task_id}
        return await replace(self.crew, reviewer=self._reviewer(PROMPTS, ids)).review(run, history)

    async def fix(self, run: Run, history: History) -> Change | Failure:
        """A revision: whoever built it is told what the review found."""
        more = {"loop_id": self.part.loop_id, "task_id": self.part.task_id, "others": self._others}
        scope = scope_of(run, Role.FIX, self.part)
        crew = replace(self.crew, prompts=self._book(PROMPTS), more=more, signals=True, scope=scope)
        return await crew.fix(run, history)

    def _site(self) -> Site:
        crew = self.crew
        assert crew.implementer is not None
        return Site(
            part=self.part,
            builder=crew.implementer,
            writer=crew.writer,
            prompts=self._book(PROMPTS),
            subject=crew.profile.implement_subject,
            timeout_s=crew.timeouts.implement_s,
            gate=crew.checks.command if crew.checks else "",
            phase=crew.phase,
            board=self.board,
            look=self._checkpoint_reviewer,
        )

    def _checkpoint_reviewer(self, iteration: int) -> Reviewer | None:
        """No task is reviewed, so none is reported on."""
        found = self._reviewer(CHECKPOINT_PROMPTS, {"loopId": self.part.loop_id})
        if found is None:
            return None
        more = {**found.more, "iteration": iteration, "max_iterations": self.part.max_iterations}
        return replace(found, more=more)

    def _reviewer(self, prompts: Mapping[str, str], ids: Mapping[str, str]) -> Reviewer | None:
        found = self.crew.reviewer
        if found is None:
            return None
        contract = found.contract
        more = {
            "loop_id": self.part.loop_id,
            "task_id": self.part.task_id,
            "title": self.part.title,
            "depth": str(self.part.depth),
            "others": self._others,
            "workspace": WORKSPACE,
        }
        return replace(
            found,
            prompts=self._book(prompts),
            contract=contract.about(ids) if isinstance(contract, LoopResult) else contract,
            ids=ids,
            more=more,
        )

    def _book(self, prompts: Mapping[str, str]) -> PromptBook:
        return replace(self.crew.prompts, instead=prompts)

    @property
    def _others(self) -> str:
        return self.board.others(self.part.loop_id) if self.board else ""
