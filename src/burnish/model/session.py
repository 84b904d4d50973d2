"""A session: a name for work in progress, so that one review can look at all of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class SessionState(StrEnum):
    ACTIVE = "active"
    COMPLETE = "complete"


@dataclass(frozen=True)
class Session:
    """`base` is the commit the work began at."""

    id: str
    base: str
    description: str
    state: SessionState
    created_at: str
    completed_at: str = ""
