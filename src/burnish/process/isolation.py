"""Which of the two isolations a child gets, by the user's wish and what the machine can do."""

from __future__ import annotations

from pathlib import Path

from burnish.errors import UsageError
from burnish.model.sandbox_mode import SandboxMode
from burnish.ports import Sandbox
from burnish.process import bubblewrap

UNSANDBOXED = "guard (unsandboxed)"


def usable_sandbox(
    mode: SandboxMode, sandbox: Sandbox, folders: tuple[Path, ...] = bubblewrap.FOLDERS
) -> Sandbox | None:
    """The sandbox to put into a `Command`; None runs it under the guard alone."""
    if mode is SandboxMode.OFF:
        return None
    if bubblewrap.usable(folders):
        return sandbox
    if mode is SandboxMode.REQUIRE:
        found = bubblewrap.find(folders)
        what = (
            f"{str(found)!r} cannot make a sandbox here" if found else "bubblewrap (bwrap) is not installed"
        )
        raise UsageError(
            f"a sandbox is required, but {what}",
            hint="install bubblewrap and allow user namespaces, or run without requiring the sandbox",
        )
    return None


def can_nest(folders: tuple[Path, ...] = bubblewrap.FOLDERS) -> bool:
    """Whether a child in our sandbox can make one of its own there."""
    bwrap = bubblewrap.usable(folders)
    return bwrap is not None and bubblewrap.nests(bwrap)


def isolation(mode: SandboxMode, sandbox: Sandbox, folders: tuple[Path, ...] = bubblewrap.FOLDERS) -> str:
    """What `Finished.isolation` will say: for showing before anything runs."""
    chosen = usable_sandbox(mode, sandbox, folders)
    return UNSANDBOXED if chosen is None else bubblewrap.isolation_name(chosen)
