"""What stands beside the file that is repaired, and where a tool's program may be taken from."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from burnish.fixers.ruff_fix import RuffFix
from burnish.model.review import Finding
from burnish.process.tool_setup import ToolSetup


def test_a_named_pipe_beside_the_file_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text("import os\n\nX = 1\n")
    os.mkfifo(tmp_path / "beside.py")
    finding = Finding("unused", file="plain.py", line=1, rule="ruff:F401")

    async def fix() -> str:
        return await RuffFix(ToolSetup(env={})).fix(finding, tmp_path)

    assert asyncio.run(fix()) == "ruff fixed F401"


def test_no_program_is_taken_from_the_repository_even_where_path_leads_there(tmp_path: Path) -> None:
    own, system = tmp_path / "repo/bin", tmp_path / "system"
    for folder in (own, system):
        folder.mkdir(parents=True)
        (folder / "eslint").write_text("#!/bin/sh\n")
        (folder / "eslint").chmod(0o755)
    (system / "shellcheck").symlink_to(own / "eslint")
    search = f"bin::{own}:{system}"
    setup = ToolSetup(env={}, search=search, outside=(tmp_path / "repo",))
    assert setup.program("eslint") == system / "eslint"
    assert setup.program("shellcheck") is None, "a link into the repository is the repository's"
    assert ToolSetup(env={}, search=search).program("eslint") == own / "eslint"
