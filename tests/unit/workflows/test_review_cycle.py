"""A review from all its dimensions: what is asked once, what is looked at again, and what it comes to."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from burnish.errors import AgentError
from burnish.model.assessment import Analysis, Assessment, DimensionReport, Dive
from burnish.model.dimension import Dimension
from burnish.model.events import StepFinished
from burnish.model.review import Finding, Severity
from burnish.model.step import Step
from burnish.model.subject import FileStatus, ReviewMode, Subject, SubjectFile
from burnish.ports import Run, Source
from burnish.store.memory import MemoryRun
from burnish.workflows.analysing import Analysing
from burnish.workflows.embedded import EmbeddedDiver
from burnish.workflows.panel import Panel
from burnish.workflows.review_cycle import review_cycle

SESSION = Subject(ReviewMode.SESSION, "x", "h", "b", files=(SubjectFile("a.py", FileStatus.MODIFIED),))
MODULE = Subject(ReviewMode.MODULE, "x", "h", files=(SubjectFile("a.py"),))


def bad(
    count: int = 1, severity: Severity = Severity.CRITICAL, dimension: str = "security"
) -> tuple[Finding, ...]:
    return tuple(
        Finding(
            f"{dimension} {number}",
            severity,
            "a.py",
            number,
            dimension=dimension,
            rule=f"told:{dimension}{number}",
        )
        for number in range(1, count + 1)
    )


@dataclass(frozen=True)
class Told:
    findings: tuple[Finding, ...] = ()
    asked: list[str] = field(default_factory=list)
    name: str = "told"

    def missing(self) -> str:
        return ""

    def wants(self, files: tuple[str, ...]) -> tuple[str, ...]:
        return files

    async def analyse(self, source: Source, files: tuple[str, ...]) -> Analysis:
        self.asked.append(source.tree)
        return Analysis(self.name, findings=self.findings if source.tree == "h" else (), files=len(files))


@dataclass(frozen=True)
class Stubborn:
    """A diver that never changes its mind, and counts."""

    dived: list[str] = field(default_factory=list)
    fails: bool = False

    async def dive(
        self, run: Run, step: Step, subject: Subject, finding: Finding, among: tuple[Finding, ...]
    ) -> Dive:
        self.dived.append(finding.id)
        if self.fails:
            raise AgentError("no answer")
        return Dive(finding.id, int(step.phase[-1]), severity=finding.severity, at="now")


@dataclass(frozen=True)
class Failing:
    wrong: tuple[Dimension, ...]

    async def view(
        self, run: Run, step: Step, subject: Subject, dimension: Dimension, evidence: tuple[Analysis, ...]
    ) -> DimensionReport:
        if dimension in self.wrong:
            raise AgentError("overloaded")
        return DimensionReport(dimension)


def panel(findings: tuple[Finding, ...], subject: Subject = SESSION, **fields: object) -> Panel:
    head, base = Source(Path("/h"), "h"), Source(Path("/b"), "b")
    analysing = Analysing((Told(findings),), head, base if subject.base_tree else None)
    return Panel(analysing, **fields)  # type: ignore[arg-type]


def cycle(made: Panel, subject: Subject = SESSION, run: MemoryRun | None = None) -> Assessment:
    return asyncio.run(review_cycle(subject, made, run or MemoryRun()))


@pytest.mark.conformance("C-04")
@pytest.mark.parametrize("subject", [SESSION, MODULE], ids=["session", "module"])
def test_both_modes_go_through_the_same_phases(subject: Subject) -> None:
    run = MemoryRun()
    found = cycle(panel(bad(), subject), subject, run)
    phases = [event.step.phase for event in run.events if isinstance(event, StepFinished)]
    assert phases == ["analyse", *["dimension"] * 7, "dive-1"]
    assert [item.title for item in found.findings] == ["security 1"]


@pytest.mark.conformance("C-06", "C-63")
def test_it_goes_on_from_phase_to_phase_until_all_are_done() -> None:
    found = cycle(panel(bad()))
    assert len(found.reports) == 7
    assert len(found.dives) == 1
    assert len(found.iterations) == 1


@pytest.mark.conformance("C-36")
def test_the_aggregate_has_severities_critical_files_and_what_was_dived_into() -> None:
    three = (*bad(dimension="security"), *bad(dimension="quality"), *bad(dimension="performance"))
    found = cycle(panel(three))
    assert found.distribution == {"critical": 3, "high": 0, "medium": 0, "low": 0}
    assert [item.file for item in found.critical_files] == ["a.py"]
    assert {dive.finding_id for dive in found.dives} == {item.id for item in found.findings}


@pytest.mark.conformance("C-14", "C-40")
def test_dives_end_at_the_limit_or_when_nothing_is_left_to_look_at() -> None:
    diver = Stubborn()
    found = cycle(panel(bad(12), diver=diver))
    assert [len(item.analysed) for item in found.iterations] == [5, 5, 2]
    assert len(set(diver.dived)) == 12
    assert len(cycle(panel(bad(12), diver=Stubborn(), max_iterations=1)).iterations) == 1
    assert cycle(panel(bad(12), diver=Stubborn(), max_iterations=0)).dives == ()


@pytest.mark.conformance("C-82")
def test_criticals_that_are_left_at_the_limit_are_reported_all_the_same() -> None:
    found = cycle(panel(bad(12), diver=Stubborn(), max_iterations=1))
    assert found.distribution["critical"] == 12
    assert len(found.dives) == 5


@pytest.mark.conformance("C-81")
def test_a_dive_that_fails_leaves_its_finding_as_it_was() -> None:
    found = cycle(panel(bad(2), diver=Stubborn(fails=True)))
    assert [dive.failed for dive in found.dives] == ["no answer", "no answer"]
    assert found.distribution["critical"] == 2


@pytest.mark.conformance("C-78")
def test_one_dimension_that_fails_is_a_warning_and_the_others_go_on() -> None:
    found = cycle(panel(bad(), viewer=Failing((Dimension.SECURITY,))))
    assert [report.failed for report in found.reports if report.failed] == ["overloaded"]
    assert any("security: not reviewed: overloaded" in warning for warning in found.warnings)


@pytest.mark.conformance("C-79")
def test_when_every_dimension_fails_the_review_fails() -> None:
    with pytest.raises(AgentError, match="no dimension could be reviewed: overloaded"):
        cycle(panel(bad(), viewer=Failing(tuple(Dimension))))


def test_nothing_is_asked_twice_when_a_review_is_resumed() -> None:
    run, made = MemoryRun(), panel(bad())
    first = cycle(made, run=run)
    again = cycle(made, run=run)
    [told] = made.analysing.analysers
    assert isinstance(told, Told)
    assert told.asked == ["h", "b"]
    assert again.findings == first.findings


@pytest.mark.conformance("C-13")
def test_only_the_dimensions_asked_for_report() -> None:
    found = cycle(panel((*bad(), *bad(dimension="quality")), dimensions=(Dimension.QUALITY,)))
    assert [report.dimension for report in found.reports] == [Dimension.QUALITY]
    assert {item.dimension for item in found.findings} == {"quality"}


def test_a_dive_from_code_says_so_and_never_raises_a_severity() -> None:
    finding = Finding(
        "eval", Severity.HIGH, "tests/test_a.py", 3, rule="ruff:S307", confidence=0.9, id="sec-1"
    )

    async def dive() -> Dive:
        return await EmbeddedDiver().dive(
            MemoryRun(), Step("review", 1, "dive-1"), SESSION, finding, (finding,)
        )  # type: ignore[arg-type]

    found = asyncio.run(dive())
    assert "without a model" in found.details
    assert found.severity is Severity.MEDIUM
    assert found.reason == "the place is test code"
