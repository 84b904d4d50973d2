"""What earlier reviews of a run said, short enough for a prompt: the last whole, those before in a line."""

from __future__ import annotations

from burnish.model.history import History
from burnish.model.review import Finding, Review
from burnish.sanitise import clean_line

MOST_REVIEWS = 10
MOST_TITLES = 8
TITLE_CHARS = 100
SUMMARY_CHARS = 200


def earlier_reviews(history: History) -> list[str]:
    """One line for each review but the last: its cycle, its verdict, its summary and what it found."""
    told = [_line(cycle, review) for cycle, review in enumerate(history.reviews[:-1], 1)]
    skipped = len(told) - MOST_REVIEWS
    return [f"cycles 1 to {skipped}: not told here", *told[skipped:]] if skipped > 0 else told


def _line(cycle: int, review: Review) -> str:
    verdict = review.native or review.verdict.value
    told = [f"cycle {cycle}: {_short(verdict, TITLE_CHARS)}"]
    if review.overruled:
        told.append(f"overruled: {_short(review.overruled, SUMMARY_CHARS)}")
    elif review.unclear:
        told.append(f"unclear: {_short(review.unclear, SUMMARY_CHARS)}")
    if review.summary:
        told.append(_short(review.summary, SUMMARY_CHARS))
    if review.findings:
        told.append(f"found: {_titles(review.findings)}")
    return " | ".join(told)


def _titles(findings: tuple[Finding, ...]) -> str:
    """The worst first; how many more there were is said."""
    worst = sorted(findings, key=lambda finding: finding.severity.rank)
    told = [_title(finding) for finding in worst[:MOST_TITLES]]
    more = len(findings) - len(told)
    return "; ".join([*told, f"and {more} more"] if more else told)


def _title(finding: Finding) -> str:
    line = f":{finding.line}" if finding.line else ""
    place = f" ({_short(finding.file, TITLE_CHARS)}{line})" if finding.file else ""
    return f"{_short(finding.title, TITLE_CHARS)}{place} [{finding.severity}]"


def _short(text: str, limit: int) -> str:
    line = clean_line(text)
    return line if len(line) <= limit else f"{line[: limit - 1].rstrip()}…"
