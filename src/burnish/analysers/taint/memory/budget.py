"""How far the pass goes: steps and seconds a file, calls deep; what is left undone is said."""

from __future__ import annotations

import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import PurePath


class Spent(Exception):
    """A limit was reached; the words say which."""


# A limit, or code that nobody thought of: a mistake of ours in one function must not blind the pass.
ENDS = (Exception,)
_LIMITS = (Spent, RecursionError, MemoryError)
BUG_FRAMES = 8


def why_ended(error: BaseException) -> str:
    """What is told of whatever was not followed to its end."""
    if isinstance(error, Spent):
        return str(error)
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if isinstance(error, MemoryError):
        return "took too much memory"
    return f"could not be followed, a bug of the data-flow pass ({type(error).__name__}: {str(error)[:80]})"


def bug_report(error: BaseException) -> str:
    """Where in the pass it happened, innermost last; empty for a limit."""
    if isinstance(error, _LIMITS):
        return ""
    frames = traceback.extract_tb(error.__traceback__)[-BUG_FRAMES:]
    places = (f"{PurePath(one.filename).name}:{one.lineno} {one.name}" for one in frames)
    return f"{type(error).__name__}: {str(error)[:200]} at {' > '.join(places)}"


STEPS_A_LINE = 20


class Budget:
    """Steps for one function from outside, seconds for one file, depth of calls and of expressions.

    Seconds are those of computing: what is found must not depend on what else a machine does.
    """

    def __init__(
        self, steps: int = 20_000, seconds: float = 10.0, calls: int = 6, nesting: int = 150
    ) -> None:
        self.steps, self.seconds, self.calls, self.nesting = steps, seconds, calls, nesting
        self.left = steps
        self.until = time.thread_time() + seconds
        self.deep = 0
        self._few = False

    def file(self) -> None:
        """A new file is begun."""
        self.until = time.thread_time() + self.seconds

    def function(self, lines: int = 0) -> None:
        """A new function is begun; a long one may take as long as it is long."""
        self.left, self.deep = max(self.steps, lines * STEPS_A_LINE), 0
        if time.thread_time() > self.until:
            raise Spent(f"the file took more than {self.seconds:g} s")

    @contextmanager
    def apart(self, steps: int | None = None) -> Iterator[None]:
        """What happens inside is counted for itself; few `steps` in few others are in the time of those."""
        around = self.left, self.deep, self._few
        clocked = not (steps and self._few)
        # Only where it must be: asking for the time is slow.
        until, began = self.until, time.thread_time() if clocked else 0.0
        self.left, self.deep, self._few = steps or self.steps, 0, bool(steps)
        if clocked:
            self.until = began + self.seconds
        try:
            yield
        finally:
            self.left, self.deep, self._few = around
            if clocked:
                self.until = until + time.thread_time() - began

    def step(self) -> None:
        self.left -= 1
        if self.left <= 0:
            raise Spent(f"more than {self.steps} steps")
        if not self.left & 1023 and time.thread_time() > self.until:
            raise Spent(f"the file took more than {self.seconds:g} s")
