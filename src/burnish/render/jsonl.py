"""Events as JSON lines."""

from __future__ import annotations

from typing import TextIO

from burnish.codec import dumps
from burnish.model.events import Recorded
from burnish.render.record import as_data


class JsonLines:
    def __init__(self, out: TextIO) -> None:
        self.out = out

    def __call__(self, recorded: Recorded) -> None:
        # JSON leaves this one control character as it is, and the line may go to a terminal.
        self.out.write(dumps(as_data(recorded)).replace("\x7f", "\\u007f") + "\n")
        self.out.flush()
