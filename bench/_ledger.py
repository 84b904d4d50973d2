"""Where the time of a run goes: waiting for git, for agents and gates, for the database, for the disk."""

from __future__ import annotations

import os
import time
from typing import Any

from burnish.agents import command
from burnish.gates import command as gate
from burnish.git import call
from burnish.store.recorder import Recorder


def keep() -> dict[str, tuple[int, float]]:
    """From now on counts calls and seconds by kind, in the dictionary that is given back."""
    ledger: dict[str, tuple[int, float]] = {}

    def enter(kind: str, began: float) -> None:
        count, seconds = ledger.get(kind, (0, 0.0))
        ledger[kind] = (count + 1, seconds + time.perf_counter() - began)

    def timed(kind: str, function: Any) -> Any:
        async def around(*args: Any, **named: Any) -> Any:
            began = time.perf_counter()
            try:
                return await function(*args, **named)
            finally:
                enter(kind, began)

        return around

    def timed_here(kind: str, function: Any) -> Any:
        def around(*args: Any) -> Any:
            began = time.perf_counter()
            try:
                return function(*args)
            finally:
                enter(kind, began)

        return around

    # A benchmark may look where a test must not: these are replaced in this one process only.
    call.Git.ask = timed("git", call.Git.ask)  # type: ignore[method-assign]
    command.run = timed("agents", command.run)
    gate.run = timed("gates", gate.run)
    Recorder.record = timed("database", Recorder.record)  # type: ignore[method-assign]
    os.fsync = timed_here("fsync of files", os.fsync)
    return ledger
