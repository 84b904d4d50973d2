"""Findings of all dimensions and tools, once each; what is worst; what deserves a closer look. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from burnish.model.assessment import (
    CRITICAL_FILE_DIMENSIONS,
    MAX_HIGH,
    CriticalFile,
    DimensionReport,
    Dive,
    distribution,
)
from burnish.model.dimension import Dimension
from burnish.model.review import Finding, Severity

DIVES_AT_ONCE = 5
DIVEABLE = (Severity.CRITICAL, Severity.HIGH)


def merge(reports: Iterable[DimensionReport], dives: Iterable[Dive] = ()) -> tuple[Finding, ...]:
    """Worst first. The same thing said by several tools or dimensions is one finding that names them all."""
    places: dict[tuple[str, int | None], list[Finding]] = defaultdict(list)
    for report in reports:
        for finding in report.findings:
            _take(places[finding.file, finding.line], finding)
    found = [finding for group in places.values() for finding in group]
    severity = {dive.finding_id: dive.severity for dive in dives if dive.severity and not dive.failed}
    # A copy costs as much as all the rest, and few findings are ever dived into.
    found = [replace(f, severity=severity[f.id]) if f.id in severity else f for f in found]
    return tuple(sorted(found, key=_order))


def _take(group: list[Finding], finding: Finding) -> None:
    for number, known in enumerate(group):
        if _same(known, finding):
            group[number] = _joined(known, finding)
            return
    group.append(finding)


def _same(one: Finding, other: Finding) -> bool:
    """At one place: the same rule, the same weakness, or the same words."""
    if one.rule and one.rule == other.rule:
        return one.fingerprint == other.fingerprint
    if one.cwe and one.cwe == other.cwe:
        return True
    return one.title.casefold() == other.title.casefold()


def _joined(one: Finding, other: Finding) -> Finding:
    """The worse one speaks; agreement makes both surer."""
    worse, better = sorted((one, other), key=_order)
    tools = tuple(dict.fromkeys((*worse.tools, *better.tools)))
    confidence = worse.confidence
    if set(one.tools) != set(other.tools) and one.confidence is not None and other.confidence is not None:
        confidence = round(1 - (1 - one.confidence) * (1 - other.confidence), 3)
    references = tuple(dict.fromkeys((*worse.references, *better.references)))
    is_new = None if None in (one.is_new, other.is_new) else bool(one.is_new or other.is_new)
    return replace(
        worse,
        tools=tools,
        confidence=confidence,
        references=references,
        fixable=worse.fixable or better.fixable,
        flow=worse.flow or better.flow,
        is_new=is_new,
        same_rules=tuple(dict.fromkeys((*worse.same_rules, better.rule, *better.same_rules))),
        also=tuple(dict.fromkeys((*worse.also, *better.fingerprints))),
    )


def _order(finding: Finding) -> tuple[int, str, int, str, str]:
    return (finding.severity.rank, finding.file, finding.line or 0, finding.dimension, finding.id)


def critical_files(findings: Iterable[Finding]) -> tuple[CriticalFile, ...]:
    """Files that at least three dimensions complain about, the most complained about first."""
    dimensions: dict[str, set[str]] = defaultdict(set)
    count: dict[str, int] = defaultdict(int)
    for finding in findings:
        if finding.file:
            dimensions[finding.file].add(finding.dimension)
            count[finding.file] += 1
    found = [
        CriticalFile(file, count[file], tuple(d for d in Dimension if d in seen))
        for file, seen in dimensions.items()
        if len(seen) >= CRITICAL_FILE_DIMENSIONS
    ]
    return tuple(sorted(found, key=lambda item: (-len(item.dimensions), -item.finding_count, item.file)))


def needs_dive(findings: tuple[Finding, ...], files: tuple[CriticalFile, ...]) -> bool:
    """C-35: any critical finding, more than five high ones, or a critical file."""
    count = distribution(findings)
    return count[Severity.CRITICAL] > 0 or count[Severity.HIGH] > MAX_HIGH or bool(files)


def select_dives(
    findings: tuple[Finding, ...], files: tuple[CriticalFile, ...], done: Mapping[str, Dive]
) -> tuple[Finding, ...]:
    """At most five that were not looked at yet: critical ones, then high ones in critical files.

    A file stays critical however often it is looked at; only what is left to look at keeps the dives going.
    """
    weight = {file.file: len(file.dimensions) for file in files}
    left = [finding for finding in findings if finding.id not in done and finding.severity in DIVEABLE]
    critical = [finding for finding in left if finding.severity is Severity.CRITICAL]
    high = [f for f in left if f.severity is Severity.HIGH and f.file in weight]
    high.sort(key=lambda finding: -weight[finding.file])
    return tuple((*critical, *high)[:DIVES_AT_ONCE])


def number(findings: Iterable[Finding], dimension: Dimension) -> tuple[Finding, ...]:
    """Ids as the seed has them: `sec-001-1a2b3c4d`, worst first; one finding always has the same end."""
    ordered = sorted(findings, key=_order)
    prefix = dimension.about.prefix
    return tuple(
        replace(finding, id=f"{prefix}-{count:03d}-{finding.fingerprint[:8]}", dimension=dimension.value)
        for count, finding in enumerate(ordered, 1)
    )
