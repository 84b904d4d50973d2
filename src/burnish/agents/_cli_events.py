"""What was heard of one call so far: events in, and what the answer needs out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import replace

from burnish.agents._adapter import StreamReader
from burnish.agents._kept_session import KeptSession
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
MOST_ANSWERS = 20
WORKED_ON = "it worked on after its result"
LINE_CHARS = 400
Listener = Callable[[AgentEvent], None]


class Heard:
    """`over` is set by a terminal event, until it works on all the same. `answers` are all that came.

    `usage` is this call's own, `summed` that of its session as the stream tells it. `worked`: it said or
    did something. `earlier` is the session that it was to go on with.
    """

    def __init__(
        self, reader: StreamReader, listener: Listener | None = None, earlier: KeptSession | None = None
    ) -> None:
        self.reader = reader
        self.started = Started()
        self.usage = self.summed = Usage()
        self.worked = False
        self.denied: list[Denied] = []
        self.retried: Retried | None = None
        self.last: Ended | Failed | None = None
        self.answers: list[Ended] = []
        self.over = asyncio.Event()
        self._listener = listener
        self._earlier = earlier
        self._elsewhere = Usage()

    def line(self, data: bytes) -> None:
        for told in self.reader.line(data):
            event = self._own(told) if isinstance(told, Used) else told
            self._take(event)
            if self._listener is not None:
                self._listener(event)

    def also_used(self, usage: Usage) -> None:
        """What was read elsewhere than in the stream counts where it is more: the stream may tell later."""
        own = usage.less(self._before)
        if own.tokens > self.usage.tokens:
            self._elsewhere = own
            event = Used(own)
            self._take(event)
            if self._listener is not None:
                self._listener(event)

    def also_denied(self, found: Iterable[Denied]) -> None:
        for event in found:
            if event not in self.denied:
                self._take(event)

    @property
    def resumed(self) -> bool:
        """By what it told itself: whoever was asked to go on may have begun anew."""
        return self._earlier is not None and self.started.session == self._earlier.session

    @property
    def _before(self) -> Usage:
        """What its session had used before. Until it names one, that is the session it was asked for."""
        begun = self.resumed or not self.started.session
        return self._earlier.used if self._earlier is not None and begun else Usage()

    def _own(self, told: Used) -> Used:
        own = told.usage.less(self._before) if told.whole else told.usage
        self.summed = self._before + own
        return Used(own)

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
                if isinstance(event, Ended) and len(self.answers) < MOST_ANSWERS:
                    self.answers.append(event)
                self.last = event
                self.over.set()
            case Text() | ToolUsed():
                self.worked = True
                self.over.clear()
                if self.answers:
                    self.answers[-1] = replace(self.answers[-1], doubt=WORKED_ON)
                # An answer stays one; what seemed to be a failure was not.
                self.last = None if isinstance(self.last, Failed) else self.last


def said(event: AgentEvent) -> str:
    """What an event tells whoever looks on: the last line of words, or a tool and what it is used for."""
    match event:
        case Text(text):
            return text.rstrip().rpartition("\n")[2][:LINE_CHARS]
        case ToolUsed(name, about):
            return f"{name} {about}"[:LINE_CHARS].strip()
        case Retried(attempt, why):
            return f"attempt {attempt}: {why}"[:LINE_CHARS]
        case _:
            return ""
