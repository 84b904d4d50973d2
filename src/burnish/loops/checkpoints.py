"""A checkpoint review: a look at a loop's unfinished work, which says what to correct and never passes it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from burnish.model.agent import Usage
from burnish.model.review import Finding, Review
from burnish.sanitise import clean_line

MOST_DETAIL = 2000


@dataclass(frozen=True)
class Checkpoint:
    """What a round's review of one loop came to: not a `Review`, so that nothing takes it for one.

    It saw the tree that `iteration` left, between two iterations or while `during` was under way. `trouble`
    is why there is no review, `complaint` what was wrong with the form of one; `same_as` is the round that
    has seen the same tree before, and said all there is to say about it.
    """

    round: int
    iteration: int
    tree: str
    during: int = 0
    review: Review | None = None
    trouble: str = ""
    complaint: str = ""
    denied: bool = False
    same_as: int = 0
    usage: Usage = Usage()

    @property
    def due(self) -> int:
        """The first iteration that can be told of it."""
        return (self.during or self.iteration) + 1

    @property
    def passed(self) -> bool:
        return self.review is not None and self.review.passed


def feedback(checkpoints: Iterable[Checkpoint], since: int) -> str:
    """What those say that no finished iteration was told: `since` is the last one that finished its work."""
    told = [one.review for one in checkpoints if one.due > since and one.review and not one.passed]
    return "\n\n".join(_words(review) for review in told)


def _words(review: Review) -> str:
    if not review.findings:
        return review.summary or review.text[:MOST_DETAIL]
    return "\n".join(_line(finding) for finding in review.findings)


def _line(finding: Finding) -> str:
    place = clean_line(f"{finding.file}:{finding.line}" if finding.line else finding.file)
    said = clean_line(finding.detail or finding.title)[:MOST_DETAIL]
    kind = f" [{clean_line(finding.category)}]" if finding.category else ""
    wanted = f" Suggested: {clean_line(finding.suggestion)[:MOST_DETAIL]}" if finding.suggestion else ""
    return f"- {f'{place}: ' if place else ''}{said}{kind}{wanted}"
