"""For people: findings by severity with their place, the offending lines and what to do; then the sum."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from burnish.model.report import ReviewReport
from burnish.model.review import Finding
from burnish.sanitise import clean, clean_line


def render(report: ReviewReport) -> str:
    return "\n".join((*_findings(report), *_summary(report))) + "\n"


def _findings(report: ReviewReport) -> Iterator[str]:
    for finding in report.open:
        yield from _finding(finding)


def _finding(finding: Finding) -> Iterator[str]:
    place = f"{finding.file}:{finding.line}" if finding.line else finding.file
    yield f"{finding.severity.upper():8} {clean_line(place)}  {clean_line(finding.title)}  [{finding.id}]"
    for line in clean(finding.snippet).splitlines()[:3]:
        yield f"    | {line}"
    if finding.suggestion:
        yield f"    -> {clean_line(finding.suggestion)}"


def _summary(report: ReviewReport) -> Iterator[str]:
    count = report.assessment.distribution
    yield "Review Complete - Summary:"
    yield "  " + "  ".join(f"{severity.capitalize()}: {number}" for severity, number in count.items())
    yield f"  Total findings: {len(report.assessment.findings)}"


def make() -> Callable[[ReviewReport], str]:
    return render
