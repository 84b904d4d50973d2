"""Stage by stage: groups at work side by side, their commits put on one line, and the joined tree checked."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from burnish.errors import WorkspaceError
from burnish.model.fixing import FixPlan, FixStage, GroupResult, StageResult
from burnish.model.step import Role, Step
from burnish.ports import Run
from burnish.workflows.fix_checks import Checked, Checks
from burnish.workflows.fix_crew import GROUPS_AT_ONCE, FixCrew, FixTask, Standing
from burnish.workflows.gating import NO_GATE
from burnish.workflows.group_work import work_on
from burnish.workflows.line import lay, taken_back
from burnish.workflows.side_by_side import side_by_side

MERGE, ADVANCE, START = "merge", "advance", "start"


async def first_standing(run: Run, crew: FixCrew, task: FixTask) -> Standing:
    """Where repairs begin, and what the gate says there: what is red already blocks no fix."""
    if crew.gate is None:
        weaker = (
            f"no gate was run: fixes are not tested, only checked by {crew.weaker.name}, which is weaker"
            if crew.weaker
            else ""
        )
        await run.note("no_gate", weaker or NO_GATE)
        return stand_at(task)
    step = Step(Role.GATE, task.cycle, START)
    gate = await run.do(step, crew.gate.check, task.start_tree, task.start_tree)
    if not gate.green:
        await run.note(
            f"gate_red_at_start/{task.cycle}",
            f"the gate {gate.command!r} is red before any fix; only what turns red by a fix undoes it",
        )
    return Standing(task.start, task.start_tree, gate)


def stand_at(task: FixTask) -> Standing:
    return Standing(task.start, task.start_tree)


def stand_after(stage: StageResult, before: Standing) -> Standing:
    fixed = {fix.finding_id for group in stage.groups for fix in group.kept}
    return Standing(stage.commit, stage.tree, stage.gate, before.fixed | fixed)


async def repair_stage(
    run: Run, crew: FixCrew, task: FixTask, plan: FixPlan, stage: FixStage, start: Standing
) -> StageResult:
    """One stage's result on the run's line. A refusal of git ends everything here, and resuming goes on."""
    groups = {group.id: group for group in plan.groups}
    works = [partial(work_on, run, crew, task, groups[name], start) for name in stage.groups]
    try:
        results = await side_by_side(GROUPS_AT_ONCE, works)
        step = Step(Role.FIX, task.cycle, MERGE, f"stage-{stage.number}")
        merged = await run.do(step, _merge, run, crew, task, step, start, results)
        # A step of its own: whenever we die, the line is moved to the commit that is on record, and once.
        await run.do(
            Step(Role.FIX, task.cycle, ADVANCE, f"stage-{stage.number}"), _advance, crew, merged, start
        )
    except WorkspaceError as error:
        await run.note(f"fix_stopped/{error.message}", f"stopped in stage {stage.number}: {error.message}")
        raise
    for result in merged.groups:
        if result.rolled_back:
            await run.note(
                f"rolled_back/{task.cycle}/{result.group}",
                f"group {result.group} was rolled back: {result.rolled_back.splitlines()[0]}",
            )
    return merged


async def _merge(
    run: Run,
    crew: FixCrew,
    task: FixTask,
    step: Step,
    start: Standing,
    results: tuple[GroupResult, ...],
) -> StageResult:
    """The groups on one line; while the joined tree is red, the last of them is taken back."""
    checks = Checks(run, crew, task)
    number = int(step.part.removeprefix("stage-"))
    while True:
        standing, laid = await lay(crew.workspaces, start, results)
        kept = [group for group in laid if group.kept]
        checked = await _check_joined(checks, step, start, standing, kept)
        if not checked.why:
            return StageResult(number, standing.commit, standing.tree, laid, checked.gate or start.gate)
        why = f"with it the joined result of {_names(kept)} does not hold: {checked.why}"
        results = tuple(taken_back(group, why) if group is kept[-1] else group for group in laid)


async def _check_joined(
    checks: Checks, step: Step, start: Standing, standing: Standing, kept: list[GroupResult]
) -> Checked:
    """A tree that one group's own checks have seen needs no second look."""
    if standing.tree == start.tree:
        return Checked(gate=start.gate)
    if len(kept) == 1:
        return Checked(gate=standing.gate)
    files = tuple(dict.fromkeys(file for group in kept for fix in group.kept for file in fix.files))
    asked = Step(Role.GATE, step.cycle, MERGE, f"{step.part}:{_names(kept)}")
    gates = [gate for gate in (start.gate, *(group.kept[-1].gate for group in kept)) if gate]
    # What a group has turned green must not be red again beside the others.
    best = min(gates, key=lambda gate: (not gate.green, len(gate.failing)), default=None)
    return await checks.tested(replace(start, gate=best), standing.tree, files, asked)


async def _advance(crew: FixCrew, merged: StageResult, start: Standing) -> str:
    if merged.commit != start.commit:
        await crew.workspaces.advance(merged.commit, start.commit)
    return merged.commit


def _names(groups: list[GroupResult]) -> str:
    return "+".join(group.group for group in groups)
