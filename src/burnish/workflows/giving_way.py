"""Where one analyser followed the data, patterns of other tools give way to its answer. Pure.

Only what it says counts: a place it reports takes in what patterns say there, a place it cleared makes them
notes, and about every other place (not analysed, not known, not Python) patterns speak as before.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

from burnish.model.assessment import Analysis, Cleared
from burnish.model.review import Finding

Place = tuple[str, int]
# A place that spans more lines than this is not one call any more.
MOST_LINES = 200


def give_way(analyses: tuple[Analysis, ...]) -> tuple[Analysis, ...]:
    """The same analyses, in which the same thing is said once, by whoever followed the data."""
    for number, judge in enumerate(analyses):
        if judge.covers and not judge.failed:
            others = (*analyses[:number], *analyses[number + 1 :])
            answer, rest = _Judged(judge).hear(others)
            analyses = (*rest[:number], answer, *rest[number:])
    return analyses


@dataclass(frozen=True)
class _Judged:
    judge: Analysis

    def hear(self, others: tuple[Analysis, ...]) -> tuple[Analysis, tuple[Analysis, ...]]:
        """The judge with what others say of its findings, and the others without it."""
        joined: dict[int, list[Finding]] = defaultdict(list)
        rest = []
        for other in others:
            kept, gave_way = [], []
            for finding in other.findings:
                reported = self._reported(finding)
                if reported is not None:
                    joined[reported].append(finding)
                elif self._is_cleared(finding):
                    gave_way.append(finding)
                else:
                    kept.append(finding)
            rest.append(replace(other, findings=tuple(kept), gave_way=(*other.gave_way, *gave_way)))
        findings = (_speaking(found, joined[at]) for at, found in enumerate(self.judge.findings))
        return replace(self.judge, findings=tuple(findings)), tuple(rest)

    def _reported(self, finding: Finding) -> int | None:
        """Which of the judge's findings is about this one: at its place, else with its line on the way."""
        if finding.line is None:
            return None
        rules = self._rules(finding.rule)
        for places in (self._sinks, self._ways):
            for at in places.get((finding.file, finding.line), ()):
                if self.judge.findings[at].rule in rules:
                    return at
        return None

    def _is_cleared(self, finding: Finding) -> bool:
        """Cleared for each class that the pattern may mean, and not in doubt at the same place."""
        if finding.line is None:
            return False
        rules = self._rules(finding.rule)
        return bool(rules) and rules <= self._clear.get((finding.file, finding.line), set())

    def _rules(self, pattern: str) -> frozenset[str]:
        """The judge's rules that say what a rule of another tool says."""
        if pattern not in self._known:
            names = (
                entry.rule for entry in self.judge.covers if any(_is(pattern, p) for p in entry.patterns)
            )
            self._known[pattern] = frozenset(names)
        return self._known[pattern]

    @cached_property
    def _known(self) -> dict[str, frozenset[str]]:
        return {}

    @cached_property
    def _sinks(self) -> dict[Place, list[int]]:
        places: dict[Place, list[int]] = defaultdict(list)
        for at, finding in enumerate(self.judge.findings):
            for line in _lines(finding.line, finding.end_line):
                places[finding.file, line].append(at)
        return places

    @cached_property
    def _ways(self) -> dict[Place, list[int]]:
        places: dict[Place, list[int]] = defaultdict(list)
        for at, finding in enumerate(self.judge.findings):
            for step in finding.flow:
                places[step.file, step.line].append(at)
        return places

    @cached_property
    def _clear(self) -> dict[Place, set[str]]:
        places: dict[Place, set[str]] = defaultdict(set)
        for place in self.judge.cleared:
            for line in _all_lines(place):
                places[place.file, line].add(place.rule)
        return places


def _speaking(finding: Finding, agreeing: Iterable[Finding]) -> Finding:
    """The judge's finding, that names who else says so. Agreement makes it no less sure than they were."""
    for other in agreeing:
        sure = [found for found in (finding.confidence, other.confidence) if found is not None]
        finding = replace(
            finding,
            tools=tuple(dict.fromkeys((*finding.tools, *other.tools))),
            confidence=max(sure, default=None),
            references=tuple(dict.fromkeys((*finding.references, *other.references))),
            fixable=finding.fixable or other.fixable,
            is_new=None if None in (finding.is_new, other.is_new) else bool(finding.is_new or other.is_new),
            same_rules=tuple(dict.fromkeys((*finding.same_rules, other.rule, *other.same_rules))),
            also=tuple(dict.fromkeys((*finding.also, *other.fingerprints))),
        )
    return finding


def _all_lines(place: Cleared) -> Iterable[int]:
    return chain(_lines(place.line, place.end_line), place.also)


def _lines(first: int | None, last: int | None) -> Iterable[int]:
    if first is None:
        return ()
    return range(first, min(max(last or first, first), first + MOST_LINES) + 1)


def _is(name: str, pattern: str) -> bool:
    """`tool:rule`, where `*` may stand at the beginning or the end of the rule."""
    tool, _, rule = pattern.partition(":")
    named_tool, _, named = name.partition(":")
    if tool != named_tool:
        return False
    if rule.startswith("*"):
        return named.endswith(rule[1:])
    return named.startswith(rule[:-1]) if rule.endswith("*") else named == rule
