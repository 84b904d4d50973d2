"""Runs what `burnish run` and `resume` run, in a process of its own, and dies there at the N-th side effect."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from burnish.app.answer import give_answer
from burnish.app.queue_place import open_queue
from burnish.app.request import RunRequest
from burnish.app.start import Hooks, resume, start
from burnish.config.load import Flag
from burnish.errors import BurnishError


def checkouts(state: Path) -> list[str]:
    """What is there of the private checkouts of all runs: none, when nothing is at work."""
    return sorted(f"{path.parts[-3]}/{path.name}" for path in state.glob("repos/*/runs/*/workspaces/*"))


class Counter:
    """Counts side effects, and kills this process at the chosen one."""

    def __init__(self, deadly: int) -> None:
        self.deadly = deadly
        self.names: list[str] = []

    def point(self, name: str) -> None:
        self.names.append(name)
        if len(self.names) == self.deadly:
            os.kill(os.getpid(), signal.SIGKILL)

    def decorate(self, name: str, part: Any) -> Any:
        return Watched(name, part, self)


class Watched:
    """A port whose every method is a side effect: counted before and after."""

    def __init__(self, name: str, part: Any, counter: Counter) -> None:
        self._name, self._part, self._counter = name, part, counter

    def __getattr__(self, method: str) -> Any:
        found = getattr(self._part, method)
        if method == "open":
            return lambda *args: _Opened(f"{self._name}.open", found(*args), self._counter)
        if not asyncio.iscoroutinefunction(found):
            return found

        async def watched(*args: Any, **named: Any) -> Any:
            self._counter.point(f"{self._name}.{method}:before")
            result = await found(*args, **named)
            self._counter.point(f"{self._name}.{method}:after")
            return result

        return watched


class _Opened:
    def __init__(self, name: str, inner: Any, counter: Counter) -> None:
        self._name, self._inner, self._counter = name, inner, counter

    async def __aenter__(self) -> Any:
        self._counter.point(f"{self._name}:before")
        found = await self._inner.__aenter__()
        self._counter.point(f"{self._name}:filled")
        return found

    async def __aexit__(self, *error: Any) -> None:
        self._counter.point(f"{self._name}:done")
        await self._inner.__aexit__(*error)
        self._counter.point(f"{self._name}:removed")


@dataclass(frozen=True)
class Deed:
    """What to do, where, and at which side effect to die (0: at none)."""

    folder: str
    state: str
    flags: dict[str, Any]
    resume: str = ""
    deadly: int = 0
    # Given before the run is resumed.
    answer: str = ""
    # In front of PATH: where a git of somebody's own stands. It finds our process id there.
    tools: str = ""


def commit(deed: Deed, report: Any = None) -> None:
    """In a process of its own: run or resume. Sends the names of all side effects when it lives to the end."""
    os.chdir(deed.folder)
    os.environ["BURNISH_STATE"] = deed.state
    counter = Counter(deed.deadly)
    hooks = Hooks(counter.point, counter.decorate)

    async def work() -> int:
        if deed.answer:
            with await open_queue() as here:
                await give_answer(here, deed.resume, deed.answer, "ann", counter.point)
        if deed.resume:
            return await resume(deed.resume, lambda recorded: None, hooks)
        flags = {key: Flag(key, value) for key, value in deed.flags.items()}
        return await start(RunRequest("Add lines", flags), lambda recorded: None, hooks)

    code = asyncio.run(work())
    if report is not None:
        report.send(counter.names)
    sys.exit(code)


def attempt(deed: Deed, report: Any) -> None:
    """As `commit`, but what a user would be told as one sentence is sent back and ends with 1."""
    if deed.tools:
        Path(deed.tools, "parent").write_text(str(os.getpid()))
        os.environ["PATH"] = os.pathsep.join((deed.tools, os.environ["PATH"]))
    try:
        commit(deed)
    except BurnishError as error:
        report.send(error.message)
        sys.exit(1)
