"""The reports for people: one per dimension, one per dive, and the summary of a fix session."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from burnish.model.assessment import DimensionReport, Dive
from burnish.model.fixing import FindingFix, FixResult
from burnish.model.flow import MOST_SHOWN, flow_lines, flow_title
from burnish.model.review import Finding, Severity
from burnish.sanitise import clean, clean_line

SNIPPET_LINES = 10


def dimension_text(report: DimensionReport) -> str:
    return "\n".join(_dimension(report)) + "\n"


def _dimension(report: DimensionReport) -> Iterator[str]:
    yield f"# {report.dimension.title}: {len(report.findings)} finding(s)\n"
    yield f"Reviewed by {clean_line(report.agent)}{f' ({clean_line(report.model)})' if report.model else ''}."
    # The reasons of a degraded report are part of what it says.
    passed_over = () if report.degraded else tuple(f"Not used: {why}" for why in report.passed_over)
    for text in (report.failed, report.degraded, *passed_over):
        if text:
            yield f"\n{clean_line(text)}"
    for severity in Severity:
        found = [finding for finding in report.findings if finding.severity is severity]
        if found:
            yield f"\n## {severity.value.capitalize()} ({len(found)})"
        for finding in found:
            yield from _finding(finding)
    if report.not_assessed:
        yield "\n## Not assessed\n"
        yield from (f"- {clean_line(text)}" for text in report.not_assessed)


def _finding(finding: Finding) -> Iterator[str]:
    place = f"{finding.file}:{finding.line}" if finding.line else finding.file
    yield f"\n### `{code(place)}` {clean_line(finding.title)}\n"
    yield f"`{finding.id}` · {clean_line(finding.category)} · {clean_line(finding.rule)}"
    if finding.detail:
        yield f"\n{clean_line(finding.detail)}"
    if finding.snippet:
        yield f"\n{fenced(finding.snippet)}"
    if finding.flow:
        yield f"\n{flow_title(finding.flow).capitalize()}:\n"
        yield fenced("\n".join(flow_lines(finding.flow, clean_line)), most=MOST_SHOWN + 1)
    if finding.suggestion:
        yield f"\nWhat to do: {clean_line(finding.suggestion)}"


def code(text: str) -> str:
    return clean_line(text).replace("`", "'")


def fenced(text: str, most: int = SNIPPET_LINES) -> str:
    """A code block whose fence is longer than any in it, so that nothing gets out."""
    lines = clean(text).splitlines()[:most]
    fence = "```"
    while any(fence in line for line in lines):
        fence += "`"
    return "\n".join((fence, *lines, fence))


def dive_text(dive: Dive, finding: Finding) -> str:
    return "\n".join(_dive(dive, finding)) + "\n"


def _dive(dive: Dive, finding: Finding) -> Iterator[str]:
    yield f"# Deep dive {dive.iteration}: {clean_line(finding.title)}\n"
    yield f"`{code(finding.file)}:{finding.line or 0}` · `{finding.id}` · by {clean_line(dive.agent)}"
    if dive.failed:
        yield f"\nNot analysed: {clean_line(dive.failed)}"
        return
    if dive.degraded:
        yield f"\n{clean_line(dive.degraded)}"
    yield f"\n## Root cause\n\n{clean_line(dive.root_cause)}\n\n{clean(dive.details)}"
    for title, items in (
        ("Similar places", dive.similar), ("Affected files", dive.affected), ("Tests to run", dive.tests),
    ):  # fmt: skip
        if items:
            yield f"\n## {title}\n"
            yield from (f"- `{code(item)}`" for item in items)
    about = f"{dive.priority}, effort {dive.effort}, risk {dive.risk}"
    yield f"\n## Plan ({clean_line(about)})\n"
    yield from (f"{number}. {clean_line(step.action)}" for number, step in enumerate(dive.steps, 1))
    yield f"\nRollback: {clean_line(dive.rollback)}"
    if dive.severity:
        yield f"\nSeverity: {finding.severity} -> {dive.severity} ({clean_line(dive.reason)})"


def fix_summary_text(
    fix_session: str, fixes: tuple[FindingFix, ...], known: Mapping[str, Finding], notes: tuple[str, ...]
) -> str:
    return "\n".join(_fix_summary(fix_session, fixes, known, notes)) + "\n"


def _fix_summary(
    fix_session: str, fixes: tuple[FindingFix, ...], known: Mapping[str, Finding], notes: tuple[str, ...]
) -> Iterator[str]:
    yield f"# Fix session {fix_session}\n"
    count = {result: sum(1 for fix in fixes if fix.result is result) for result in FixResult}
    yield ", ".join(f"{number} {result}" for result, number in count.items() if number) or "nothing to fix"
    yield from (f"\n{clean_line(note)}" for note in notes)
    for result in FixResult:
        found = [fix for fix in fixes if fix.result is result]
        if not found:
            continue
        yield f"\n## {result.value.capitalize()} ({len(found)})\n"
        yield "| finding | place | attempts | commit | by | rests on |"
        yield "|---|---|---|---|---|---|"
        yield from (_row(fix, known.get(fix.finding_id)) for fix in found)


def _row(fix: FindingFix, finding: Finding | None) -> str:
    title = finding.title if finding else ""
    place = f"{finding.file}:{finding.line or 0}" if finding else ""
    why = fix.verified_by if fix.fixed else fix.error.strip().split("\n")[0]
    cells = (f"{title} [{fix.finding_id}]", place, str(fix.attempts), fix.commit[:12], fix.fixer, why)
    return "| " + " | ".join(clean_line(cell).replace("|", "\\|") for cell in cells) + " |"
