"""A run in the database: a finished step is remembered for good, so resuming is the same call again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar, cast

import sqlalchemy as sa

from burnish import codec
from burnish.errors import READER_GONE, StoreError
from burnish.model.agent import Usage
from burnish.model.change import Change
from burnish.model.decision import Stop
from burnish.model.events import Event, Noticed, RunFinished, RunInterrupted, StepStarted
from burnish.model.history import Ending
from burnish.model.landing import Landing
from burnish.model.run_view import RunState
from burnish.model.step import Role, Step
from burnish.store import facts, leases, records, spending
from burnish.store.answering import question_of
from burnish.store.database import Database
from burnish.store.recorder import Recorder, Write, Written, uncut

T = TypeVar("T")


class DurableRun:
    """ports.Run over the database, for as long as this process holds the run's lease."""

    def __init__(self, recorder: Recorder, run_id: str, token: str) -> None:
        self._recorder = recorder
        self._id = run_id
        self._token = token
        # Steps may run side by side; their events are told in the order they were recorded in.
        self._turn = asyncio.Lock()

    @property
    def id(self) -> str:
        return self._id

    @property
    def database(self) -> Database:
        return self._recorder.database

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Whatever ends this block before the run has ended leaves it to be resumed."""
        # Whoever cancels it (Ctrl-C, another loop's accident) says nothing worth telling.
        cancelled = kind is None or issubclass(kind, asyncio.CancelledError)
        why = "stopped" if cancelled else str(error) or type(error).__name__
        why = READER_GONE if isinstance(error, BrokenPipeError) else why
        try:
            await self.interrupt(why)
        except StoreError as trouble:
            if error is None:
                raise
            error.add_note(f"the interruption could not be recorded: {trouble}")

    async def do(self, step: Step, work: Callable[..., Awaitable[T]], *args: object) -> T:
        hint = facts.returns(work)
        stored = await self._recorder.look(lambda connection: records.remembered(connection, self.id, step))
        if stored is None:
            await self._record("step_started", lambda connection, at: self._begin(connection, step, at))
            result = await work(*args)
            self._recorder.on_point("work:done")
            # Recorded is what can be read back, and both a first and a resumed run go on with that.
            text = codec.encode(result)
            fact: object = codec.decode(text, hint)
            stored = await self._record(
                "step_finished", lambda connection, at: self._end(connection, step, (text, fact), at)
            )
            if stored == text:
                return cast(T, fact)
        return cast(T, codec.decode(stored, hint))

    async def intend(self, step: Step, change: Change) -> None:
        def write(connection: sa.Connection, at: str) -> Written[None]:
            records.intend(connection, self.id, step, change, at)
            return self._told(None)

        await self._record("intent", write)

    async def intended(self, step: Step) -> Change | None:
        stored = await self._recorder.look(lambda connection: records.intent(connection, self.id, step))
        return None if stored is None else cast(Change, codec.decode(stored, Change))

    async def note(self, key: str, text: str) -> None:
        def write(connection: sa.Connection, at: str) -> Written[None]:
            known = records.noted(connection, self.id, key)
            return self._told(None) if known else self._told(None, Noticed(key, text))

        await self._record("note", write)

    async def forgotten(self) -> Usage:
        """What it spent on steps that are to be done again."""
        return await self._recorder.look(lambda connection: spending.forgotten(connection, self.id))

    async def cancel_requested(self) -> bool:
        row = await self._recorder.look(lambda connection: records.run_row(connection, self.id))
        return bool(row.cancel_requested)

    async def finish(
        self,
        ending: Ending,
        landing: Landing | None,
        exit_code: int,
        *,
        final_verdict: str = "",
        receipt: str | None = None,
        seal: str = "",
    ) -> RunFinished:
        """Record the end and let go of the run. Done twice, it gives what the first one recorded."""
        stop, history = ending.stop, ending.history
        asked = [] if (question := question_of(ending)) is None else [question]
        return await self._conclude(
            lambda row: RunFinished(
                outcome=stop.outcome,
                reason=stop.reason,
                message=stop.message,
                verdict=history.review.verdict if history.review else None,
                native=history.review.native if history.review else "",
                final_verdict=final_verdict,
                cycles=len(history.reviews),
                fixes=history.fixes,
                base=history.task.base,
                commit=history.commit if history.commit != history.task.base else None,
                branch=(landing.branch or None) if landing else None,
                receipt=receipt,
                cost=row.total_cost_usd,
                tokens=row.tokens,
                exit_code=int(exit_code),
                note=landing.note if landing else "",
                cost_basis=records.cost_basis(row),
                seal=seal,
                landed_as_asked=landing.as_asked if landing else True,
            ),
            *asked,
        )

    async def end(self, stop: Stop, exit_code: int, *, final_verdict: str = "") -> RunFinished:
        """Record an end that no loop reached (a cancelled run), with what its steps came to until then."""
        landing = await self._landed()
        return await self._conclude(
            lambda row: RunFinished(
                outcome=stop.outcome,
                reason=stop.reason,
                message=stop.message,
                verdict=row.verdict,
                native=row.native,
                final_verdict=final_verdict,
                cycles=row.cycles,
                fixes=row.fixes,
                base=row.base,
                commit=landing.commit if landing else None,
                branch=(landing.branch or None) if landing else None,
                receipt=None,
                cost=row.total_cost_usd,
                tokens=row.tokens,
                exit_code=int(exit_code),
                note=landing.note if landing else "",
                cost_basis=records.cost_basis(row),
            )
        )

    async def _landed(self) -> Landing | None:
        """Where the result went, if that happened before the end: what is there must be named."""
        land = Step(Role.LAND)
        stored = await self._recorder.look(lambda connection: records.remembered(connection, self.id, land))
        return None if stored is None else cast(Landing, codec.decode(stored, Landing))

    async def interrupt(self, why: str) -> None:
        """Let go of a run that has not ended, so that it can be resumed. Says nothing when it is not ours."""

        def write(connection: sa.Connection, at: str) -> Written[None]:
            if not leases.held(connection, self.id, self._token):
                return self._told(None)
            records.change_run(connection, self.id, at, state=RunState.INTERRUPTED, message=why)
            leases.release(connection, self.id, self._token)
            return self._told(None, RunInterrupted(why))

        try:
            await self._in_turn("run_interrupted", write)
        finally:
            self.let_go()

    def let_go(self) -> None:
        """This process is done with the run, whether or not that could be written down."""
        leases.let_go(self._token)

    async def _conclude(self, make: Callable[[Any], RunFinished], *before_it: Event) -> RunFinished:
        def write(connection: sa.Connection, at: str) -> Written[RunFinished]:
            row = records.run_row(connection, self.id)
            if row.state == RunState.FINISHED:
                before = records.last_event(connection, self.id, RunFinished.kind)
                assert isinstance(before, RunFinished)
                return self._told(before)
            leases.check(connection, self.id, self._token)
            finished = make(row)
            records.end_run(connection, self.id, finished, at)
            leases.release(connection, self.id, self._token)
            return self._told(finished, *before_it, finished)

        finished = await self._in_turn("run_finished", write)
        self.let_go()
        return finished

    def _begin(self, connection: sa.Connection, step: Step, at: str) -> Written[None]:
        records.begin_step(connection, self.id, step, at)
        return self._told(None, StepStarted(step))

    def _end(
        self, connection: sa.Connection, step: Step, result: tuple[str, object], at: str
    ) -> Written[str]:
        """The first result of a step stays, should two callers have done it side by side."""
        before = records.remembered(connection, self.id, step)
        if before is not None:
            return self._told(before)
        stored, fact = result
        records.end_step(connection, self.id, step, stored, at)
        records.project(connection, self.id, step, fact, at)
        return self._told(stored, facts.told(step, fact))

    def _told(self, answer: T, *events: Event) -> Written[T]:
        told: Sequence[Event] = events
        return answer, self.id, told

    async def _record(self, point: str, write: Write[T]) -> T:
        def fenced(connection: sa.Connection, at: str) -> Written[T]:
            leases.check(connection, self.id, self._token)
            return write(connection, at)

        return await self._in_turn(point, fenced)

    async def _in_turn(self, point: str, write: Write[T]) -> T:
        async def wait_and_record() -> T:
            async with self._turn:
                return await self._recorder.record(point, write)

        return await uncut(wait_and_record())
