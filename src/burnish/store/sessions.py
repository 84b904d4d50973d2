"""Sessions: a name for work in progress, and the commit it began at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from burnish.errors import UsageError
from burnish.model.session import Session, SessionState
from burnish.ports import Clock
from burnish.store.clock import SystemClock
from burnish.store.database import Database
from burnish.store.review_schema import sessions


@dataclass(frozen=True)
class Sessions:
    database: Database
    clock: Clock = SystemClock()  # noqa: RUF009

    def start(self, name: str, base: str, description: str = "") -> Session:
        at = self.clock.now()
        with self.database.write() as connection:
            if self._row(connection, name) is not None:
                raise UsageError(
                    f"there is already a session {name}.", hint="choose another name, or complete that one"
                )
            connection.execute(
                sessions.insert().values(id=name, base=base, description=description, created_at=at)
            )
        return Session(name, base, description, SessionState.ACTIVE, at)

    def complete(self, name: str) -> Session:
        self.find(name)
        with self.database.write() as connection:
            connection.execute(
                sessions.update()
                .where(sessions.c.id == name)
                .values(state=SessionState.COMPLETE, completed_at=self.clock.now())
            )
        return self.find(name)

    def find(self, name: str) -> Session:
        with self.database.read() as connection:
            row = self._row(connection, name)
        if row is None:
            known = ", ".join(session.id for session in self.all()) or "none yet"
            raise UsageError(
                f"session not found: {name} (known: {known}).",
                hint="`burnish session start NAME` begins one; a path must exist to be reviewed",
            )
        return _session(row)

    def all(self) -> tuple[Session, ...]:
        with self.database.read() as connection:
            rows = connection.execute(sa.select(sessions).order_by(sessions.c.created_at)).all()
        return tuple(_session(row) for row in rows)

    def active(self) -> tuple[Session, ...]:
        return tuple(session for session in self.all() if session.state is SessionState.ACTIVE)

    def _row(self, connection: sa.Connection, name: str) -> Any:
        return connection.execute(sa.select(sessions).where(sessions.c.id == name)).first()


def _session(row: Any) -> Session:
    return Session(
        row.id, row.base, row.description, SessionState(row.state), row.created_at, row.completed_at or ""
    )
