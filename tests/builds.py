"""A repository with a document, scripted agents that build it in loops, and `burnish build` on it."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.cli import Said, burnish, start
from tests.repos import TestRepo

DOCUMENT = "# Shop\n\nA cart and a till.\n"
# What an agent finds out about its step, from its prompt as a real one would.
HEAD = """\
import json, os, re, sys, time
from pathlib import Path
prompt = sys.stdin.read()
role, cycle = os.environ['BURNISH_ROLE'], int(os.environ['BURNISH_CYCLE'])
log, tasks, groups = Path({log!r}), json.loads({tasks!r}), json.loads({groups!r})
phase = 'checkpoint' if 'CHECKPOINT REVIEW' in prompt[:80] else prompt.split()[1].rstrip(':').lower()
loop = (re.search(r'Loop (r-[a-z0-9]+-[0-9]+)', prompt) or ['', ''])[1]
order = [name for group in groups for name in group['taskIds']]
mine = dict(id=order[int(loop.rpartition("-")[2]) - 1] if loop else "all")
with (log / f"{{time.monotonic_ns()}}-{{mine['id']}}-{{phase}}-{{role}}-{{cycle}}").open('w') as file:
    file.write(prompt)
def times(phase):
    return len([path for path in log.iterdir() if f"-{{mine['id']}}-{{phase}}-" in path.name])
def result(passed, *issues):
    issues = [dict(description=issue, type='dead-code', file='a.py') for issue in issues]
    about = re.search(r'"loopId": ("[^"]+")', prompt)
    print(json.dumps(dict(loopId=json.loads(about[1]) if about else loop, passed=passed, interpretedIntent='to sell', intentSatisfied=passed,
                          issues=issues)))
if phase == 'enumerate':
    print(json.dumps(dict(interpretedIntent='a shop', tasks=tasks)))
    sys.exit()
if phase == 'plan':
    print(json.dumps(dict(groups=groups)))
    sys.exit()
"""
BUILDER = (
    "with Path(f\"{mine['id']}.txt\").open('a') as file:\n    file.write(f'{phase} {os.urandom(4).hex()}\\n')\n"
    "print('TASK_COMPLETE')\n"
)
REVIEWER = "result(True)\n"
ENV = {"BURNISH_SANDBOX_MODE": "off"}
TASKS = ("cart", "till")


def task(name: str, *needs: str) -> dict[str, Any]:
    return {
        "id": name,
        "title": f"Make the {name}",
        "description": f"A {name} is wanted.",
        "dependencies": needs,
    }


@dataclass
class Builds:
    """`steps` are files that agents leave, in the order in which they were asked: `cart-build-implement-1`."""

    folder: Path
    repo: TestRepo
    tasks: Sequence[Mapping[str, Any]] = (task("cart"), task("till"))
    groups: Sequence[Sequence[str]] = (TASKS,)
    agents: dict[str, str] = field(default_factory=dict)
    gate: str = ""

    def __post_init__(self) -> None:
        self.log.mkdir(parents=True)
        self.agent("implementer", BUILDER)
        self.agent("reviewer", REVIEWER)

    @property
    def log(self) -> Path:
        return self.folder / "log"

    def agent(self, role: str, body: str) -> None:
        path = self.folder / f"{role}.py"
        groups = [{"groupIndex": index, "taskIds": names} for index, names in enumerate(self.groups)]
        head = HEAD.format(log=str(self.log), tasks=json.dumps(self.tasks), groups=json.dumps(groups))
        path.write_text(head + body)
        self.agents[role] = shlex.join([sys.executable, str(path)])

    @property
    def arguments(self) -> list[str]:
        gate = [f"--gate={self.gate}"] if self.gate else []
        return ["build", "shop.md", *(f"--{role}={command}" for role, command in self.agents.items()), *gate]

    def run(self, *more: str) -> Said:
        return burnish(self.repo.path, *self.arguments, *more, env=ENV)

    def verb(self, *words: str) -> Said:
        return burnish(self.repo.path, "build", *words, env=ENV)

    def start(self, *more: str) -> subprocess.Popen[bytes]:
        return start(self.repo.path, *self.arguments, *more, env=ENV)

    @property
    def steps(self) -> list[str]:
        return [path.name.partition("-")[2] for path in sorted(self.log.iterdir())]

    def prompt(self, step: str) -> str:
        """What the last agent that was asked this step was told."""
        return sorted(path for path in self.log.iterdir() if path.name.endswith(f"-{step}"))[-1].read_text()

    def wait_for(self, step: str) -> None:
        deadline = time.monotonic() + 60
        while step not in self.steps:
            assert time.monotonic() < deadline, f"{step} never began: {self.steps}"
            time.sleep(0.02)

    def subjects(self, branch: str = "main") -> list[str]:
        return self.repo.git("log", "--format=%s", branch).splitlines()
