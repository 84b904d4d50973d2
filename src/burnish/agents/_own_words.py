"""What of a CLI's stream is a reviewer's answer: one result, after everything that it ran, and no other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from burnish.model.agent import Request
from burnish.model.agent_events import Ended
from burnish.model.step import Role
from burnish.process.child import Captured

# Ends the text of an answer that is in doubt, so that no verdict is its last word.
DOUBT = "[Burnish: this answer is in doubt and cannot pass: {why}]"


@dataclass(frozen=True)
class Words:
    """`doubt` says why it can deny but not pass."""

    text: str
    structured: Any = None
    doubt: str = ""


def words(answers: Sequence[Ended], request: Request) -> Words:
    """The last answer. A reviewer's is in doubt where another one differs, or where one came out of turn."""
    last = answers[-1]
    if request.role is not Role.REVIEW:
        return Words(last.text, last.structured)
    different = list(_different(answers))
    why = next((answer.doubt for answer in answers if answer.doubt), "")
    if len(different) > 1:
        why = f"{len(different)} results came, and they differ"
    if not why:
        return Words(last.text, last.structured)
    texts = [answer.text for answer in different]
    structured = [answer.structured for answer in different if answer.structured is not None]
    return Words("\n\n".join((*texts, DOUBT.format(why=why))), structured or None, why)


def _different(answers: Sequence[Ended]) -> Iterator[Ended]:
    seen: list[tuple[str, Any]] = []
    for answer in answers:
        if (answer.text, answer.structured) not in seen:
            seen.append((answer.text, answer.structured))
            yield answer


def witnessed(report: Captured | None, wrote: str | None) -> bool:
    """Whether the file holds exactly what the CLI itself tells that it wrote."""
    return report is not None and wrote is not None and not report.left_out and report.head == wrote.encode()
