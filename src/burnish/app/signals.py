"""Being told to stop: once, everything is cleaned up and can be resumed; twice, it is over at once."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

from burnish.model.exit_codes import ExitCode

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# What a person or a service manager sends again because the first did not help. A terminal that is closed
# sends SIGHUP, and then the shell in it does too: that is one wish, not two.
AGAIN = (signal.SIGINT, signal.SIGTERM)
# A wrapper (npx, uv run, make) passes on what the terminal has sent to us already.
SAME_PRESS_S = 0.25
STOPPING = "stopping: what was done is kept and can be resumed (Ctrl-C again: at once)"
AT_ONCE = "stopped at once; what was recorded can be resumed"
_SHOW_CURSOR = "\x1b[?25h"


# Whoever draws on the terminal at this moment, and says there what is to be said.
_drawing: list[Callable[[str], None]] = []


@contextmanager
def said_by(drawing: Callable[[str], None]) -> Iterator[None]:
    """Words in the middle of what somebody draws would spoil it: who draws says them, in the loop."""
    _drawing.append(drawing)
    try:
        yield
    finally:
        _drawing.remove(drawing)


@contextmanager
def stopped_by_signals(stop: Callable[[], object]) -> Iterator[None]:
    """The first signal calls `stop` in the loop; a second one ends this process, whatever it is doing.

    Everything that works here is still accounted for then: guards and sandboxes end theirs when we are gone.
    A thread other than the main one has no signals; its caller has.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    watch = _Watch(asyncio.get_running_loop(), stop)
    before: dict[signal.Signals, Any] = {
        number: signal.signal(number, _noted) for number in SIGNALS if _wanted(number)
    }
    try:
        yield
    finally:
        watch.close()
        for number, handler in before.items():
            # None is a handler that was not set from Python: it cannot be put back.
            signal.signal(number, signal.SIG_DFL if handler is None else handler)


def _wanted(number: signal.Signals) -> bool:
    """Under nohup a closed terminal is to be survived."""
    return not (number is signal.SIGHUP and signal.getsignal(number) is signal.SIG_IGN)


def _noted(number: int, frame: FrameType | None) -> None:
    """The watch has heard it."""


class _Watch:
    """A thread of its own: handlers wait for the main thread, which may be stuck in a database or a disk."""

    def __init__(self, loop: asyncio.AbstractEventLoop, stop: Callable[[], object]) -> None:
        self._loop = loop
        self._stop = stop
        self._first: float | None = None
        self._ear, self._mouth = os.pipe()
        os.set_blocking(self._mouth, False)
        self._before = signal.set_wakeup_fd(self._mouth, warn_on_full_buffer=False)
        self._thread = threading.Thread(target=self._listen, name="signals", daemon=True)
        self._thread.start()

    def close(self) -> None:
        signal.set_wakeup_fd(self._before)
        os.close(self._mouth)
        self._thread.join()
        os.close(self._ear)

    def _listen(self) -> None:
        while heard := os.read(self._ear, 64):
            for number in heard:
                if number in SIGNALS:
                    self._told(number)

    def _told(self, number: int) -> None:
        now = time.monotonic()
        if self._first is None:
            self._first = now
            # Closed already: then nothing is left to stop.
            with suppress(RuntimeError):
                for drawing in _drawing:
                    self._loop.call_soon_threadsafe(drawing, STOPPING)
                self._loop.call_soon_threadsafe(self._stop)
            if sys.stderr.isatty() and not _drawing:
                _say(f"\n{STOPPING}\n")
        elif number in AGAIN and now - self._first >= SAME_PRESS_S:
            _say(f"{_SHOW_CURSOR if sys.stderr.isatty() else ''}\n{AT_ONCE}\n")
            os._exit(ExitCode.INTERRUPTED)


def _say(text: str) -> None:
    """Past Python's buffers: their lock may be held by whoever we end."""
    with suppress(OSError):
        os.write(2, text.encode())
