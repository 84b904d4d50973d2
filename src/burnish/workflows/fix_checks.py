"""What the word fixed means: the rule is quiet there, nothing new appeared, and the gate is no redder."""

from __future__ import annotations

from dataclasses import dataclass, replace

from burnish.errors import GateError
from burnish.model.fixing import Draft
from burnish.model.gate import GateResult
from burnish.model.review import Finding, Severity
from burnish.model.step import Role, Step
from burnish.ports import Gate, Run
from burnish.workflows.fix_crew import FixCrew, FixTask, Standing
from burnish.workflows.giving_way import give_way
from burnish.workflows.sightings import Sight, appeared, blinded, still_there, variants
from burnish.workflows.silencing import silenced
from burnish.workflows.tests_told import beside_base

WEAKER = "weaker"
OUTPUT_CAP = 4_000
DIFF_CAP = 1_000_000
DEAD_CODE = "dead-code"
FAILING_TEST = "tests:"
# Enough for the line in which a test runner counts its tests.
KEPT_OUTPUT = 2_000
PASSES_NOW = "the test passes now"
NOBODY_CAN_TELL = "no analyser can tell whether it is gone"


@dataclass(frozen=True)
class Checked:
    """`why` it does not hold; empty when it does, and then `verified_by` says what that rests on."""

    why: str = ""
    verified_by: str = ""
    gate: GateResult | None = None


@dataclass(frozen=True)
class Checks:
    """The checks of one group, or of groups joined."""

    run: Run
    crew: FixCrew
    task: FixTask

    async def sight(self, tree: str, files: tuple[str, ...]) -> Sight:
        """As a review would see it: what another tool cleared is no finding, so no fix brings it."""
        return Sight(give_way(await self.crew.recheck(tree, files)) if files else ())

    async def check(self, finding: Finding, before: Standing, draft: Draft, step: Step) -> Checked:
        """Everything about one fix, the cheap part first."""
        looked = tuple(dict.fromkeys((*draft.files, *about(finding))))
        old, new = await self.sight(before.tree, looked), await self.sight(draft.tree, looked)
        diff = await self.crew.workspaces.diff(before.tree, draft.tree, DIFF_CAP)
        why = (
            evaded(finding, draft, diff.text)
            or (still_there(finding, old, new) if finding.file not in draft.deleted else "")
            or blinded(old, new, excused=bool(draft.deleted))
            or _brought(appeared(old, new, _tolerated(finding.severity)))
        )
        if why:
            return Checked(why)
        checked = await self.tested(before, draft.tree, draft.files, step)
        if not checked.why and not old.judges(finding):
            checked = replace(checked, why=_untested(finding, before.gate, checked.gate))
        quiet = f"{finding.rule} is gone" if old.judges(finding) else NOBODY_CAN_TELL
        quiet = PASSES_NOW if passes_now(finding, checked.gate) else quiet
        return checked if checked.why else replace(checked, verified_by=f"{quiet}; {checked.verified_by}")

    async def tested(self, before: Standing, tree: str, files: tuple[str, ...], step: Step) -> Checked:
        """The gate on a tree, or what there is instead of one."""
        gate = self.crew.gate
        if gate is None:
            return await self._weaker(before.tree, tree, files)
        asked = replace(step, role=Role.GATE)
        result = await self.run.do(asked, _gated, gate, tree, self.task.start_tree, before.gate)
        if newly_red(before.gate, result):
            return Checked(_red(result), gate=_short(result))
        # The gate took judges that the fix had edited from the start; their new versions must hold as well.
        if any(dropped.path in files for dropped in result.restored):
            own = await self._as_it_is(gate, tree, step)
            if own is None or newly_red(before.gate, own):
                return Checked(_red(own) if own else f"the gate {gate.command!r} cannot run on it")
            names = ", ".join(dropped.path for dropped in result.restored[:3])
            await self.run.note(
                f"judge_edit/{step.key}", f"the fix of {step.part} edits what judges it: {names}"
            )
        said = "is green" if result.green else "is red as it was before"
        return Checked(verified_by=f"`{gate.command}` {said}", gate=_short(result))

    async def _as_it_is(self, gate: Gate, tree: str, step: Step) -> GateResult | None:
        own = replace(step, role=Role.GATE, phase=f"{step.phase}-own")
        try:
            return await self.run.do(own, gate.check, tree, tree)
        except GateError:
            return None

    async def _weaker(self, before: str, tree: str, files: tuple[str, ...]) -> Checked:
        weaker = self.crew.weaker
        if weaker is None:
            return Checked(verified_by=f"{WEAKER}: nothing was checked, no gate was run")
        known = set(await weaker.broken(before, files))
        broken = [line for line in await weaker.broken(tree, files) if line not in known]
        return Checked(broken[0] if broken else "", verified_by=f"{WEAKER}: {weaker.name}, no gate was run")


def about(finding: Finding) -> tuple[str, ...]:
    """The files that tell whether a finding is there: a flow is seen only from its beginning."""
    passed = (step.file for step in finding.flow)
    return tuple(dict.fromkeys(file for file in (finding.file, *passed) if file))


async def _gated(gate: Gate, tree: str, base: str, before: GateResult | None) -> GateResult:
    """A green that tells of fewer tests than there were is looked at twice."""
    result = await gate.check(tree, base)
    return beside_base(result, before) if before else result


def evaded(finding: Finding, draft: Draft, diff: str) -> str:
    """How a fix made the finding go away without repairing it; empty when it did not."""
    if finding.file in draft.deleted and finding.category != DEAD_CODE:
        return f"the fix deletes {finding.file} instead of repairing it"
    mark = silenced(diff)
    return f"the fix silences a rule ({mark}) instead of repairing what it found" if mark else ""


def _tolerated(severity: Severity) -> Severity:
    """A fix may bring a trifle where it mends more; nothing of medium or worse, and nothing as bad."""
    return severity if severity is Severity.LOW else Severity.MEDIUM


def _brought(grown: tuple[Finding, ...]) -> str:
    if not grown:
        return ""
    return f"the fix brought {grown[0].rule} to {grown[0].file}:{grown[0].line}: {grown[0].title}"


def _untested(finding: Finding, before: GateResult | None, now: GateResult | None) -> str:
    """Why a failing test is not known to be repaired: only the gate can tell. Empty where it does, or where
    the finding is none of the tests'."""
    if not any(one.rule.startswith(FAILING_TEST) for one in variants(finding)):
        return ""
    if now is None:
        return "the test was not run again, so nothing tells whether it passes"
    if now.green:
        return ""
    still = finding.rule == f"{FAILING_TEST}failing" and now.failing and not passes_now(finding, now)
    fewer = before is not None and set(now.failing) < set(before.failing)
    return "the tests that failed still fail" if still or not fewer else ""


def passes_now(finding: Finding, gate: GateResult | None) -> bool:
    """Whether a test that failed at first no longer does, by the gate's word: one fix may mend several."""
    if gate is None or not any(one.rule == f"{FAILING_TEST}failing" for one in variants(finding)):
        return False
    told = (finding.detail or finding.title).partition("\n")[0]
    return gate.green or (bool(gate.failing) and not any(told.endswith(name) for name in gate.failing))


def newly_red(before: GateResult | None, now: GateResult) -> bool:
    """Whether something is red that was not: by the names of failing tests, else by how it ended."""
    if now.green:
        return False
    if before is None or before.green:
        return True
    if before.failing and now.failing:
        return not set(now.failing) <= set(before.failing)
    return now.exit != before.exit


def _short(result: GateResult) -> GateResult:
    """The whole output is with the gate's own step."""
    return replace(result, output=result.output[-KEPT_OUTPUT:])


def _red(result: GateResult) -> str:
    ending = "ran too long" if result.exit is None else result.fault or f"exit {result.exit}"
    names = f": {', '.join(result.failing[:5])}" if result.failing else ""
    return f"the gate {result.command!r} turned red ({ending}){names}\n{result.output[-OUTPUT_CAP:]}".strip()
