"""A question at the end of a run, and a person's answer: recorded in the transaction that opens it again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa

from burnish.errors import UsageError
from burnish.model.change import Change
from burnish.model.events import Event, QuestionAnswered, QuestionAsked, Recorded
from burnish.model.history import Ending
from burnish.model.question import WAITING, Answer
from burnish.model.run_view import RunState
from burnish.model.step import Role
from burnish.sanitise import clean_line
from burnish.store import records, reopening

SHOWN_CHARS = 60


def question_of(ending: Ending) -> QuestionAsked | None:
    """What a run that ends so asks a person; None where it does not."""
    stop, history = ending.stop, ending.history
    if stop.reason not in WAITING:
        return None
    role = history.last.role if isinstance(history.last, Change) else Role.REVIEW
    return QuestionAsked(history.questions, role, stop.message)


def answer(connection: sa.Connection, row: Any, at: str, text: str, by: str) -> tuple[Event, ...]:
    """The events of an answer to what the run asked last; raises UsageError where it asks nothing."""
    asked = records.last_event(connection, row.id, QuestionAsked.kind)
    if row.state != RunState.FINISHED:
        raise _unasked(connection, row)
    if row.reason not in WAITING:
        raise UsageError(
            f"run {row.id} does not wait for an answer: it ended {row.outcome} ({row.reason}).",
            hint=f"burnish show {row.id} tells what came of it",
        )
    # Of a run that ended before questions were events it is the first: nobody could answer one.
    number, question = (asked.number, asked.text) if isinstance(asked, QuestionAsked) else (1, row.message)
    return QuestionAnswered(number, question, text, by), reopening.reopen(connection, row, at, by, None)


def _unasked(connection: sa.Connection, row: Any) -> UsageError:
    said = records.last_event(connection, row.id, QuestionAnswered.kind)
    if not isinstance(said, QuestionAnswered):
        return UsageError(f"run {row.id} has not ended and asks nothing.", hint=f"burnish resume {row.id}")
    shown = clean_line(said.text)
    shown = shown if len(shown) <= SHOWN_CHARS else f"{shown[: SHOWN_CHARS - 1]}…"
    return UsageError(
        f"the question of run {row.id} was answered already, by {clean_line(said.by)}: {shown!r}.",
        hint=f"burnish resume {row.id} goes on with it",
    )


def answers_of(events: Iterable[Recorded]) -> tuple[Answer, ...]:
    """What people answered so far, in the order of the questions."""
    return tuple(
        Answer(entry.event.number, entry.event.question, entry.event.text, entry.event.by, entry.at)
        for entry in events
        if isinstance(entry.event, QuestionAnswered)
    )
