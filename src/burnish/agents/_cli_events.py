"""What was heard of one call so far: events in, and what the answer needs out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from burnish.agents._adapter import StreamReader
from burnish.model.agent import Usage
from burnish.model.agent_events import (
    AgentEvent,
    Denied,
    Ended,
    Failed,
    Retried,
    Started,
    Text,
    ToolUsed,
    Used,
)

MOST_DENIED = 20
Listener = Callable[[AgentEvent], None]


class Heard:
    """`over` is set by a terminal event, until it works on all the same; of several the last one counts."""

    def __init__(self, reader: StreamReader, listener: Listener | None = None) -> None:
        self.reader = reader
        self.started = Started()
        self.usage = Usage()
        self.denied: list[Denied] = []
        self.retried: Retried | None = None
        self.last: Ended | Failed | None = None
        self.over = asyncio.Event()
        self._listener = listener
        self._elsewhere = Usage()

    def line(self, data: bytes) -> None:
        for event in self.reader.line(data):
            self._take(event)
            if self._listener is not None:
                self._listener(event)

    def also_used(self, usage: Usage) -> None:
        """What was read elsewhere than in the stream counts where it is more: the stream may tell later."""
        if usage.tokens > self.usage.tokens:
            self._elsewhere = usage
            event = Used(usage)
            self._take(event)
            if self._listener is not None:
                self._listener(event)

    def also_denied(self, found: Iterable[Denied]) -> None:
        for event in found:
            if event not in self.denied:
                self._take(event)

    def _take(self, event: AgentEvent) -> None:
        match event:
            case Started():
                self.started = event
            case Used(usage):
                self.usage = usage if usage.tokens >= self._elsewhere.tokens else self._elsewhere
            case Denied() if len(self.denied) < MOST_DENIED:
                self.denied.append(event)
            case Retried():
                self.retried = event
            case Ended() | Failed():
                self.last = event
                self.over.set()
            case Text() | ToolUsed():
                self.over.clear()
                # An answer stays one; what seemed to be a failure was not.
                self.last = None if isinstance(self.last, Failed) else self.last
