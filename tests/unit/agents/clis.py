"""Desks on which fake CLIs stand: recorded streams, played by `fake_cli.py` under a CLI's own name."""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from burnish.agents._choose import choose
from burnish.agents._cli_runner import CliAgent
from burnish.agents._setup import AgentSetup
from burnish.model.agent import Reply
from burnish.workflows.ask import ask
from tests.unit.agents.desk import Desk

SAMPLES = Path(__file__).resolve().parents[2] / "data" / "agents"
FAKE = Path(__file__).resolve().with_name("fake_cli.py")
TELLS = "@told"


def sample(cli: str, name: str) -> str:
    return (SAMPLES / cli / f"{name}.jsonl").read_text("utf8")


def samples(cli: str) -> list[str]:
    return sorted(path.stem for path in (SAMPLES / cli).glob("*.jsonl"))


def plan(desk: Desk, cli: str, stream: str, **more: Any) -> Path:
    """Install a fake CLI on the desk; gives its folder, for PATH."""
    folder = desk.root / "bin"
    folder.mkdir(exist_ok=True)
    shutil.copy(FAKE, folder / "fake_cli.py")
    values = {"stream": stream, "resumed": stream, **more}
    lines = [f"{key} = {json.dumps(value)}" for key, value in values.items()]
    (folder / f"{cli}.toml").write_text("\n".join(lines))
    program = folder / cli
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -I {folder}/fake_cli.py {folder}/{cli}.toml "$@"\n')
    program.chmod(0o755)
    return folder


def agent(desk: Desk, spec: str, stream: str, **more: Any) -> CliAgent:
    """`environ` and `stall_s` are the setup's; what else is given goes into the plan."""
    environ, stall_s = more.pop("environ", {}), more.pop("stall_s", None)
    folder = plan(desk, spec.partition(":")[0], stream, **more)
    home = desk.root / "home"
    home.mkdir(exist_ok=True)
    path = f"{folder}:{Path(sys.executable).parent}:/usr/bin:/bin"
    keys = {"ANTHROPIC_API_KEY": "dummy", "OPENAI_API_KEY": "dummy"}
    setup = AgentSetup({"PATH": path, "HOME": str(home), **keys, **environ}, mode=desk.mode, stall_s=stall_s)
    found = choose(spec, replace(setup, start=desk.root))
    assert isinstance(found, CliAgent)
    return found


def answer(desk: Desk, asked: CliAgent, prompt: str = "do it", grace_s: float = 5.0, **changes: Any) -> Reply:
    return asyncio.run(ask(asked, desk.request(prompt, **changes), grace_s=grace_s))


def called(desk: Desk, spec: str, *, environ: dict[str, str] | None = None, **changes: Any) -> dict[str, Any]:
    """How the program of `spec` is called for a request. Read by Claude's reader, whichever CLI it is."""
    asked = agent(desk, spec, TELLS, environ=environ or {})
    if spec.startswith("codex"):
        told = json.dumps({"type": "turn.completed"})
        asked = agent(desk, spec, f"{TELLS}\n{told}", environ=environ or {})
    heard: list[bytes] = []

    async def start(command: Any, on_line: Any) -> Any:
        def line(data: bytes) -> None:
            heard.append(data)
            on_line(data)

        return await type(asked).start(command, line)

    answer(desk, replace(asked, start=start), **changes)
    found: dict[str, Any] = json.loads(json.loads(heard[0])["result"])
    return found
