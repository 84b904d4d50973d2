"""Annotations of GitHub Actions: one workflow command a finding, with nothing in it that is another one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from burnish.model.report import ReviewReport
from burnish.model.review import Finding, Severity
from burnish.render.formats import _facts as facts
from burnish.sanitise import clean, clean_line

COMMANDS = {
    Severity.CRITICAL: "error",
    Severity.HIGH: "error",
    Severity.MEDIUM: "warning",
    Severity.LOW: "notice",
}


def render(report: ReviewReport) -> str:
    return "".join(line + "\n" for line in _lines(report))


def _lines(report: ReviewReport) -> Iterator[str]:
    for finding in facts.sure(report):
        yield _annotation(COMMANDS[finding.severity], finding, "")
    for finding in report.doubtful:
        yield _annotation("notice", finding, "doubtful, does not block: ")
    for finding, entry in facts.dismissed(report):
        yield _annotation("notice", finding, f"dismissed ({facts.decision(entry)}): ")
    for failed in report.assessment.reports:
        if failed.failed:
            yield f"::error title={_value(f'{failed.dimension} was not reviewed')}::{_data(failed.failed)}"
    for warning in report.assessment.warnings:
        yield f"::warning title=Burnish::{_data(warning)}"
    yield f"::notice title=Burnish::{_data(_summary(report))}"


def _annotation(command: str, finding: Finding, remark: str) -> str:
    where = {}
    if finding.file:
        where["file"] = finding.file
    if finding.file and finding.line:
        where["line"] = str(finding.line)
        if finding.end_line and finding.end_line >= finding.line:
            where["endLine"] = str(finding.end_line)
    where["title"] = f"{finding.severity} · {facts.rule(finding)}"
    told = [f"{remark}{clean_line(finding.title)}", *facts.detail(finding)]
    if finding.suggestion:
        told.append(f"What to do: {facts.short(finding.suggestion, 400)}")
    told += facts.path(finding)
    told.append(" · ".join(facts.about(finding)))
    properties = ",".join(f"{name}={_value(value)}" for name, value in where.items())
    return f"::{command} {properties}::{_data(chr(10).join(told))}"


def _summary(report: ReviewReport) -> str:
    sums = facts.closing(report)
    counts = ", ".join(f"{number} {name}" for name, number in sums.counts.items())
    return (
        f"{report.outcome or 'reviewed'}: {counts}; {sums.doubtful} doubtful, {sums.dismissed} dismissed; "
        f"{sums.reviewed}/{sums.dimensions} dimensions"
    )


def _data(text: str) -> str:
    return clean(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _value(text: str) -> str:
    """A property ends at a comma or colon."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def make() -> Callable[[ReviewReport], str]:
    return render
