"""The finding ledger in the database: one row per fingerprint, one row per decision about it."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from burnish import codec
from burnish.errors import UsageError
from burnish.model.ledger import LedgerChange, LedgerEntry, LedgerState, Sighting
from burnish.model.review import Finding
from burnish.ports import Clock
from burnish.store.clock import SystemClock
from burnish.store.database import Database
from burnish.store.review_schema import finding_changes, findings

BURNISH = "burnish"
ALIVE = (LedgerState.OPEN, LedgerState.REGRESSED)


@dataclass(frozen=True)
class DatabaseLedger:
    """ports.Ledger over the database of one repository."""

    database: Database
    clock: Clock = field(default_factory=SystemClock)

    async def entries(self) -> Mapping[str, LedgerEntry]:
        return await asyncio.to_thread(self._entries)

    async def see(self, sighting: Sighting) -> None:
        await asyncio.to_thread(self._see, sighting)

    async def decide(self, fingerprint: str, state: LedgerState, by: str, why: str) -> LedgerEntry:
        await asyncio.to_thread(self._decide, fingerprint, LedgerChange(self.clock.now(), by, state, why))
        return (await self.entries())[fingerprint]

    def _entries(self) -> dict[str, LedgerEntry]:
        with self.database.read() as connection:
            rows = connection.execute(sa.select(findings).order_by(findings.c.number)).all()
            changes = connection.execute(
                sa.select(finding_changes).order_by(finding_changes.c.fingerprint, finding_changes.c.seq)
            ).all()
        history: dict[str, list[LedgerChange]] = defaultdict(list)
        for row in changes:
            change = LedgerChange(row.at, row.made_by, LedgerState(row.state), row.why, row.run_id)
            history[row.fingerprint].append(change)
        return {row.fingerprint: _entry(row, history[row.fingerprint]) for row in rows}

    def _see(self, sighting: Sighting) -> None:
        at = self.clock.now()
        with self.database.write() as connection:
            known = {row.fingerprint: row for row in connection.execute(sa.select(findings)).all()}
            number = max((row.number for row in known.values()), default=0)
            for finding in {item.fingerprint: item for item in sighting.findings}.values():
                row = next((known[mark] for mark in finding.fingerprints if mark in known), None)
                if row is None:
                    number += 1
                    _insert(connection, finding, number, at, sighting.run)
                else:
                    _seen_again(connection, row, finding, at, sighting.run)
            self._gone(connection, known.values(), sighting, at)

    def _gone(self, connection: sa.Connection, rows: Iterable[Any], sighting: Sighting, at: str) -> None:
        """What was open in a place that was looked at by the same tools, and is not there, is fixed."""
        there = {mark for finding in sighting.findings for mark in finding.fingerprints}
        there |= set(sighting.still)
        for row in rows:
            looked = row.file in sighting.files and row.rule.partition(":")[0] in sighting.tools
            if looked and row.state in ALIVE and row.fingerprint not in there:
                change = LedgerChange(at, BURNISH, LedgerState.FIXED, "no longer found", sighting.run)
                _change(connection, row.fingerprint, change)

    def _decide(self, fingerprint: str, change: LedgerChange) -> None:
        with self.database.write() as connection:
            row = connection.execute(sa.select(findings).where(findings.c.fingerprint == fingerprint)).first()
            if row is None:
                raise UsageError(f"there is no finding {fingerprint!r}", hint="see `burnish findings list`")
            _change(connection, fingerprint, change)


def _entry(row: Any, history: list[LedgerChange]) -> LedgerEntry:
    finding: Finding = codec.validate(Finding, codec.loads(row.finding))
    return LedgerEntry(
        row.fingerprint,
        row.number,
        LedgerState(row.state),
        finding,
        row.first_seen,
        row.last_seen,
        tuple(history),
    )


def _insert(connection: sa.Connection, finding: Finding, number: int, at: str, run: str) -> None:
    connection.execute(
        findings.insert().values(
            fingerprint=finding.fingerprint,
            number=number,
            state=LedgerState.OPEN,
            file=finding.file,
            dimension=finding.dimension,
            rule=finding.rule,
            finding=codec.dumps(codec.plain(finding)),
            first_seen=at,
            last_seen=at,
        )
    )
    _change(connection, finding.fingerprint, LedgerChange(at, BURNISH, LedgerState.OPEN, "found", run))


def _seen_again(connection: sa.Connection, row: Any, finding: Finding, at: str, run: str) -> None:
    """A fixed one came back; a dismissed one comes back only when it is now said to be worse."""
    before: Finding = codec.validate(Finding, codec.loads(row.finding))
    state = LedgerState(row.state)
    if state is LedgerState.FIXED:
        _change(
            connection, row.fingerprint, LedgerChange(at, BURNISH, LedgerState.REGRESSED, "found again", run)
        )
    elif state.dismissed and finding.severity.rank < before.severity.rank:
        why = f"new evidence: now {finding.severity}, dismissed as {before.severity}"
        _change(connection, row.fingerprint, LedgerChange(at, BURNISH, LedgerState.OPEN, why, run))
    # A dismissed finding keeps the severity it was dismissed with.
    kept = before if state.dismissed and finding.severity.rank >= before.severity.rank else finding
    connection.execute(
        findings.update()
        .where(findings.c.fingerprint == row.fingerprint)
        .values(last_seen=at, file=finding.file, finding=codec.dumps(codec.plain(kept)))
    )


def _change(connection: sa.Connection, fingerprint: str, change: LedgerChange) -> None:
    newest = sa.select(sa.func.max(finding_changes.c.seq)).where(finding_changes.c.fingerprint == fingerprint)
    seq = (connection.execute(newest).scalar() or 0) + 1
    connection.execute(
        finding_changes.insert().values(
            fingerprint=fingerprint, seq=seq, at=change.at, made_by=change.by, state=change.state,
            why=change.why, run_id=change.run,
        )
    )  # fmt: skip
    connection.execute(
        findings.update().where(findings.c.fingerprint == fingerprint).values(state=change.state)
    )
