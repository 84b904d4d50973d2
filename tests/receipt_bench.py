"""A repository, two agents and a gate that make receipts to check."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli import burnish, program
from tests.repos import TestRepo

needs_ssh_keygen = pytest.mark.skipif(
    shutil.which("ssh-keygen") is None,
    reason="not tested: signatures (no ssh-keygen; install openssh-client)",
)
WRITER = "Path('app.py').write_text(Path('app.py').read_text() + f'# {role} {cycle}\\n')\n"
REVIEWER = (
    "print('**Verdict: APPROVED**' if cycle == 2 else '- no check\\n\\n**Verdict: CHANGES_REQUESTED**')\n"
)


class Bench:
    def __init__(self, folder: Path, repo: TestRepo) -> None:
        self.folder, self.repo = folder, repo
        writer, reviewer = (
            program(folder / "a", "writer", WRITER),
            program(folder / "a", "reviewer", REVIEWER),
        )
        self.agents = ["--implementer", writer, "--reviewer", reviewer, "--gate", "test -f app.py"]

    def run(self, *extra: str) -> dict[str, Any]:
        return burnish(self.repo.path, "run", "Add it", *self.agents, "--json", *extra).end

    def altered(self, receipt: Any) -> Path:
        path = self.folder / "altered.json"
        path.write_text(json.dumps(receipt))
        return path
