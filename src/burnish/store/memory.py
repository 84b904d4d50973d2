"""A run that lives as long as the program: for the library, for tests and for the simulator."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, cast

from burnish.errors import UsageError
from burnish.model.change import Change
from burnish.model.events import Event, Noticed, Recorded, StepStarted
from burnish.model.ledger import LedgerEntry, LedgerState, Sighting
from burnish.model.step import Step
from burnish.ports import Clock, Listener
from burnish.store import facts
from burnish.store.clock import SystemClock
from burnish.store.publishing import publish

T = TypeVar("T")


class MemoryRun:
    """ports.Run without a file. `recorded` is its journal, `results` what its finished steps gave, by key."""

    def __init__(
        self, run_id: str = "r-memory", *, listeners: tuple[Listener, ...] = (), clock: Clock | None = None
    ) -> None:
        self._id = run_id
        self._listeners = listeners
        self._clock = clock or SystemClock()
        self._intents: dict[str, Change] = {}
        self._noted: set[str] = set()
        self.results: dict[str, Any] = {}
        self.recorded: list[Recorded] = []

    @property
    def id(self) -> str:
        return self._id

    @property
    def events(self) -> list[Event]:
        return [entry.event for entry in self.recorded]

    async def do(self, step: Step, work: Callable[..., Awaitable[T]], *args: object) -> T:
        if step.key not in self.results:
            self._tell(StepStarted(step))
            result = await work(*args)
            # The first result of a step stays, should two callers have done it side by side.
            if step.key not in self.results:
                self.results[step.key] = result
                self._tell(facts.told(step, result))
        return cast(T, self.results[step.key])

    async def intend(self, step: Step, change: Change) -> None:
        self._intents[step.key] = change

    async def intended(self, step: Step) -> Change | None:
        return self._intents.get(step.key)

    async def note(self, key: str, text: str) -> None:
        if key not in self._noted:
            self._noted.add(key)
            self._tell(Noticed(key, text))

    def _tell(self, event: Event) -> None:
        entry = Recorded(self._id, len(self.recorded) + 1, self._clock.now(), event)
        self.recorded.append(entry)
        publish([entry], self._listeners)


class MemoryLedger:
    """ports.Ledger without a file: nothing was ever decided."""

    async def entries(self) -> dict[str, LedgerEntry]:
        return {}

    async def see(self, sighting: Sighting) -> None:
        """Forgotten at once."""

    async def decide(self, fingerprint: str, state: LedgerState, by: str, why: str) -> LedgerEntry:
        raise UsageError("nothing can be decided without a database")
