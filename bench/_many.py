"""Findings as analysers of a large repository report them, made up from a seed: so many, with what repeats itself."""

from __future__ import annotations

import hashlib
import random
from dataclasses import replace

from burnish.analysers._table import Hit, classify, rules
from burnish.model.assessment import DimensionReport
from burnish.model.dimension import Dimension
from burnish.model.review import Finding
from burnish.workflows.aggregate import number

SEED = 20261115
# How many of a hundred findings are said again by a second tool at the same line, in its own words.
ALSO_SAID_OF_HUNDRED = 12
LINES_A_FILE = 400
FINDINGS_A_FILE = 25
SECOND_TOOLS = ("semgrep", "sarif")


def named_rules() -> list[tuple[str, str]]:
    """Tool and code of every rule that our table names in full."""
    patterns = [pattern for rule in rules() for pattern in rule.patterns if not pattern.endswith("*")]
    return [(tool, code) for tool, _, code in (pattern.partition(":") for pattern in patterns)]


def reports_of(count: int, seed: int = SEED) -> tuple[DimensionReport, ...]:
    """One report a dimension with `count` findings in all, duplicates of second tools included."""
    chance, known = random.Random(seed), named_rules()
    findings: list[Finding] = []
    files = max(count // FINDINGS_A_FILE, 1)
    while len(findings) < count:
        finding = _finding(chance, known, files, len(findings))
        findings.append(finding)
        if chance.randrange(100) < ALSO_SAID_OF_HUNDRED and len(findings) < count:
            findings.append(_said_again(chance, finding))
    chance.shuffle(findings)
    own: dict[str, list[Finding]] = {dimension: [] for dimension in Dimension}
    for finding in findings:
        own[finding.dimension].append(finding)
    return tuple(DimensionReport(d, findings=number(own[d], d)) for d in Dimension)


def _finding(chance: random.Random, known: list[tuple[str, str]], files: int, at: int) -> Finding:
    tool, code = chance.choice(known)
    place = chance.randrange(files)
    line = chance.randrange(1, LINES_A_FILE)
    snippet = f"    result_{at % 977} = transform(value, key={at % 31}, strict=True)  # step {at}"
    hit = Hit(
        code,
        f"src/package{place % 97}/module_{place}.py",
        line,
        f"{code} fires at `value_{at % 499}`: {'what it means for this line ' * 3}",
        end_line=line + chance.randrange(3),
        snippet=snippet,
    )
    return replace(classify(tool, hit), identity=_mark(tool, code, hit.file, snippet))


def _said_again(chance: random.Random, finding: Finding) -> Finding:
    """The same weakness, or the same words, by another tool: possibly seen from another dimension."""
    tool = chance.choice(SECOND_TOOLS)
    rule = f"{tool}:{finding.rule.partition(':')[2].lower()}"
    dimension = finding.dimension if chance.randrange(4) else chance.choice(list(Dimension)).value
    mark = _mark(rule, finding.file, finding.identity)
    return replace(finding, rule=rule, tools=(tool,), dimension=dimension, identity=mark, confidence=0.6)


def _mark(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
