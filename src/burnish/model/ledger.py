"""What became of a finding over time: who decided what, when and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from burnish.model.review import Finding


class LedgerState(StrEnum):
    OPEN = "open"
    FIXED = "fixed"
    REGRESSED = "regressed"
    REFUTED = "refuted"
    ACCEPTED_RISK = "accepted-risk"
    DEFERRED = "deferred"
    DUPLICATE = "duplicate"

    @property
    def dismissed(self) -> bool:
        """Somebody decided that it does not block; it stays visible."""
        return self in DISMISSED


DISMISSED = (LedgerState.REFUTED, LedgerState.ACCEPTED_RISK, LedgerState.DEFERRED, LedgerState.DUPLICATE)


@dataclass(frozen=True)
class LedgerChange:
    at: str
    by: str
    state: LedgerState
    why: str = ""
    run: str = ""


@dataclass(frozen=True)
class LedgerEntry:
    """One finding by its fingerprint. `number` is what people type (`F12`); `history` is oldest first."""

    fingerprint: str
    number: int
    state: LedgerState
    finding: Finding
    first_seen: str
    last_seen: str
    history: tuple[LedgerChange, ...] = ()

    @property
    def last(self) -> LedgerChange:
        return self.history[-1]


@dataclass(frozen=True)
class Sighting:
    """What one review saw: `still` are fingerprints that were there before and are not told again.

    Only what lies in `files` and was looked for by `tools` can be said to be gone.
    """

    run: str
    findings: tuple[Finding, ...]
    still: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
