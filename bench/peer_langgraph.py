"""The same loop on LangGraph with its SQLite checkpointer: the same agents, gate and git work as baseline.sh.

Runs in an environment of its own (.bench-venv) and imports nothing of Burnish.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import shutil
import sys
import time
from pathlib import Path
from typing import TypedDict

from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, StateGraph

PIPE, DEVNULL = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL


class State(TypedDict):
    id: str
    base: str
    head: str
    cycle: int
    verdict: str
    gate: str


async def sh(
    *words: str, cwd: Path | None = None, env: dict[str, str] | None = None, stdin: bytes = b""
) -> bytes:
    process = await asyncio.create_subprocess_exec(
        *words, cwd=cwd, env={**os.environ, **(env or {})}, stdin=PIPE, stdout=PIPE, stderr=PIPE
    )
    out, err = await process.communicate(stdin)
    if process.returncode:
        raise SystemExit(f"{words} ended with {process.returncode}: {err.decode()[-500:]}")
    return out


class Loop:
    """One graph for all runs; a run is a thread of it."""

    def __init__(self, given: argparse.Namespace) -> None:
        self.repo, self.writer, self.reviewer = given.repo, given.writer, given.reviewer
        self.gate_command, self.state = given.gate, given.state
        self.mirror = given.state / "mirror.git"

    def store(self, state: State) -> str:
        return f"--git-dir={self.state / state['id'] / 'run.git'}"

    async def open(self, state: State, name: str) -> Path:
        folder = self.state / state["id"] / name
        source = str(folder.parent / "run.git")
        await sh("git", "clone", "-q", "--shared", "--branch", "work", source, str(folder))
        await sh("git", "-C", str(folder), "remote", "remove", "origin")
        return folder

    async def begin(self, state: State) -> dict[str, object]:
        base = (await sh("git", "-C", str(self.repo), "rev-parse", "--verify", "HEAD")).decode().strip()
        await sh("git", "-C", str(self.repo), "status", "--porcelain")
        work = self.state / state["id"]
        work.mkdir()
        await sh("git", f"--git-dir={self.mirror}", "cat-file", "-e", f"{base}^{{commit}}")
        await sh("git", f"--git-dir={self.mirror}", "update-ref", f"refs/burnish/base/{state['id']}", base)
        await sh("git", "init", "-q", "--bare", "--initial-branch=work", str(work / "run.git"))
        (work / "run.git/objects/info/alternates").write_text(f"{self.mirror}/objects\n")
        for key in ("user.name", "user.email"):
            value = (await sh("git", "-C", str(self.repo), "config", key)).decode().strip()
            await sh("git", self.store(state), "config", key, value)
        await sh("git", self.store(state), "update-ref", "refs/heads/work", base)
        await self._gate(state, 0)
        return {"base": base, "head": base}

    async def write(self, state: State) -> dict[str, object]:
        cycle = state["cycle"] + 1
        folder = await self.open(state, f"write{cycle}")
        role = "implement" if cycle == 1 else "fix"
        about = {"BURNISH_CYCLE": str(cycle), "BURNISH_ROLE": role, "BURNISH_RUN": state["id"]}
        await sh(str(self.writer), cwd=folder, env=about, stdin=b"Do it\n")
        index = folder.with_name(f"write{cycle}.index")
        trusted = {"GIT_DIR": str(folder.parent / "run.git"), "GIT_WORK_TREE": str(folder)}
        trusted["GIT_INDEX_FILE"] = str(index)
        await sh("git", "read-tree", "work", env=trusted)
        await sh("git", "add", "-A", env=trusted)
        tree = (await sh("git", "write-tree", env=trusted)).decode().strip()
        made = await sh("git", self.store(state), "commit-tree", "-p", "work", "-m", f"Cycle {cycle}", tree)
        head = made.decode().strip()
        await sh("git", self.store(state), "update-ref", "refs/heads/work", head, state["head"])
        index.unlink()
        shutil.rmtree(folder)
        return {"head": head, "cycle": cycle}

    async def check(self, state: State) -> dict[str, object]:
        return {"gate": await self._gate(state, state["cycle"])}

    async def _gate(self, state: State, number: int) -> str:
        folder = await self.open(state, f"gate{number}")
        said = await sh("sh", "-c", self.gate_command, cwd=folder)
        shutil.rmtree(folder)
        return said.decode()

    async def review(self, state: State) -> dict[str, object]:
        cycle = state["cycle"]
        diff = await sh("git", self.store(state), "diff", state["base"], state["head"])
        folder = await self.open(state, f"review{cycle}")
        about = {"BURNISH_CYCLE": str(cycle), "BURNISH_ROLE": "review", "BURNISH_RUN": state["id"]}
        said = await sh(str(self.reviewer), cwd=folder, env=about, stdin=diff)
        if await sh("git", "-C", str(folder), "status", "--porcelain", "--untracked-files=no"):
            raise SystemExit("the reviewer edited what it reviewed")
        shutil.rmtree(folder)
        return {"verdict": said.decode()}

    async def land(self, state: State) -> dict[str, object]:
        wanted = f"{state['head']}\n^{state['base']}\n".encode()
        pack = await sh(
            "git", self.store(state), "pack-objects", "-q", "--revs", "--stdout", "--thin", stdin=wanted
        )
        await sh("git", "-C", str(self.repo), "unpack-objects", "-q", stdin=pack)
        ref = f"refs/heads/langgraph/{state['id']}"
        await sh(
            "git", "-C", str(self.repo), "update-ref", "--no-deref", "-m", "landed", ref, state["head"], ""
        )
        return {}

    def graph(self) -> StateGraph:
        graph = StateGraph(State)
        for node in (self.begin, self.write, self.check, self.review, self.land):
            graph.add_node(node.__name__, node)
        graph.add_edge(START, "begin")
        graph.add_edge("begin", "write")
        graph.add_edge("write", "check")
        graph.add_edge("check", "review")
        graph.add_conditional_edges("review", done, {True: "land", False: "write"})
        graph.add_edge("land", END)
        return graph


def done(state: State) -> bool:
    return "Verdict: APPROVED" in state["verdict"]


def cpu_s() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def peak_mb() -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) / 1024


async def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("repo", "state", "writer", "reviewer"):
        parser.add_argument(name, type=Path)
    parser.add_argument("gate")
    parser.add_argument("--name", default=f"n{os.getpid()}")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--at-once", type=int, default=1)
    given = parser.parse_args()
    loop = Loop(given)
    async with AsyncSqliteSaver.from_conn_string(str(given.state / "checkpoints.db")) as saver:
        compiled = loop.graph().compile(checkpointer=saver)

        async def once(number: int) -> None:
            name = f"{given.name}-{number}"
            fresh = {"id": name, "base": "", "head": "", "cycle": 0, "verdict": "", "gate": ""}
            # As Burnish does: a step is on the disk before the next one begins.
            await compiled.ainvoke(fresh, {"configurable": {"thread_id": name}}, durability="sync")

        await once(-1)
        waiting = iter(range(given.runs))

        async def lane() -> None:
            for number in waiting:
                await once(number)

        began, used = time.perf_counter(), cpu_s()
        async with asyncio.TaskGroup() as group:
            for _ in range(given.at_once):
                group.create_task(lane())
        took = {"wall_s": time.perf_counter() - began, "cpu_s": cpu_s() - used, "peak_mb": peak_mb()}
    json.dump({**took, "runs": given.runs}, sys.stdout)


if __name__ == "__main__":
    asyncio.run(main())
