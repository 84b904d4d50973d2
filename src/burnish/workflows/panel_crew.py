"""The review profile's hands in the loop: a panel reviews, and a fix pipeline fixes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from burnish.model.assessment import Analysis, Assessment, distribution
from burnish.model.change import Change, Failure
from burnish.model.dimension import Dimension
from burnish.model.history import History
from burnish.model.ledger import Sighting
from burnish.model.receipt import GivenFile
from burnish.model.report import Blocking, entry_of
from burnish.model.review import Finding, Review, Verdict
from burnish.model.step import Role, Step
from burnish.model.subject import Subject
from burnish.ports import Ledger, Run
from burnish.workflows.panel import Panel
from burnish.workflows.review_cycle import review_cycle

LEDGER_PHASE = "ledger"
TESTS = "tests"
NOT_RUN = "tests not run"


@dataclass(frozen=True)
class Prepared:
    """A subject laid out to be looked at, the panel that looks, and what changed in the files it is given."""

    subject: Subject
    panel: Panel
    given: tuple[GivenFile, ...] = ()


Prepare = Callable[[History], Awaitable[Prepared]]
Publish = Callable[[int, Prepared, Assessment], Awaitable[None]]
Repair = Callable[[Run, History, Assessment], Awaitable[Change | Failure]]


async def unpublished(cycle: int, prepared: Prepared, assessment: Assessment) -> None:
    """Nobody wants the files."""


@dataclass(frozen=True)
class PanelCrew:
    """`prepare` lays out what the history's tree is to be looked at; `repair` is the fix pipeline, if any.

    `set_gate` is the command that a person set: where it was not run, which `gate_not_run` may say
    beforehand, no review passes. Assessments are kept by cycle while this process works; a resumed run makes
    them again from its steps.
    """

    prepare: Prepare
    ledger: Ledger
    blocking: Blocking = Blocking()
    repair: Repair | None = None
    publish: Publish = unpublished
    set_gate: str = ""
    gate_not_run: str = ""
    assessments: dict[int, Assessment] = field(default_factory=dict)
    prepared: dict[int, Prepared] = field(default_factory=dict)

    async def implement(self, run: Run, history: History) -> Change | Failure:
        task = history.task
        return Change(Role.IMPLEMENT, task.start, task.start_tree, task.base_tree, title=task.title)

    async def gate(self, run: Run, history: History) -> History:
        """The tests are one of the panel's analysers, and each fix is gated by itself."""
        return history

    async def review(self, run: Run, history: History) -> Review | Failure:
        cycle = history.cycle
        prepared = await self.prepare(history)
        assessment = await review_cycle(prepared.subject, prepared.panel, run, cycle)
        self.assessments[cycle], self.prepared[cycle] = assessment, prepared
        if cycle == 1:
            # What a fix made lives on a branch: the ledger tells of what the user has.
            sighting = _sighting(run.id, prepared, assessment)
            await run.do(Step(Role.REVIEW, cycle, LEDGER_PHASE), self._note, sighting)
        review = await run.do(Step(Role.REVIEW, cycle), self._verdict, prepared, assessment)
        await self.publish(cycle, prepared, assessment)
        return review

    async def fix(self, run: Run, history: History) -> Change | Failure:
        assert self.repair is not None
        return await self.repair(run, history, self.assessments[len(history.reviews)])

    async def _note(self, sighting: Sighting) -> int:
        await self.ledger.see(sighting)
        return len(sighting.findings)

    def _summary(self, standing: tuple[Finding, ...]) -> str:
        """As the closing summary counts: what is open and sure enough, and apart from it what is doubtful."""
        sure = tuple(finding for finding in standing if self.blocking.is_sure(finding))
        count = distribution(sure)
        told = ", ".join(f"{number} {severity}" for severity, number in count.items() if number)
        doubtful = f" ({len(standing) - len(sure)} doubtful)" if len(sure) < len(standing) else ""
        return (told or "no findings") + doubtful

    async def _verdict(self, prepared: Prepared, assessment: Assessment) -> Review:
        """Ours, never an agent's: does anything open block, and was every dimension looked at."""
        entries = await self.ledger.entries()
        known = [(finding, entry_of(finding, entries)) for finding in assessment.findings]
        standing = [finding for finding, entry in known if not (entry and entry.state.dismissed)]
        blocking = [finding for finding, entry in known if self.blocking.blocks(finding, entry)]
        failed = [report.dimension.value for report in assessment.reports if report.failed]
        verdict = Verdict.FAIL if blocking else Verdict.PASS
        tests = next((found for found in assessment.analyses if found.tool == TESTS), None)
        untested = f"; {NOT_RUN}" if tests and tests.failed else ""
        summary = f"{self._summary(tuple(standing))}{untested}"
        tools = ", ".join(
            f"{found.tool} {found.version}".strip() for found in assessment.analyses if not found.failed
        )
        review = Review(
            verdict,
            "partial" if failed else "complete",
            summary=summary,
            findings=tuple(blocking),
            text=summary,
            tree=prepared.subject.tree,
            partial=bool(failed or assessment.not_reviewed or not _all_given(prepared)),
            given=tuple(file for file in prepared.given if file.path in _looked_at(prepared.subject)),
            agent=", ".join(dict.fromkeys(report.agent for report in assessment.reports)),
            agent_version=f"{tools}{untested}",
            # Nothing else of the change is executed, so this is the confinement that counts.
            isolation=tests.isolation if tests else "",
            lesser=len(standing) - len(blocking),
        )
        why = _why_no_pass(prepared, assessment) or self._why_untested(tests)
        return replace(review, overruled=why) if why and verdict is Verdict.PASS else review

    def _why_untested(self, tests: Analysis | None) -> str:
        """A gate that a person set and that was not run is not green."""
        why = self.gate_not_run or (tests.failed if tests else "")
        return f"the gate {self.set_gate!r} was not run: {why}" if self.set_gate and why else ""


def _why_no_pass(prepared: Prepared, assessment: Assessment) -> str:
    """What keeps a review without blocking findings from being a pass; empty when nothing does."""
    failed = [report.dimension.value for report in assessment.reports if report.failed]
    violations = [report.violation for report in assessment.reports if report.violation]
    if failed:
        return f"not every dimension could be reviewed: {', '.join(failed)}"
    if violations:
        return f"a reviewer broke its rules: {violations[0]}"
    if not prepared.subject.files and prepared.subject.skipped:
        skipped = prepared.subject.skipped[0]
        return f"nothing could be reviewed: {skipped.path} ({skipped.why})"
    return ""


def _sighting(run_id: str, prepared: Prepared, assessment: Assessment) -> Sighting:
    """All that can be said to be gone later: by tools that ran, in files they read, in all dimensions."""
    ran = [analysis for analysis in assessment.analyses if not analysis.failed]
    unread = {item.path for item in assessment.not_reviewed}
    whole = set(prepared.panel.dimensions) == set(Dimension)
    files = [*prepared.subject.present, *prepared.subject.deleted]
    return Sighting(
        run_id,
        assessment.findings,
        still=tuple(mark for analysis in ran for mark in (*analysis.unchanged, *_gave_way(analysis))),
        files=tuple(path for path in files if path not in unread),
        tools=tuple(analysis.tool for analysis in ran) if whole else (),
    )


def _gave_way(analysis: Analysis) -> tuple[str, ...]:
    """Nobody repaired these, so the ledger does not call them fixed."""
    return tuple(mark for finding in analysis.gave_way for mark in finding.fingerprints)


def _looked_at(subject: Subject) -> set[str]:
    return {name for file in subject.files for name in (file.path, file.old_path) if name}


def _all_given(prepared: Prepared) -> bool:
    """Whether everything that differs from the base was looked at: a review of some paths may see less."""
    return {file.path for file in prepared.given} <= _looked_at(prepared.subject)
