"""A copy of the workspace for a search, and the project's test command in it, sandboxed as tests are."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass, replace
from importlib.resources import files as resources
from pathlib import Path

from burnish.process.child import Command
from burnish.process.tool_setup import ToolSetup

# As the tests analyser has it: no colours, no watching.
ENV = {"CI": "true", "NO_COLOR": "1", "PY_COLORS": "0", "TERM": "dumb", "COLUMNS": "240", "FORCE_COLOR": "0"}
KEEP_BYTES = 1024 * 1024
# `PYTHONPATH=src python checks.py` would take the place of ours.
_OWN_PATH = re.compile(r"\bPYTHONPATH=")
OUR_PATH = "BURNISH_SEARCH_PATH"


@dataclass(frozen=True)
class Copy:
    """`tree` is the copy, `desk` where jobs are handed over, `injected` what runs in the project's Python."""

    folder: Path

    @property
    def tree(self) -> Path:
        return self.folder / "tree"

    @property
    def desk(self) -> Path:
        return self.folder / "desk"

    @property
    def injected(self) -> Path:
        return self.folder / "injected"


def laid(workspace: Path, folder: Path) -> Copy:
    """`folder` is ours and empty."""
    copy = Copy(folder)
    shutil.copytree(workspace, copy.tree, symlinks=True)
    copy.desk.mkdir()
    copy.injected.mkdir()
    for script in resources("burnish.fixers.search").joinpath("injected").iterdir():
        if script.name.endswith(".py"):
            (copy.injected / script.name).write_bytes(script.read_bytes())
    return copy


def test_child(
    setup: ToolSetup, copy: Copy, command: str, *, python_path: tuple[Path, ...], timeout_s: float = 0.0
) -> Command:
    held = setup.sandbox
    env = {**setup.env, **ENV}
    path = [*map(str, python_path), *filter(None, [env.get("PYTHONPATH", "")])]
    return Command(
        argv=("/bin/sh", "-c", _OWN_PATH.sub(rf'PYTHONPATH="${OUR_PATH}":', command)),
        cwd=copy.tree,
        env={
            **env,
            "PYTHONPATH": os.pathsep.join(path),
            OUR_PATH: os.pathsep.join(map(str, python_path)),
            # Compiled files are kept apart from those that the workspace may hold.
            "PYTHONPYCACHEPREFIX": str(copy.folder / "compiled"),
        },
        timeout_s=timeout_s,
        sandbox=held and replace(held, writable=(*held.writable, copy.folder, copy.tree)),
        keep_bytes=KEEP_BYTES,
    )
