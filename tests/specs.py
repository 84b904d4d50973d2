"""A repository with a spec, scripted agents for its phases, and `burnish spec` on it."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from tests.cli import Said, burnish, start
from tests.repos import TestRepo

TWO = "# Spec 042: Login\n\n## Phase 1: Model\n\nMake a model.\n\n## Phase 2: View\n\nMake a view.\n"
SIDE_BY_SIDE = (
    "# Spec 042: Login\n\n## Phase 1: Model\n\nDepends on: none\n\nMake a model.\n\n"
    "## Phase 2: View\n\nDepends on: none\n\nMake a view.\n"
)
# What an agent finds out about its step, from its prompt as a real one would.
HEAD = """\
import os, re, sys, time
from pathlib import Path
prompt = sys.stdin.read()
role, cycle = os.environ['BURNISH_ROLE'], int(os.environ['BURNISH_CYCLE'])
phase = int(re.search(r'(?m)^PHASE: ([0-9]+)$|phase-([0-9]+)', prompt).expand(r'\\1\\2'))
log = Path({log!r})
with (log / f'{{time.monotonic_ns()}}-phase-{{phase}}-{{role}}-{{cycle}}').open('w') as file:
    file.write(prompt)
def grade(word, quality=None, compliance='PASS'):
    out = re.search(r'(?m)^OUTPUT: (.+)$', prompt)[1]
    quality = quality or word
    Path(out).write_text(
        f'# Spec Review\\n\\n## Compliance: {{compliance}}\\n\\n## Quality: {{quality}}\\n\\n'
        f'- model.py:1: not enough in cycle {{cycle}}\\n\\n## Grade: {{word}}\\n')
    print(f'done\\n\\n## Grade: {{word}}')
"""
WRITER = (
    "with Path(f'phase{phase}.txt').open('a') as file:\n"
    "    file.write(f'{role} {cycle} {os.urandom(4).hex()}\\n')\nprint('done')\n"
)
# Each waits until the other one is there: they get there only if both are at work at the same time.
MEET = (
    "mine, other = Path({place!r}, f'{{role}}-{{phase}}'), Path({place!r}, f'{{role}}-{{3 - phase}}')\n"
    "mine.touch()\nend = time.monotonic() + 60\n"
    "while not other.exists():\n    assert time.monotonic() < end\n    time.sleep(0.01)\n"
)
# Sleeps the first time that it is asked this step, so that somebody can kill it there.
SLOW_ONCE = (
    "marker = log.parent / 'slept'\nif (role, phase, cycle) == {step!r} and not marker.exists():\n"
    "    marker.touch()\n    time.sleep(120)\n"
)
ENV = {"BURNISH_SANDBOX_MODE": "off"}
PASS_AT = "grade('PASS' if cycle >= {at} else 'WARN')\n"


@dataclass
class Specs:
    """`steps` are files that agents leave, in the order in which they were asked: `phase-1-review-2`."""

    folder: Path
    repo: TestRepo
    document: str = "specs/042-login.md"
    agents: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.log.mkdir(parents=True)
        self.agent("implementer", WRITER)
        self.agent("reviewer", PASS_AT.format(at=1))

    @property
    def log(self) -> Path:
        return self.folder / "log"

    def agent(self, role: str, body: str) -> None:
        path = self.folder / f"{role}.py"
        path.write_text(HEAD.format(log=str(self.log)) + body)
        self.agents[role] = shlex.join([sys.executable, str(path)])

    @property
    def arguments(self) -> list[str]:
        return ["spec", self.document, *(f"--{role}={command}" for role, command in self.agents.items())]

    def run(self, *more: str) -> Said:
        return burnish(self.repo.path, *self.arguments, *more, env=ENV)

    def start(self, *more: str) -> subprocess.Popen[bytes]:
        return start(self.repo.path, *self.arguments, *more, env=ENV)

    def wait_for(self, step: str, times: int = 1) -> None:
        """Until an agent is at work on a step, for so many times."""
        deadline = time.monotonic() + 60
        while len(self.log_entries(step)) < times:
            assert time.monotonic() < deadline, f"{step} never began: {self.steps}"
            time.sleep(0.02)

    @property
    def steps(self) -> list[str]:
        return [path.name.partition("-")[2] for path in sorted(self.log.iterdir())]

    def log_entries(self, step: str) -> list[Path]:
        return sorted(path for path in self.log.iterdir() if path.name.endswith(f"-{step}"))

    def prompt(self, step: str) -> str:
        """What the last agent that was asked this step was told."""
        return self.log_entries(step)[-1].read_text()

    @property
    def session(self) -> Path:
        return sorted((self.repo.path / ".burnish" / "sessions").iterdir())[-1]

    def signal(self, name: str) -> dict[str, str]:
        lines = (self.session / ".signals" / name).read_text().splitlines()
        return {key: value for key, _, value in (line.partition(": ") for line in lines)}

    @property
    def listing(self) -> list[str]:
        found = (path for path in self.session.rglob("*") if path.is_file())
        return sorted(path.relative_to(self.session).as_posix() for path in found)

    def subjects(self, branch: str = "burnish/spec-042-login") -> list[str]:
        return self.repo.git("log", "--reverse", "--format=%s", f"main..{branch}").splitlines()

    @property
    def state(self) -> Path:
        [found] = Path(os.environ["BURNISH_STATE"]).glob("repos/*")
        return found

    def lose_the_journal(self) -> None:
        for path in self.state.glob("burnish.db*"):
            path.unlink()

    def forget_sessions(self) -> None:
        shutil.rmtree(self.repo.path / ".burnish")
