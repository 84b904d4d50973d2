"""Those that do the jobs of a search: the project's own test command as a server, or else run as a whole."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from burnish.fixers.search._copies import laid, test_child
from burnish.fixers.search._jobs import Job, NotServed, Told, Worker, read_told
from burnish.fixers.search._judges import started_by
from burnish.fixers.search._outcomes import Before
from burnish.fixers.search._whole_runs import whole_runs
from burnish.process.child import Finished
from burnish.process.supervisor import run
from burnish.process.tool_setup import ToolSetup

PLUGIN = "burnish_search_pytest"
# pytest takes in a plugin of ours wherever it is started; unittest is asked for by name.
STAND_IN, UNITTEST = "burnish_search_unittest", re.compile(r"-m\s+unittest\b(?!\.)")
DESK = "BURNISH_SEARCH_DESK"
POLL_S = 0.004
# A job that is over its own limit is ended by the server; this is for a server that hangs.
GRACE_S = 15.0


@dataclass
class Server:
    """One copy of the workspace with one server in it."""

    desk: Path
    serving: asyncio.Task[Finished]
    number: int = 0
    selects = True

    async def do(self, job: Job) -> Told:
        """What came of it; raises NotServed when the server is gone."""
        self.number += 1
        fresh = self.desk / "fresh"
        fresh.write_bytes(job.written())
        fresh.replace(self.desk / "jobs" / str(self.number))
        done = self.desk / "done" / str(self.number)
        deadline = asyncio.get_running_loop().time() + job.limit_s + GRACE_S
        while not done.exists():
            if self.serving.done() or asyncio.get_running_loop().time() > deadline:
                raise NotServed(f"the test command takes no jobs{self._last_words()}")
            await asyncio.sleep(POLL_S)
        data = done.read_bytes()
        done.unlink()
        return await asyncio.to_thread(read_told, data)

    def _last_words(self) -> str:
        if not self.serving.done() or self.serving.cancelled():
            return ""
        if error := self.serving.exception():
            return f": {error}"
        finished = self.serving.result()
        said = (finished.stdout.text + finished.stderr.text).strip().splitlines()
        return f": {said[-1][:200]}" if said else f": exit {finished.status}"


@asynccontextmanager
async def server(
    setup: ToolSetup, workspace: Path, folder: Path, command: str, timeout_s: float
) -> AsyncIterator[Server]:
    """`folder` is ours and empty. When this ends, nothing of the server is left running."""
    copy = await asyncio.to_thread(laid, workspace, folder)
    for name in ("jobs", "done"):
        (copy.desk / name).mkdir()
    child = test_child(
        setup,
        copy,
        UNITTEST.sub(f"-m {STAND_IN}", command),
        python_path=(copy.injected,),
        timeout_s=timeout_s,
    )
    plugins = [*filter(None, [child.env.get("PYTEST_PLUGINS", "")]), PLUGIN]
    env = {**child.env, "PYTEST_PLUGINS": ",".join(plugins), DESK: str(copy.desk)}
    serving = asyncio.create_task(run(replace(child, env=env)))
    try:
        yield Server(copy.desk, serving)
    finally:
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)


class Workers:
    """Workers of one search, each with a copy of its own; all of it is gone afterwards.

    `started` are the files that the test command starts.
    """

    def __init__(self, setup: ToolSetup, workspace: Path, command: str, timeout_s: float) -> None:
        self._start = (setup, workspace, command, timeout_s)
        self._stack = AsyncExitStack()
        self._place = Path()
        self._count = 0
        self._before: Before | None = None
        self.started: tuple[str, ...] = ()

    async def __aenter__(self) -> Workers:
        self._place = Path(self._stack.enter_context(self._start[0].temporary("search"))).resolve()
        self.started = await asyncio.to_thread(started_by, self._start[2], self._start[1])
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    def fall_back(self) -> None:
        """The command does not become a server: from now on each job is a run of all of it."""
        self._before = Before()

    async def another(self) -> Worker:
        setup, workspace, command, timeout_s = self._start
        self._count += 1
        folder = self._place / str(self._count)
        folder.mkdir()
        if self._before is None:
            starting = server(setup, workspace, folder, command, timeout_s)
            return await self._stack.enter_async_context(starting)
        return await self._stack.enter_async_context(
            whole_runs(setup, workspace, folder, command, self._before)
        )
