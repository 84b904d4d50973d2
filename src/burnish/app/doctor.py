"""What would stop a run on this machine and in this repository, each with its remedy."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from burnish.app import doctor_place
from burnish.app.place import Place, find_place, state_folder
from burnish.errors import BurnishError
from burnish.git.call import Git
from burnish.model.check import Check as Check
from burnish.model.sandbox_mode import SandboxMode
from burnish.process.no_sandbox import remedy, why_none

MINIMUM_FREE_MB = 500


async def examine() -> list[Check]:
    """Every check, in the order in which a run would meet them."""
    checks = [_python(), await _git(), _state(), _disk(), _sandbox()]
    try:
        place = await find_place()
    except BurnishError as error:
        return [*checks, Check("repository", error.message, error.hint, stops=True)]
    stopped: set[str] = set()
    for name, part in doctor_place.PARTS.items():
        # What is wrong once is told once.
        if doctor_place.NEEDS.get(name) in stopped:
            continue
        check = await _guarded(name, part, place)
        checks.append(check)
        stopped |= {name} if check.stops else set()
    return checks


async def _guarded(name: str, part: Callable[[Place], Awaitable[Check]], place: Place) -> Check:
    try:
        return await part(place)
    except BurnishError as error:
        return Check(name, error.message, error.hint, stops=True)


def _python() -> Check:
    return Check("python", ".".join(map(str, sys.version_info[:3])))


async def _git() -> Check:
    try:
        git = await Git.start(state_folder(os.environ))
    except BurnishError as error:
        return Check("git", error.message, error.hint, stops=True)
    return Check("git", ".".join(map(str, git.version)))


def _state() -> Check:
    folder = state_folder(os.environ)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder):
            pass
    except OSError as error:
        remedy = "make it writable, or set BURNISH_STATE to another folder"
        return Check("state folder", f"{folder} cannot be written: {error.strerror}", remedy, stops=True)
    return Check("state folder", str(folder))


def _disk() -> Check:
    folder = _existing(state_folder(os.environ))
    free_mb = shutil.disk_usage(folder).free // (1024 * 1024)
    low = free_mb < MINIMUM_FREE_MB
    return Check(
        "disk", f"{free_mb} MB free at {folder}", "make room: burnish clean" if low else "", stops=low
    )


def _existing(folder: Path) -> Path:
    return next(path for path in (folder, *folder.parents) if path.exists())


def _sandbox() -> Check:
    why = why_none(SandboxMode.AUTO)
    if not why:
        return Check("sandbox", "bubblewrap works: agents cannot write outside their workspace")
    told = f"{why}: agents run unsandboxed, and burnish review runs no tests"
    return Check("sandbox", told, f"{remedy()}; until then what agents do wrong is detected, not prevented")
