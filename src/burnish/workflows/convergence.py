"""Tells when a run seems to go nowhere; when it ends is a policy's business, never decided here.

Every note has a stable code in front of its cycle (`returning/3`), said once per run.
"""

from __future__ import annotations

from collections.abc import Iterator

from burnish.model.history import History
from burnish.model.review import Finding, Review
from burnish.policies._signals import (
    AGE_CYCLE,
    RATCHET_CYCLE,
    RATCHET_SEVERITY,
    changed_nothing,
    only_lesser,
    returned,
    reviewed_in,
    same_in_a_row,
    untouched,
)
from burnish.ports import Run

TITLE_CAP = 60


async def tell_signs(run: Run, history: History) -> None:
    """Note what the newest fact shows, under every profile and whatever the policy makes of it."""
    cycle = len(history.reviews)
    for code, sentence in signs(history):
        await run.note(f"{code}/{cycle}", sentence)


def signs(history: History) -> Iterator[tuple[str, str]]:
    """Code and sentence of each sign that the newest fact brings."""
    if isinstance(history.last, Review):
        yield from _of_review(history, history.last)
    else:
        yield from _of_fix(history)


def _of_fix(history: History) -> Iterator[tuple[str, str]]:
    cycle, seen = len(history.reviews), reviewed_in(history)
    if changed_nothing(history):
        # Before the first review, it is a fix of a review made elsewhere.
        yield "no_change", f"the fix{f' of cycle {cycle}' if cycle else ''} changed nothing"
    elif seen is not None and seen < cycle:
        yield "oscillation", f"the fix of cycle {cycle} brought back the tree that cycle {seen} reviewed"


def _of_review(history: History, review: Review) -> Iterator[tuple[str, str]]:
    cycle, same, back = len(history.reviews), same_in_a_row(history), returned(history)
    if review.passed or cycle < 2:
        return
    if same > 1:
        times = "once" if same == 2 else f"{same - 1} times"
        yield "same_findings", f"the same findings came back, {times} in a row now"
    if back:
        yield "returning", f"{_count(back)} had gone and came back: {_named(back)}"
    if cycle >= RATCHET_CYCLE and only_lesser(review, RATCHET_SEVERITY):
        yield (
            "lesser_findings",
            f"nothing that cycle {cycle} found is of severity {RATCHET_SEVERITY} or above",
        )
    old = untouched(review)
    if cycle >= AGE_CYCLE and old:
        yield "untouched_code", f"{_count(old)} about lines that the change did not touch: {_named(old)}"


def _count(findings: tuple[Finding, ...]) -> str:
    return f"{len(findings)} finding{'s' if len(findings) != 1 else ''}"


def _named(findings: tuple[Finding, ...]) -> str:
    """The worst of them, short."""
    worst = min(findings, key=lambda finding: finding.severity.rank)
    title = " ".join(worst.title.split())
    title = title if len(title) <= TITLE_CAP else title[: TITLE_CAP - 1].rstrip() + "…"
    more = f" and {len(findings) - 1} more" if len(findings) > 1 else ""
    return f"{title}{f' ({worst.file})' if worst.file else ''}{more}"
