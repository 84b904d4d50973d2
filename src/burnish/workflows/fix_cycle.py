"""The fix pipeline: batches, plans, repairs stage by stage, and what came of it.

As in the loop, nothing here retries, prints or knows about resuming: every finished step is remembered, so a
run that is started again calls this same function.
"""

from __future__ import annotations

from dataclasses import replace

from burnish.model.fixing import StageResult
from burnish.model.step import Role, Step
from burnish.ports import Run
from burnish.workflows.batching import check_ids, make_batches
from burnish.workflows.fix_crew import FixCrew, FixTask
from burnish.workflows.fix_outcome import FixOutcome, sum_up
from burnish.workflows.looking_again import LookedOnce
from burnish.workflows.planning import plan_fixes
from burnish.workflows.repairing import first_standing, repair_stage, stand_after, stand_at


async def fix_cycle(task: FixTask, crew: FixCrew, run: Run) -> FixOutcome:
    """Repair what can be repaired. Every commit of the result was checked, and so was every joined tree."""
    check_ids(task.findings)
    crew = replace(crew, recheck=LookedOnce(crew.recheck))
    batches = make_batches(task.findings, task.batch_size)
    plan = await plan_fixes(run, crew, task, batches)

    standing = await first_standing(run, crew, task) if plan.stages else stand_at(task)
    stages: list[StageResult] = []
    for stage in plan.stages:
        result = await repair_stage(run, crew, task, plan, stage, standing)
        standing = stand_after(result, standing)
        stages.append(result)

    return await run.do(Step(Role.FIX, task.cycle, "summary"), sum_up, task, plan, batches, tuple(stages))
