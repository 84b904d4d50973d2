"""Signs that a run goes nowhere, as questions to its history; what is done about one is a policy's business.

Each is careful in one direction: where the history does not tell, the answer is that all is well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise, takewhile

from burnish.model.change import Change, Failure
from burnish.model.history import History
from burnish.model.question import asks
from burnish.model.receipt import MOST_HUNKS, GivenFile
from burnish.model.review import Finding, Review, Severity
from burnish.model.step import Role

# From these reviews on a sign is told: before that nothing has had its chance yet.
RATCHET_SEVERITY, RATCHET_CYCLE = Severity.HIGH, 3
AGE_CYCLE = 2
_NEW_SIDE = re.compile(r"\+(\d+)(?:,(\d+))?$")


def same_in_a_row(history: History) -> int:
    """How many reviews in a row, the last one included, complained about the same; 0 before any review."""
    complaints = [_complaint(review) for review in history.reviews]
    if complaints and not complaints[-1]:
        return 1
    return sum(1 for _ in takewhile(lambda one: one == complaints[-1], reversed(complaints)))


def changed_nothing(history: History) -> bool:
    """Whether a fix has just left the tree as it was."""
    last = history.last
    return isinstance(last, Change) and last.role is Role.FIX and last.empty and not asks(last)


def reviewed_in(history: History) -> int | None:
    """The cycle that reviewed the tree there is now, where a writer has been at work since."""
    if isinstance(history.last, Review):
        return None
    trees = [review.tree for review in history.reviews]
    return len(trees) - trees[::-1].index(history.tree) if history.tree in trees else None


def stalled_in_a_row(history: History) -> int:
    """How many fixes in a row, the last one included, left a tree that had been reviewed by then."""
    reviewed: set[str] = set()
    count, tree = 0, history.task.start_tree
    for fact in history.facts:
        if isinstance(fact, Review):
            reviewed.add(fact.tree)
        if isinstance(fact, Change):
            tree = fact.tree
        if isinstance(fact, Change | Failure) and fact.role is Role.FIX:
            count = count + 1 if tree in reviewed else 0
    return count


def returned(history: History) -> tuple[Finding, ...]:
    """Findings of the last review that an earlier one had and one in between did not have any more.

    Where a contract's reviews list no findings, each is taken as one: what it says in short.
    """
    last = history.review
    if last is None or last.unclear:
        return ()
    # A review that lists nothing does not say that anything is gone.
    told = [
        _marks(_listed(review))
        for review in history.reviews
        if bool(review.findings) == bool(last.findings) and not review.unclear and _listed(review)
    ]
    gone: set[str] = set()
    for before, after in pairwise(told[:-1]):
        gone |= before - after
    return tuple(finding for finding in _listed(last) if gone.intersection(finding.fingerprints))


def only_lesser(review: Review, least: Severity) -> bool:
    """Whether a review lists findings, all of them below a severity, and nothing else stands against it."""
    plain = bool(review.findings) and not review.overruled and not review.unclear
    return plain and not any(finding.severity.at_least(least) for finding in review.findings)


def untouched(review: Review) -> tuple[Finding, ...]:
    """The findings about lines that the change did not touch, as far as what the reviewer was given tells."""
    given = {file.path: file for file in review.given}
    return tuple(finding for finding in review.findings if given and _is_old(finding, given, review.partial))


def only_untouched(review: Review) -> bool:
    """Whether nothing a review lists is about the change itself, and nothing else stands against it."""
    plain = bool(review.findings) and not review.overruled and not review.unclear
    return plain and len(untouched(review)) == len(review.findings)


def _is_old(finding: Finding, given: dict[str, GivenFile], partial: bool) -> bool:
    if not finding.file:
        return False
    if finding.file not in given:
        return True
    hunks = given[finding.file].hunks
    if finding.line is None or partial or not hunks or len(hunks) >= MOST_HUNKS:
        return False
    spans = list(_spans(hunks))
    last_line = finding.end_line or finding.line
    return len(spans) == len(hunks) and not any(
        first <= last_line and finding.line <= last for first, last in spans
    )


def _spans(hunks: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """First and last line of each hunk in the new file; its context counts as touched."""
    for hunk in hunks:
        if found := _NEW_SIDE.search(hunk):
            first, count = int(found[1]), int(found[2] or 1)
            yield first, first + max(count, 1) - 1


def _listed(review: Review) -> tuple[Finding, ...]:
    return review.findings or ((Finding(review.summary),) if review.summary else ())


def _marks(findings: tuple[Finding, ...]) -> set[str]:
    return {mark for finding in findings for mark in finding.fingerprints}


def _complaint(review: Review) -> frozenset[str]:
    """What a review complains about, whatever the order; what it says when it lists nothing."""
    listed = frozenset(finding.fingerprint for finding in review.findings)
    said = (review.summary or review.text).strip().casefold()
    return listed or frozenset({said} if said else ())
