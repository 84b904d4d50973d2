"""A repository with beads, scripted agents for its slots, and `burnish slots` on it."""

from __future__ import annotations

import json
import os
import shlex
import sys
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from burnish.model.run_view import RunView
from burnish.store.database import open_database
from burnish.store.leases import this_process
from burnish.store.queries import list_runs
from tests.cli import Said, burnish
from tests.repos import TestRepo

# What an agent finds out about its step, from its prompt as a real one would; `asked` says who was asked.
HEAD = """\
import os, re, sys, time
from pathlib import Path
prompt = sys.stdin.read()
role, cycle = os.environ['BURNISH_ROLE'], int(os.environ['BURNISH_CYCLE'])
found = re.search(r'Picked for you: (\\S+)\\. |(?m:^- id: (\\S+)$)|of task (\\S+): ', prompt)
bead = next((name for name in found.groups() if name), '') if found else ''
log = Path({log!r})
with (log / f'{{time.monotonic_ns()}}-{{bead}}-{{role}}-{{cycle}}').open('w') as file:
    file.write(prompt)
def verdict(word, said='as it should be'):
    print('{{"verdict": "%s", "followUpPrompt": "%s"}}' % (word, said))
def write(name=bead, text=None):
    with Path(f'{{name}}.txt').open('a') as file:
        file.write(text or f'{{role}} {{cycle}} {{os.urandom(4).hex()}}\\n')
"""
WRITER = "write()\nprint('done')\n"
PASSES = "verdict('pass')\n"
DRIFTS_ONCE = "verdict('pass' if cycle > 1 else 'drift', f'say more than in {cycle}')\n"
ENV = {"BURNISH_SANDBOX_MODE": "off"}


def bead(name: str, title: str = "", **more: Any) -> dict[str, Any]:
    return {"id": name, "title": title or f"Add {name}", "status": "open", "priority": 2, **more}


@dataclass
class Slots:
    """`asked` is who was asked, in that order: `bd-1-review-1`."""

    folder: Path
    repo: TestRepo
    agents: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.log.mkdir(parents=True)
        self.agent("implementer", WRITER)
        self.agent("reviewer", PASSES)

    @property
    def log(self) -> Path:
        return self.folder / "log"

    def agent(self, role: str, body: str) -> None:
        path = self.folder / f"{role}.py"
        path.write_text(HEAD.format(log=str(self.log)) + body)
        self.agents[role] = shlex.join([sys.executable, str(path)])

    def beads(self, *beads: dict[str, Any]) -> None:
        lines = "".join(f"{json.dumps(one)}\n" for one in beads)
        self.repo.write(".beads/issues.jsonl", lines)

    def run(self, *more: str, code: int = 0, env: dict[str, str] | None = None) -> Said:
        agents = [f"--{role}={command}" for role, command in self.agents.items()]
        arguments = ["slots", *([] if "--resume" in more else agents), *more]
        said = burnish(self.repo.path, *arguments, env={**ENV, **(env or {})})
        assert said.code == code, (said.code, said.out, said.err)
        return said

    @property
    def asked(self) -> list[str]:
        return [path.name.partition("-")[2] for path in sorted(self.log.iterdir())]

    def prompt(self, step: str) -> str:
        """What the last agent that was asked this was told."""
        found = [path for path in sorted(self.log.iterdir()) if path.name.endswith(f"-{step}")]
        return found[-1].read_text()

    @property
    def branch(self) -> str:
        """The session's own branch."""
        [name] = [one for one in self.repo.branches if one.startswith("burnish/slots-")]
        return name

    def landed(self, branch: str = "") -> list[str]:
        """Subjects of what came onto the branch, the oldest first."""
        return self.repo.git("log", "--reverse", "--format=%s", f"main..{branch or self.branch}").splitlines()

    def files(self, branch: str) -> list[str]:
        names = self.repo.git("ls-tree", "--name-only", branch).splitlines()
        return [name for name in names if name.endswith(".txt")]

    @property
    def logs(self) -> list[str]:
        return sorted(path.name for path in (self.repo.path / ".burnish" / "logs").iterdir())

    def views(self) -> list[RunView]:
        """All runs, the newest first."""
        [path] = Path(os.environ["BURNISH_STATE"]).glob("repos/*/burnish.db")
        with closing(open_database(path)) as database:
            return list(list_runs(database, this_process()))
