"""A repository with a queue, and programs that play its agents."""

from __future__ import annotations

import json
import os
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from burnish.model.queue import TaskView
from burnish.store.database import open_database
from burnish.store.queue import Queue
from tests.cli import Said, burnish, program
from tests.repos import TestRepo

# Every answer is another one, so a step that was done twice would show. Programs in `asides` go first.
WRITER = """
import re
named = re.search(r'Task (\\w+)', prompt)
name = (named[1] if named else 'thing') + '.txt'
with open(name, 'a') as file:
    file.write(f'{role} {cycle} {os.urandom(4).hex()}\\n')
print('done')
"""
REVIEWER = """
print('**Verdict: APPROVED**' if cycle == 3 else f'- missing check {cycle}\\n\\n**Verdict: CHANGES_REQUESTED**')
"""
APPROVER = "print('**Verdict: APPROVED**')\n"


@dataclass
class QueueBench:
    folder: Path
    repo: TestRepo

    def configure(self, writer: str = WRITER, reviewer: str = REVIEWER, extra: str = "") -> None:
        """Agents from the base commit; the guard starts several times faster than the sandbox."""
        agents = self.folder / "agents"
        lines = [
            "[agents]",
            f"implementer = {json.dumps(program(agents, 'writer', writer))}",
            f"reviewer = {json.dumps(program(agents, 'reviewer', reviewer))}",
            "[sandbox]",
            'mode = "off"',
            "[gate]",
            'command = "true"',
            extra,
        ]
        (self.repo.path / "burnish.toml").write_text("\n".join(lines))
        self.repo.git("add", "burnish.toml")
        self.repo.git("commit", "-q", "--allow-empty", "-m", "settings")

    def do(self, *arguments: str, stdin: str = "", code: int | None = 0) -> Said:
        said = burnish(self.repo.path, *arguments, stdin=stdin)
        assert code is None or said.code == code, (said.code, said.out, said.err)
        return said

    def task(self, number: int) -> TaskView:
        """As it stands now, seen by a process of its own."""
        [path] = self.state.glob("repos/*/burnish.db")
        with closing(open_database(path)) as database:
            return Queue(database).find(number)

    def subjects(self, branch: str) -> list[str]:
        return self.repo.git("log", "--format=%s", branch).splitlines()

    def reviews(self) -> list[str]:
        return sorted(path.name for path in (self.repo.path / ".burnish/reviews").glob("*"))

    @property
    def state(self) -> Path:
        return Path(os.environ["BURNISH_STATE"])
