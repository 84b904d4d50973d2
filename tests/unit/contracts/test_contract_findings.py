"""The `review` dialect: a dimension's findings; the verdict follows from their severities."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.errors import ContractViolation
from burnish.model.agent import Reply
from burnish.model.review import Severity, Verdict
from burnish.ports import Asking
from burnish.registry import load
from tests.unit.contracts.contract_reading import answer, passes, review

NAME = "findings"
FINDING = {
    "id": "sec-001-1a2b3c4d",
    "title": "SQL injection",
    "severity": "critical",
    "category": "injection",
    "description": "The name goes into the query unescaped.",
    "file": "src/db.py",
    "line": 12,
    "recommendation": "Use parameters.",
}


def finding(number: int = 1, **fields: Any) -> dict[str, Any]:
    return FINDING | {"id": f"sec-{number:03}"} | fields


def report(*findings: dict[str, Any], **fields: Any) -> str:
    return json.dumps([{"dimension": "security", "findings": list(findings)} | fields])


def test_a_report_without_findings_passes_bare_or_in_an_array() -> None:
    assert answer(NAME, report()) == "pass"
    assert answer(NAME, json.dumps({"dimension": "quality", "findings": []})) == "pass"
    assert review(NAME, report()).summary == "no findings"


def test_a_finding_keeps_everything_and_its_file_is_only_data() -> None:
    text = report(finding(file="../../etc/passwd", metadata={"confidence": 0.8, "cwe_id": "CWE-89"}))
    (found,) = review(NAME, text).findings
    assert (found.severity, found.file, found.line) == (Severity.CRITICAL, "../../etc/passwd", 12)
    assert (found.dimension, found.category, found.confidence) == ("security", "injection", 0.8)
    assert (found.title, found.suggestion, found.id) == ("SQL injection", "Use parameters.", "sec-001")
    assert found.detail == "The name goes into the query unescaped."


@pytest.mark.parametrize("fail_on", list(Severity))
@pytest.mark.parametrize("severity", list(Severity))
def test_the_verdict_is_whether_a_finding_is_at_or_above_the_bar(
    fail_on: Severity, severity: Severity
) -> None:
    found = review(NAME, report(finding(severity=str(severity))), fail_on=fail_on)
    order = list(Severity)
    assert (found.verdict is Verdict.FAIL) == (order.index(severity) <= order.index(fail_on))
    assert found.native == str(found.verdict)


def test_an_unsure_finding_does_not_block_and_is_counted_apart() -> None:
    text = report(finding(confidence=0.4), finding(2, severity="low"))
    assert answer(NAME, text, min_confidence=0.5) == "pass"
    assert answer(NAME, text, min_confidence=0.4) == "fail"
    assert answer(NAME, report(finding(metadata={"confidence": 0.4})), min_confidence=0.5) == "pass"
    assert answer(NAME, report(finding()), min_confidence=1.0) == "fail"
    found = review(NAME, text, min_confidence=0.5)
    assert found.summary == "1 critical, 1 low (1 below the confidence asked for)"
    assert len(found.findings) == 2


def test_the_worst_findings_come_first() -> None:
    found = review(NAME, report(finding(1, severity="low"), finding(2, severity="critical")))
    assert [item.severity for item in found.findings] == [Severity.CRITICAL, Severity.LOW]


@pytest.mark.parametrize("field", sorted(FINDING))
def test_each_required_field_of_a_finding_is_named_when_it_is_missing(field: str) -> None:
    broken = {name: value for name, value in FINDING.items() if name != field}
    with pytest.raises(ContractViolation) as caught:
        review(NAME, report(broken))
    assert caught.value.code == "bad_finding"
    assert repr(field) in caught.value.why


@pytest.mark.parametrize(
    ("key", "instead"),
    [("code_snippet", "snippet"), ("exploit_scenario", "impact")],
    ids=["snippet", "impact"],
)
def test_a_forbidden_spelling_in_a_finding_is_named_with_the_right_one(key: str, instead: str) -> None:
    with pytest.raises(ContractViolation, match=f"{key}.*{instead}") as caught:
        review(NAME, report(finding(**{key: "x"})))
    assert caught.value.code == "bad_finding"


@pytest.mark.parametrize(
    "fields", [{"timestamp": "x"}, {"analyzed_at": "x"}, {"summary": {"by_severity": {}}}]
)
def test_a_forbidden_spelling_in_the_report_is_named(fields: dict[str, Any]) -> None:
    with pytest.raises(ContractViolation) as caught:
        review(NAME, report(**fields))
    assert caught.value.code == "malformed"
    assert any(word in caught.value.why for word in ("timestamp", "analyzed_at", "by_severity"))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (report(finding(severity="HIGH")), "bad_finding"), (report(finding(severity="blocker")), "bad_finding"),
        (report(finding(severity=None)), "bad_finding"), (report(finding(title="")), "bad_finding"),
        (report(finding(line="12")), "bad_finding"), (report(finding(confidence=7)), "bad_finding"),
        (report(finding(confidence=True)), "bad_finding"), (report(finding(metadata="x")), "bad_finding"),
        (report(finding(), finding()), "bad_finding"), (json.dumps([{"dimension": "x", "findings": ["y"]}]), "bad_finding"),
        (report(finding(), summary={"critical": 0}), "conflict"), (report(summary={"total_findings": 3}), "conflict"),
        (report(summary={"high": "0"}), "conflict"), (report(summary=[]), "malformed"),
        ('{"findings": []}', "missing_field"), ('{"dimension": "x", "findings": {}}', "missing_field"),
        ('{"dimension": "x"}', "missing_field"), ("[]", "no_json"), ("", "no_json"), ("No findings.", "no_json"),
        (f"{report()}\n{report(finding())}", "conflict"), (f"> {report()}", "no_json"),
        (f"{report(finding())[:-9]}\n\n{report()}", "malformed"),
        ('{"dimension": "x", "findings": [{"severity": "critical",}]}\n' + report(), "conflict"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_a_violation(text: str, code: str) -> None:
    assert answer(NAME, text) == code


def test_counts_that_agree_with_the_findings_are_fine() -> None:
    summary = {"total_findings": 1, "critical": 0, "high": 0, "medium": 1, "low": 0, "files_analyzed": 3}
    assert answer(NAME, report(finding(severity="medium"), summary=summary)) == "pass"


def test_a_finding_for_a_whole_file_has_no_line() -> None:
    assert review(NAME, report(finding(line=None))).findings[0].line is None


def test_compat_is_the_seeds_completion_rule() -> None:
    highs = [finding(number, severity="high") for number in range(6)]
    assert answer(NAME, report(*highs[:5]), compat=True) == "pass"
    assert answer(NAME, report(*highs), compat=True) == "fail"
    assert answer(NAME, report(finding()), compat=True) == "fail"


def test_the_instructions_say_what_blocks() -> None:
    text = load("contracts", NAME)().instructions(Asking(fail_on=Severity.MEDIUM))
    assert "severity medium or worse blocks" in text


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["high", "x", ""]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(sorted(FINDING)), inner, max_size=4)
    ),
    max_leaves=6,
)


@given(
    st.dictionaries(st.sampled_from(["dimension", "findings", "summary", "timestamp"]), VALUES), st.booleans()
)
def test_any_structure_is_a_review_or_a_violation(value: dict[str, Any], compat: bool) -> None:
    try:
        found = load("contracts", NAME)(compat=compat).parse(Reply("", structured=value))
    except ContractViolation:
        return
    assert isinstance(value["findings"], list)
    assert len(found.findings) == len(value["findings"])


@given(
    st.lists(st.tuples(st.sampled_from(list(Severity)), st.sampled_from([None, 0.0, 0.5, 1.0])), max_size=5)
)
def test_it_passes_exactly_when_nothing_sure_blocks(kinds: list[tuple[Severity, float | None]]) -> None:
    items = [finding(n, severity=str(kind), confidence=sure) for n, (kind, sure) in enumerate(kinds)]
    blocks = [kind for kind, sure in kinds if kind in ("critical", "high") and (sure is None or sure >= 0.5)]
    assert passes(NAME, report(*items), min_confidence=0.5) == (not blocks)
