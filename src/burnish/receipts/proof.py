"""What the checks of a receipt come to: proven, consistent but not proven, or it does not hold."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from burnish.receipts.verify import Check


class Proof(StrEnum):
    """Only `proven` is evidence: anyone can write a file that is consistent with itself."""

    PROVEN = "proven"
    NOT_PROVEN = "not_proven"
    DOES_NOT_HOLD = "does_not_hold"


@dataclass(frozen=True)
class Verification:
    """`checks` end with the first that does not hold. `proven_by` names what vouches for the receipt;
    `not_compared` says of each other source why it does not."""

    checks: tuple[Check, ...]
    proven_by: tuple[str, ...] = ()
    not_compared: tuple[str, ...] = ()

    @property
    def proof(self) -> Proof:
        if not self.checks or not all(check.holds for check in self.checks):
            return Proof.DOES_NOT_HOLD
        return Proof.PROVEN if self.proven_by else Proof.NOT_PROVEN
