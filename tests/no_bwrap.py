"""The command line on a machine without bubblewrap, or with one that does not work, made of the machine at hand."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

from burnish.process import bubblewrap
from tests.cli import BURNISH, TIMEOUT_S, Said


class Machine(StrEnum):
    """`NONE`: bubblewrap is not installed; `BROKEN`: it is, and cannot make a sandbox."""

    NONE = "no bubblewrap"
    BROKEN = "a bubblewrap that does not work"


# What lies over the program then: no program at all, or one that always fails.
_INSTEAD = {Machine.NONE: "/dev/null", Machine.BROKEN: "/bin/false"}


def on(machine: Machine) -> tuple[str, ...]:
    """Words before a command so that it meets this machine. Bubblewrap hides itself; where it cannot, it is not
    usable here either, and the command meets a machine of one of both kinds as it is."""
    usable = bubblewrap.usable()
    if usable is None:
        return ()
    found = {
        os.path.realpath(folder / "bwrap") for folder in bubblewrap.FOLDERS if (folder / "bwrap").exists()
    }
    hides = [word for path in sorted(found) for word in ("--ro-bind", _INSTEAD[machine], path)]
    return (str(usable), "--die-with-parent", "--dev-bind", "/", "/", *hides, "--")


def burnish_on(
    machine: Machine,
    folder: Path,
    *arguments: str,
    env: Mapping[str, str] | None = None,
    timeout_s: float = TIMEOUT_S,
) -> Said:
    """Run `burnish ARGUMENTS` there, in a folder."""
    done = subprocess.run(
        [*on(machine), *BURNISH, *arguments],
        cwd=folder,
        env={**os.environ, **(env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=timeout_s,
    )
    said = Said(done.returncode, *(text.decode("utf8", "replace") for text in (done.stdout, done.stderr)))
    assert "Traceback" not in said.err, said.err
    return said
