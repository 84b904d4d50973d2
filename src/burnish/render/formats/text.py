"""For people: findings by severity with their place, the offending lines and what to do; then the sum."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from burnish.model.fixing import FindingFix, FixResult
from burnish.model.report import ReviewReport
from burnish.model.review import Finding, Severity
from burnish.render.formats import _facts as facts
from burnish.sanitise import both_ends, clean, clean_line

if TYPE_CHECKING:
    from rich.text import Text

LISTED = 10
COLOURS = {
    Severity.CRITICAL: "bold white on red",
    Severity.HIGH: "bold red",
    Severity.MEDIUM: "yellow",
    Severity.LOW: "cyan",
}
# How much is shown of what a search says, and how its edit is coloured.
EVIDENCE_LINES = 30
DIFF = {"+": "green", "-": "red"}
GAPS = {facts.FAILED: "red", facts.DEGRADED: "yellow", facts.VIOLATED: "red", facts.WARNINGS: "yellow"}
# A line is pieces of text, each with the style it has on a terminal.
Line = tuple[tuple[str, str], ...]


def render(report: ReviewReport) -> str:
    return "".join("".join(text for text, _ in line) + "\n" for line in lines(report))


def styled(report: ReviewReport) -> Text:
    """The same words in colour; every piece is plain text, so nothing in it is read as markup."""
    from rich.text import Text

    made = Text()
    for line in lines(report):
        for text, style in line:
            made.append(text, style or None)
        made.append("\n")
    return made


def lines(report: ReviewReport) -> Iterator[Line]:
    """Each line begins with a word or sign of ours and none holds `##[`: build logs take commands so."""
    for line in _all(report):
        yield tuple((text.replace("##[", "## ["), style) for text, style in line)


def _all(report: ReviewReport) -> Iterator[Line]:
    yield from _head(report)
    yield from _findings(report)
    yield from _doubtful(report)
    yield from _closer_look(report)
    yield from _fixes(report)
    yield from _gaps(report)
    yield from _dismissed(report)
    yield from _summary(report)


def plain(text: str, style: str = "") -> Line:
    return ((text, style),)


def _head(report: ReviewReport) -> Iterator[Line]:
    subject = report.subject
    size = f"{len(subject.files)} files" if len(subject.files) != 1 else "1 file"
    change = f", +{subject.insertions} -{subject.deletions}" if subject.base_tree else ""
    yield plain(f"Reviewed: {clean_line(subject.title)} ({size}{change})", "bold")


def _findings(report: ReviewReport) -> Iterator[Line]:
    for severity, found in facts.by_severity(facts.sure(report)).items():
        if found:
            yield ()
            yield plain(f"{severity.value.capitalize()} ({len(found)})", "bold underline")
        for finding in found:
            yield from _finding(report, finding)


def _finding(report: ReviewReport, finding: Finding) -> Iterator[Line]:
    named = facts.names(finding, report.entry(finding))
    yield (
        (finding.severity.upper(), COLOURS[finding.severity]),
        (" " * (9 - len(finding.severity)), ""),
        (facts.place(finding), "bold"),
        (f"  {facts.short(finding.title)}", ""),
        (f"  [{named}]" if named else "", "dim"),
    )
    if finding.file in report.subject.deleted:
        yield plain("         (the change deletes this file)", "dim")
    for number, text in facts.snippet(finding):
        yield (f"    {number:>5} | ", "dim"), (text, "")
    for at, text in enumerate(facts.detail(finding)):
        yield plain(f"         {'why:' if at == 0 else '   |'} {text}")
    if finding.impact:
        yield plain(f"         impact: {facts.short(finding.impact)}")
    if finding.suggestion:
        yield (("         do: ", "green"), (facts.short(finding.suggestion, 400), ""))
    yield from _flow(finding)
    yield plain(f"         ({' · '.join(facts.about(finding))})", "dim")


def _flow(finding: Finding) -> Iterator[Line]:
    for line in facts.suspects(finding):
        yield plain(f"         suspicious: {line}", "dim")
    for at, line in enumerate(facts.path(finding)):
        yield plain(f"         {line.lower()}" if at == 0 else f"           {line}", "dim" if at == 0 else "")


def _doubtful(report: ReviewReport) -> Iterator[Line]:
    found = report.doubtful
    if not found:
        return
    yield ()
    least = report.blocking.min_confidence
    yield plain(f"Doubtful ({len(found)}), under confidence {least:.2f}: they never block", "bold underline")
    shown, left = facts.capped(found, LISTED)
    for finding in shown:
        yield plain(f"  - {_one_line(finding)}, confidence {facts.confidence(finding) or 0:.2f}")
    yield from _more(left)


def _one_line(finding: Finding) -> str:
    ending = f" [{clean_line(finding.id)}]" if finding.id else ""
    return f"{finding.severity} {facts.place(finding)}  {facts.short(finding.title)}{ending}"


def _more(left: int) -> Iterator[Line]:
    if left:
        yield plain(f"  ... and {left} more", "dim")


def _dismissed(report: ReviewReport) -> Iterator[Line]:
    found = facts.dismissed(report)
    if not found:
        return
    yield ()
    yield plain(f"Dismissed ({len(found)})", "bold underline")
    for finding, entry in found:
        yield plain(f"  - {_one_line(finding)}")
        yield plain(f"      F{entry.number} {facts.short(facts.decision(entry), 400)}", "dim")


def _closer_look(report: ReviewReport) -> Iterator[Line]:
    assessment = report.assessment
    if assessment.critical_files:
        yield ()
        yield plain("Critical files (three dimensions or more complain)", "bold underline")
    shown, left = facts.capped(assessment.critical_files, LISTED)
    for item in shown:
        names = ", ".join(item.dimensions)
        yield plain(f"  - {clean_line(item.file)}: {item.finding_count} findings ({names})")
    yield from _more(left)
    if assessment.dives:
        yield ()
        yield plain("Looked at more closely", "bold underline")
    for dive in assessment.dives:
        said = f"not analysed: {dive.failed}" if dive.failed else dive.root_cause
        by = f" (by {clean_line(dive.agent)}, {len(dive.affected)} affected, {len(dive.similar)} similar)"
        yield plain(f"  - {clean_line(dive.finding_id)}: {facts.short(said)}{'' if dive.failed else by}")


def _fixes(report: ReviewReport) -> Iterator[Line]:
    if not report.fixes and not report.landed:
        return
    yield ()
    count = Counter(fix.result.value.replace("-", " ") for fix in report.fixes)
    told = ", ".join(f"{number} {word}" for word, number in count.items()) or "nothing to fix"
    yield plain(f"Fixes: {told}", "bold underline")
    for fix in report.fixes:
        yield from _fix(report, fix)
    if report.landed:
        yield plain(f"  {clean_line(facts.landed(report))}", "bold")


def _fix(report: ReviewReport, fix: FindingFix) -> Iterator[Line]:
    title = facts.fix_title(report, fix)
    if fix.fixed:
        yield (("  fixed   ", "green"), (f"{clean_line(fix.commit[:12])} {title}", ""))
        yield plain(f"          rests on: {facts.short(fix.verified_by)} (by {clean_line(fix.fixer)})", "dim")
        yield from _evidence(fix)
        return
    tries = f" after {fix.attempts} attempts" if fix.attempts > 1 else ""
    colour = "dim" if fix.result is FixResult.ALREADY_GONE else "red"
    yield ((f"  {fix.result.value.replace('-', ' '):13}", colour), (f"{title}{tries}", ""))
    if fix.error:
        yield plain(f"          because: {facts.short(fix.error)}", "dim")


def _evidence(fix: FindingFix) -> Iterator[Line]:
    """What a search did, on what grounds, and its edit, line by line."""
    if fix.fixer != facts.SEARCH:
        return
    shown, left = facts.capped(fix.said.splitlines(), EVIDENCE_LINES)
    for line in shown:
        yield plain(f"          {clean(line)}", DIFF.get(line[:1], "dim"))
    yield from _more(left)


def _gaps(report: ReviewReport) -> Iterator[Line]:
    for title, items in facts.gaps(report):
        yield ()
        yield plain(f"{title} ({len(items)})", "bold underline")
        shown, left = facts.capped(items, LISTED)
        yield from (plain(f"  - {both_ends(item, facts.LINE_CHARS)}", GAPS.get(title, "")) for item in shown)
        yield from _more(left)


def _summary(report: ReviewReport) -> Iterator[Line]:
    sums = facts.closing(report)
    yield ()
    yield plain("Review Complete - Summary:", "bold")
    yield plain("  " + " ".join(f"{name.capitalize()}: {number}" for name, number in sums.counts.items()))
    yield plain(f"  Total findings: {sums.total}")
    yield plain(f"  Dimensions reviewed: {sums.reviewed}/{sums.dimensions}")
    yield plain(f"  Iterations completed: {sums.iterations}/{sums.max_iterations}")
    if sums.doubtful:
        yield plain(f"  Doubtful, not counted above: {sums.doubtful}")
    if sums.dismissed:
        yield plain(f"  Dismissed, not counted above: {sums.dismissed}")
    if facts.below(report):
        yield plain(f"  Below --min-severity {report.min_severity}, not shown: {facts.below(report)}")
    if report.unchanged:
        yield plain(f"  Older than this change, not shown: {report.unchanged} (--all shows them)")
    if report.outcome:
        good = report.outcome == "passed"
        said = f": {clean_line(report.message)}" if report.message else ""
        yield plain(f"  Outcome: {clean_line(report.outcome)}{said}", "bold green" if good else "bold red")
    for name, value in (("Receipt", report.receipt), ("Files", report.folder)):
        if value:
            yield plain(f"  {name}: {clean_line(value)}", "dim")


def make() -> Callable[[ReviewReport], str]:
    return render
