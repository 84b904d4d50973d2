"""The gate: a check that must not turn red."""

from __future__ import annotations

from dataclasses import dataclass

from burnish.model.change import Dropped


@dataclass(frozen=True)
class GateResult:
    """One gate run over one tree. `exit` is None when it was stopped for running too long.

    `failing` names the tests that failed, where the gate can tell them apart. `fault` says why a command that
    ended with 0 is not green all the same; `exit` is 1 then. `protected`: the base's tests judged.
    `doubts` are sentences that a reviewer should see.
    """

    tree: str
    command: str
    exit: int | None
    output: str = ""
    duration_s: float = 0.0
    restored: tuple[Dropped, ...] = ()
    isolation: str = ""
    failing: tuple[str, ...] = ()
    fault: str = ""
    protected: bool = False
    doubts: tuple[str, ...] = ()

    @property
    def green(self) -> bool:
        return self.exit == 0
