"""The planner without a model: one group for what stands in one file, the lowest line first."""

from __future__ import annotations

from pathlib import PurePosixPath

from burnish.model.fixing import Batch, Complexity, FixGroup, FixStage, PartialPlan, Risk, StageMode
from burnish.model.review import Finding, Severity
from burnish.sanitise import clean_line
from burnish.workflows.batching import NO_FILE, TESTS

GROUP_SIZE = 5
MINUTES_EACH = 2
ROLLBACK = (
    "The exact tree before a fix is restored when a check fails; a whole group can be taken back later."
)


def plan_from_code(batch: Batch, *, degraded: bool = False) -> PartialPlan:
    """Findings are repaired from the end of the file up, so that one repair does not move the next one."""
    ordered = sorted(batch.findings, key=lambda finding: -(finding.line or 0))
    slices = [tuple(ordered[at : at + GROUP_SIZE]) for at in range(0, len(ordered), GROUP_SIZE)]
    groups = tuple(_group(number, batch, found) for number, found in enumerate(slices, 1))
    stages = tuple(
        FixStage(
            number,
            (group.id,),
            StageMode.SERIAL if number > 1 else StageMode.PARALLEL,
            depends_on=(number - 1,) if number > 1 else (),
            rationale="the same file is repaired one group at a time" if number > 1 else "",
        )
        for number, group in enumerate(groups, 1)
    )
    return PartialPlan(batch.number, groups, stages, degraded=degraded)


def _group(number: int, batch: Batch, findings: tuple[Finding, ...]) -> FixGroup:
    by_code = all(finding.fixable for finding in findings)
    worst = min((finding.severity for finding in findings), key=lambda severity: severity.rank)
    return FixGroup(
        id=f"G{number}",
        name=clean_line(f"{batch.dimension} in {batch.file}"),
        findings=tuple(finding.id for finding in findings),
        files=files_of(findings),
        approach="; ".join(
            dict.fromkeys(finding.suggestion or finding.title for finding in findings if finding)
        ),
        rationale=f"{len(findings)} finding(s) of one dimension in one file, tested and undone together",
        complexity=Complexity.LOW if by_code else Complexity.MEDIUM,
        minutes=MINUTES_EACH * len(findings),
        test_pattern=_tests_of(batch.file),
        rollback=ROLLBACK,
        risk=Risk.LOW if by_code else Risk.HIGH if worst is Severity.CRITICAL else Risk.MEDIUM,
        concerns=() if by_code else ("no fixer without a model is known for all of them",),
        mitigation="every fix is checked by itself, and the joined result once more",
    )


def files_of(findings: tuple[Finding, ...]) -> tuple[str, ...]:
    """Where repairs are expected; for a failing test that is not known, so such groups keep apart. What
    untrusted input passes on its way may be repaired anywhere on it."""
    unknown = [NO_FILE for finding in findings if finding.rule.startswith(TESTS)]
    passed = [step.file for finding in findings for step in finding.flow]
    files = (finding.file for finding in findings if finding.file)
    return tuple(dict.fromkeys((*files, *passed, *unknown)))


def _tests_of(file: str) -> str:
    """Where the tests of a file usually stand; a hint for people and agents, never a command."""
    path = PurePosixPath(file)
    return f"**/*test*{path.stem}*{path.suffix}" if path.stem and path.suffix else ""
