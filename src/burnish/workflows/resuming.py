"""Which session a fixer goes on with, where that is wanted: that of the writing step before it."""

from __future__ import annotations

from dataclasses import dataclass

from burnish.model.agent import Reply
from burnish.model.agent_session import SessionUse
from burnish.model.history import History
from burnish.model.step import Step
from burnish.ports import Desks, Run
from burnish.sanitise import clean_line

NONE_KEPT = "the step before kept no session"
ASKED_AGAIN = "it is asked again"


@dataclass(frozen=True)
class Wish:
    """The session is kept for the next step. `after` is the key of the step whose session it goes on with;
    where there should be one and is none, `why_not` says why."""

    after: str = ""
    why_not: str = ""


def wish_of(history: History, step: Step) -> Wish:
    """A fixer that failed is asked again in a fresh session: it may be the old one that it failed of."""
    before = [change for change in history.changes if change.agent]
    if not before:
        return Wish()
    if step.ask > 1:
        return Wish(why_not=ASKED_AGAIN)
    return Wish(after=before[-1].session) if before[-1].session else Wish(why_not=NONE_KEPT)


def used_of(wish: Wish | None, desks: Desks, step: Step) -> SessionUse | None:
    if wish is None:
        return None
    return SessionUse(desks.session(step.key), desks.session(wish.after) if wish.after else None)


async def tell_fresh(run: Run, step: Step, wish: Wish | None, reply: Reply) -> None:
    """One note for a step that should have gone on with a session and did not."""
    if wish is None or reply.resumed or not (wish.after or wish.why_not):
        return
    why = wish.why_not or reply.fresh_why or "the agent asked did not take it up"
    await run.note(f"fresh/{step.key}", f"{step.role} {step.cycle} began a fresh session: {clean_line(why)}")
