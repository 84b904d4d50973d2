"""Which of the agents that Burnish knows are on this machine: driven by it, or only known by name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from burnish.agents._adapters import adapters
from burnish.config.starter import KNOWN_AGENTS
from burnish.process.child import ProgramMissing
from burnish.process.environment import child_environment
from burnish.process.program import Lookup, find_program


def path_of(program: str, environ: Mapping[str, str]) -> Path | None:
    """Where a program is that would run; nothing is started."""
    path = child_environment(environ).get("PATH", "")
    try:
        return find_program(program, Lookup(path, Path.cwd()))
    except ProgramMissing:
        return None


def not_driven(environ: Mapping[str, str]) -> tuple[tuple[str, Path], ...]:
    """Agents on PATH that have no adapter yet: they work as commands."""
    driven = {adapter.program for adapter in adapters().values()}
    return tuple(
        (known.name, path)
        for known in KNOWN_AGENTS
        if known.name not in driven and (path := path_of(known.name, environ)) is not None
    )
