"""Markdown for a comment on a pull request: text of others stays text, in its cell or its fence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from burnish.model.report import ReviewReport
from burnish.model.review import Finding
from burnish.render.formats import _facts as facts
from burnish.sanitise import both_ends, clean_line

# A comment may have 65,536 characters.
BUDGET = 60_000
LISTED = 10
TEXT_CHARS = 300
# As numbers these are never markup, in any dialect; a backslash would be read differently inside tables.
_RISKY = re.compile(r"[\\`*_{}\[\]<>|~$&:!+=^]|(?<=www)\.", re.IGNORECASE)
# Mentions and references to issues are found in what is rendered; only a gap in the word stops them.
_LINKING = re.compile(r"([@#])")
_NO_CODE = re.compile(r"[`|\\]|##\[|://")
_GAP = "\u200b"
# Before text of others at the beginning of an item: it could be a list or a heading of its own.
MARK = "·"


def text(words: str, most: int = TEXT_CHARS) -> str:
    """Untrusted words on one line, with nothing left in them that is markup, a link or a mention."""
    short = facts.short(words, most)
    return _RISKY.sub(lambda found: f"&#{ord(found[0])};", _LINKING.sub(rf"\1{_GAP}", short))


def code(words: str) -> str:
    """As code where that is safe in a table too, else as text."""
    line = clean_line(words)
    return f"`{line}`" if line and len(line) <= TEXT_CHARS and not _NO_CODE.search(line) else text(line)


def fence(finding: Finding) -> str:
    """The offending lines with their numbers; the fence is longer than any in it."""
    return fenced([f"{number} | {line}" for number, line in facts.snippet(finding)])


def fenced(lines: list[str]) -> str:
    lines = [line.replace("##[", "## [") for line in lines]
    longest = max((len(run) for line in lines for run in re.findall("`+", line)), default=0)
    ticks = "`" * max(3, longest + 1)
    return "\n".join((f"{ticks}text", *lines, ticks))


def render(report: ReviewReport) -> str:
    end = "\n\n".join(_ending(report))
    said, left = [], BUDGET - len(end)
    dropped = 0
    for block in _blocks(report):
        if len(block) + 2 > left or dropped:
            dropped += 1
            continue
        said.append(block)
        left -= len(block) + 2
    if dropped:
        said.append(f"_{dropped} more parts are not shown: a comment has only so much room._")
    return "\n\n".join((*said, end)) + "\n"


def _blocks(report: ReviewReport) -> Iterator[str]:
    yield _head(report)
    for severity, found in facts.by_severity(facts.sure(report)).items():
        if found:
            yield f"### {severity.value.capitalize()} ({len(found)})"
        for start in range(0, len(found), LISTED):
            yield _table(report, found[start : start + LISTED])
        for finding in found:
            if finding.snippet and report.blocking.blocks(finding, report.entry(finding)):
                yield f"At {code(facts.place(finding))}\n\n{fence(finding)}"
            if finding.flow:
                yield f"How it gets to {code(facts.place(finding))}\n\n{fenced(facts.path(finding))}"
    yield from _apart(report)
    yield from _dives(report)
    yield from _fixes(report)
    yield from _gaps(report)


def _head(report: ReviewReport) -> str:
    sums = facts.closing(report)
    names = " | ".join(name.capitalize() for name in sums.counts)
    numbers = " | ".join(str(number) for number in sums.counts.values())
    outcome = f"## Burnish review: {text(report.outcome or 'complete')}"
    said = f"Result: {text(report.message)}\n\n" if report.message else ""
    return (
        f"{outcome}\n\nReviewed: {text(report.subject.title)}\n\n{said}"
        f"| {names} | Total findings | Dimensions reviewed | Iterations completed |\n"
        f"|{'---|' * (len(sums.counts) + 3)}\n"
        f"| {numbers} | {sums.total} | {sums.reviewed}/{sums.dimensions} "
        f"| {sums.iterations}/{sums.max_iterations} |"
    )


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _table(report: ReviewReport, found: Iterable[Finding]) -> str:
    rows = [_row("Place", "Finding", "What to do", "Known from"), "|---|---|---|---|"]
    for finding in found:
        named = facts.names(finding, report.entry(finding))
        more = " ".join(facts.detail(finding))
        what = f"**{text(finding.title) or '(no title)'}** {text(more)}".rstrip() + (
            f" ({text(named)})" if named else ""
        )
        rows.append(
            _row(
                code(facts.place(finding)),
                what,
                text(finding.suggestion),
                text(" · ".join(facts.about(finding))),
            )
        )
    return "\n".join(rows)


def _list(title: str, items: list[str]) -> Iterator[str]:
    """A heading and the first few; each item begins with a word or sign of ours."""
    if items:
        shown, left = facts.capped(items, LISTED)
        more = [f"- and {left} more"] if left else []
        yield "\n".join((f"### {title} ({len(items)})", "", *(f"- {item}" for item in shown), *more))


def _apart(report: ReviewReport) -> Iterator[str]:
    yield from _list(
        "Doubtful, never blocking",
        [
            f"{finding.severity} {code(facts.place(finding))} {text(finding.title)}"
            for finding in report.doubtful
        ],
    )
    yield from _list(
        "Dismissed",
        [
            f"{finding.severity} {code(facts.place(finding))} {text(finding.title)} (F{entry.number}): "
            f"{text(facts.decision(entry))}"
            for finding, entry in facts.dismissed(report)
        ],
    )
    yield from _list(
        "Critical files",
        [
            f"file {code(item.file)}: {item.finding_count} findings ({', '.join(item.dimensions)})"
            for item in report.assessment.critical_files
        ],
    )


def _dives(report: ReviewReport) -> Iterator[str]:
    told = []
    for dive in report.assessment.dives:
        said = f"not analysed: {text(dive.failed)}" if dive.failed else text(dive.root_cause)
        told.append(f"{MARK} {text(dive.finding_id)}: {said}")
    yield from _list("Looked at more closely", told)


def _fixes(report: ReviewReport) -> Iterator[str]:
    told = []
    for fix in report.fixes:
        words = f"{fix.result} {code(fix.commit[:12])}" if fix.commit else f"{fix.result}"
        why = f"rests on {text(fix.verified_by)}" if fix.fixed else f"because {text(fix.error)}"
        told.append(f"{words} {text(facts.fix_title(report, fix))}; {why}")
    yield from _list("Fixes", told)
    if report.landed:
        yield text(facts.landed(report))


def _gaps(report: ReviewReport) -> Iterator[str]:
    for title, items in facts.gaps(report):
        yield from _list(title, [f"{MARK} {text(both_ends(item, TEXT_CHARS))}" for item in items])


def _ending(report: ReviewReport) -> Iterator[str]:
    sums = facts.closing(report)
    if sums.doubtful or sums.dismissed:
        yield f"Counted apart: {sums.doubtful} doubtful, {sums.dismissed} dismissed."
    if report.unchanged:
        yield f"Older than this change and not shown: {report.unchanged}."
    yield f"Run {text(report.run)}, review {text(report.review_id)}."


def make() -> Callable[[ReviewReport], str]:
    return render
