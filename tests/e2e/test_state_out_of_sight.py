"""What Burnish keeps of other runs is out of an agent's sight, wherever the state folder is."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from burnish.process import bubblewrap
from tests.cli import burnish, program
from tests.repos import make_repo

# Homes and temporary folders are hidden anyway; this is not.
IN_THE_OPEN = Path("/srv")
LOOKS = """
seen = [str(path) for path in Path(STATE).rglob('*') if path.name in ('burnish.db', 'planted.txt')]
Path('app.py').write_text(f'seen = {seen}\\n')
"""


@pytest.fixture
def state() -> Iterator[Path]:
    if not os.access(IN_THE_OPEN, os.W_OK) or not bubblewrap.usable():
        pytest.skip("needs bubblewrap and a folder that no sandbox hides by itself")
    with tempfile.TemporaryDirectory(prefix="burnish-", dir=IN_THE_OPEN) as folder:
        yield Path(folder)


def test_an_agent_does_not_see_the_state_folder_wherever_it_is(state: Path, tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"app.py": "print('hi')\n"})
    (state / "planted.txt").write_text("another repository's")
    writer = program(tmp_path / "agents", "writer", LOOKS.replace("STATE", repr(str(state))))
    approves = program(tmp_path / "agents", "reviewer", "print('**Verdict: APPROVED**')\n")
    words = ("--implementer", writer, "--reviewer", approves, "--sandbox", "require", "--json")
    said = burnish(repo.path, "run", "Make it good", *words, env={"BURNISH_STATE": str(state)})
    assert said.end["outcome"] == "passed", said.err
    assert repo.show(said.end["branch"], "app.py") == "seen = []\n"
