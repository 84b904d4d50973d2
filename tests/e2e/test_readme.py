"""The README is true: its example runs, and its session is what the demo prints."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
README = (ROOT / "README.md").read_text("utf8")


def between(name: str) -> str:
    found = re.search(rf"<!-- {name} -->\n```\w*\n(.*?)```\n<!-- /{name} -->", README, re.S)
    assert found is not None
    return found[1]


def test_the_python_example_runs_as_it_stands(tmp_path: Path) -> None:
    example = between("example")
    assert len([line for line in example.splitlines() if line.strip()]) <= 20
    done = subprocess.run(
        [sys.executable, "-c", example], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout == "2 def greet(name):\n    return 'Hello ' + name\n\n"


# Ids, hashes, times and what a search tried differ from run to run.
DIFFERS = re.compile(
    r"r-[a-z0-9]{4,8}|\b[0-9a-f]{12}\b|\d\.\d s|\d+ of \d+ candidates.*|  \([^()]*(?:\(\)[^()]*)*\)$"
)


# A quarter of a minute of computing, which a busy machine takes longer for.
@pytest.mark.timeout(400)
@pytest.mark.parametrize(("block", "stories"), [("session", ["flawed", "shop"]), ("flow", ["followed"])])
def test_the_sessions_are_what_the_demo_prints(block: str, stories: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "demo.py"), *stories],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    # The flag is there where there is no sandbox.
    told = done.stdout.replace("git --no-pager", "git").replace(" --run-unsandboxed", "")
    for line in between(block).splitlines()[block == "session" :]:
        pattern = ".+".join(re.escape(part) for part in DIFFERS.split(line))
        assert re.search(f"^{pattern}$", told, re.M), line


def test_the_library_names_are_all_there() -> None:
    import burnish

    for name in burnish.__all__:
        assert getattr(burnish, name) is not None
