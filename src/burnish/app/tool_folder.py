"""Tools that look at trees laid out in a folder of a run, and at nothing else of the run's."""

from __future__ import annotations

from pathlib import Path

from burnish.app.place import Place
from burnish.model.sandbox_mode import SandboxMode
from burnish.ports import Sandbox
from burnish.process.environment import child_environment
from burnish.process.isolation import usable_sandbox
from burnish.process.tool_setup import ToolSetup


def tools_in(folder: Path, place: Place, mode: str, hidden: tuple[Path, ...]) -> ToolSetup:
    sandbox = Sandbox(readable=(folder,), hidden=hidden, network=False)
    return ToolSetup(
        env=child_environment(place.environ),
        search=place.environ.get("PATH", ""),
        sandbox=usable_sandbox(SandboxMode(mode), sandbox),
        scratch=folder / "scratch",
        outside=(place.repository.root,),
    )
