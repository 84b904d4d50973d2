"""The gate: a check that must not turn red."""

from __future__ import annotations

from dataclasses import dataclass

from burnish.model.change import Dropped


@dataclass(frozen=True)
class GateResult:
    """One gate run over one tree. `exit` is None when it was stopped for running too long."""

    tree: str
    command: str
    exit: int | None
    output: str = ""
    duration_s: float = 0.0
    restored: tuple[Dropped, ...] = ()
    isolation: str = ""

    @property
    def green(self) -> bool:
        return self.exit == 0
