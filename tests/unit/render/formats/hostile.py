"""Findings whose every word tries to be something else than text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import cycle

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from burnish.model.assessment import Analysis, Assessment, CriticalFile, DimensionReport, Dive
from burnish.model.dimension import Dimension
from burnish.model.fixing import FindingFix, FixResult
from burnish.model.ledger import LedgerChange, LedgerEntry, LedgerState
from burnish.model.report import Blocking, ReviewReport
from burnish.model.review import Finding, FlowStep, Severity, SuspectLine
from burnish.model.subject import NotReviewed
from tests.unit.render.formats.samples import CLEAN

TRICKS = (
    "\x1b[2J\x1b]0;owned\x07", "\x9b31m", "\u202eevil\u202c", "\u200b", "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>", "]]>", "<!--", "-->", "&lt;", "&#60;", "::set-output name=x::y", "::error::",
    "##[error]x", "|", "\\|", "\\", "`", "```", "~~~", "~", "*", "_", "[x](http://evil.example)", "![x](y)",
    "@everyone", "#1", "http://evil.example", "www.evil.example", "a@b.example", "\r\n", "\n", "\n\n# x",
    "\n- x", "%", "%0A", ",", ":", ",line=1::", "'", '"', "' onmouseover='x", "{{ 7*7 }}", "{% raw %}",
    "[bold]x[/bold]", "\x00", "\ufffe", "\udc80", "\ud800", "é", "漢字", "🦊", "javascript:alert(1)", "//evil",
    "../..", "&", "<", ">", "$x$", "---", "===", "1. x", "  ", "\t", "\x85", "\u2028", "\ue000",
)  # fmt: skip
words = st.lists(st.sampled_from(TRICKS), max_size=3).map("".join) | st.text(max_size=6)


def _finding(say: Callable[[], str], number: int, dimension: str) -> Finding:
    return Finding(
        title=say(),
        severity=list(Severity)[number],
        file=say(),
        line=None if number == 1 else number + 1,
        end_line=number + 2 if number == 2 else None,
        detail=say(),
        suggestion=say(),
        category=say(),
        dimension=dimension,
        confidence=None if number == 2 else 0.2 + 0.4 * number,
        id=say(),
        rule=say() if number else "",
        tools=(say(), say()),
        snippet=say(),
        impact=say(),
        cwe=say(),
        owasp=say(),
        references=(say(), f"https://{say()}"),
        flow=(FlowStep(say(), number, say(), say()),),
        suspects=(SuspectLine(say(), number, 0.5, say()),),
        identity="abc"[number] * 16,
        is_new=(None, True, False)[number],
    )


@st.composite
def reports(draw: st.DrawFn) -> ReviewReport:
    """Hostile words in every place that a report has for words; a few of them in turn, which is quick."""
    turn = cycle(draw(st.lists(words, min_size=3, max_size=7)))
    return _report(lambda: next(turn), draw(st.booleans()), draw(st.sampled_from([0.0, 0.5])))


def _dimension(say: Callable[[], str]) -> DimensionReport:
    said = DimensionReport(Dimension.SECURITY, failed=say(), degraded=say(), agent=say())
    return replace(said, passed_over=(say(),), violation=say())


def _report(say: Callable[[], str], dismiss: bool, sure: float) -> ReviewReport:
    change = LedgerChange("2026-11-15", say(), LedgerState.REFUTED, say())
    entry = LedgerEntry("b" * 16, 1, LedgerState.REFUTED, Finding("x"), "", "", (change,))
    assessment = Assessment(
        reports=(_dimension(say),),
        findings=tuple(_finding(say, number, say() if number == 2 else "security") for number in range(3)),
        critical_files=(CriticalFile(say(), 3, (Dimension.SECURITY,)),),
        dives=(Dive(say(), 1, root_cause=say(), similar=(say(),)), Dive(say(), 2, failed=say())),
        not_assessed=(say(),),
        not_reviewed=(NotReviewed(say(), say()),),
        warnings=(say(),),
        analyses=(Analysis(say(), say()), Analysis(say(), failed=say())),
    )
    return replace(
        CLEAN,
        subject=replace(CLEAN.subject, title=say()),
        assessment=assessment,
        entries={"b" * 16: entry} if dismiss else {},
        blocking=Blocking(Severity.HIGH, sure),
        fixes=(
            FindingFix(say(), FixResult.FIXED, commit=say(), verified_by=say(), message=say(), fixer=say()),
            FindingFix(say(), FixResult.FAILED, 2, error=say()),
        ),
        outcome=say(),
        message=say(),
        landed=say(),
        receipt=say(),
        folder=say(),
    )


def everywhere(test: Callable[..., None]) -> Callable[..., None]:
    """Each trick alone in every place at once, then mixtures of them."""
    for trick in TRICKS:
        test = example(report=_report(lambda trick=trick: trick, False, 0.0))(test)
    quick = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    return quick(given(report=reports())(test))
