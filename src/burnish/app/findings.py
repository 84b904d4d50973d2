"""What the ledger of this repository holds, and what people decide about it."""

from __future__ import annotations

import getpass
from contextlib import closing
from dataclasses import dataclass

from burnish.app.place import Place, find_place
from burnish.errors import UsageError
from burnish.model.ledger import LedgerEntry, LedgerState
from burnish.store.database import open_database
from burnish.store.ledger import DatabaseLedger


@dataclass(frozen=True)
class Wanted:
    """Which entries to list; nothing set means every open one."""

    states: tuple[LedgerState, ...] = (LedgerState.OPEN, LedgerState.REGRESSED)
    file: str = ""


async def list_findings(wanted: Wanted) -> tuple[LedgerEntry, ...]:
    entries = await _entries(await find_place())
    return tuple(
        entry
        for entry in entries.values()
        if entry.state in wanted.states and entry.finding.file.startswith(wanted.file)
    )


async def find_finding(name: str) -> LedgerEntry:
    return _match(name, await _entries(await find_place()))


async def decide(name: str, state: LedgerState, why: str, *, through: str = "") -> LedgerEntry:
    """A decision, with who and why; the finding stays visible everywhere. `through`: who spoke for them."""
    if state.dismissed and not why.strip():
        raise UsageError("expected a reason, found an empty one.", hint='--why "what makes it acceptable"')
    place = await find_place()
    with closing(open_database(place.database)) as database:
        ledger = DatabaseLedger(database)
        entry = _match(name, dict(await ledger.entries()))
        if state is LedgerState.OPEN and not entry.state.dismissed:
            raise UsageError(
                f"F{entry.number} is {entry.state}, not dismissed: there is nothing to reopen.",
                hint=f"`burnish findings show F{entry.number}` tells its story",
            )
        who = await _who(place)
        by = f"{through} for {who}" if through else who
        return await ledger.decide(entry.fingerprint, state, by, why.strip())


async def _entries(place: Place) -> dict[str, LedgerEntry]:
    with closing(open_database(place.database)) as database:
        return dict(await DatabaseLedger(database).entries())


async def _who(place: Place) -> str:
    identity = await place.repository.identity()
    return f"{identity.name} <{identity.email}>" if identity.email else getpass.getuser()


def _match(name: str, entries: dict[str, LedgerEntry]) -> LedgerEntry:
    """By number (F12 or 12), by the id a review showed, or by the beginning of a fingerprint."""
    plain = name.removeprefix("F").removeprefix("f")
    tail = name.rpartition("-")[2]
    found = [entry for entry in entries.values() if plain.isdigit() and entry.number == int(plain)]
    found = found or [entry for entry in entries.values() if entry.finding.id == name]
    found = found or [
        entry for entry in entries.values() if len(tail) >= 6 and entry.fingerprint.startswith(tail)
    ]
    if len(found) == 1:
        return found[0]
    what = "no finding has it" if not found else f"{len(found)} findings begin so"
    raise UsageError(
        f"expected the number or id of a finding, found {name!r}: {what}.",
        hint="see `burnish findings list --all`",
    )
