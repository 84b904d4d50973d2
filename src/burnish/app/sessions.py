"""Sessions as the command line knows them: names that begin with WFS-."""

from __future__ import annotations

import re
from contextlib import closing

from burnish.app.place import find_place
from burnish.app.target import SESSION, Kind, Target
from burnish.errors import UsageError
from burnish.model.session import Session, SessionState
from burnish.store.database import Database, open_database
from burnish.store.sessions import Sessions


def full_name(name: str) -> str:
    """`payment` and `WFS-payment` are the same session."""
    found = name if name.startswith("WFS-") else f"WFS-{name}"
    if not SESSION.fullmatch(found):
        clean = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-") or "my-work"
        raise UsageError(
            f"expected a name of letters, digits, dots, - and _, found {name!r}.",
            hint=f"for example: {clean}",
        )
    return found


async def start_session(name: str, description: str) -> Session:
    place = await find_place()
    base = await place.repository.resolve("HEAD")
    with closing(open_database(place.database)) as database:
        return Sessions(database).start(full_name(name), base, description)


async def list_sessions() -> tuple[Session, ...]:
    place = await find_place()
    with closing(open_database(place.database)) as database:
        return Sessions(database).all()


async def complete_session(name: str) -> Session:
    place = await find_place()
    with closing(open_database(place.database)) as database:
        return Sessions(database).complete(full_name(name))


async def is_active(name: str) -> bool:
    """Whether somebody named this session and has not completed it."""
    return any(
        session.id == name and session.state is SessionState.ACTIVE for session in await list_sessions()
    )


def session_of(target: Target, database: Database) -> Session | None:
    """The session a target names; with nothing named, the only active one (C-22); several are an error."""
    known = Sessions(database)
    if target.kind is Kind.SESSION:
        return known.find(full_name(target.words[0]))
    if target.kind is not Kind.WORK or target.base:
        return None
    active = known.active()
    if len(active) > 1:
        names = ", ".join(session.id for session in active)
        raise UsageError(
            f"Multiple active sessions found ({names}). Please specify session ID.",
            hint=f"burnish review {active[0].id}, or --base REF to review without a session",
        )
    return active[0] if active else None
