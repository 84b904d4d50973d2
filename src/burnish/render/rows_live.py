"""Many runs on a terminal: a row for each, drawn over in place, once a second and on events."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Generic, Self, TypeVar

from rich.console import Console
from rich.text import Text

from burnish.model.events import Noticed, Recorded
from burnish.render.canvas import Canvas
from burnish.render.gauge import WAITING, last_line
from burnish.render.row_view import Fold
from burnish.render.rows_draw import draw
from burnish.sanitise import clean_line

EVERY_S = 1.0
# However many events there are, no frame follows another sooner.
AT_LEAST_S = 0.1
# Colours and the like: an agent that thinks it has a terminal of its own is read without them.
_STEERING = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?)")
F = TypeVar("F", bound=Fold)
# What is to stay above the rows when a state follows another.
Lasting = Callable[[F, F], Iterable[str]]


def nothing_lasts(before: F, now: F) -> Iterable[str]:
    return ()


class RowsLive(Generic[F]):
    """A listener for all runs of a session, and an ear for their agents; drawn while it is entered.

    Notes stay above the rows. When it is left the rows stay as they were last, and what follows goes below.
    """

    def __init__(self, console: Console, first: F, lasting: Lasting[F] = nothing_lasts) -> None:
        self._canvas = Canvas(console)
        self._lasting = lasting
        self._first = self._state = first
        # All that was recorded, and whether it came in another order than it happened in.
        self._events: dict[tuple[str, int], Recorded] = {}
        self._mixed = False
        self._heard: dict[str, str] = {}
        self._noted: set[str] = set()
        self._above: list[Text] = []
        self._changed = asyncio.Event()
        self._ticker: asyncio.Task[None] | None = None

    def __call__(self, recorded: Recorded) -> None:
        before = self.state
        if not self._take(recorded):
            return
        self._above += [Text(clean_line(line), style="dim") for line in self._lasting(before, self.state)]
        match recorded.event:
            case Noticed(key, text) if text not in self._noted and not key.startswith(WAITING):
                self._noted.add(text)
                self.say(f"note: {text}")
            case _:
                self._changed.set()

    def say(self, text: str) -> None:
        """A line that stays above the rows."""
        self._above.append(Text(clean_line(text), style="yellow"))
        self._changed.set()

    def past(self, events: Iterable[Recorded]) -> None:
        """What happened before, which is known and not told again."""
        for recorded in events:
            self._mixed = self._take(recorded) or self._mixed

    def begin_with(self, first: F) -> None:
        """What is known apart from all events."""
        self._first, self._mixed = first, True

    @property
    def state(self) -> F:
        """A fold of all events, as they happened."""
        if self._mixed:
            self._state = self._first
            for recorded in sorted(self._events.values(), key=lambda one: (one.at, one.seq)):
                self._state = self._state.after(recorded)
            self._mixed = False
        return self._state

    def _take(self, recorded: Recorded) -> bool:
        """False where it was known already."""
        key = (recorded.run, recorded.seq)
        if key in self._events:
            return False
        if not isinstance(recorded.event, Noticed):
            # What its agent printed belongs to what is over now.
            self._heard.pop(recorded.run, None)
        if not self._mixed:
            self._state = self._state.after(recorded)
        self._events[key] = recorded
        return True

    def heard(self, run: str, line: str) -> None:
        """What an agent just printed: shown with the next frame, however much it prints."""
        self._heard[run] = line

    def draw(self) -> None:
        self._changed.clear()
        said = {run: last_line(_STEERING.sub("", line)) for run, line in self._heard.items()}
        view = self.state.view({run: line for run, line in said.items() if line})
        above, self._above = self._above, []
        self._canvas.paint(draw(view, self._canvas.size, datetime.now(UTC)), above)

    async def __aenter__(self) -> Self:
        self._ticker = asyncio.create_task(self._tick())
        return self

    async def __aexit__(self, *error: object) -> None:
        assert self._ticker is not None
        self._ticker.cancel()
        await asyncio.gather(self._ticker, return_exceptions=True)
        if self._events:
            self.draw()
            self._canvas.leave()

    async def _tick(self) -> None:
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), EVERY_S)
            if self._events:
                self.draw()
            await asyncio.sleep(AT_LEAST_S)
