"""A failing test tells agents which lines are probably to blame."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from burnish.analysers._embedded import identified
from burnish.analysers.tests import make
from burnish.app.suspecting import suspecting
from burnish.model.review import Finding
from burnish.ports import Source
from burnish.process.environment import child_environment
from burnish.process.tool_setup import ToolSetup

CODE = "def larger(a, b):\n    if a > b:\n        return b\n    return b\n\n\ndef same(a):\n    return a\n"
TESTS = (
    "from pick import larger, same\n\n\ndef test_first():\n    assert larger(3, 2) == 3\n\n\n"
    "def test_second():\n    assert larger(2, 3) == 3\n\n\ndef test_same():\n    assert same(1) == 1\n"
)


def found(root: Path, tree: str) -> tuple[Finding, ...]:
    (root / "pick.py").write_text(CODE, "utf8")
    (root / "test_pick.py").write_text(TESTS, "utf8")
    env = child_environment(dict(os.environ))
    setup = ToolSetup(env, test_command=f"{sys.executable} -m pytest -q", scratch=root.parent / "scratch")
    (analyser,) = suspecting((identified(make(setup)),), setup, "head")
    return asyncio.run(analyser.analyse(Source(root, tree), (".",))).findings


def test_the_most_suspicious_line_is_the_wrong_one_and_the_base_is_not_watched(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    root.mkdir()
    (finding,) = found(root, "head")
    first = finding.suspects[0]
    assert (first.file, first.line, first.text) == ("pick.py", 3, "return b")
    assert first.score > max((one.score for one in finding.suspects[1:]), default=0)
    (finding,) = found(root, "base")
    assert finding.suspects == ()
