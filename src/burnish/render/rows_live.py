"""Many runs on a terminal: a row for each, drawn over in place, once a second and on events."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Generic, Self, TypeVar

from rich.console import Console
from rich.text import Text

from burnish.model.events import Noticed, Recorded, StepFinished, StepStarted
from burnish.render.canvas import Canvas
from burnish.render.gauge import WAITING, last_line
from burnish.render.row_view import Fold
from burnish.render.rows_draw import draw
from burnish.sanitise import clean_line

EVERY_S = 1.0
F = TypeVar("F", bound=Fold)
# What is to stay above the rows when a state follows another.
Lasting = Callable[[F, F], Iterable[str]]


def nothing_lasts(before: F, now: F) -> Iterable[str]:
    return ()


class RowsLive(Generic[F]):
    """A listener for all runs of a session, and an ear for their agents; drawn while it is entered.

    Notes stay above the rows. When it is left the rows stay as they were last, and what follows goes below.
    """

    def __init__(self, console: Console, state: F, lasting: Lasting[F] = nothing_lasts) -> None:
        self.state = state
        self._canvas = Canvas(console)
        self._lasting = lasting
        self._heard: dict[str, str] = {}
        self._noted: set[str] = set()
        self._ticker: asyncio.Task[None] | None = None

    def __call__(self, recorded: Recorded) -> None:
        before = self.state
        self.past(recorded)
        above = [Text(clean_line(line), style="dim") for line in self._lasting(before, self.state)]
        match recorded.event:
            case Noticed(key, text) if text not in self._noted and not key.startswith(WAITING):
                self._noted.add(text)
                above.append(Text(f"note: {clean_line(text)}", style="yellow"))
            case _:
                pass
        self.draw(above)

    def past(self, recorded: Recorded) -> None:
        """What happened before, or happens unseen."""
        if isinstance(recorded.event, StepStarted | StepFinished):
            # What its agent printed belongs to the step that is over.
            self._heard.pop(recorded.run, None)
        self.state = self.state.after(recorded)

    def heard(self, run: str, line: str) -> None:
        """What an agent just printed: shown with the next frame, however much it prints."""
        self._heard[run] = line

    def draw(self, above: Iterable[Text] = ()) -> None:
        said = {run: last_line(line) for run, line in self._heard.items()}
        view = self.state.view({run: line for run, line in said.items() if line})
        self._canvas.paint(draw(view, self._canvas.size, datetime.now(UTC)), tuple(above))

    async def __aenter__(self) -> Self:
        self._ticker = asyncio.create_task(self._tick())
        return self

    async def __aexit__(self, *error: object) -> None:
        assert self._ticker is not None
        self._ticker.cancel()
        await asyncio.gather(self._ticker, return_exceptions=True)
        self.draw()
        self._canvas.leave()

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(EVERY_S)
            self.draw()
