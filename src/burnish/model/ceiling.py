"""How much may be spent: dollars, tokens and seconds of agents' time, each with or without a limit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from burnish.model.agent import Usage

N = TypeVar("N", int, float)


@dataclass(frozen=True)
class Ceiling:
    """None: no limit."""

    cost_usd: float | None = None
    tokens: int | None = None
    seconds: float | None = None

    @property
    def open(self) -> bool:
        return self.cost_usd is None and self.tokens is None and self.seconds is None

    def reached(self, spent: Usage) -> str:
        """What is used up, in words; empty while nothing is."""
        if self.cost_usd is not None and (spent.cost_usd or 0.0) >= self.cost_usd:
            return f"spent {dollars(spent.cost_usd or 0.0)} of {dollars(self.cost_usd)}"
        if self.tokens is not None and spent.tokens >= self.tokens:
            return f"used {spent.tokens} of {self.tokens} tokens"
        if self.seconds is not None and spent.seconds >= self.seconds:
            return f"agents worked {spent.seconds:.0f} of {self.seconds:.0f} s"
        return ""

    def uncounted(self, spent: Usage) -> str:
        """Why dollars cannot be limited here, in words. Where tokens have a limit as well, that one holds."""
        if self.cost_usd is None or self.tokens is not None or not spent.unpriced:
            return ""
        used = f"{spent.tokens:,} tokens were used" + (", some" if spent.partly else "")
        return f"{used} of unknown price, so {dollars(self.cost_usd)} cannot be kept"

    def left(self, spent: Usage) -> Ceiling:
        """What may still be spent; never below nothing."""
        return Ceiling(
            None if self.cost_usd is None else max(self.cost_usd - (spent.cost_usd or 0.0), 0.0),
            None if self.tokens is None else max(self.tokens - spent.tokens, 0),
            None if self.seconds is None else max(self.seconds - spent.seconds, 0.0),
        )

    def lower(self, other: Ceiling) -> Ceiling:
        """Both at once: the lower limit of each kind."""
        return Ceiling(
            _lower(self.cost_usd, other.cost_usd),
            _lower(self.tokens, other.tokens),
            _lower(self.seconds, other.seconds),
        )


def dollars(amount: float) -> str:
    """Of less than a cent more than nothing is shown."""
    return f"${amount:.4f}" if 0 < amount < 0.01 else f"${amount:.2f}"


def _lower(one: N | None, other: N | None) -> N | None:
    return other if one is None else one if other is None else min(one, other)
