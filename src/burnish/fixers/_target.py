"""The oldest Python that a project supports: a fix must not bring syntax it cannot read."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from burnish.errors import WorkspaceError
from burnish.fixers._edit import read_text

OLDEST, NEWEST = 7, 15
_LOWEST = re.compile(r"(?:>=|~=|==)\s*3\.(\d+)")
_SETUP = re.compile(r"^\s*python_requires\s*=\s*(.+)$", re.M)


def target_options(workspace: Path) -> tuple[str, ...]:
    """ruff's option for it; nothing where the project does not say."""
    found = _LOWEST.search(_wanted(workspace))
    return ("--target-version", f"py3{min(max(int(found[1]), OLDEST), NEWEST)}") if found else ()


def _wanted(workspace: Path) -> str:
    try:
        project = tomllib.loads(_text(workspace, "pyproject.toml")).get("project", {})
    except (tomllib.TOMLDecodeError, RecursionError):
        project = {}
    wanted = project.get("requires-python") if isinstance(project, dict) else None
    if isinstance(wanted, str):
        return wanted
    for name in ("setup.cfg", "setup.py"):
        found = _SETUP.search(_text(workspace, name))
        if found:
            return found[1]
    return ""


def _text(workspace: Path, name: str) -> str:
    try:
        return read_text(workspace, name).text
    except WorkspaceError:
        return ""
