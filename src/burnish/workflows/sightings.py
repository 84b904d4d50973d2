"""What analysers saw before and after a fix, compared: is it gone, and did anything appear. Pure.

Lines move and the words of a line change with a fix, so this counts what a rule finds in a file instead of
asking whether the very same finding is there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from burnish.model.assessment import Analysis
from burnish.model.review import Finding, Severity


@dataclass(frozen=True)
class Sight:
    """What the analysers saw in some files of one tree."""

    analyses: tuple[Analysis, ...]

    @property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(finding for analysis in self.analyses for finding in analysis.findings)

    @property
    def looked(self) -> set[str]:
        return {analysis.tool for analysis in self.analyses if not analysis.failed}

    @property
    def failed(self) -> dict[str, str]:
        """Tools that could not look, and why."""
        return {analysis.tool: analysis.failed for analysis in self.analyses if analysis.failed}

    @property
    def unread(self) -> set[tuple[str, str]]:
        """Files that a tool could not read."""
        return {(found.tool, file.path) for found in self.analyses for file in found.not_reviewed}

    def judges(self, finding: Finding) -> bool:
        """Whether the absence of a finding would mean anything: a tool of its own has read its file."""
        return any(self._read_by(tool_of(one), finding.file) for one in variants(finding))

    def _read_by(self, tool: str, file: str) -> bool:
        return tool in self.looked and (tool, file) not in self.unread

    def count(self, finding: Finding) -> int:
        return len(self.alike(finding))

    def find(self, finding: Finding) -> Finding | None:
        """The finding where it stands now, by any of the rules that agree on it."""
        found = (self._find(one) for one in variants(finding))
        return next((one for one in found if one), None)

    def _find(self, finding: Finding) -> Finding | None:
        """One that came from elsewhere has no identity, and is the nearest of its rule."""
        alike = self.alike(finding)
        words = _words(finding)
        for fits in (
            lambda found: found.fingerprint == finding.fingerprint,
            lambda found: bool(words) and _words(found) == words,
            lambda found: found.line == finding.line,
        ):
            if same := [found for found in alike if fits(found)]:
                return _nearest(same, finding)
        return None if finding.identity else _nearest(alike, finding)

    def alike(self, finding: Finding) -> list[Finding]:
        return [found for found in self.findings if (found.rule, found.file) == (finding.rule, finding.file)]


def located(finding: Finding, start: Sight, now: Sight, fixed: Iterable[Finding]) -> Finding | None:
    """Where a finding of the start stands now; None when it is gone.

    Other fixes may have changed the words of its line. So what its rule finds in its file now is set off
    against what it found at the start and nobody has fixed; what is then left over is this one.
    """
    done = [variant for other in fixed for variant in variants(other)]
    for one in variants(finding):
        mine = start.find(one)
        if mine is None:
            continue
        others = Counter(_words(other) for other in start.alike(one))
        gone = [start.find(other) for other in done if _key(other) == _key(one)]
        others.subtract(_words(other) for other in (mine, *gone) if other)
        left = []
        for found in sorted(now.alike(one), key=lambda other: other.fingerprint == mine.fingerprint):
            if others[_words(found)] > 0:
                others[_words(found)] -= 1
            else:
                left.append(found)
        same = [found for found in left if _words(found) == _words(mine)]
        if left:
            return _nearest(same or left, mine)
    return None


def moved(finding: Finding, now: Finding) -> Finding:
    """The finding with the place it has now."""
    snippet, flow = now.snippet or finding.snippet, now.flow or finding.flow
    return replace(finding, line=now.line, end_line=now.end_line, snippet=snippet, flow=flow)


def variants(finding: Finding) -> tuple[Finding, ...]:
    """The finding by each of the rules that agree on it."""
    rules = dict.fromkeys(rule for rule in (finding.rule, *finding.same_rules) if rule)
    return tuple(replace(finding, rule=rule, same_rules=()) for rule in rules)


def tool_of(finding: Finding) -> str:
    return finding.rule.partition(":")[0]


def still_there(finding: Finding, before: Sight, after: Sight) -> str:
    """Why it is not gone: one of its rules still fires. Empty when it is, or when no tool can tell."""
    return next((why for one in variants(finding) if (why := _still_there(one, before, after))), "")


def _still_there(finding: Finding, before: Sight, after: Sight) -> str:
    if not before.judges(finding) or not before.count(finding):
        return ""
    if not after.judges(finding):
        return f"{tool_of(finding)} could not judge {finding.file} after the fix"
    standing = before.find(finding)
    words = _words(standing) if standing else ""
    if after.count(finding) >= before.count(finding) or (
        words and _same_words(after, finding, words) >= _same_words(before, finding, words)
    ):
        found = after.find(replace(standing or finding, identity=""))
        return f"{finding.rule} still fires in {finding.file}{f':{found.line}' if found else ''}"
    return ""


def blinded(before: Sight, after: Sight, *, excused: bool = False) -> str:
    """Why nothing can be said about the result: a tool that had looked before cannot any more.

    `excused` where files were deleted: a tool that has nothing left to look at is not heard of.
    """
    lost = sorted(tool for tool in before.looked - after.looked if tool in after.failed or not excused)
    if lost:
        why = after.failed.get(lost[0], "")
        return f"{lost[0]} could not look at the result{f': {why}' if why else ''}"
    unread = sorted(after.unread - before.unread)
    return f"{unread[0][0]} cannot read {unread[0][1]} any more" if unread else ""


def appeared(before: Sight, after: Sight, severity: Severity) -> tuple[Finding, ...]:
    """What there is more of than before, at this severity or worse."""
    was = _counts(before.findings, severity)
    now = _counts(after.findings, severity)
    # A tool that failed before has nothing to be compared with; one that had nothing to look at has.
    more = {key for key in now if now[key] > was[key] and key[0].partition(":")[0] not in before.failed}
    known = {finding.fingerprint for finding in before.findings}
    grown = [found for found in after.findings if _key(found) in more and found.severity.at_least(severity)]
    return tuple(found for found in grown if found.fingerprint not in known) or tuple(grown)


def _counts(findings: Iterable[Finding], severity: Severity) -> Counter[tuple[str, str]]:
    return Counter(_key(finding) for finding in findings if finding.severity.at_least(severity))


def _key(finding: Finding) -> tuple[str, str]:
    return finding.rule, finding.file


def _words(finding: Finding) -> str:
    return " ".join(finding.snippet.split())


def _same_words(sight: Sight, finding: Finding, words: str) -> int:
    return sum(1 for found in sight.findings if _key(found) == _key(finding) and _words(found) == words)


def _nearest(found: list[Finding], finding: Finding) -> Finding | None:
    return min(found, key=lambda one: abs((one.line or 0) - (finding.line or 0)), default=None)
