"""What agents are asked about a build as a whole: its tasks, its groups, and whether those are right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from burnish.app.build_facts import ENUMERATE, Enumerated, Grouped
from burnish.app.build_plan import BuildPlan
from burnish.app.place import Place
from burnish.app.shared import Shared
from burnish.app.spec import RunSpec
from burnish.app.start import Hooks
from burnish.app.wiring import Wiring
from burnish.errors import ContractViolation
from burnish.git.workspaces import Workspaces
from burnish.loops.answers import group_of, read_groups, read_tasks, task_of
from burnish.loops.checks import check_groups, check_tasks
from burnish.loops.work import PlanGroup, PlannedTask
from burnish.model.agent import Reply
from burnish.model.change import Failure, FailureKind
from burnish.model.review import Review
from burnish.model.step import Role, Step
from burnish.ports import Asking, Contract
from burnish.prompts.book import PromptBook
from burnish.registry import load
from burnish.store.desks import FolderDesks
from burnish.store.durable import DurableRun
from burnish.team_ports import Scope
from burnish.workflows.outlining import Outliner, Told

WRITE_TASK, ADD_GROUP, SET_RESULT = "write_task", "add_plan_group", "set_review_result"


@dataclass(frozen=True)
class Questions:
    """Each answer is remembered by whoever asks; `why` is what was wrong with the last one."""

    place: Place
    spec: RunSpec
    run: DurableRun
    workspaces: Workspaces
    hooks: Hooks

    async def enumerate(self, step: Step, why: str) -> Enumerated:
        prompt = self._prompts.render("enumerate", **self._values(why))
        told = await self._ask(step, self.spec.implementer, prompt, WRITE_TASK)
        try:
            tasks, intent = _tasks(told)
            problems = check_tasks(tasks)
        except ContractViolation as violation:
            tasks, intent, problems = (), "", violation.problems or (violation.why,)
        return Enumerated(() if problems else tasks, intent, problems, told.agent, told.usage)

    async def group(self, step: Step, why: str, tasks: Sequence[PlannedTask]) -> Grouped:
        prompt = self._prompts.render("plan_groups", **self._values(why), tasks=tasks)
        told = await self._ask(step, self.spec.implementer, prompt, ADD_GROUP, tasks)
        try:
            groups = _groups(told)
            problems = check_groups(tasks, groups)
        except ContractViolation as violation:
            groups, problems = (), violation.problems or (violation.why,)
        return Grouped(() if problems else groups, problems, told.agent, told.usage)

    async def review(
        self, step: Step, why: str, tasks: Sequence[PlannedTask], groups: Sequence[PlanGroup]
    ) -> Review | Failure:
        asking = Asking(cycle=step.cycle, ids={"loopId": self.run.id, "tool": SET_RESULT})
        prompt = self._prompts.render(
            "review_tasks" if step.phase == ENUMERATE else "review_plan",
            **self._values(why),
            tasks=tasks,
            groups=groups,
            contract=self._contract.instructions(asking),
        )
        told = await self._ask(step, self.spec.reviewer, prompt, SET_RESULT, tasks)
        if told.trouble:
            return Failure(Role.REVIEW, FailureKind.EXIT, told.trouble, usage=told.usage)
        calls = told.calls.get(SET_RESULT, ())
        # All of them: calls that contradict each other are no pass.
        called = [{**call.arguments, "loopId": self.run.id} for call in calls]
        structured = called[0] if len(called) == 1 else called or told.structured
        reply = Reply(told.text, structured=structured, structure_expected=told.structure_expected)
        try:
            review = self._contract.parse(reply)
        except ContractViolation as error:
            kind = FailureKind.VIOLATION
            return Failure(
                Role.REVIEW, kind, error.why, usage=told.usage, problems=error.problems, answer=told.text,
                denied=error.denied,
            )  # fmt: skip
        return replace(review, tree=self.spec.task.start_tree, agent=told.agent, usage=told.usage)

    async def _ask(
        self, step: Step, command: str | None, prompt: str, tool: str, tasks: Sequence[PlannedTask] = ()
    ) -> Told:
        agent = self._wiring.agent(command)
        assert agent is not None
        known = {"task": tuple(task.id for task in tasks)}
        scope = Scope(self.run.id, step.role, (tool,), valid=known)
        return await self._outliner.ask(self.run, step, agent, prompt, scope)

    def _values(self, why: str) -> dict[str, object]:
        plan = self.plan
        return {
            "run": self.run.id,
            "spec": plan.text,
            "path": plan.path,
            "effort": str(plan.effort),
            "briefing": self.spec.task.briefing,
            "complaint": why,
        }

    @property
    def plan(self) -> BuildPlan:
        assert self.spec.build is not None
        return self.spec.build

    @cached_property
    def _wiring(self) -> Wiring:
        shared = Shared(self.run.database, self.hooks.places, self.spec.day)
        own, decorate = self.workspaces, self.hooks.decorate
        wiring = Wiring(self.place, self.spec, self.run.id, own, decorate, self.run.note, shared)
        return replace(wiring, heard=self.hooks.heard)

    @cached_property
    def _prompts(self) -> PromptBook:
        return PromptBook(dict(self.spec.prompts), self._wiring.profile.prompts)

    @cached_property
    def _outliner(self) -> Outliner:
        return Outliner(
            workspaces=self.workspaces,
            desks=FolderDesks(self.place.run_folder(self.run.id) / "desks"),
            tree=self.spec.task.start_tree,
            timeout_s=self.spec.times.review_s,
            models=dict(self.spec.models),
            tools=self._wiring.tools,
        )

    @cached_property
    def _contract(self) -> Contract:
        contract: Contract = load("contracts", "loop-result")()
        return contract


def _tasks(told: Told) -> tuple[tuple[PlannedTask, ...], str]:
    if told.trouble:
        raise ContractViolation("failed", told.trouble)
    calls = told.calls.get(WRITE_TASK, ())
    return (tuple(task_of(call.arguments) for call in calls), "") if calls else read_tasks(told.text)


def _groups(told: Told) -> tuple[PlanGroup, ...]:
    if told.trouble:
        raise ContractViolation("failed", told.trouble)
    calls = told.calls.get(ADD_GROUP, ())
    return tuple(group_of(call.arguments) for call in calls) if calls else read_groups(told.text)
