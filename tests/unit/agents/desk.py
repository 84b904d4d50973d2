"""A desk for an agent: workspace, inbox, outbox, and agents made for it."""

from __future__ import annotations

import asyncio
import os
import shlex
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from burnish.agents._choose import choose
from burnish.agents._setup import AgentSetup
from burnish.model.agent import Reply, Request
from burnish.model.sandbox_mode import SandboxMode
from burnish.model.step import Role
from burnish.ports import Agent
from burnish.workflows.ask import ask

PYTHON = shlex.quote(sys.executable)


@dataclass(frozen=True)
class Desk:
    root: Path
    mode: SandboxMode

    @property
    def setup(self) -> AgentSetup:
        return AgentSetup(dict(os.environ), mode=self.mode, start=self.root)

    def request(self, prompt: str = "do it", **changes: object) -> Request:
        folders = {name: self.root / name for name in ("workspace", "inbox", "outbox")}
        for folder in folders.values():
            folder.mkdir(exist_ok=True)
        request = Request(Role.REVIEW, prompt, timeout_s=30.0, **folders)
        return replace(request, **changes)  # type: ignore[arg-type]

    def agent(self, spec: str, **changes: object) -> Agent:
        return choose(spec, replace(self.setup, **changes))  # type: ignore[arg-type]

    def ask(self, spec: str, prompt: str = "do it", **changes: object) -> Reply:
        return asyncio.run(ask(self.agent(spec), self.request(prompt, **changes)))

    def shell(self, script: str, **changes: object) -> Reply:
        return self.ask(f"/bin/sh -c {shlex.quote(script)}", **changes)

    def scripted(self, scenario: str, prompt: str = "do it", **changes: object) -> Reply:
        (self.root / "scenario.toml").write_text(scenario)
        return self.ask("scripted:scenario.toml", prompt, **changes)

    @property
    def workspace(self) -> Path:
        return self.request().workspace

    @property
    def outbox(self) -> Path:
        return self.request().outbox
