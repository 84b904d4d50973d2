"""What an agent wanted to do and was not allowed to: told, because it may say that it did it all the same."""

from __future__ import annotations

from burnish.model.agent import Reply
from burnish.model.step import Step
from burnish.ports import Run
from burnish.sanitise import clean_line

MOST = 3


async def tell_denied(run: Run, step: Step, reply: Reply) -> None:
    """One note for a step, with the first few of them; and whatever else is to be known of the answer."""
    for number, remark in enumerate(reply.remarks):
        await run.note(f"remark/{step.key}/{number}", clean_line(remark))
    if not reply.denied:
        return
    named = ", ".join(clean_line(what) for what in reply.denied[:MOST])
    more = f", and {len(reply.denied) - MOST} more" if len(reply.denied) > MOST else ""
    await run.note(f"denied/{step.key}", f"{step.role} was not allowed: {named}{more}")
