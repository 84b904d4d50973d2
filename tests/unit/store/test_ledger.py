"""What became of a finding: found, dismissed, fixed, back again."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from burnish.errors import UsageError
from burnish.model.ledger import LedgerEntry, LedgerState, Sighting
from burnish.model.review import Finding, Severity
from burnish.store.ledger import DatabaseLedger
from tests.unit.store.journals import Bench

FOUND = Finding("eval", Severity.HIGH, "a.py", 3, rule="ruff:S307", identity="aaaa1111", tools=("ruff",))
SEEN = Sighting("r-1", (FOUND,), files=("a.py",), tools=("ruff",))
CLEAN = replace(SEEN, findings=(), run="r-2")


@pytest.fixture
def ledger(bench: Bench) -> DatabaseLedger:
    return DatabaseLedger(bench.database)


def see(ledger: DatabaseLedger, *sightings: Sighting) -> LedgerEntry:
    for sighting in sightings:
        asyncio.run(ledger.see(sighting))
    [entry] = asyncio.run(ledger.entries()).values()
    return entry


def test_a_finding_is_open_then_fixed_then_regressed(ledger: DatabaseLedger) -> None:
    assert see(ledger, SEEN).state is LedgerState.OPEN
    assert see(ledger, CLEAN).state is LedgerState.FIXED
    entry = see(ledger, SEEN)
    assert entry.state is LedgerState.REGRESSED
    assert [change.state for change in entry.history] == ["open", "fixed", "regressed"]
    assert [change.run for change in entry.history] == ["r-1", "r-2", "r-1"]


@pytest.mark.parametrize(
    "elsewhere",
    [replace(CLEAN, files=("b.py",)), replace(CLEAN, tools=("lizard",)), replace(CLEAN, still=("aaaa1111",))],
    ids=["another file", "another tool", "still there, but old"],
)
def test_what_nobody_looked_for_is_not_called_fixed(ledger: DatabaseLedger, elsewhere: Sighting) -> None:
    assert see(ledger, SEEN, elsewhere).state is LedgerState.OPEN


def test_a_dismissed_finding_stays_dismissed_with_who_and_why(ledger: DatabaseLedger) -> None:
    see(ledger, SEEN)
    asyncio.run(ledger.decide("aaaa1111", LedgerState.ACCEPTED_RISK, "Ada", "only in a test tool"))
    entry = see(ledger, SEEN)
    assert entry.state is LedgerState.ACCEPTED_RISK
    assert (entry.last.by, entry.last.why) == ("Ada", "only in a test tool")


def test_new_evidence_reopens_a_dismissed_finding(ledger: DatabaseLedger) -> None:
    see(ledger, SEEN)
    asyncio.run(ledger.decide("aaaa1111", LedgerState.REFUTED, "Ada", "no"))
    worse = replace(SEEN, findings=(replace(FOUND, severity=Severity.CRITICAL),))
    entry = see(ledger, worse)
    assert entry.state is LedgerState.OPEN
    assert "new evidence" in entry.last.why


def test_a_dismissal_holds_when_another_tool_speaks_for_it(ledger: DatabaseLedger) -> None:
    see(ledger, SEEN)
    asyncio.run(ledger.decide("aaaa1111", LedgerState.REFUTED, "Ada", "no"))
    other = replace(FOUND, identity="bbbb2222", rule="ast-grep:eval", also=("aaaa1111",))
    assert see(ledger, replace(SEEN, findings=(other,))).state is LedgerState.REFUTED


def test_nothing_can_be_decided_about_what_was_never_found(ledger: DatabaseLedger) -> None:
    with pytest.raises(UsageError, match="no finding"):
        asyncio.run(ledger.decide("nope", LedgerState.REFUTED, "Ada", "no"))


def test_numbers_go_on_where_they_were(ledger: DatabaseLedger) -> None:
    see(ledger, SEEN)
    asyncio.run(ledger.see(replace(SEEN, findings=(replace(FOUND, identity="cccc"),), run="r-3", files=())))
    assert [entry.number for entry in asyncio.run(ledger.entries()).values()] == [1, 2]
