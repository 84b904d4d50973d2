"""Reports to render: an empty one, and one with everything that can be said."""

from __future__ import annotations

from dataclasses import replace

from burnish.model.assessment import (
    Analysis,
    Assessment,
    CriticalFile,
    DimensionReport,
    Dive,
    Iteration,
    PlanStep,
)
from burnish.model.dimension import Dimension
from burnish.model.fixing import FindingFix, FixResult
from burnish.model.ledger import LedgerChange, LedgerEntry, LedgerState
from burnish.model.report import Blocking, ReviewReport
from burnish.model.review import Finding, FlowStep, Severity
from burnish.model.subject import FileStatus, NotReviewed, ReviewMode, Subject, SubjectFile

SQL = Finding(
    "SQL built from user input",
    severity=Severity.CRITICAL,
    file="src/shop/orders.py",
    line=41,
    end_line=42,
    detail="The name of the customer becomes part of the statement.",
    suggestion="Pass values as parameters of execute().",
    category="injection",
    dimension="security",
    confidence=0.9,
    id="sec-001-1a2b3c4d",
    rule="ruff:S608",
    tools=("ruff", "ast-grep"),
    snippet="query = f\"SELECT * FROM orders WHERE name = '{name}'\"\ncursor.execute(query)",
    impact="Anybody can read every order.",
    cwe="CWE-89",
    owasp="A03:2021 Injection",
    references=("https://cwe.mitre.org/data/definitions/89.html", "the house rules, page 3"),
    flow=(
        FlowStep("src/shop/web.py", 12, "name comes from the request", 'name = request.args["name"]'),
        FlowStep("src/shop/orders.py", 41),
    ),
    same_rules=("bandit:B608",),
    identity="aaaaaaaaaaaaaaaa",
    is_new=True,
    fixable=True,
)
LONG = Finding(
    "Function `checkout` has 140 lines",
    severity=Severity.HIGH,
    file="src/shop/orders.py",
    line=60,
    suggestion="Take the parts about prices into a function of their own.",
    category="long-method",
    dimension="maintainability",
    confidence=1.0,
    id="mnt-001-2b3c4d5e",
    rule="lizard:length",
    tools=("lizard",),
    snippet="def checkout(cart, user):",
    identity="bbbbbbbbbbbbbbbb",
    is_new=False,
)
SMELL = Finding(
    "Größe wird nie benutzt",
    severity=Severity.MEDIUM,
    file="src/größe/été.py",
    line=3,
    dimension="quality",
    category="code-smell",
    confidence=0.7,
    id="qual-001-3c4d5e6f",
    rule="ruff:F841",
    tools=("ruff",),
    snippet="größe = 3",
    identity="cccccccccccccccc",
)
NOWHERE = Finding(
    "No test covers the new module",
    severity=Severity.LOW,
    dimension="action-items",
    category="requirement-coverage",
    id="act-001-4d5e6f70",
)
GONE = Finding(
    "The deleted file is still imported",
    severity=Severity.HIGH,
    file="src/old.py",
    dimension="architecture",
    category="dependency",
    id="arch-001-5e6f7081",
    identity="dddddddddddddddd",
)
DOUBTFUL = Finding(
    "This may be a secret",
    severity=Severity.CRITICAL,
    file="tests/keys.py",
    line=1,
    dimension="security",
    category="data-exposure",
    confidence=0.3,
    id="sec-002-60718293",
    rule="secrets:generic",
    tools=("secrets",),
    identity="eeeeeeeeeeeeeeee",
)
DISMISSED = Finding(
    "MD5 is a weak hash",
    severity=Severity.HIGH,
    file="src/cache.py",
    line=9,
    dimension="security",
    category="encryption",
    confidence=0.8,
    id="sec-003-718293a4",
    rule="ruff:S324",
    tools=("ruff",),
    identity="ffffffffffffffff",
    is_new=True,
)
SOUND = Finding(
    "A command is built from text",
    severity=Severity.CRITICAL,
    file="src/shop/tools.py",
    line=5,
    rule="ruff:S605",
    tools=("ruff",),
    identity="9999999999999999",
)
FINDINGS = (SQL, DOUBTFUL, LONG, GONE, DISMISSED, SMELL, NOWHERE)
CHANGE = LedgerChange("2026-11-15T12:00:00Z", "anna", LedgerState.ACCEPTED_RISK, "only a cache key")
ENTRY = LedgerEntry(
    "ffffffffffffffff", 12, LedgerState.ACCEPTED_RISK, DISMISSED, "2026-11-01", "2026-11-15", (CHANGE,)
)
SUBJECT = Subject(
    ReviewMode.SESSION,
    "what changed since main",
    tree="1" * 40,
    base_tree="2" * 40,
    base="3" * 40,
    head="4" * 40,
    files=(
        SubjectFile("src/shop/orders.py", FileStatus.MODIFIED, lines=220),
        SubjectFile("src/old.py", FileStatus.DELETED),
        SubjectFile("src/größe/été.py", FileStatus.RENAMED, "src/size.py", 12),
    ),
    insertions=120,
    deletions=34,
)


def assessed(findings: tuple[Finding, ...]) -> Assessment:
    return Assessment(
        reports=tuple(
            DimensionReport(
                dimension,
                tuple(finding for finding in findings if finding.dimension == dimension),
                files=3,
                duration_s=1.25,
                failed="the agent gave no answer in 60 minutes" if dimension is Dimension.PERFORMANCE else "",
                degraded="claude is not installed" if dimension is Dimension.SECURITY else "",
                passed_over=("claude: not installed",) if dimension is Dimension.SECURITY else (),
                violation="codex edited app.py" if dimension is Dimension.QUALITY else "",
            )
            for dimension in Dimension
        ),
        findings=findings,
        critical_files=(
            CriticalFile(
                "src/shop/orders.py", 4, (Dimension.SECURITY, Dimension.QUALITY, Dimension.PERFORMANCE)
            ),
        ),
        dives=(
            Dive(
                SQL.id,
                1,
                root_cause="Statements are put together from text in three places.",
                similar=("src/shop/users.py:17",),
                affected=("src/shop/web.py", "src/shop/admin.py"),
                priority="P0 - now",
                effort="1 hour",
                risk="low",
                steps=(PlanStep("Use parameters", ("src/shop/orders.py",)),),
            ),
            Dive(GONE.id, 2, failed="the agent stopped"),
        ),
        iterations=(Iteration(1, (SQL.id,), {}, {}), Iteration(2, (GONE.id,), {}, {})),
        not_assessed=("races between threads", "business logic"),
        not_reviewed=tuple(NotReviewed(f"assets/logo-{number}.png", "binary") for number in range(12)),
        analyses=(
            Analysis(
                "ruff",
                "0.17.0",
                (SQL, SMELL),
                files=3,
                duration_s=0.2,
                unchanged=("1", "2", "3"),
                gave_way=(SOUND,),
            ),
            Analysis("lizard", failed="it printed nothing that can be read"),
        ),
        warnings=("lizard did not run: it printed nothing that can be read",),
    )


FULL = ReviewReport(
    run="r-7f3a",
    review_id="review-20261115-120000",
    session="WFS-shop",
    subject=SUBJECT,
    assessment=assessed(FINDINGS),
    blocking=Blocking(Severity.HIGH, 0.5),
    entries={ENTRY.fingerprint: ENTRY},
    outcome="failed",
    message="3 findings block",
    receipt="/state/receipts/r-7f3a.json",
    fixes=(
        FindingFix(
            "qual-002-8899aabb", FixResult.FIXED, 1, commit="9" * 40, fixer="ruff",
            verified_by="ruff:F401 is gone; `pytest -q` is green",
            message="fix(quality): Unused import [qual-002-8899aabb]\n\nsrc/a.py:1",
        ),
        FindingFix(LONG.id, FixResult.FAILED, 3, error="Max iterations reached: the tests turned red"),
    ),
    landed="branch burnish/r-7f3a",
    folder="/repo/.burnish/sessions/WFS-shop/.review",
)  # fmt: skip
CLEAN = ReviewReport(
    run="r-0000",
    review_id="review-20261115-130000",
    session="WFS-shop",
    subject=replace(SUBJECT, files=()),
    assessment=Assessment(reports=tuple(DimensionReport(dimension) for dimension in Dimension)),
    outcome="passed",
)


def with_findings(*findings: Finding) -> ReviewReport:
    """A report about just these."""
    return replace(CLEAN, assessment=replace(CLEAN.assessment, findings=findings))
