"""A run as it stands now: a projection for people and programs, never a second truth."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from burnish.model.agent import Usage, spent


class RunState(StrEnum):
    RUNNING = "running"
    INTERRUPTED = "interrupted"
    FINISHED = "finished"


@dataclass(frozen=True)
class RunView:
    """`state` is what is so now: a run whose process is gone is interrupted, whatever it wrote last."""

    id: str
    state: RunState
    pid: int | None
    host: str
    repository: str
    title: str
    prompt: str
    profile: str
    contract: str
    spec: str
    outcome: str | None
    reason: str | None
    message: str
    verdict: str | None
    native: str
    final_verdict: str
    cycles: int
    fixes: int
    cost: float | None
    tokens: int
    base: str
    start: str
    commit: str | None
    branch: str | None
    receipt: str | None
    note: str
    exit_code: int | None
    cancel_requested: bool
    created_at: str
    updated_at: str
    finished_at: str | None
    stale: str = ""
    estimated: bool = False
    unpriced: bool = False

    @property
    def spent(self) -> Usage:
        return spent(self.tokens, self.cost, estimated=self.estimated, unpriced=self.unpriced)

    @property
    def live(self) -> bool:
        return self.state is RunState.RUNNING

    @property
    def shown_state(self) -> str:
        return f"running (pid {self.pid})" if self.live else str(self.state)
