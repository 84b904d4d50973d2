"""Where the data was followed, patterns give way: joined where they agree, notes where it is clean, else kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from burnish import codec
from burnish.analysers._table import knows
from burnish.analysers.taint.covering import covers
from burnish.model.assessment import Analysis, Assessment, Cleared, Covers
from burnish.model.review import Finding, FlowStep, Severity
from burnish.model.subject import ReviewMode, Subject, SubjectFile
from burnish.ports import Source
from burnish.workflows.aggregate import merge
from burnish.workflows.analysing import Analysing
from burnish.workflows.fix_checks import about
from burnish.workflows.giving_way import give_way
from burnish.workflows.panel import Panel
from burnish.workflows.panel_crew import Prepared, _sighting
from burnish.workflows.sightings import Sight, appeared, moved

SQL = Covers("taint:sql", ("ruff:S608", "bandit:B608", "semgrep:*.formatted-sql-query"))
COMMAND = Covers("taint:command", ("ruff:S605", "ruff:S602"))
PATTERN = Finding(
    "Possible SQL", Severity.CRITICAL, "a.py", 7, rule="ruff:S608", tools=("ruff",), confidence=0.55
)
FLOW = (FlowStep("a.py", 5, "request.args"), FlowStep("a.py", 7, "a string"), FlowStep("a.py", 9, "execute"))
TAINTED = Finding(
    "Untrusted input", Severity.HIGH, "a.py", 9, rule="taint:sql", tools=("taint",), confidence=0.9, flow=FLOW
)


def both(
    *findings: Finding, cleared: tuple[Cleared, ...] = (), patterns: tuple[Finding, ...] = (PATTERN,)
) -> tuple[Analysis, Analysis]:
    judge = Analysis("taint", findings=findings, cleared=cleared, covers=(SQL, COMMAND))
    ruff, answer = give_way((Analysis("ruff", findings=patterns), judge))
    return ruff, answer


@pytest.mark.parametrize("line", [7, 9, 10])
def test_what_the_pass_reports_is_one_finding_that_names_the_pattern(line: int) -> None:
    ruff, taint = both(replace(TAINTED, end_line=10), patterns=(replace(PATTERN, line=line),))
    assert ruff.findings == ruff.gave_way == ()
    (found,) = taint.findings
    assert (found.rule, found.severity, found.flow) == ("taint:sql", Severity.HIGH, FLOW)
    assert (found.same_rules, found.tools) == (("ruff:S608",), ("taint", "ruff"))
    assert replace(PATTERN, line=line).fingerprint in found.also


def test_agreement_leaves_no_doubt_that_the_pattern_did_not_have() -> None:
    """Otherwise a pass that is unsure for want of knowledge would unblock what a pattern blocked."""
    _, taint = both(replace(TAINTED, confidence=0.2))
    assert taint.findings[0].confidence == 0.55
    _, taint = both(TAINTED)
    assert taint.findings[0].confidence == 0.9


@pytest.mark.parametrize(
    "place",
    [
        Cleared("a.py", 7, "taint:sql"),
        Cleared("a.py", 6, "taint:sql", 8),
        Cleared("a.py", 9, "taint:sql", also=(7,)),
    ],
)
def test_where_the_pass_is_sure_that_it_is_clean_the_pattern_is_a_note(place: Cleared) -> None:
    ruff, taint = both(cleared=(place,))
    assert ruff.findings == taint.findings == ()
    assert ruff.gave_way == (PATTERN,)


@pytest.mark.parametrize(
    "place",
    [
        Cleared("a.py", 8, "taint:sql"),
        Cleared("a.py", 6, "taint:sql"),
        Cleared("b.py", 7, "taint:sql"),
        Cleared("a.py", 7, "taint:command"),
        Cleared("a.py", 7, "taint:xss"),
    ],
)
def test_everywhere_else_the_pattern_speaks_as_before(place: Cleared) -> None:
    ruff, _ = both(cleared=(place,))
    assert ruff.findings == (PATTERN,)
    assert ruff.gave_way == ()


def test_a_pass_that_is_silent_clears_nothing() -> None:
    assert both()[0].findings == (PATTERN,)


def test_a_pass_that_failed_clears_nothing() -> None:
    judge = Analysis("taint", cleared=(Cleared("a.py", 7, "taint:sql"),), covers=(SQL,), failed="crashed")
    assert give_way((judge, Analysis("ruff", findings=(PATTERN,))))[1].findings == (PATTERN,)


def test_a_flow_of_another_class_takes_nothing_in() -> None:
    ruff, taint = both(replace(TAINTED, rule="taint:xss", line=7))
    assert ruff.findings == (PATTERN,)
    assert taint.findings[0].same_rules == ()


@pytest.mark.parametrize(
    "rule", ["ruff:S105", "ruff:S6081", "bandit:S608", "semgrep:x.other", "codeql:S608", ""]
)
def test_a_rule_that_says_something_else_stays_in_a_cleared_place(rule: str) -> None:
    finding = replace(PATTERN, rule=rule)
    ruff, _ = both(cleared=(Cleared("a.py", 7, "taint:sql"),), patterns=(finding,))
    assert ruff.findings == (finding,)


def test_a_pattern_that_may_mean_two_classes_gives_way_only_where_both_are_clean() -> None:
    judge = Analysis("taint", covers=(SQL, Covers("taint:xss", ("ruff:S608",))))
    other = Analysis("ruff", findings=(PATTERN,))
    one = (Cleared("a.py", 7, "taint:sql"),)
    assert give_way((replace(judge, cleared=one), other))[1].findings == (PATTERN,)
    two = (*one, Cleared("a.py", 7, "taint:xss"))
    assert give_way((replace(judge, cleared=two), other))[1].findings == ()


def test_the_order_of_analyses_stays_and_giving_way_twice_changes_nothing_more() -> None:
    tools = ("ast-grep", "ruff", "taint", "ty")
    analyses = tuple(Analysis(name, covers=(SQL,) if name == "taint" else ()) for name in tools)
    assert tuple(analysis.tool for analysis in give_way(analyses)) == tools
    once = both(TAINTED)
    assert give_way(once) == once


def test_an_analysis_stored_before_there_were_cleared_places_can_be_read() -> None:
    old = '{"type":"Analysis","value":{"tool":"ruff","version":"1","files":2}}'
    assert codec.decode(old, Analysis) == Analysis("ruff", version="1", files=2)
    now = Analysis("taint", cleared=(Cleared("a.py", 7, "taint:sql", also=(3,)),), covers=(SQL,))
    assert codec.decode(codec.encode(now), Analysis) == now


SOMETHING_ELSE = (
    "ruff:S101", "ruff:S104", "ruff:S105", "ruff:S106", "ruff:S107", "ruff:S108", "ruff:S113", "ruff:S501",
    "ruff:S607", "ruff:S609", "ruff:S701", "ruff:S405", "ruff:S413", "ast-grep:py-tls-verify-off",
    "ast-grep:py-hardcoded-credential", "ast-grep:py-query-in-loop", "codeql:py/sql-injection",
)  # fmt: skip


def test_the_table_covers_only_rules_that_exist_and_none_that_says_something_else() -> None:
    rules = [rule for entry in covers() for rule in entry.patterns]
    ours = [rule for rule in rules if rule.startswith(("ruff:", "ast-grep:"))]
    assert [rule for rule in ours if not knows(*rule.split(":"))] == []
    assert len(ours) > 30
    judge = Analysis(
        "taint", cleared=tuple(Cleared("a.py", 7, entry.rule) for entry in covers()), covers=covers()
    )
    other = Analysis("x", findings=tuple(replace(PATTERN, rule=rule) for rule in SOMETHING_ELSE))
    assert give_way((judge, other))[1].findings == other.findings
    known = {rule.removeprefix("taint:") for rule in (entry.rule for entry in covers())}
    assert all(knows("taint", name) for name in known)


def test_joined_findings_keep_one_voice_through_the_aggregation() -> None:
    from burnish.model.assessment import DimensionReport
    from burnish.model.dimension import Dimension

    ruff, taint = both(TAINTED)
    reports = [DimensionReport(Dimension.SECURITY, findings=(*ruff.findings, *taint.findings))]
    (only,) = merge(reports)
    assert only.rule == "taint:sql"


def test_a_fix_of_a_flow_is_checked_from_where_it_comes_in_and_follows_it_when_lines_move() -> None:
    flow = (FlowStep("web.py", 3), FlowStep("a.py", 9))
    finding = replace(TAINTED, flow=flow)
    assert about(finding) == ("a.py", "web.py")
    assert about(Finding("no place")) == ()
    later = (FlowStep("web.py", 5), FlowStep("a.py", 11))
    assert moved(finding, replace(finding, line=11, flow=later)).flow == later
    assert moved(finding, replace(finding, line=11, flow=())).flow == flow


def test_a_pattern_that_gave_way_before_a_fix_is_new_when_the_fix_hides_the_data() -> None:
    before = Sight(both(TAINTED))
    after = Sight(both())
    assert [found.rule for found in appeared(before, after, Severity.MEDIUM)] == ["ruff:S608"]
    assert appeared(before, Sight(both(cleared=(Cleared("a.py", 7, "taint:sql"),))), Severity.MEDIUM) == ()


def test_the_ledger_does_not_call_fixed_what_only_gave_way() -> None:
    subject = Subject(ReviewMode.MODULE, "x", "h", files=(SubjectFile("a.py"),))
    prepared = Prepared(subject, Panel(Analysing((), Source(Path("/head"), "h"))))
    seen = _sighting("r-1", prepared, Assessment(analyses=both(cleared=(Cleared("a.py", 7, "taint:sql"),))))
    assert seen.tools == ("ruff", "taint")
    assert seen.files == ("a.py",)
    assert seen.still == (PATTERN.fingerprint,)
