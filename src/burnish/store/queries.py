"""What the database says about runs, for people and programs: projections, never a second truth."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from burnish.errors import UsageError
from burnish.model.events import Recorded
from burnish.model.question import Waiting
from burnish.model.run_view import RunState, RunView
from burnish.store import facts, leases
from burnish.store.database import Database
from burnish.store.leases import Holder
from burnish.store.schema import StepState, events, runs, steps
from burnish.store.schema import leases as held
from burnish.store.waiting import LOOPS_WANTED, WANTED, waiting_of

_RECENT = 5


@dataclass(frozen=True)
class StepView:
    key: str
    role: str
    phase: str
    cycle: int
    part: str
    ask: int
    state: StepState
    attempts: int
    result: str | None
    started_at: str
    finished_at: str | None


def list_runs(database: Database, seen_from: Holder, limit: int | None = None) -> tuple[RunView, ...]:
    """Newest first."""
    wanted = _with_leases().order_by(runs.c.created_at.desc(), runs.c.id).limit(limit)
    with database.read() as connection:
        return tuple(_view(row, seen_from) for row in connection.execute(wanted))


def run_ids(database: Database) -> frozenset[str]:
    """Only the ids: a new run must not cost more the more there were before it."""
    with database.read() as connection:
        return frozenset(connection.execute(sa.select(runs.c.id)).scalars())


def child_runs(database: Database, parent: str) -> tuple[str, ...]:
    """The runs of a session, the oldest first."""
    wanted = sa.select(runs.c.id).where(runs.c.parent_id == parent).order_by(runs.c.created_at, runs.c.id)
    with database.read() as connection:
        return tuple(connection.execute(wanted).scalars())


def parent_of(database: Database, run_id: str) -> str:
    """The run of the session that a run belongs to; empty where it belongs to none."""
    wanted = sa.select(runs.c.parent_id).where(runs.c.id == run_id)
    with database.read() as connection:
        return connection.execute(wanted).scalar_one_or_none() or ""


def waiting_runs(database: Database) -> tuple[Waiting, ...]:
    """Runs, and loops of builds, that wait for a person's answer, the newest first."""
    with database.read() as connection:
        return waiting_of(*(connection.execute(sa.text(wanted)) for wanted in (WANTED, LOOPS_WANTED)))


def find_run(database: Database, wanted: str, seen_from: Holder) -> RunView:
    """A run by its id or the beginning of one, with or without `r-`; anything else is the user's mistake."""
    with database.read() as connection:
        run_id = _resolve(connection, wanted)
        row = connection.execute(_with_leases().where(runs.c.id == run_id)).one()
        return _view(row, seen_from)


def run_events(database: Database, run_id: str, after_seq: int = 0) -> tuple[Recorded, ...]:
    wanted = (
        sa.select(events.c.seq, events.c.at, events.c.kind, events.c.v, events.c.body)
        .where(events.c.run_id == run_id, events.c.seq > after_seq)
        .order_by(events.c.seq)
    )
    with database.read() as connection:
        return tuple(
            Recorded(run_id, seq, at, facts.event(kind, v, body))
            for seq, at, kind, v, body in connection.execute(wanted)
        )


def run_steps(database: Database, run_id: str) -> tuple[StepView, ...]:
    """In the order they were begun for the first time."""
    columns = [getattr(steps.c, name) for name in StepView.__dataclass_fields__]
    wanted = sa.select(*columns).where(steps.c.run_id == run_id).order_by(steps.c.started_at, steps.c.key)
    with database.read() as connection:
        found = [dict(row._mapping) for row in connection.execute(wanted)]
        return tuple(StepView(**{**row, "state": StepState(row["state"])}) for row in found)


def unknown(connection: sa.Connection, wanted: str) -> UsageError:
    """The mistake of naming a run that is not there, with what may have been meant."""
    newest = sa.select(runs.c.id).order_by(runs.c.created_at.desc())
    known = [str(name) for name in connection.execute(newest).scalars()]
    if not known:
        return UsageError(
            f"there is no run {wanted!r}; there are no runs yet", hint="begin one: `burnish run`"
        )
    close = difflib.get_close_matches(wanted, known, n=1)
    recent = ", ".join(known[:_RECENT])
    return UsageError(
        f"there is no run {wanted!r}; the most recent are {recent}",
        hint=f"did you mean {close[0]!r}?" if close else "`burnish runs` lists all of them",
    )


def _resolve(connection: sa.Connection, wanted: str) -> str:
    begins = wanted if wanted.startswith("r-") else f"r-{wanted}"
    # Compared in code: LIKE would read % and _ in what a person typed.
    known = [str(name) for name in connection.execute(sa.select(runs.c.id).order_by(runs.c.id)).scalars()]
    for exact in (wanted, begins):
        if exact in known:
            return exact
    found = [name for name in known if name.startswith(begins)] if wanted not in ("", "r-") else []
    if len(found) > 1:
        raise UsageError(
            f"{wanted!r} is the beginning of {len(found)} runs: {', '.join(found[:_RECENT])}",
            hint="type one letter more",
        )
    if not found:
        raise unknown(connection, wanted)
    return found[0]


def _with_leases() -> sa.Select[Any]:
    holders = [column.label(f"lease_{column.name}") for column in held.c]
    return sa.select(runs, *holders).join_from(runs, held, runs.c.id == held.c.run_id, isouter=True)


def _view(row: sa.Row[Any], seen_from: Holder) -> RunView:
    found = dict(row._mapping)
    lease = leases.read(found, "lease_") if found["lease_token"] else None
    live = lease is not None and leases.alive(lease.holder, seen_from)
    state = RunState(found["state"])
    if state is RunState.RUNNING and not live:
        state = RunState.INTERRUPTED
    holder = lease.holder if lease is not None and live else None
    renamed = {
        "state": state,
        "pid": holder.pid if holder else None,
        "host": holder.host if holder else "",
        "cost": found["total_cost_usd"],
        "estimated": bool(found["cost_estimated"]),
        "unpriced": bool(found["cost_unpriced"]),
        "commit": found["commit_sha"],
        "cancel_requested": bool(found["cancel_requested"]),
    }
    same = {
        name: found[name] for name in RunView.__dataclass_fields__ if name in found and name not in renamed
    }
    return RunView(**same, **renamed)


def wants_cancel(database: Database, run_ids: Sequence[str]) -> frozenset[str]:
    """Which of these runs somebody asked to end."""
    wanted = sa.select(runs.c.id).where(runs.c.id.in_(run_ids), runs.c.cancel_requested == 1)
    with database.read() as connection:
        return frozenset(connection.execute(wanted).scalars())
