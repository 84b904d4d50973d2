"""A repository with a spec, scripted agents for its phases, and `burnish spec` on it."""

from __future__ import annotations

import shlex
import sys
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from burnish.model.run_view import RunView
from burnish.store.database import open_database
from burnish.store.leases import this_process
from burnish.store.queries import list_runs
from tests.cli import Said, burnish
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
    print('done')
"""
WRITER = (
    "with Path(f'phase{phase}.txt').open('a') as file:\n"
    "    file.write(f'{role} {cycle} {os.urandom(4).hex()}\\n')\nprint('done')\n"
)
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

    def run(self, *more: str, stdin: str = "") -> Said:
        return burnish(
            self.repo.path, *self.arguments, *more, stdin=stdin, env={"BURNISH_SANDBOX_MODE": "off"}
        )

    @property
    def steps(self) -> list[str]:
        return [path.name.partition("-")[2] for path in sorted(self.log.iterdir())]

    def prompt(self, step: str) -> str:
        [found] = [path for path in self.log.iterdir() if path.name.endswith(f"-{step}")]
        return found.read_text()

    @property
    def session(self) -> Path:
        return sorted((self.repo.path / ".burnish" / "sessions").iterdir())[-1]

    @property
    def listing(self) -> list[str]:
        found = (path for path in self.session.rglob("*") if path.is_file())
        return sorted(path.relative_to(self.session).as_posix() for path in found)

    def subjects(self, branch: str = "burnish/spec-042-login") -> list[str]:
        return self.repo.git("log", "--reverse", "--format=%s", f"main..{branch}").splitlines()

    def database(self, state: Path) -> Path:
        [found] = state.glob("repos/*/burnish.db")
        return found

    def runs(self, state: Path) -> tuple[RunView, ...]:
        with closing(open_database(self.database(state))) as database:
            return list_runs(database, this_process())
