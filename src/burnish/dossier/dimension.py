"""dimensions/<dimension>.json: what one dimension's reviewer found (an array of one object)."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from pydantic import Field

from burnish.dossier.page import ArrayPage, Page
from burnish.model.assessment import DimensionReport, distribution
from burnish.model.review import Finding, Severity
from burnish.model.subject import Subject

PENDING = "pending_remediation"


class Summary(Page):
    """Flat, as the seed insists."""

    total_findings: int
    critical: int
    high: int
    medium: int
    low: int
    files_analyzed: int
    lines_reviewed: int


class FindingEntry(Page):
    id: str
    title: str
    severity: Severity
    category: str
    description: str
    file: str
    line: int
    snippet: str
    recommendation: str
    references: list[str] = Field(default_factory=list)
    impact: str
    metadata: dict[str, Any] = Field(default_factory=dict)
    iteration: int = 0
    status: str = PENDING
    cross_references: list[str] = Field(default_factory=list)


class CrossReference(Page):
    finding_id: str
    related_dimensions: list[str]
    reason: str


class DimensionFile(ArrayPage):
    dimension: str
    review_id: str
    analysis_timestamp: str
    cli_tool_used: str
    model: str
    analysis_duration_ms: int
    summary: Summary
    findings: list[FindingEntry]
    cross_references: list[CrossReference]


def dimension_file(
    report: DimensionReport, review_id: str, subject: Subject, others: tuple[DimensionReport, ...] = ()
) -> DimensionFile:
    shared = _shared(report, others)
    return DimensionFile(
        dimension=report.dimension,
        review_id=review_id,
        analysis_timestamp=report.finished_at,
        cli_tool_used=report.agent,
        model=report.model,
        analysis_duration_ms=round(report.duration_s * 1000),
        summary=Summary(
            total_findings=len(report.findings),
            **distribution(report.findings),
            files_analyzed=report.files or len(subject.present),
            lines_reviewed=report.lines,
        ),
        findings=[entry(finding) for finding in report.findings],
        cross_references=shared,
    )


def entry(finding: Finding) -> FindingEntry:
    about = {
        "cwe_id": finding.cwe, "owasp_category": finding.owasp, "rule": finding.rule,
        "tools": list(finding.tools), "confidence": finding.confidence, "fingerprint": finding.fingerprint,
        "is_new": finding.is_new, "flow": [asdict(step) for step in finding.flow],
    }  # fmt: skip
    return FindingEntry(
        id=finding.id,
        title=finding.title,
        severity=finding.severity,
        category=finding.category or "uncategorized",
        description=finding.detail or finding.title,
        file=finding.file,
        line=finding.line or 0,
        snippet=finding.snippet,
        recommendation=finding.suggestion,
        references=list(finding.references),
        impact=finding.impact,
        metadata={key: value for key, value in about.items() if value not in ("", None, [])},
    )


def _shared(report: DimensionReport, others: tuple[DimensionReport, ...]) -> list[CrossReference]:
    """Findings of this dimension at places that other dimensions complain about too."""
    places: dict[tuple[str, int | None], list[str]] = {}
    for other in others:
        if other.dimension is not report.dimension:
            for finding in other.findings:
                places.setdefault((finding.file, finding.line), []).append(other.dimension)
    return [
        CrossReference(
            finding_id=finding.id,
            related_dimensions=list(dict.fromkeys(places[finding.file, finding.line])),
            reason="the same line has findings in these dimensions",
        )
        for finding in report.findings
        if (finding.file, finding.line) in places
    ]
