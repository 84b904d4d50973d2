"""Tools of whoever works on a task: to say that it is complete or cannot be done, or to ask a person."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from burnish.loops.signals import MOST_CHARS
from burnish.model.agent import Reply, Request
from burnish.model.change import Change
from burnish.model.signal import ExitSignal, ExitWord
from burnish.model.step import Step
from burnish.ports import Desk
from burnish.team_ports import OpenTools, Scope, ToolDesk

COMPLETE, FAIL, ASK, NOTE = "complete_task", "fail_task", "ask_person", "add_context"
TASK_TOOLS = (COMPLETE, FAIL, ASK, NOTE)
# What was called counts more than what is said; a question most of all, since it waits for a person.
_WORDS = (
    (ASK, ExitWord.TASK_QUESTION, "question"),
    (FAIL, ExitWord.TASK_STUCK, "reason"),
    (COMPLETE, ExitWord.TASK_COMPLETE, ""),
)


@dataclass(frozen=True)
class TaskTools:
    """`opened` is None where there are no tools: then the last line of its words says how far it is."""

    opened: OpenTools | None = None

    def offered(self, request: Request) -> Request:
        return replace(request, open_tools=self.opened) if self.opened else request

    def told(self, change: Change) -> Change:
        """With what it called as its signal, where it called something."""
        for tool, word, name in _WORDS:
            if calls := self._said(tool, name):
                return replace(change, signal=ExitSignal(word, "\n".join(calls)[:MOST_CHARS].strip()))
        return change

    def noted(self, reply: Reply) -> Reply:
        """Its words with the notes that it left for whoever goes on."""
        notes = [f"Note: {note}" for note in self._said(NOTE, "content")]
        return replace(reply, text="\n\n".join((*notes, reply.text))) if notes else reply

    def _said(self, tool: str, name: str) -> list[str]:
        calls = self.opened.calls(tool) if self.opened else ()
        return [str(call.arguments.get(name) or "") for call in calls]


@asynccontextmanager
async def task_tools(
    tools: ToolDesk | None, step: Step, desk: Desk, scope: Scope | None
) -> AsyncIterator[TaskTools]:
    if tools is None or scope is None:
        yield TaskTools()
        return
    async with tools.open(step, desk, scope) as opened:
        yield TaskTools(opened)
