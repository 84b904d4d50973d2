"""Everything about a review as one JSON document with a published schema."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from burnish import __version__, codec
from burnish.model.ledger import LedgerEntry, LedgerState
from burnish.model.report import ReviewReport
from burnish.model.review import Finding
from burnish.render.formats import _facts as facts
from burnish.render.formats import _page as page


def render(report: ReviewReport) -> str:
    return codec.dumps(facts.portable(codec.plain(review_page(report))), indent=2) + "\n"


def review_page(report: ReviewReport) -> page.ReviewPage:
    assessment = report.assessment
    return page.ReviewPage(
        version=page.VERSION,
        tool="burnish",
        tool_version=__version__,
        run=report.run,
        review_id=report.review_id,
        session=report.session,
        verdict=_verdict(report),
        summary=_summary(report),
        subject=_subject(report),
        findings=tuple(_finding(report, finding) for finding in report.shown),
        critical_files=assessment.critical_files,
        dimensions=_dimensions(report),
        tools=_tools(report),
        dives=tuple(page.DivePage(**_same(dive, page.DivePage)) for dive in assessment.dives),
        not_assessed=assessment.not_assessed,
        not_reviewed=assessment.not_reviewed,
        gave_way=tuple(
            page.GaveWayPage(**_same(finding, page.GaveWayPage)) for finding in assessment.gave_way
        ),
        warnings=assessment.warnings,
        fixes=_fixes(report),
        landed=report.landed,
        receipt=report.receipt,
        folder=report.folder,
    )


def _same(source: Any, kind: Any, *without: str) -> dict[str, Any]:
    """The fields of a page that the model has by the same name."""
    return {field.name: getattr(source, field.name) for field in fields(kind) if field.name not in without}


def _verdict(report: ReviewReport) -> page.VerdictPage:
    return page.VerdictPage(
        outcome=report.outcome,
        message=report.message,
        fail_on=report.blocking.fail_on,
        min_confidence=report.blocking.min_confidence,
        min_severity=report.min_severity,
        blockers=tuple(finding.id for finding in report.blockers),
    )


def _summary(report: ReviewReport) -> page.SummaryPage:
    sums = facts.closing(report)
    return page.SummaryPage(
        **sums.counts,
        total=sums.total,
        doubtful=sums.doubtful,
        dismissed=sums.dismissed,
        older=report.unchanged,
        below_min_severity=facts.below(report),
        dimensions_reviewed=sums.reviewed,
        dimensions=sums.dimensions,
        iterations=sums.iterations,
        max_iterations=sums.max_iterations,
    )


def _subject(report: ReviewReport) -> page.SubjectPage:
    files = tuple(page.FilePage(**_same(file, page.FilePage)) for file in report.subject.files)
    return page.SubjectPage(**_same(report.subject, page.SubjectPage, "files"), files=files)


def _finding(report: ReviewReport, finding: Finding) -> page.FindingPage:
    entry = report.entry(finding)
    ours = ("number", "confidence", "state", "blocks", "doubtful", "decision")
    return page.FindingPage(
        **_same(finding, page.FindingPage, *ours),
        number=entry.number if entry else None,
        confidence=facts.confidence(finding),
        state=entry.state if entry else LedgerState.OPEN,
        blocks=report.blocking.blocks(finding, entry),
        doubtful=not report.blocking.is_sure(finding),
        decision=_decision(entry),
    )


def _decision(entry: LedgerEntry | None) -> page.Decision | None:
    if entry is None or not entry.history:
        return None
    return page.Decision(entry.state, entry.last.by, entry.last.at, entry.last.why)


def _dimensions(report: ReviewReport) -> tuple[page.DimensionPage, ...]:
    counted = ("findings", "tokens", "cost_usd")
    return tuple(
        page.DimensionPage(
            **_same(item, page.DimensionPage, *counted),
            findings=len(item.findings),
            tokens=item.usage.tokens,
            cost_usd=item.usage.cost_usd,
        )
        for item in report.assessment.reports
    )


def _tools(report: ReviewReport) -> tuple[page.ToolPage, ...]:
    return tuple(
        page.ToolPage(
            **_same(item, page.ToolPage, "findings", "older"),
            findings=len(item.findings),
            older=len(item.unchanged),
        )
        for item in report.assessment.analyses
    )


def _fixes(report: ReviewReport) -> tuple[page.FixPage, ...]:
    return tuple(
        page.FixPage(**_same(fix, page.FixPage, "title"), title=facts.fix_title(report, fix))
        for fix in report.fixes
    )


def make() -> Callable[[ReviewReport], str]:
    return render
