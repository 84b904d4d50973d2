"""The finding ledger in the database: one row per fingerprint, one row per decision about it."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
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
            writes = _Writes(at, sighting.run)
            for finding in {item.fingerprint: item for item in sighting.findings}.values():
                row = next((known[mark] for mark in finding.fingerprints if mark in known), None)
                if row is None:
                    number += 1
                    writes.insert(finding, number)
                else:
                    writes.see_again(row, finding)
            _gone(known.values(), sighting, writes)
            writes.carry_out(connection)

    def _decide(self, fingerprint: str, change: LedgerChange) -> None:
        with self.database.write() as connection:
            row = connection.execute(sa.select(findings).where(findings.c.fingerprint == fingerprint)).first()
            if row is None:
                raise UsageError(f"there is no finding {fingerprint!r}", hint="see `burnish findings list`")
            _change(connection, [(fingerprint, change)])


def _gone(rows: Iterable[Any], sighting: Sighting, writes: _Writes) -> None:
    """What was open in a place that was looked at by the same tools, and is not there, is fixed."""
    there = {mark for finding in sighting.findings for mark in finding.fingerprints}
    there |= set(sighting.still)
    files, tools = set(sighting.files), set(sighting.tools)
    for row in rows:
        looked = row.file in files and row.rule.partition(":")[0] in tools
        if looked and row.state in ALIVE and row.fingerprint not in there:
            writes.change(row.fingerprint, LedgerState.FIXED, "no longer found")


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


@dataclass(frozen=True)
class _Writes:
    """What one sighting writes, gathered: a review can bring thousands of findings at once."""

    at: str
    run: str
    inserted: list[dict[str, Any]] = field(default_factory=list)
    seen: list[dict[str, Any]] = field(default_factory=list)
    changes: list[tuple[str, LedgerChange]] = field(default_factory=list)

    def insert(self, finding: Finding, number: int) -> None:
        self.inserted.append(
            {
                "fingerprint": finding.fingerprint,
                "number": number,
                "state": LedgerState.OPEN,
                "file": finding.file,
                "dimension": finding.dimension,
                "rule": finding.rule,
                "finding": codec.dumps(codec.plain(finding)),
                "first_seen": self.at,
                "last_seen": self.at,
            }
        )
        self.change(finding.fingerprint, LedgerState.OPEN, "found")

    def see_again(self, row: Any, finding: Finding) -> None:
        """A fixed one came back; a dismissed one comes back only when it is now said to be worse."""
        before: Finding = codec.validate(Finding, codec.loads(row.finding))
        state = LedgerState(row.state)
        if state is LedgerState.FIXED:
            self.change(row.fingerprint, LedgerState.REGRESSED, "found again")
        elif state.dismissed and finding.severity.rank < before.severity.rank:
            why = f"new evidence: now {finding.severity}, dismissed as {before.severity}"
            self.change(row.fingerprint, LedgerState.OPEN, why)
        # A dismissed finding keeps the severity it was dismissed with.
        kept = before if state.dismissed and finding.severity.rank >= before.severity.rank else finding
        told = codec.dumps(codec.plain(kept))
        self.seen.append({"mark": row.fingerprint, "now": self.at, "place": finding.file, "told": told})

    def change(self, fingerprint: str, state: LedgerState, why: str) -> None:
        self.changes.append((fingerprint, LedgerChange(self.at, BURNISH, state, why, self.run)))

    def carry_out(self, connection: sa.Connection) -> None:
        if self.inserted:
            connection.execute(findings.insert(), self.inserted)
        if self.seen:
            connection.execute(
                findings.update()
                .where(findings.c.fingerprint == sa.bindparam("mark"))
                .values(
                    last_seen=sa.bindparam("now"),
                    file=sa.bindparam("place"),
                    finding=sa.bindparam("told"),
                ),
                self.seen,
            )
        _change(connection, self.changes)


def _change(connection: sa.Connection, changes: list[tuple[str, LedgerChange]]) -> None:
    """Each change as the next of its finding, and the state it leads to."""
    if not changes:
        return
    column = finding_changes.c
    newest = sa.select(column.fingerprint, sa.func.max(column.seq)).group_by(column.fingerprint)
    if len(changes) == 1:
        newest = newest.where(column.fingerprint == changes[0][0])
    seq = Counter({row[0]: row[1] for row in connection.execute(newest)})
    rows = []
    for fingerprint, change in changes:
        seq[fingerprint] += 1
        rows.append(
            {
                "fingerprint": fingerprint,
                "seq": seq[fingerprint],
                "at": change.at,
                "made_by": change.by,
                "state": change.state,
                "why": change.why,
                "run_id": change.run,
            }
        )
    connection.execute(finding_changes.insert(), rows)
    states = [{"mark": fingerprint, "now": change.state} for fingerprint, change in changes]
    connection.execute(
        findings.update()
        .where(findings.c.fingerprint == sa.bindparam("mark"))
        .values(state=sa.bindparam("now")),
        states,
    )
