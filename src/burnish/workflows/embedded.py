"""The embedded reviewer: what analysers found, seen from one dimension; and a closer look made from code."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from burnish.model.assessment import Analysis, DimensionReport, Dive, PlanStep
from burnish.model.dimension import Dimension
from burnish.model.review import Finding, Severity
from burnish.model.step import Step
from burnish.model.subject import Subject
from burnish.ports import Run
from burnish.workflows.aggregate import number

EMBEDDED = "embedded"
RAW_CAP = 20_000
MOST_PLACES = 20
FROM_CODE = (
    "made from code, without a model: the analysers' rule, other places it fires, and who imports the file"
)
_EFFORT = {Severity.CRITICAL: "P0 - fix before merge", Severity.HIGH: "P1 - fix soon"}


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def tests_in(files: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(file for file in files if "test" in file.rsplit("/", 1)[-1] or "/tests/" in f"/{file}")


@dataclass(frozen=True)
class EmbeddedViewer:
    """Needs no agent: a dimension's findings are those whose rule the table puts there.

    `given` are findings that somebody brought: they keep their ids.
    """

    given: tuple[Finding, ...] = ()

    async def view(
        self, run: Run, step: Step, subject: Subject, dimension: Dimension, evidence: tuple[Analysis, ...]
    ) -> DimensionReport:
        began, started = time.monotonic(), now()
        own = [f for analysis in evidence for f in analysis.findings if f.dimension == dimension]
        raw = "\n".join(
            f"== {analysis.tool} {analysis.version}\n{analysis.raw}" for analysis in evidence if analysis.raw
        )
        ran = [analysis for analysis in evidence if not analysis.failed]
        return DimensionReport(
            dimension,
            findings=(*number(own, dimension), *(f for f in self.given if f.dimension == dimension)),
            agent=EMBEDDED,
            model=", ".join(f"{analysis.tool} {analysis.version}".strip() for analysis in ran),
            failed="" if ran or not evidence else "no analyser could run",
            raw=raw[:RAW_CAP],
            files=len(subject.present),
            lines=sum(file.lines for file in subject.files),
            started_at=started,
            finished_at=now(),
            duration_s=round(sum(found.duration_s for found in ran) + time.monotonic() - began, 3),
        )


Importers = Callable[[str], Awaitable[tuple[str, ...]]]
Elsewhere = Callable[[Finding], Awaitable[tuple[str, ...]]]


async def nobody(file: str) -> tuple[str, ...]:
    return ()


async def nowhere(finding: Finding) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True)
class EmbeddedDiver:
    """`importers` tells which files use a file, `elsewhere` where in the whole tree the same rule fires."""

    importers: Importers = nobody
    elsewhere: Elsewhere = nowhere

    async def dive(
        self, run: Run, step: Step, subject: Subject, finding: Finding, among: tuple[Finding, ...]
    ) -> Dive:
        began = time.monotonic()
        similar = await places_like(finding, among, self.elsewhere)
        used_by = await self.importers(finding.file)
        severity, reason = _reassess(finding, used_by)
        return Dive(
            finding_id=finding.id,
            iteration=int(step.phase.rpartition("-")[2] or 1),
            agent=EMBEDDED,
            root_cause=f"{finding.title} ({finding.rule or finding.category})",
            details=f"{finding.detail}\n\n{FROM_CODE}".strip(),
            scope=f"{finding.file} and {len(used_by)} file(s) that import it",
            similar=similar,
            affected=_affected(finding, used_by),
            tests=tests_in(used_by),
            approach=finding.suggestion,
            priority=_EFFORT.get(severity, "P2 - plan it"),
            effort="small" if len(similar) < 3 else "medium",
            risk="low" if not used_by else "medium" if len(used_by) < 5 else "high",
            steps=_steps(finding, similar, tests_in(used_by)),
            rollback="each fix is one commit: revert it",
            severity=severity,
            reason=reason,
            confidence=finding.confidence or 0.0,
            references=finding.references,
            at=now(),
            duration_s=round(time.monotonic() - began, 3),
        )


async def places_like(finding: Finding, among: tuple[Finding, ...], elsewhere: Elsewhere) -> tuple[str, ...]:
    """Other places of the same rule or weakness: those this review found, then those of the whole tree."""
    places = [
        f"{other.file}:{other.line or 0}"
        for other in among
        if other.id != finding.id
        and ((other.rule and other.rule == finding.rule) or (other.cwe and other.cwe == finding.cwe))
    ]
    own = f"{finding.file}:{finding.line or 0}"
    found = dict.fromkeys((*places, *await elsewhere(finding)))
    return tuple(place for place in found if place != own)[:MOST_PLACES]


def _reassess(finding: Finding, used_by: tuple[str, ...]) -> tuple[Severity, str]:
    """One level down where the evidence is thin or the code is a test; never up: code cannot know that."""
    levels = list(Severity)
    lower = levels[min(finding.severity.rank + 1, len(levels) - 1)]
    if tests_in((finding.file,)) and not finding.rule.startswith("tests:"):
        return lower, "the place is test code"
    if finding.confidence is not None and finding.confidence < 0.5:
        return lower, f"the rule is right in about {finding.confidence:.0%} of its hits"
    return finding.severity, f"unchanged: {len(used_by)} file(s) depend on this place"


def _affected(finding: Finding, used_by: tuple[str, ...]) -> tuple[str, ...]:
    passed = (step.file for step in finding.flow)
    return tuple(dict.fromkeys((finding.file, *passed, *used_by)))[:MOST_PLACES]


def _steps(finding: Finding, similar: tuple[str, ...], tests: tuple[str, ...]) -> tuple[PlanStep, ...]:
    place = f"{finding.file}::{finding.line or 0}"
    found = [
        PlanStep(
            finding.suggestion or finding.title, (place,),
            rationale=finding.detail, validation=f"{finding.rule or 'the finding'} no longer fires there",
        )
    ]  # fmt: skip
    if similar:
        found.append(PlanStep("Look at the similar places", similar, rationale="the same rule fires there"))
    if tests:
        found.append(PlanStep("Run the tests that use this file", tests, validation="all of them pass"))
    return tuple(found)
