"""active-fix-session.json and fix-history.json: which fix session is at work, what came of the others."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from burnish.dossier.page import Page


class ActiveFixSession(Page):
    fix_session_id: str
    review_id: str
    run: str
    started_at: str


class HistoryEntry(Page):
    fix_session_id: str
    timestamp: str
    status: Literal["completed", "partial", "failed"]
    findings_count: int
    fixed_count: int
    failed_count: int


class FixHistory(Page):
    sessions: list[HistoryEntry] = Field(default_factory=list)

    def with_entry(self, entry: HistoryEntry) -> FixHistory:
        """A session stands there once, as it ended last."""
        others = [item for item in self.sessions if item.fix_session_id != entry.fix_session_id]
        return FixHistory(sessions=[*others, entry])
