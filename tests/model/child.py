"""Runs, resumes or cancels in a process of its own, which dies at the N-th side effect if it is told to."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from dataclasses import dataclass, field
from typing import Any

from burnish.app.cancel import cancel
from burnish.app.request import RunRequest
from burnish.app.start import Hooks, resume, start
from burnish.config.load import Flag
from burnish.errors import BurnishError, UsageError
from tests.e2e.killer import Counter


class Fate(Counter):
    """Dies at a number, or once named points have been passed in that order."""

    def __init__(self, deadly: int | tuple[str, ...]) -> None:
        super().__init__(deadly if isinstance(deadly, int) else 0)
        self._awaited = [] if isinstance(deadly, int) else list(deadly)

    def point(self, name: str) -> None:
        if self._awaited and self._awaited[0] == name:
            del self._awaited[0]
            if not self._awaited:
                os.kill(os.getpid(), signal.SIGKILL)
        super().point(name)


@dataclass(frozen=True)
class Order:
    """`verb` is run, resume or cancel; `deadly` is where its process dies, 0 for nowhere."""

    verb: str
    folder: str
    state: str
    run: str = ""
    deadly: int | tuple[str, ...] = 0
    flags: dict[str, Any] = field(default_factory=dict)


def carry_out(order: Order, report: Any) -> None:
    """Sends the exit code and the sentence of whatever refused."""
    os.chdir(order.folder)
    os.environ["BURNISH_STATE"] = order.state
    counter = Fate(order.deadly)
    hooks = Hooks(counter.point, counter.decorate)

    async def work() -> tuple[int, str]:
        if order.verb == "cancel":
            return 0, await cancel(order.run)
        if order.verb == "resume":
            return await resume(order.run, lambda recorded: None, hooks), ""
        flags = {key: Flag(key, value) for key, value in order.flags.items()}
        return await start(RunRequest("Add lines", flags), lambda recorded: None, hooks), ""

    try:
        code, said = asyncio.run(work())
    except BurnishError as error:
        code, said = 2 if isinstance(error, UsageError) else 1, error.message
    report.send((code, said))
    sys.exit(code)
