"""From a tool's rule to a finding: the one reviewed table, `rules.toml`, says what each rule means."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from burnish.model.dimension import Dimension
from burnish.model.review import Finding, Severity

TITLE_CHARS = 120
DETAIL_CHARS = 2000
SNIPPET_CHARS = 500
DEFAULT_CONFIDENCE = 0.5
IN_TESTS_CONFIDENCE = 0.3
CWE_PAGE = "https://cwe.mitre.org/data/definitions/{}.html"
_TEST_PATH = re.compile(
    r"(^|/)(tests?|testing|spec|specs|__tests__|testdata|fixtures)/"
    r"|(^|/)(test_[^/]*|conftest)\.py$|_test\.(py|go|rb|exs)$|\.(test|spec)\.[cm]?[jt]sx?$|Tests?\.(java|kt|cs)$"
)


@dataclass(frozen=True)
class Rule:
    """What the table says of a rule. `patterns` are `tool:rule` or end in `*`; `when` is text the message
    must hold for this entry to count; `quiet_in_tests` makes it low and doubtful in a test file."""

    patterns: tuple[str, ...]
    dimension: Dimension
    category: str
    severity: Severity
    confidence: float = DEFAULT_CONFIDENCE
    title: str = ""
    cwe: str = ""
    owasp: str = ""
    do: str = ""
    impact: str = ""
    when: str = ""
    quiet_in_tests: bool = False
    references: tuple[str, ...] = ()


@dataclass(frozen=True)
class Hit:
    """What a tool said, before the table. What is set here and empty in the table is kept.

    `severity` and `confidence` are the tool's own: they count only where the table knows the tool's rule by
    nothing better than `tool:*` or `*`.
    """

    rule: str
    file: str
    line: int | None
    message: str
    end_line: int | None = None
    snippet: str = ""
    suggestion: str = ""
    severity: Severity | None = None
    confidence: float | None = None
    cwe: str = ""
    owasp: str = ""
    references: tuple[str, ...] = field(default_factory=tuple)
    fixable: bool = False


def classify(tool: str, hit: Hit) -> Finding:
    """The finding that a tool's hit is, whatever the rule: an unknown one is taken as the tool grades it."""
    name = f"{tool}:{hit.rule}"
    known, specific = _lookup(name, hit.message)
    severity = known.severity if specific else hit.severity or known.severity
    confidence = known.confidence if specific or hit.confidence is None else hit.confidence
    if known.quiet_in_tests and is_test(hit.file):
        severity, confidence = Severity.LOW, min(confidence, IN_TESTS_CONFIDENCE)
    return Finding(
        title=_title(known.title or hit.message or hit.rule),
        severity=severity,
        file=hit.file,
        line=hit.line,
        detail=hit.message.strip()[:DETAIL_CHARS],
        suggestion=known.do or hit.suggestion.strip()[:DETAIL_CHARS],
        category=known.category,
        dimension=known.dimension.value,
        confidence=confidence,
        rule=name,
        tools=(tool,),
        end_line=hit.end_line,
        snippet=hit.snippet[:SNIPPET_CHARS],
        impact=known.impact,
        cwe=known.cwe or hit.cwe,
        owasp=known.owasp or hit.owasp,
        references=_references(known, hit),
        fixable=hit.fixable,
    )


def is_test(path: str) -> bool:
    """Whether a path looks like a test by the habits of the common languages."""
    return _TEST_PATH.search(path) is not None


def knows(tool: str, rule: str, message: str = "") -> bool:
    """Whether the table has more to say of a rule than `tool:*`."""
    return _lookup(f"{tool}:{rule}", message)[1]


def rules() -> tuple[Rule, ...]:
    """The whole table, in the order of the file."""
    return _table()


def _references(known: Rule, hit: Hit) -> tuple[str, ...]:
    """What the table and the tool name, and the catalogue's page of the weakness."""
    number = (known.cwe or hit.cwe).removeprefix("CWE-")
    page = (CWE_PAGE.format(number),) if number.isdecimal() else ()
    return tuple(dict.fromkeys((*known.references, *hit.references, *page)))


def _title(text: str) -> str:
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return first if len(first) <= TITLE_CHARS else f"{first[: TITLE_CHARS - 3].rstrip()}..."


def _lookup(name: str, message: str) -> tuple[Rule, bool]:
    """The entry for a rule, and whether it is about this rule and not just about its tool."""
    return next(found for found in _candidates(name) if found[0].when in message)


@lru_cache(maxsize=4096)
def _candidates(name: str) -> tuple[tuple[Rule, bool], ...]:
    """Every entry that could be meant, the most special first: by length of pattern, then of `when`."""
    whole_tool = name.index(":") + 1
    found = [
        (pattern == name, len(pattern), len(rule.when), rule)
        for rule in _table()
        for pattern in rule.patterns
        if pattern == name or (pattern.endswith("*") and name.startswith(pattern[:-1]))
    ]
    found.sort(key=lambda entry: entry[:3], reverse=True)
    return tuple((rule, exact or length - 1 > whole_tool) for exact, length, _, rule in found)


@cache
def _table() -> tuple[Rule, ...]:
    """`rules.toml`, then the part of each tool that has one of its own (`rules_<tool>.toml`)."""
    found = (entry for entry in files("burnish.analysers").iterdir() if entry.name.startswith("rules"))
    parts = sorted((entry for entry in found if entry.name.endswith(".toml")), key=lambda entry: entry.name)
    return tuple(_rule(entry) for part in parts for entry in tomllib.loads(part.read_text("utf8"))["rule"])


def _rule(entry: dict[str, Any]) -> Rule:
    dimension = Dimension(entry.pop("dimension"))
    return Rule(
        patterns=tuple(entry.pop("match")),
        dimension=dimension,
        severity=Severity(entry.pop("severity")),
        references=tuple(entry.pop("references", ())),
        **entry,
    )
