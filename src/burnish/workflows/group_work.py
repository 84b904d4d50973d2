"""One group at work: finding after finding, each fixed and checked, or undone."""

from __future__ import annotations

from dataclasses import dataclass, replace

from burnish.model.agent import Usage
from burnish.model.fixing import Draft, FindingFix, FixGroup, FixResult, GroupResult
from burnish.model.review import Finding
from burnish.model.step import Role, Step
from burnish.ports import Run
from burnish.sanitise import clean_line
from burnish.workflows.batching import NO_DIMENSION
from burnish.workflows.bench import Bench
from burnish.workflows.drafting import Drafting
from burnish.workflows.fix_checks import Checks, about, passes_now
from burnish.workflows.fix_crew import FixCrew, FixTask, Standing
from burnish.workflows.sightings import located, moved

GROUP, WRITE, REPAIR = "group", "write", "repair"
MAX_REACHED = "Max iterations reached"
NOTHING = "changed nothing"
NO_FIXER = "no fixer knows how to repair this, and there is no agent"
TITLE_CHARS = 100


async def work_on(run: Run, crew: FixCrew, task: FixTask, group: FixGroup, start: Standing) -> GroupResult:
    """The group's result, remembered; inside of it every attempt is remembered by itself."""
    step = Step(Role.FIX, task.cycle, GROUP, group.id)
    return await run.do(step, _work, run, crew, task, group, start)


async def _work(run: Run, crew: FixCrew, task: FixTask, group: FixGroup, start: Standing) -> GroupResult:
    began = crew.clock.now()
    known = {finding.id: finding for finding in task.findings}
    async with Bench(crew.workspaces, Step(Role.FIX, task.cycle, GROUP, group.id).key) as bench:
        work = GroupWork(run, crew, task, Drafting(run, crew, task, group, bench), Checks(run, crew, task))
        standing, fixes, failed = start, [], ""
        for name in group.findings:
            if failed:
                fixes.append(FindingFix(name, FixResult.FAILED, error=failed))
                continue
            fix = await work.repair(known[name], standing)
            fixes.append(fix)
            if fix.crashed:
                failed = f"its agent failed: {fix.error}"
            if fix.fixed:
                gate = fix.gate or standing.gate
                standing = Standing(fix.commit, fix.tree, gate, standing.fixed | {fix.finding_id})
    if failed:
        await run.note(f"group_failed/{task.cycle}/{group.id}", f"group {group.id} failed: {failed}")
    return GroupResult(group.id, tuple(fixes), failed, started_at=began, finished_at=crew.clock.now())


@dataclass(frozen=True)
class GroupWork:
    """The attempts at the findings of one group. Nothing of a failed attempt is left in the next."""

    run: Run
    crew: FixCrew
    task: FixTask
    drafting: Drafting
    checks: Checks

    async def repair(self, finding: Finding, at: Standing) -> FindingFix:
        tries: list[FindingFix] = []
        for number in range(1, self.task.max_attempts + 1):
            if tries and not self.drafting.anybody(finding, number):
                break
            step = Step(Role.FIX, self.task.cycle, REPAIR, finding.id, number)
            why = tries[-1].error if tries else ""
            tries.append(await self.run.do(step, self._attempt, finding, at, step, why))
            if tries[-1].result is not FixResult.FAILED or tries[-1].crashed:
                break
        return summed(tries, self.task.max_attempts)

    async def _attempt(self, finding: Finding, at: Standing, step: Step, why: str) -> FindingFix:
        began = self.crew.clock.now()
        fix = await self._tried(finding, at, step, why)
        return replace(fix, before=at.tree, started_at=began, finished_at=self.crew.clock.now())

    async def _tried(self, finding: Finding, at: Standing, step: Step, why: str) -> FindingFix:
        files = about(finding)
        start = await self.checks.sight(self.task.start_tree, files)
        sight = await self.checks.sight(at.tree, files)
        fixed = [other for other in self.task.findings if other.id in at.fixed]
        known = start.judges(finding) and sight.judges(finding)
        now = located(finding, start, sight, fixed) if known else sight.find(finding)
        if now is None and known:
            return FindingFix(finding.id, FixResult.ALREADY_GONE, tree=at.tree)
        finding = moved(finding, now) if now else finding
        if passes_now(finding, at.gate):
            return FindingFix(finding.id, FixResult.ALREADY_GONE, tree=at.tree)
        if not self.drafting.anybody(finding, step.ask):
            return FindingFix(finding.id, FixResult.NOT_FIXABLE, tree=at.tree, error=NO_FIXER)
        write = replace(step, phase=WRITE)
        draft = await self.run.do(write, self.drafting.draft, finding, at.tree, write, why)
        return await self._judged(finding, at, step, draft)

    async def _judged(self, finding: Finding, at: Standing, step: Step, draft: Draft) -> FindingFix:
        fix = FindingFix(
            finding.id,
            FixResult.FAILED,
            attempts=step.ask,
            tree=draft.tree,
            fixer=draft.fixer,
            usage=draft.spent,
            files=draft.files,
            said=draft.said,
        )
        if draft.crash:
            return replace(fix, error=draft.crash, crashed=True)
        if draft.tree == at.tree:
            return replace(fix, error=f"{draft.fixer} {NOTHING}{_because(draft)}")
        checked = await self.checks.check(finding, at, draft, step)
        if checked.why:
            return replace(fix, error=checked.why, gate=checked.gate)
        message = commit_message(self.run.id, step, finding, checked.verified_by)
        commit = await self.crew.workspaces.commit(draft.tree, at.commit, message)
        return replace(
            fix,
            result=FixResult.FIXED,
            commit=commit,
            message=message,
            verified_by=checked.verified_by,
            gate=checked.gate,
        )


def summed(tries: list[FindingFix], most: int) -> FindingFix:
    """What all attempts came to: the last one's result, from the first one's beginning, at all their cost."""
    usage = Usage()
    for one in tries:
        usage += one.usage
    last = replace(tries[-1], usage=usage, started_at=tries[0].started_at)
    if last.result is FixResult.FAILED and not last.crashed:
        last = replace(last, error=_told(tries))
    if last.result is not FixResult.FAILED or last.crashed:
        return last
    if all(one.tree == one.before for one in tries):
        return replace(last, result=FixResult.NOT_FIXABLE)
    if len(tries) >= most:
        return replace(last, error=f"{MAX_REACHED}: {last.error}")
    return last


def _told(tries: list[FindingFix]) -> str:
    """The last word that says why; that a fixer changed nothing is known already."""
    return next((one.error for one in reversed(tries) if not one.error.endswith(NOTHING)), tries[-1].error)


def commit_message(run_id: str, step: Step, finding: Finding, verified_by: str) -> str:
    title = clean_line(finding.title)
    title = title if len(title) <= TITLE_CHARS else title[: TITLE_CHARS - 1].rstrip() + "…"
    subject = f"fix({clean_line(finding.dimension) or NO_DIMENSION}): {title} [{finding.id}]"
    where = clean_line(f"{finding.file}:{finding.line}" if finding.line else finding.file)
    body = f"{where} {clean_line(finding.rule)}".strip()
    return (
        f"{subject}\n\n{body}\nVerified: {clean_line(verified_by)}\n\n"
        f"Burnish-Run: {run_id}\nStep-Id: {run_id}/{step.key}\n"
    )


def _because(draft: Draft) -> str:
    return f": {clean_line(draft.said)[:300]}" if draft.said else ""
