"""One contender at work in a process of its own: so many runs, so many at a time; prints what it took."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from bench._scene import BASELINE, GATE, TASK, Scene, burnish, run_arguments

Once = Callable[[int], Awaitable[None]]


def cpu_s() -> float:
    """Of this process and of all children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def peak_mb() -> float:
    """The most memory this process has had at once."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) / 1024


async def at_a_time(once: Once, runs: int, at_once: int) -> None:
    """`runs` of them, never more than `at_once` together."""
    waiting = iter(range(runs))

    async def lane() -> None:
        for number in waiting:
            await once(number)

    async with asyncio.TaskGroup() as group:
        for _ in range(at_once):
            group.create_task(lane())


async def command(words: list[str], folder: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        *words, cwd=folder, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
    )
    _, said = await process.communicate()
    if process.returncode:
        raise SystemExit(f"{words[:3]} ended with {process.returncode}: {said.decode()[-2000:]}")


def by_shell(scene: Scene, name: str) -> Once:
    async def once(number: int) -> None:
        words = [str(BASELINE), "run", str(scene.repo), str(scene.folder / "baseline"), f"{name}-{number}"]
        await command([*words, str(scene.writer), str(scene.reviewer), GATE], scene.repo)

    return once


def by_command_line(scene: Scene, sandbox: str) -> Once:
    words = burnish(*run_arguments(scene, sandbox=sandbox))

    async def once(number: int) -> None:
        await command(words, scene.repo)

    return once


def in_process(scene: Scene, sandbox: str, gate: str = GATE, writer: Path | None = None) -> Once:
    """The call that `burnish run` itself makes, without starting Python for each run."""
    from burnish.app.request import RunRequest
    from burnish.app.start import start
    from burnish.config.load import Flag

    settings: dict[str, object] = {
        "agents.implementer": str(writer or scene.writer),
        "agents.reviewer": str(scene.reviewer),
        "limits.cycles": 3,
        "sandbox.mode": sandbox,
        "gate.command": gate,
    }
    request = RunRequest(TASK, {key: Flag(key, value) for key, value in settings.items()})

    async def once(number: int) -> None:
        code = await start(request, lambda recorded: None)
        if code:
            raise SystemExit(f"a run ended with {code}")

    return once


async def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("kind")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--name", default=f"n{os.getpid()}")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--at-once", type=int, default=1)
    parser.add_argument("--gate", default=GATE)
    parser.add_argument("--writer", type=Path)
    parser.add_argument("--ledger", action="store_true", help="tell where the time went")
    given = parser.parse_args()
    scene = Scene(given.folder)
    os.chdir(scene.repo)
    how, _, sandbox = given.kind.partition(":")
    match how:
        case "shell":
            once = by_shell(scene, given.name)
        case "command":
            once = by_command_line(scene, sandbox)
        case _:
            once = in_process(scene, sandbox, given.gate, given.writer)
            await once(-1)  # the first run makes the mirror and fills caches, as the shell's `setup` does
    ledger: dict[str, tuple[int, float]] = {}
    if given.ledger:
        from bench._ledger import keep

        ledger = keep()
    began, used = time.perf_counter(), cpu_s()
    await at_a_time(once, given.runs, given.at_once)
    took = {"wall_s": time.perf_counter() - began, "cpu_s": cpu_s() - used, "peak_mb": peak_mb()}
    json.dump({**took, "runs": given.runs, "ledger": ledger}, sys.stdout)


if __name__ == "__main__":
    from burnish.process.reaping import wait_without_threads

    wait_without_threads()  # as `burnish run` does
    asyncio.run(main())
