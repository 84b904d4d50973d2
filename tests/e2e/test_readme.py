"""The README is true: its example runs, and its session is what the demo prints."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

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


def test_the_session_is_what_the_demo_prints() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "demo.py")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for line in between("session").splitlines()[1:]:
        # Ids, hashes and times differ from run to run.
        pattern = re.sub(r"r-[a-z0-9]{4,8}|\b[0-9a-f]{12}\b|\d\.\d s", "\0", line)
        pattern = ".+".join(re.escape(part) for part in pattern.split("\0"))
        assert re.search(f"^{pattern}$", done.stdout, re.M), line


def test_the_library_names_are_all_there() -> None:
    import burnish

    for name in burnish.__all__:
        assert getattr(burnish, name) is not None
