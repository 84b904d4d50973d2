from __future__ import annotations

import re

import pytest

from burnish.analysers import ruff
from burnish.analysers._table import Hit, classify, is_test, knows, rules
from burnish.model.review import Severity

OWASP = {
    "A01:2021 Broken Access Control",
    "A02:2021 Cryptographic Failures",
    "A03:2021 Injection",
    "A04:2021 Insecure Design",
    "A05:2021 Security Misconfiguration",
    "A06:2021 Vulnerable and Outdated Components",
    "A07:2021 Identification and Authentication Failures",
    "A08:2021 Software and Data Integrity Failures",
    "A09:2021 Security Logging and Monitoring Failures",
    "A10:2021 Server-Side Request Forgery",
}


def test_every_category_belongs_to_its_dimension() -> None:
    assert [rule for rule in rules() if rule.category not in rule.dimension.about.categories] == []


def test_weaknesses_are_written_as_their_catalogues_write_them() -> None:
    assert [
        rule.cwe for rule in rules() if rule.cwe and not re.fullmatch(r"CWE-[1-9]\d{0,3}", rule.cwe)
    ] == []
    assert {rule.owasp for rule in rules() if rule.owasp} <= OWASP


def test_confidence_is_a_share() -> None:
    assert all(0 < rule.confidence <= 1 for rule in rules())


def test_no_two_entries_claim_the_same_rule() -> None:
    claims = [(pattern, rule.when) for rule in rules() for pattern in rule.patterns]
    assert sorted(claim for claim in set(claims) if claims.count(claim) > 1) == []


@pytest.mark.parametrize("family", [family for family in ruff.SELECT.split(",") if not family[-1].isdigit()])
def test_every_family_of_ruff_that_is_selected_has_an_entry(family: str) -> None:
    assert knows("ruff", f"{family}999")


def test_the_longest_pattern_wins() -> None:
    assert classify("ruff", Hit("S999", "a.py", 1, "m")).category == "input-validation"
    assert classify("ruff", Hit("S506", "a.py", 1, "m")).cwe == "CWE-502"
    # The star is no letter: `PLR091*` is as long as `PLR0913`, and less exact.
    assert classify("ruff", Hit("PLR0911", "a.py", 1, "m")).severity is Severity.MEDIUM
    assert classify("ruff", Hit("PLR0913", "a.py", 1, "m")).severity is Severity.LOW


def test_an_entry_for_a_certain_message_wins_over_one_for_the_rule() -> None:
    assert classify("ruff", Hit("S602", "a.py", 1, "identified")).severity is Severity.CRITICAL
    assert classify("ruff", Hit("S602", "a.py", 1, "it seems safe")).severity is Severity.LOW


def test_a_tool_grades_its_own_finding_only_where_the_table_does_not_know_the_rule() -> None:
    own = Hit("no-such-rule", "a.py", 1, "m", severity=Severity.CRITICAL, confidence=0.9, cwe="CWE-1")
    known = Hit("S506", "a.py", 1, "m", severity=Severity.LOW, confidence=0.1, cwe="CWE-1")
    unknown = classify("somebody", own)
    assert (unknown.severity, unknown.confidence, unknown.cwe) == (Severity.CRITICAL, 0.9, "CWE-1")
    table = classify("ruff", known)
    assert (table.severity, table.confidence, table.cwe) == (Severity.CRITICAL, 0.85, "CWE-502")


def test_a_finding_has_everything_the_table_and_the_tool_know() -> None:
    found = classify(
        "ruff", Hit("S506", "a.py", 3, "Probable unsafe use", end_line=4, references=("https://x",))
    )
    assert (found.rule, found.tools, found.line, found.end_line) == ("ruff:S506", ("ruff",), 3, 4)
    assert (found.dimension, found.category) == ("security", "injection")
    assert found.title == "yaml.load() can make any object and so run code"
    assert found.detail == "Probable unsafe use"
    assert found.suggestion == "Use yaml.safe_load()."
    assert found.owasp == "A08:2021 Software and Data Integrity Failures"
    assert found.references == ("https://x", "https://cwe.mitre.org/data/definitions/502.html")


def test_what_is_dangerous_in_a_program_is_low_in_its_tests() -> None:
    inside = classify("ruff", Hit("S506", "tests/test_a.py", 1, "m"))
    assert inside.severity is Severity.LOW
    assert inside.confidence is not None and inside.confidence <= 0.3
    assert classify("ruff", Hit("F821", "tests/test_a.py", 1, "m")).severity is Severity.HIGH


@pytest.mark.parametrize(
    "path", ["tests/a.py", "pkg/test_a.py", "a/conftest.py", "x/a_test.go", "src/a.spec.ts", "b/AppTest.java"]
)
def test_tests_are_known_by_their_names(path: str) -> None:
    assert is_test(path)


@pytest.mark.parametrize("path", ["src/a.py", "contest.py", "attest/a.py", "latest.go", "testimony.py"])
def test_other_files_are_not_taken_for_tests(path: str) -> None:
    assert not is_test(path)


def test_a_long_message_becomes_a_short_title_and_stays_in_the_detail() -> None:
    found = classify("x", Hit("y", "a.py", 1, "w" * 500))
    assert len(found.title) == 120
    assert found.title.endswith("...")
    assert found.detail == "w" * 500
