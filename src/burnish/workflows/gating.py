"""The gate beside the review: what turned red overrules a PASS."""

from __future__ import annotations

from dataclasses import replace

from burnish.model.change import Dropped
from burnish.model.gate import GateResult
from burnish.model.history import History
from burnish.model.review import Finding, Review, Severity, Verdict
from burnish.model.step import Role, Step
from burnish.ports import Gate, Run
from burnish.workflows.tests_told import beside_base

OUTPUT_CAP = 8_000
MOST_NAMED = 3
_EDITED = "edits an existing judge file:"
# By the beginning of why the gate did not use a file.
_EDITS = {
    "green with it": "the gate is green only with",
    "it would run": "brings a file that the gate would run:",
}
NO_GATE = "no gate: nothing is run to check the result (give one with --gate, for example --gate 'pytest -q')"


async def prepare(run: Run, gate: Gate | None, history: History) -> None:
    """A gate that is missing, or cannot run at all, is found out before an agent has cost anything."""
    if gate is None:
        await run.note("no_gate", NO_GATE)
    else:
        await check_base(run, gate, history)


async def check(run: Run, gate: Gate | None, history: History) -> History:
    """The history with the gate's result for the tree as it is now."""
    if gate is None:
        return history
    base = await check_base(run, gate, history)
    if not history.gates:
        history = history.add(base)
    if history.gates[-1].tree == history.tree:
        return history
    result = await run.do(Step(Role.GATE, history.cycle), _checked, gate, history.tree, base)
    return history.add(result)


async def _checked(gate: Gate, tree: str, base: GateResult) -> GateResult:
    return beside_base(await gate.check(tree, base.tree), base)


async def check_base(run: Run, gate: Gate, history: History) -> GateResult:
    """The gate on the base: what was red before is not the change's fault."""
    tree = history.task.base_tree
    result = await run.do(Step(Role.GATE, part="base"), gate.check, tree, tree)
    if not result.green:
        await run.note(
            "gate_red_on_base",
            f"the gate {gate.command!r} {_how(result)} on the base already, so red proves nothing",
        )
    return result


def newly_red(history: History) -> GateResult | None:
    """The current tree's gate result if it is red and the base's was green."""
    if len(history.gates) < 2:
        return None
    base, last = history.gates[0], history.gates[-1]
    return last if base.green and not last.green and last.tree == history.tree else None


def known_red(history: History) -> tuple[Finding, ...]:
    """What the gate alone shows to be wrong with the result."""
    red = newly_red(history)
    return () if red is None else (_red(red),)


def describe(history: History) -> str:
    """What a reviewer is told about the gate, in a sentence."""
    if not history.gates:
        return ""
    last = history.gates[-1]
    if last.green:
        return f"`{last.command}` is green on this result."
    before = "it was red on the base already" if not history.gates[0].green else "it was green on the base"
    return f"`{last.command}` is red on this result ({_ending(last)}; {before}). Its output:"


def red_output(history: History) -> str:
    """The end of what a red gate printed; nothing when it is green or there is none."""
    return "" if not history.gates or history.gates[-1].green else _tail(history.gates[-1].output)


def judge(review: Review, history: History, fail_on: Severity) -> Review:
    """What a review is worth beside the evidence: a newly red gate or blocking findings overrule a PASS."""
    findings = list(review.findings)
    for gate in history.gates[-1:]:
        findings += [_judge_edit(dropped) for dropped in gate.restored]
        findings += [Finding(f"the gate: {doubt}", Severity.LOW, category="gate") for doubt in gate.doubts]
    overruled = review.overruled
    edits = [dropped.path for gate in history.gates[-1:] for dropped in gate.restored]
    if edits:
        overruled = overruled or f"the change edits or brings what judges it: {_some(edits)}"
    red = newly_red(history)
    if red is not None:
        findings.insert(0, _red(red))
        overruled = review.overruled or f"the gate {red.command!r} turned red"
    blocking = [finding for finding in review.findings if finding.severity.at_least(fail_on)]
    if review.verdict is Verdict.PASS and blocking and not overruled:
        overruled = f"PASS beside {len(blocking)} blocking finding(s)"
    verdict = Verdict.FAIL if overruled and review.verdict is Verdict.PASS else review.verdict
    summary = review.summary
    if overruled and review.verdict is Verdict.PASS:
        summary = f"{overruled} (the reviewer said {review.native})"
    return replace(review, verdict=verdict, overruled=overruled, findings=tuple(findings), summary=summary)


def _red(gate: GateResult) -> Finding:
    return Finding(
        f"the gate {gate.command!r} turned red ({_ending(gate)})",
        Severity.HIGH,
        detail=_tail(gate.output),
        category="gate",
        suggestion="make it green again without weakening it",
    )


def _judge_edit(dropped: Dropped) -> Finding:
    what = next((said for mark, said in _EDITS.items() if dropped.why.startswith(mark)), _EDITED)
    return Finding(
        f"{what} {dropped.path}",
        Severity.HIGH,
        file=dropped.path,
        category="judge-edit",
        detail="The gate ran without it, with the base's files. --allow-test-edits accepts it.",
        suggestion="put this file back as the base has it, and make the gate green by the code alone",
    )


def _some(paths: list[str]) -> str:
    more = f" and {len(paths) - MOST_NAMED} more" if len(paths) > MOST_NAMED else ""
    return f"{', '.join(paths[:MOST_NAMED])}{more}"


def _how(gate: GateResult) -> str:
    return "runs too long" if gate.exit is None else "is red"


def _ending(gate: GateResult) -> str:
    return "ran too long" if gate.exit is None else gate.fault or f"exit {gate.exit}"


def _tail(text: str) -> str:
    return (
        text if len(text) <= OUTPUT_CAP else f"[cut: the last {OUTPUT_CAP} characters]\n{text[-OUTPUT_CAP:]}"
    )
