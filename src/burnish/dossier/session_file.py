"""workflow-session.json: which session a dossier belongs to."""

from __future__ import annotations

from burnish.dossier.page import Page


class WorkflowSession(Page):
    session_id: str
    type: str
    description: str
    created_at: str
