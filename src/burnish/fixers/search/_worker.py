"""The project's own test command as a server of jobs, in a copy of the workspace, sandboxed as tests are."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from importlib.resources import files as resources
from pathlib import Path

from burnish.errors import BurnishError
from burnish.fixers.search._jobs import Job, Told, read_told
from burnish.process.child import Command, Finished
from burnish.process.supervisor import run
from burnish.process.tool_setup import ToolSetup

# As the tests analyser has it: no colours, no watching.
ENV = {"CI": "true", "NO_COLOR": "1", "PY_COLORS": "0", "TERM": "dumb", "COLUMNS": "240", "FORCE_COLOR": "0"}
PLUGIN = "burnish_search_pytest"
# pytest takes in a plugin of ours wherever it is started; unittest is asked for by name.
STAND_IN, UNITTEST = "burnish_search_unittest", re.compile(r"-m\s+unittest\b(?!\.)")
DESK = "BURNISH_SEARCH_DESK"
POLL_S = 0.004
# A job that is over its own limit is ended by the server; this is for a server that hangs.
GRACE_S = 15.0
KEEP_BYTES = 256 * 1024


class NotServed(BurnishError):
    """The test command never became a server: it is no pytest, or it does not let us in."""


@dataclass
class Worker:
    """One copy of the workspace with one server in it."""

    desk: Path
    serving: asyncio.Task[Finished]
    number: int = 0

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
async def worker(
    setup: ToolSetup, workspace: Path, folder: Path, command: str, timeout_s: float
) -> AsyncIterator[Worker]:
    """`folder` is ours and empty. When this ends, nothing of the server is left running."""
    tree, desk, injected = folder / "tree", folder / "desk", folder / "injected"
    await asyncio.to_thread(_lay, workspace, tree, desk, injected)
    held = setup.sandbox
    child = Command(
        argv=("/bin/sh", "-c", UNITTEST.sub(f"-m {STAND_IN}", command)),
        cwd=tree,
        env=_environment(setup, folder),
        timeout_s=timeout_s,
        sandbox=held and replace(held, writable=(*held.writable, folder, tree)),
        keep_bytes=KEEP_BYTES,
    )
    serving = asyncio.create_task(run(child))
    try:
        yield Worker(desk, serving)
    finally:
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)


class Workers:
    """Workers of one search, each with a copy of its own; all of it is gone afterwards."""

    def __init__(self, setup: ToolSetup, workspace: Path, command: str, timeout_s: float) -> None:
        self._start = (setup, workspace, command, timeout_s)
        self._stack = AsyncExitStack()
        self._place = Path()
        self._count = 0

    async def __aenter__(self) -> Workers:
        self._place = Path(self._stack.enter_context(self._start[0].temporary("search"))).resolve()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def another(self) -> Worker:
        setup, workspace, command, timeout_s = self._start
        self._count += 1
        folder = self._place / str(self._count)
        folder.mkdir()
        return await self._stack.enter_async_context(worker(setup, workspace, folder, command, timeout_s))


def _lay(workspace: Path, tree: Path, desk: Path, injected: Path) -> None:
    shutil.copytree(workspace, tree, symlinks=True)
    for name in ("jobs", "done"):
        (desk / name).mkdir(parents=True)
    injected.mkdir()
    for script in resources("burnish.fixers.search").joinpath("injected").iterdir():
        if script.name.endswith(".py"):
            (injected / script.name).write_bytes(script.read_bytes())


def _environment(setup: ToolSetup, folder: Path) -> dict[str, str]:
    env = {**setup.env, **ENV}
    path = [str(folder / "injected"), *filter(None, [env.get("PYTHONPATH", "")])]
    plugins = [*filter(None, [env.get("PYTEST_PLUGINS", "")]), PLUGIN]
    return {
        **env,
        "PYTHONPATH": os.pathsep.join(path),
        "PYTEST_PLUGINS": ",".join(plugins),
        # Compiled files are kept apart from those that the workspace may hold.
        "PYTHONPYCACHEPREFIX": str(folder / "compiled"),
        DESK: str(folder / "desk"),
    }
