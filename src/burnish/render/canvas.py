"""A few lines at the end of a terminal that are drawn over in place, with lasting lines above them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress

from rich.console import Console
from rich.text import Text

from burnish.render.rows_draw import Size

# One frame is shown at once by terminals that know these, and ignored by the others.
_BEGIN, _END = "\x1b[?2026h", "\x1b[?2026l"
# Where we and the terminal disagree on how wide a character is, the rest is cut, not wrapped.
_CUT, _WRAP = "\x1b[?7l", "\x1b[?7h"
_TO_LINE_END, _TO_SCREEN_END, _ALL = "\x1b[K", "\x1b[J", "\x1b[H\x1b[2J"
# So many lines from above are shown again when all had to be cleared.
KEPT = 5


class Canvas:
    """`size` is what may be drawn on: a column and a line are left free, so that nothing ever scrolls.

    A terminal that was resized has moved our lines about, each in its own way: then all of it is cleared.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._drawn = 0
        self._size = self._terminal()
        self._above: list[Text] = []

    @property
    def size(self) -> Size:
        whole = self._terminal()
        return Size(max(whole.columns - 1, 1), max(whole.lines - 1, 1))

    def paint(self, lines: Sequence[Text], above: Sequence[Text] = ()) -> None:
        """The lines in place of the last ones; those `above` stay for good, as long as they are."""
        size, before = self._terminal(), self._drawn
        self._above = [*self._above, *above][-KEPT:]
        parts = [_BEGIN]
        if size != self._size:
            parts.append(_ALL)
            above = self._fitting(size, len(lines))
        else:
            parts.append(f"\r\x1b[{before - 1}A" if before > 1 else "\r")
        parts += [f"{self._ansi(line)}{_TO_LINE_END}\r\n" for line in above]
        parts.append(_CUT)
        parts.append("\r\n".join(f"{self._ansi(line)}{_TO_LINE_END}" for line in lines))
        # What somebody types is shown where the cursor is: at the beginning it makes no new line.
        parts += [_TO_SCREEN_END, _WRAP, "\r", _END]
        self._size, self._drawn = size, len(lines)
        self._write("".join(parts))

    def leave(self) -> None:
        """What is drawn stays, and whatever comes next begins under it."""
        if self._drawn:
            self._write("\r\n")
            self._drawn = 0

    def _fitting(self, size: Size, taken: int) -> list[Text]:
        """The newest of what stood above, as far as it fits over so many lines."""
        room, found = size.lines - taken, list[Text]()
        for line in reversed(self._above):
            room -= max(-(-line.cell_len // size.columns), 1)
            if room < 0:
                break
            found.insert(0, line)
        return found

    def _ansi(self, line: Text) -> str:
        with self._console.capture() as captured:
            self._console.print(line, end="", soft_wrap=True, highlight=False)
        return captured.get()

    def _terminal(self) -> Size:
        """As it is now; a terminal that is gone has the size that it had."""
        with suppress(OSError, ValueError):
            columns, lines = os.get_terminal_size(self._console.file.fileno())
            if columns and lines:
                return Size(columns, lines)
        return Size(*self._console.size)

    def _write(self, text: str) -> None:
        # Whoever closed the terminal does not look any more; the work goes on.
        with suppress(OSError):
            self._console.file.write(text)
            self._console.file.flush()
