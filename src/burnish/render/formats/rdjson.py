"""Reviewdog's diagnostic format (rdjson): findings that a bot can put beside the lines they are about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from burnish import codec
from burnish.model.report import ReviewReport
from burnish.model.review import Finding, Severity
from burnish.render.formats import _facts as facts
from burnish.sanitise import clean_line

LEVELS = {
    Severity.CRITICAL: "ERROR",
    Severity.HIGH: "ERROR",
    Severity.MEDIUM: "WARNING",
    Severity.LOW: "INFO",
}


def render(report: ReviewReport) -> str:
    told = [_diagnostic(finding, LEVELS[finding.severity], "") for finding in facts.sure(report)]
    told += [_diagnostic(finding, "INFO", "Doubtful: ") for finding in report.doubtful]
    told += [
        _diagnostic(finding, "INFO", f"Dismissed ({facts.decision(entry)}): ")
        for finding, entry in facts.dismissed(report)
    ]
    page = {"source": {"name": "burnish"}, "severity": "WARNING", "diagnostics": told}
    return codec.dumps(facts.portable(page), indent=2) + "\n"


def _diagnostic(finding: Finding, level: str, remark: str) -> dict[str, Any]:
    told = [f"{remark}{clean_line(finding.title)}", *facts.detail(finding)]
    if finding.suggestion:
        told.append(f"What to do: {clean_line(finding.suggestion)}")
    told += facts.path(finding)
    told.append(" · ".join(facts.about(finding)))
    location: dict[str, Any] = {"path": finding.file}
    if finding.file and finding.line:
        last = max(finding.end_line or finding.line, finding.line)
        location["range"] = {"start": {"line": finding.line}, "end": {"line": last}}
    return {
        "message": "\n".join(told),
        "location": location,
        "severity": level,
        "code": {"value": facts.rule(finding)},
    }


def make() -> Callable[[ReviewReport], str]:
    return render
