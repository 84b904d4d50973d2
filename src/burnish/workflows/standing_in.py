"""Whoever answered in another's place: told at once, with why the others did not answer."""

from __future__ import annotations

from burnish.model.agent import Reply
from burnish.model.review import Review
from burnish.model.step import Step
from burnish.ports import Run
from burnish.sanitise import clean_line


async def tell_stood_in(run: Run, step: Step, reply: Reply) -> None:
    """One note for a step: `review: claude stood in for codex: quota (...)`."""
    if reply.passed_over:
        told = stood_in(reply.agent, reply.passed_over)
        await run.note(f"stood_in/{step.key}", f"{step.role}: {told}")


def stood_in(agent: str, passed_over: tuple[str, ...]) -> str:
    return clean_line(f"{agent} stood in for {'; '.join(passed_over)}")


def reviewed_by_code(reply: Reply) -> Review | None:
    """The review of one that speaks our types; what a program prints is JSON at most, so it never is one."""
    return reply.structured if isinstance(reply.structured, Review) else None
