"""Findings once each, what is worst, and what deserves a closer look."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.model.assessment import CriticalFile, DimensionReport, Dive
from burnish.model.dimension import Dimension
from burnish.model.review import Finding, Severity
from burnish.workflows.aggregate import critical_files, merge, needs_dive, number, select_dives


def finding(**fields: object) -> Finding:
    given = {
        "title": "x",
        "file": "a.py",
        "line": 1,
        "rule": "ruff:S1",
        "tools": ("ruff",),
        "confidence": 0.5,
    }
    return Finding(**{**given, **fields})  # type: ignore[arg-type]


def report(dimension: Dimension, *findings: Finding) -> DimensionReport:
    return DimensionReport(dimension, findings=number(findings, dimension))


def test_two_tools_that_see_one_weakness_make_one_surer_finding() -> None:
    one = finding(cwe="CWE-78", severity=Severity.HIGH, title="shell", identity="aa")
    other = finding(
        cwe="CWE-78", severity=Severity.CRITICAL, title="command", rule="ast-grep:sh", tools=("ast-grep",),
        identity="bb",
    )  # fmt: skip
    [joined] = merge([report(Dimension.SECURITY, one, other)])
    assert joined.severity is Severity.CRITICAL
    assert set(joined.tools) == {"ruff", "ast-grep"}
    assert joined.confidence == 0.75
    assert set(joined.fingerprints) == {"aa", "bb"}
    assert joined.same_rules == ("ruff:S1",)


def test_different_things_on_one_line_stay_apart() -> None:
    one, other = finding(title="a", cwe="CWE-1"), finding(title="b", cwe="CWE-2", rule="ruff:S2")
    assert len(merge([report(Dimension.SECURITY, one, other)])) == 2


def test_the_same_rule_twice_on_a_line_is_two_findings() -> None:
    one, other = finding(identity="aa"), finding(identity="bb")
    assert len(merge([report(Dimension.QUALITY, one, other)])) == 2


@pytest.mark.conformance("C-33", "C-34")
def test_a_file_in_three_dimensions_is_a_critical_file() -> None:
    three = [Dimension.SECURITY, Dimension.QUALITY, Dimension.PERFORMANCE]
    found = merge(report(d, finding(title=d, rule=f"t:{d}")) for d in three)
    assert critical_files(found) == (
        CriticalFile("a.py", 3, (Dimension.SECURITY, Dimension.QUALITY, Dimension.PERFORMANCE)),
    )
    assert critical_files(merge(report(d, finding(title=d, rule=f"t:{d}")) for d in three[:2])) == ()


@pytest.mark.conformance("C-35")
@pytest.mark.parametrize(
    ("severities", "files", "wanted"),
    [
        ([Severity.CRITICAL], (), True),
        ([Severity.HIGH] * 6, (), True),
        ([Severity.HIGH] * 5, (), False),
        ([Severity.LOW], (CriticalFile("a.py", 1, ()),), True),
        ([], (), False),
    ],
)
def test_what_leads_to_a_deep_dive(
    severities: list[Severity], files: tuple[CriticalFile, ...], wanted: bool
) -> None:
    assert needs_dive(tuple(finding(severity=severity) for severity in severities), files) is wanted


@pytest.mark.conformance("C-37")
def test_five_dives_at_once_critical_ones_first_then_high_ones_in_critical_files() -> None:
    found = tuple(
        finding(id=f"{severity}-{count}", severity=severity, file=f"{severity}.py")
        for severity in (Severity.CRITICAL, Severity.HIGH, Severity.MEDIUM)
        for count in range(3)
    )
    files = (CriticalFile("high.py", 3, tuple(Dimension)[:3]),)
    chosen = [item.id for item in select_dives(found, files, {})]
    assert chosen == ["critical-0", "critical-1", "critical-2", "high-0", "high-1"]
    assert [item.id for item in select_dives(found, (), {})] == ["critical-0", "critical-1", "critical-2"]


def test_a_critical_file_does_not_keep_the_dives_going_for_ever() -> None:
    found = (finding(id="h", severity=Severity.HIGH),)
    files = (CriticalFile("a.py", 3, tuple(Dimension)[:3]),)
    assert select_dives(found, files, {"h": Dive("h", 1)}) == ()


@pytest.mark.conformance("C-39")
def test_a_dive_may_change_a_severity_and_a_failed_one_may_not() -> None:
    reports = [report(Dimension.SECURITY, finding(severity=Severity.CRITICAL))]
    [known] = merge(reports)
    dive = Dive(known.id, 1, severity=Severity.LOW)
    assert merge(reports, [dive])[0].severity is Severity.LOW
    assert merge(reports, [replace(dive, failed="crashed")])[0].severity is Severity.CRITICAL


def test_ids_are_as_the_seed_writes_them() -> None:
    [made] = number([finding(identity="1a2b3c4d5e")], Dimension.SECURITY)
    assert made.id == "sec-001-1a2b3c4d"


SEVERITIES = st.sampled_from(list(Severity))
FINDINGS = st.lists(
    st.builds(
        finding,
        file=st.sampled_from(["a.py", "b.py"]),
        line=st.integers(1, 3),
        rule=st.sampled_from(["ruff:A", "ruff:B", "x:C"]),
        cwe=st.sampled_from(["", "CWE-1", "CWE-2"]),
        title=st.sampled_from(["p", "q"]),
        severity=SEVERITIES,
        identity=st.text("abcdef0123456789", min_size=8, max_size=8),
    ),
    max_size=30,
)


@given(FINDINGS)
def test_no_finding_is_lost_when_merging(found: list[Finding]) -> None:
    merged = merge([report(Dimension.SECURITY, *found)])
    marks = {mark for item in merged for mark in item.fingerprints}
    assert {item.fingerprint for item in found} <= marks
    worst = min((item.severity.rank for item in found), default=0)
    assert not merged or merged[0].severity.rank == worst
    assert [item.severity.rank for item in merged] == sorted(item.severity.rank for item in merged)
