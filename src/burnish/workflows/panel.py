"""The panel of a review: the analysers, who looks from each dimension, and who looks closer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Protocol

from burnish.errors import AgentError
from burnish.model.assessment import Analysis, DimensionReport, Dive, Iteration, distribution
from burnish.model.dimension import Dimension
from burnish.model.review import Finding
from burnish.model.step import Role, Step
from burnish.model.subject import NotReviewed, Subject
from burnish.ports import Run
from burnish.workflows.analysing import Analysing
from burnish.workflows.embedded import EmbeddedDiver, EmbeddedViewer
from burnish.workflows.side_by_side import side_by_side

MAX_ITERATIONS = 3
DIVE_PHASE = "dive"
DIMENSION_PHASE = "dimension"
Analyses = tuple[Analysis, ...]


class Viewer(Protocol):
    """Looks at a subject from one dimension, with the analysers' findings as evidence."""

    async def view(
        self, run: Run, step: Step, subject: Subject, dimension: Dimension, evidence: Analyses
    ) -> DimensionReport: ...


class Diver(Protocol):
    """Looks closer at one finding."""

    async def dive(
        self, run: Run, step: Step, subject: Subject, finding: Finding, among: tuple[Finding, ...]
    ) -> Dive: ...


def no_gaps(analyses: Analyses) -> tuple[str, ...]:
    return ()


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@dataclass(frozen=True)
class Panel:
    """Carries out the parts of one review through remembered steps."""

    analysing: Analysing
    dimensions: tuple[Dimension, ...] = tuple(Dimension)
    viewer: Viewer = field(default_factory=EmbeddedViewer)
    diver: Diver = field(default_factory=EmbeddedDiver)
    max_iterations: int = MAX_ITERATIONS
    gaps: Callable[[Analyses], tuple[str, ...]] = no_gaps

    async def analyse(self, run: Run, subject: Subject, cycle: int) -> Analyses:
        return await self.analysing.analyse(run, subject, cycle)

    async def report(
        self, run: Run, subject: Subject, analyses: Analyses, cycle: int
    ) -> tuple[DimensionReport, ...]:
        """One report per dimension, all at once; one that fails does not stop the others (C-78)."""

        async def one(dimension: Dimension) -> DimensionReport:
            step = Step(Role.REVIEW, cycle, DIMENSION_PHASE, dimension.value)
            return await run.do(step, self._view, run, step, subject, dimension, analyses)

        works = [partial(one, dimension) for dimension in self.dimensions]
        reports = await side_by_side(len(works), works)
        if reports and all(report.failed for report in reports):
            raise AgentError(f"no dimension could be reviewed: {reports[0].failed}")
        return reports

    async def _view(
        self, run: Run, step: Step, subject: Subject, dimension: Dimension, analyses: Analyses
    ) -> DimensionReport:
        try:
            return await self.viewer.view(run, step, subject, dimension, analyses)
        except AgentError as error:
            return DimensionReport(
                dimension, failed=error.message, started_at=now(), finished_at=now(), usage=error.usage
            )

    async def dive(
        self,
        run: Run,
        subject: Subject,
        chosen: tuple[Finding, ...],
        among: tuple[Finding, ...],
        cycle: int,
        iteration: int,
    ) -> tuple[Dive, ...]:
        """All chosen findings at once; one whose diver fails stays unanalysed (C-81)."""

        async def one(finding: Finding) -> Dive:
            step = Step(Role.REVIEW, cycle, f"{DIVE_PHASE}-{iteration}", finding.id)
            return await run.do(step, self._dive, run, step, subject, finding, among)

        return await side_by_side(len(chosen), [partial(one, finding) for finding in chosen])

    async def _dive(
        self, run: Run, step: Step, subject: Subject, finding: Finding, among: tuple[Finding, ...]
    ) -> Dive:
        try:
            return await self.diver.dive(run, step, subject, finding, among)
        except AgentError as error:
            number = int(step.phase.removeprefix(f"{DIVE_PHASE}-"))
            return Dive(finding.id, number, failed=error.message, at=now(), usage=error.usage)

    def sum_up(
        self, before: tuple[Finding, ...], after: tuple[Finding, ...], dives: tuple[Dive, ...]
    ) -> Iteration:
        was = {finding.id: finding.severity for finding in before}
        moved = [(was[f.id], f.severity) for f in after if f.id in was and was[f.id] is not f.severity]
        return Iteration(
            number=dives[0].iteration,
            analysed=tuple(dive.finding_id for dive in dives if not dive.failed),
            before=distribution(before),
            after=distribution(after),
            at=max(dive.at for dive in dives),
            resolved=sum(1 for old, new in moved if new.rank > old.rank),
            escalated=sum(1 for old, new in moved if new.rank < old.rank),
        )

    def not_assessed(self, analyses: Analyses) -> tuple[str, ...]:
        return self.gaps(analyses)

    def not_reviewed(self, subject: Subject, analyses: Analyses) -> tuple[NotReviewed, ...]:
        """Each file once for each reason: one may be read by one tool and only in part by another."""
        found = dict.fromkeys((*subject.skipped, *(n for some in analyses for n in some.not_reviewed)))
        return tuple(sorted(found, key=lambda item: item.path))

    def warnings(
        self, analyses: Analyses, reports: tuple[DimensionReport, ...], dives: Iterable[Dive] = ()
    ) -> tuple[str, ...]:
        tools = [f"{found.tool} did not run: {found.failed}" for found in analyses if found.failed]
        views = [f"{report.dimension}: not reviewed: {report.failed}" for report in reports if report.failed]
        degraded = [f"{report.dimension}: {report.degraded}" for report in reports if report.degraded]
        # The reasons of a degraded report are part of what it says.
        passed_over = [
            f"{report.dimension}: not used: {why}"
            for report in reports
            if not report.degraded
            for why in report.passed_over
        ]
        dropped = [
            f"{report.dimension}: {report.dropped} finding(s) of {report.agent} about files that are not"
            " part of this review were dropped"
            for report in reports
            if report.dropped
        ]
        return (*tools, *views, *degraded, *passed_over, *dropped, *_of_dives(dives))


def _of_dives(dives: Iterable[Dive]) -> Iterator[str]:
    """One line for all that went wrong in the same way."""
    ids: dict[str, list[str]] = defaultdict(list)
    for dive in dives:
        if dive.failed or dive.degraded:
            ids[dive.failed or dive.degraded].append(dive.finding_id)
    for why, some in ids.items():
        more = f" and {len(some) - 1} more" if len(some) > 1 else ""
        yield f"deep dive of {some[0]}{more}: {why}"
