"""Batches to one plan: planners side by side, each an agent or the one that needs none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from burnish.errors import AgentError, AgentTimedOut, BurnishError, ContractViolation
from burnish.model.agent import Reply, Request, Usage
from burnish.model.fixing import Batch, FixPlan, PartialPlan
from burnish.model.step import Role, Step
from burnish.ports import Agent, Run
from burnish.workflows.ask import ask
from burnish.workflows.denials import tell_denied
from burnish.workflows.embedded_plan import plan_from_code
from burnish.workflows.fix_crew import PLANNERS_AT_ONCE, FixCrew, FixTask
from burnish.workflows.plan_answer import INSTRUCTIONS, SCHEMA, read_plan
from burnish.workflows.plan_joining import join_plans
from burnish.workflows.side_by_side import side_by_side
from burnish.workflows.standing_in import tell_stood_in
from burnish.workflows.told_findings import told_batch
from burnish.workflows.writing import variables

PHASE = "plan"
ASKS = 2


async def plan_fixes(run: Run, crew: FixCrew, task: FixTask, batches: tuple[Batch, ...]) -> FixPlan:
    """A batch that cannot be planned is left out and said; when that is true of all of them, we stop."""
    for batch in batches:
        if not batch.findings:
            await run.note(
                f"empty_batch/{task.cycle}/{batch.number}", f"batch {batch.number} is empty: skipped"
            )
    wanted = [batch for batch in batches if batch.findings]
    if not wanted:
        await run.note(f"nothing_to_fix/{task.cycle}", "there are no findings to fix")
        return FixPlan()
    planning = Planning(run, crew, task)
    partials = await side_by_side(PLANNERS_AT_ONCE, [partial(planning.plan, batch) for batch in wanted])
    failed = [found for found in partials if found.failed]
    for found in failed:
        await run.note(
            f"batch_failed/{task.cycle}/{found.batch}", f"batch {found.batch} has no plan: {found.failed}"
        )
    if len(failed) == len(partials):
        raise BurnishError(
            f"none of the {len(partials)} batch(es) could be planned: {failed[0].failed}",
            hint="resume with another agent, or without one: then plans are made from code",
        )
    return await run.do(Step(Role.FIX, task.cycle, PHASE, "all"), _joined, partials)


async def _joined(partials: tuple[PartialPlan, ...]) -> FixPlan:
    return join_plans(partials)


@dataclass(frozen=True)
class Planning:
    """The planners of one run."""

    run: Run
    crew: FixCrew
    task: FixTask

    async def plan(self, batch: Batch) -> PartialPlan:
        step = Step(Role.FIX, self.task.cycle, PHASE, f"batch-{batch.number}")
        return await self.run.do(step, self._plan, batch, step)

    async def _plan(self, batch: Batch, step: Step) -> PartialPlan:
        """The first planner that gives a plan. One that ran out of time ends it: its time was the batch's."""
        if not self.crew.planners:
            return plan_from_code(batch)
        why, spent = "", Usage()
        for agent in self.crew.planners:
            try:
                found = await self._ask(agent, batch, step)
            except AgentTimedOut as error:
                return PartialPlan(
                    batch.number, agent=agent.name, failed=error.message, usage=spent + error.usage
                )
            except AgentError as error:
                why = error.message
                spent += error.usage
                continue
            spent += found.usage
            if not found.failed:
                return replace(found, usage=spent)
            why = found.failed
        if self.crew.degrade:
            await self.run.note(f"degraded/{step.key}", f"batch {batch.number} is planned from code: {why}")
            return replace(plan_from_code(batch, degraded=True), usage=spent)
        return PartialPlan(batch.number, agent=self.crew.planners[-1].name, failed=why, usage=spent)

    async def _ask(self, agent: Agent, batch: Batch, step: Step) -> PartialPlan:
        """A plan; words that do not fit are put before the planner once more, then say why there is none."""
        spent, complaint = Usage(), ""
        for number in range(1, ASKS + 1):
            try:
                reply = await self._reply(agent, batch, replace(step, ask=number), complaint)
            except AgentError as error:
                error.usage = spent + error.usage
                raise
            spent += reply.usage
            try:
                return replace(read_plan(reply, batch), agent=reply.agent or agent.name, usage=spent)
            except ContractViolation as violation:
                complaint = violation.why
        return PartialPlan(batch.number, agent=agent.name, failed=complaint, usage=spent)

    async def _reply(self, agent: Agent, batch: Batch, step: Step, complaint: str) -> Reply:
        crew = self.crew
        async with crew.workspaces.open(self.task.start_tree, step.key) as workspace:
            desk = crew.desks.lay(step, {})
            prompt = crew.prompts.render(
                "plan_fixes",
                run=self.run.id,
                batch=told_batch(batch),
                gate=crew.gate.command if crew.gate else "",
                complaint=complaint,
                contract=INSTRUCTIONS,
            )
            request = Request(
                role=step.role,
                prompt=prompt if INSTRUCTIONS.strip() in prompt else f"{prompt}\n{INSTRUCTIONS}",
                workspace=workspace.path,
                inbox=desk.inbox,
                outbox=desk.outbox,
                timeout_s=crew.times.plan_s,
                schema=SCHEMA,
                variables=variables(self.run, step),
            )
            reply = await ask(agent, request)
        await tell_denied(self.run, step, reply)
        await tell_stood_in(self.run, step, reply)
        return reply
