"""What the files of a slot's agents are called."""

from __future__ import annotations

from burnish.model.step import Role

EVENTS, LAST_MESSAGE = ".jsonl", ".last-message.txt"


def stamp(at: str) -> str:
    """An ISO time as it stands in names: `20261115T180700Z`."""
    return f"{at[:19].replace('-', '').replace(':', '')}Z"


def log_stem(iteration: int, stamped: str, slot: int, role: Role, count: int, attempt: int = 1) -> str:
    """`iter-001-20261115T180700Z-agent-02-review-1`; `count` is the review's or the fix's own number.

    A second attempt at the same task, on top of what others brought, has a letter behind its slot.
    """
    again = chr(ord("a") + attempt - 1) if attempt > 1 else ""
    which = f"-{role}-{count}" if role in (Role.REVIEW, Role.FIX) else ""
    return f"iter-{iteration:03d}-{stamped}-agent-{slot:02d}{again}{which}"
