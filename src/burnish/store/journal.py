"""Where runs are begun and taken up again: whoever does either holds the run's lease from then on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from burnish.errors import StoreError, UsageError
from burnish.model.events import RunResumed, RunStarted
from burnish.model.question import WAITING
from burnish.model.run_view import RunState
from burnish.ports import Clock, Listener
from burnish.store import answering, leases, queries, records, reopening
from burnish.store.clock import SystemClock
from burnish.store.database import Database
from burnish.store.durable import DurableRun
from burnish.store.ids import new_run_id
from burnish.store.leases import Holder
from burnish.store.recorder import Recorder, Write, Written, no_point
from burnish.store.schema import runs


@dataclass(frozen=True)
class NewRun:
    """A run to begin. `spec` is the whole request as JSON: all that resuming needs."""

    started: RunStarted
    repository: str
    prompt: str
    spec: str
    id: str = ""
    parent: str | None = None


@dataclass(frozen=True)
class Journal:
    """The runs of one database, as this process (`holder`) works on them."""

    database: Database
    clock: Clock = field(default_factory=SystemClock)
    holder: Holder = field(default_factory=leases.this_process)
    listeners: tuple[Listener, ...] = ()
    on_point: Callable[[str], None] = no_point

    async def start(self, new: NewRun) -> DurableRun:
        """Begin a run and hold it."""
        return await self._hold("run_started", lambda connection, at: self._begin(connection, new, at))

    async def resume(self, run_id: str, *, take_over: bool = False) -> DurableRun:
        """Take up a run that did not end. Raises RunBusy while another process works on it.

        `take_over` is for a person who knows that the holder is gone although it cannot be seen from here.
        """
        return await self._hold(
            "run_resumed", lambda connection, at: self._reopen(connection, run_id, at, take_over)
        )

    async def reopen(self, run_id: str, by: str, spec: str | None = None) -> None:
        """Make an ended run one that can be resumed, at the step that failed."""

        def write(connection: sa.Connection, at: str) -> Written[None]:
            row = records.run_row(connection, run_id)
            if row is None:
                raise queries.unknown(connection, run_id)
            return None, run_id, (reopening.reopen(connection, row, at, by, spec),)

        await self._recorder.record("run_reopened", write)

    async def answer(self, run_id: str, text: str, by: str) -> None:
        """Record a person's answer to what an ended run asks, and make it one that can be resumed."""

        def write(connection: sa.Connection, at: str) -> Written[None]:
            row = records.run_row(connection, run_id)
            if row is None:
                raise queries.unknown(connection, run_id)
            return None, run_id, answering.answer(connection, row, at, text, by)

        await self._recorder.record("question_answered", write)

    async def request_cancel(self, run_id: str) -> Holder | None:
        """Ask for a run's end; gives the process that holds it, if that can be signalled from here."""
        return await self._recorder.record(
            "cancel_requested", lambda connection, at: self._ask_to_cancel(connection, run_id, at)
        )

    @property
    def _recorder(self) -> Recorder:
        return Recorder(self.database, self.clock, self.listeners, self.on_point)

    async def _hold(self, point: str, write: Write[str]) -> DurableRun:
        """A caller that never gets the run (cancelled, a broken listener) does not keep it either."""
        taken: list[DurableRun] = []
        recorder = self._recorder

        def acquire(connection: sa.Connection, at: str) -> Written[None]:
            token, run_id, events = write(connection, at)
            taken.append(DurableRun(recorder, run_id, token))
            return None, run_id, events

        try:
            await recorder.record(point, acquire)
        except BaseException:
            for run in taken:
                run.let_go()
            raise
        return taken[0]

    def _begin(self, connection: sa.Connection, new: NewRun, at: str) -> Written[str]:
        def taken(name: str) -> bool:
            return connection.execute(sa.select(runs.c.id).where(runs.c.id == name)).first() is not None

        run_id = new.id or new_run_id(taken)
        if new.id and taken(new.id):
            raise StoreError(f"there is already a run {new.id!r}", hint=f"use `burnish resume {new.id}`")
        said = new.started
        connection.execute(
            runs.insert().values(
                id=run_id,
                state=RunState.RUNNING,
                created_at=at,
                updated_at=at,
                repository=new.repository,
                prompt=new.prompt,
                spec=new.spec,
                parent_id=new.parent,
                task=said.task,
                title=said.title,
                profile=said.profile,
                contract=said.contract,
                base=said.base,
                start=said.start,
            )
        )
        token = leases.acquire(connection, run_id, self.holder, at)
        return token, run_id, (said,)

    def _reopen(self, connection: sa.Connection, run_id: str, at: str, take_over: bool) -> Written[str]:
        hint = f"`burnish show {run_id}` tells what came of it"
        self._unended(connection, run_id, hint, asks=f"burnish answer {run_id} 'YOUR ANSWER'")
        token = leases.acquire(connection, run_id, self.holder, at, take_over=take_over)
        # Whoever resumes wants it to go on, whatever was asked for before.
        records.change_run(connection, run_id, at, state=RunState.RUNNING, cancel_requested=0, message="")
        return token, run_id, (RunResumed(records.finished_steps(connection, run_id)),)

    def _ask_to_cancel(self, connection: sa.Connection, run_id: str, at: str) -> Written[Holder | None]:
        self._unended(connection, run_id, "there is nothing left to cancel")
        records.change_run(connection, run_id, at, cancel_requested=1)
        lease = leases.find(connection, run_id)
        if lease is None or not leases.within_reach(lease.holder, self.holder):
            return None, run_id, ()
        return lease.holder, run_id, ()

    def _unended(self, connection: sa.Connection, run_id: str, hint: str, asks: str = "") -> Any:
        """The run's row; `asks` is the hint where an answer is what it ended for."""
        row = records.run_row(connection, run_id)
        if row is None:
            raise queries.unknown(connection, run_id)
        if row.state == RunState.FINISHED:
            hint = asks if asks and row.reason in WAITING else hint
            raise UsageError(f"run {run_id} has already ended: {row.outcome} ({row.reason})", hint=hint)
        return row
