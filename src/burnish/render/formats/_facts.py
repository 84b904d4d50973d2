"""What every format says of a report in the same words: places, lines, decisions, sums."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from burnish.model.assessment import distribution
from burnish.model.fixing import FindingFix
from burnish.model.flow import flow_lines, flow_title
from burnish.model.ledger import LedgerEntry
from burnish.model.report import ReviewReport
from burnish.model.review import Finding, Severity
from burnish.sanitise import clean, clean_line, escaped

SNIPPET_LINES = 8
# The fixer whose words are evidence: an edit, and why it is believed.
SEARCH = "search"
LINE_CHARS = 200
SHOWN_SUSPECTS = 5
FAILED = "Dimensions that failed"
DEGRADED = "Only the embedded reviewer looked"
VIOLATED = "Reviewers that wrote"
WARNINGS = "Warnings"
GAVE_WAY = "Cleared by the data flow"
T = TypeVar("T")


@dataclass(frozen=True)
class Closing:
    """The numbers of the closing summary. `counts` leaves out what is doubtful or dismissed."""

    counts: dict[str, int]
    total: int
    doubtful: int
    dismissed: int
    reviewed: int
    dimensions: int
    iterations: int
    max_iterations: int


def closing(report: ReviewReport) -> Closing:
    assessment = report.assessment
    undecided = [finding for finding in assessment.findings if not report.is_dismissed(finding)]
    sure = tuple(finding for finding in undecided if report.blocking.is_sure(finding))
    rounds = max((dive.iteration for dive in assessment.dives), default=0)
    return Closing(
        counts=distribution(sure),
        total=len(sure),
        doubtful=len(undecided) - len(sure),
        dismissed=len(assessment.findings) - len(undecided),
        reviewed=sum(1 for item in assessment.reports if not item.failed),
        dimensions=len(assessment.reports),
        iterations=max(len(assessment.iterations), rounds),
        max_iterations=report.max_iterations,
    )


def sure(report: ReviewReport) -> tuple[Finding, ...]:
    """Told, open, and sure enough to count."""
    return tuple(finding for finding in report.open if report.blocking.is_sure(finding))


def dismissed(report: ReviewReport) -> tuple[tuple[Finding, LedgerEntry], ...]:
    found = ((finding, report.entry(finding)) for finding in report.shown)
    return tuple((finding, entry) for finding, entry in found if entry and entry.state.dismissed)


def below(report: ReviewReport) -> int:
    """How many findings are less severe than what was asked for."""
    return len(report.assessment.findings) - len(report.shown)


def decision(entry: LedgerEntry) -> str:
    """`refuted by anna: it is a test key`."""
    if not entry.history:
        return entry.state.value
    by, why = clean_line(entry.last.by), clean_line(entry.last.why)
    return f"{entry.state}{f' by {by}' if by else ''}{f': {why}' if why else ''}"


def place(finding: Finding) -> str:
    """`file:line`, and words where there is no file: a finding can be about the whole."""
    if not finding.file:
        return "(no file)"
    return clean_line(f"{finding.file}:{finding.line}" if finding.line else finding.file)


def names(finding: Finding, entry: LedgerEntry | None) -> str:
    """The id, and the short one that people type."""
    known = [clean_line(finding.id)] if finding.id else []
    return ", ".join([*known, f"F{entry.number}"] if entry else known)


def rule(finding: Finding) -> str:
    """Agents name no rule; what they look at is the next best stable name."""
    if finding.rule:
        return clean_line(finding.rule)
    return clean_line(f"{finding.dimension or 'review'}/{finding.category or 'uncategorized'}")


def confidence(finding: Finding) -> float | None:
    known = finding.confidence
    return known if known is not None and math.isfinite(known) else None


def about(finding: Finding) -> tuple[str, ...]:
    """Who says so, how sure that is, and what class of weakness it is."""
    tools = ", ".join(clean_line(tool) for tool in finding.tools)
    sure = confidence(finding)
    facts = (
        clean_line("/".join(part for part in (finding.dimension, finding.category) if part)),
        clean_line(finding.cwe),
        clean_line(finding.owasp),
        rule(finding) if finding.rule else "",
        f"by {tools}" if tools and tools != finding.rule.partition(":")[0] else "",
        f"confidence {sure:.2f}" if sure is not None else "",
        "new" if finding.is_new else "older" if finding.is_new is False else "",
        "fixable" if finding.fixable else "",
    )
    return tuple(fact for fact in facts if fact)


def detail(finding: Finding) -> list[str]:
    """The explanation in lines, where it says more than the title does."""
    if clean_line(finding.detail).rstrip(".") == clean_line(finding.title).rstrip("."):
        return []
    return [short(line) for line in clean(finding.detail).splitlines() if line.strip()][:SNIPPET_LINES]


def path(finding: Finding) -> list[str]:
    """The way of untrusted input in lines of plain text; empty where a finding has none."""
    if not finding.flow:
        return []
    return [f"{flow_title(finding.flow).capitalize()}:", *flow_lines(finding.flow, short)]


def suspects(finding: Finding) -> list[str]:
    """The lines that are probably to blame for a failing test, the most suspicious first."""
    shown, left = capped(finding.suspects, SHOWN_SUSPECTS)
    told = [f"{short(f'{one.file}:{one.line}')}  {short(one.text)}  ({one.score:.2f})" for one in shown]
    return [*told, f"... and {left} more"] if left else told


def snippet(finding: Finding) -> list[tuple[str, str]]:
    """The offending lines, each with its number where the line is known."""
    lines = [line[:LINE_CHARS].expandtabs(4) for line in clean(finding.snippet).splitlines()][:SNIPPET_LINES]
    first = finding.line
    width = len(str(first + len(lines) - 1)) if first else 0
    return [(f"{first + at:>{width}}" if first else "", line) for at, line in enumerate(lines)]


def short(text: str, most: int = LINE_CHARS) -> str:
    """One line, and a sign where it was cut."""
    line = clean_line(text)
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def capped(items: Sequence[T], most: int) -> tuple[Sequence[T], int]:
    """The first few, and how many more there are."""
    return items[:most], max(0, len(items) - most)


def by_severity(findings: Iterable[Finding]) -> dict[Severity, list[Finding]]:
    found: dict[Severity, list[Finding]] = {severity: [] for severity in Severity}
    for finding in findings:
        found[finding.severity].append(finding)
    return found


def gave_way(report: ReviewReport) -> list[str]:
    """What patterns found where the data was followed and is sound: no findings, and not hidden either."""
    return [
        clean_line(f"{place(finding)} {finding.title} ({rule(finding)}): the data was followed and is sound")
        for finding in report.assessment.gave_way
    ]


def gaps(report: ReviewReport) -> list[tuple[str, list[str]]]:
    """What nobody looked at and what went wrong: a title and its items, where there are any."""
    assessment = report.assessment
    told = (
        (FAILED, [f"{item.dimension}: {item.failed}" for item in assessment.reports if item.failed]),
        (DEGRADED, [f"{item.dimension}: {item.degraded}" for item in assessment.reports if item.degraded]),
        (VIOLATED, [f"{item.dimension}: {item.violation}" for item in assessment.reports if item.violation]),
        (
            "Agents passed over",
            [f"{r.dimension}: {why}" for r in assessment.reports for why in r.passed_over],
        ),
        (WARNINGS, list(assessment.warnings)),
        (GAVE_WAY, gave_way(report)),
        ("Not assessed", list(assessment.not_assessed)),
        ("Not reviewed", [f"{item.path}: {item.why}" for item in assessment.not_reviewed]),
    )
    return [(title, [clean_line(item) for item in items]) for title, items in told if items]


def fix_title(report: ReviewReport, fix: FindingFix) -> str:
    """What was fixed, in words: a fixed finding is no longer among those of the last review."""
    if fix.message:
        return short(fix.message.splitlines()[0])
    end = fix.finding_id.rpartition("-")[2]
    for finding in report.assessment.findings:
        if finding.id == fix.finding_id or (end and finding.id.endswith(f"-{end}")):
            return short(f"{place(finding)} {finding.title} [{fix.finding_id}]")
    return short(fix.finding_id)


def portable(value: Any) -> Any:
    """Plain data any JSON reader takes: no lone surrogates (bytes of a file name, say), no NaN."""
    if isinstance(value, str):
        if value.isascii():
            return value
        odd = {character for character in set(value) if "\ud800" <= character <= "\udfff"}
        return escaped(value, {character: clean(character) for character in odd}) if odd else value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {portable(key): portable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [portable(item) for item in value]
    return value


def landed(report: ReviewReport) -> str:
    """Where the fixes are; what did not go where it was to go says so itself."""
    told = report.landed
    return f"{told[0].upper()}{told[1:]}" if told.startswith("not ") else f"Landed: {told}"
