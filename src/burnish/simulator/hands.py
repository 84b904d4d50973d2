"""The hands of a simulated run; the loop, the gate's judgement and the policies around them are real."""

from __future__ import annotations

from dataclasses import dataclass, field

from burnish.model.change import Change, Failure
from burnish.model.gate import GateResult
from burnish.model.history import History, Skipped
from burnish.model.receipt import GivenFile
from burnish.model.review import Finding, Review, Verdict
from burnish.model.step import Role
from burnish.model.task import Task
from burnish.ports import Run
from burnish.simulator.code import BLOCKING, CHANGED, Code, report
from burnish.simulator.fixers import Fixer
from burnish.simulator.reviewers import Reviewer
from burnish.workflows import gating

TASK = Task("simulated", "base", "base", "base", "base")
GATE = "simulated tests"
_GIVEN = (GivenFile(CHANGED, ("-0,0 +1,100",)),)


@dataclass
class SimulatedHands:
    """`code` is the truth as it is now, `seen` what it was at each review."""

    code: Code
    reviewer: Reviewer
    fixer: Fixer
    seen: list[Code] = field(default_factory=list)

    async def implement(self, run: Run, history: History) -> Change | Failure:
        return Change(Role.IMPLEMENT, "commit", self.code.tree, history.tree)

    async def gate(self, run: Run, history: History) -> History:
        if not history.gates:
            history = history.add(GateResult(history.task.base_tree, GATE, 0))
        red = any(defect.fails_gate for defect in self.code.defects)
        return history.add(GateResult(history.tree, GATE, int(red)))

    async def review(self, run: Run, history: History) -> Review | Failure | Skipped:
        self.seen.append(self.code)
        findings = self.reviewer(self.code)
        verdict = Verdict.FAIL if findings else Verdict.PASS
        said = Review(verdict, verdict.upper(), findings=findings, tree=history.tree, given=_GIVEN)
        return gating.judge(said, history, BLOCKING)

    async def fix(self, run: Run, history: History) -> Change | Failure:
        assert history.review is not None
        self.code = self.fixer(self.code, self._told(history.review))
        return Change(Role.FIX, "commit", self.code.tree, history.tree)

    def _told(self, review: Review) -> tuple[Finding, ...]:
        """What the fixer reads: a red gate names what it turned red for, as a failing test does."""
        findings = [finding for finding in review.findings if finding.category != "gate"]
        if len(findings) < len(review.findings):
            findings += [report(defect) for defect in self.code.sorted_defects if defect.fails_gate]
        return tuple(dict.fromkeys(findings))
