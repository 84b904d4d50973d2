"""What Codex may write by its own rules: a sandbox of its own, around each command and each edit it makes."""

from __future__ import annotations

import os

from burnish import codec
from burnish.agents._adapter import Abilities, Room
from burnish.model.agent import Request
from burnish.model.step import Role

PROFILE = "burnish_reviewer"


def is_guarded(able: Abilities, request: Request, room: Room) -> bool:
    """Whether its own sandbox is on. A writer is held by ours alone: its own would take the network away."""
    if request.role is Role.REVIEW:
        return able.holds_itself(held=room.held, nests=room.nests)
    return not room.held


def mode(request: Request, room: Room, *, guarded: bool) -> tuple[str, ...]:
    """A reader reads everything, and writes its report and what tests need for themselves."""
    if not guarded:
        return ("--sandbox", "danger-full-access")
    if request.role is not Role.REVIEW:
        return ("--sandbox", "workspace-write", "--add-dir", str(request.outbox))
    writes = (":tmpdir", *dict.fromkeys((str(request.outbox), os.path.realpath(request.outbox))))
    files = ",".join(f'{codec.dumps(name)}="write"' for name in writes)
    # Inside ours the network is ours to switch off.
    network = f"network={{enabled={'true' if room.held else 'false'}}}"
    profile = f'permissions.{PROFILE}={{filesystem={{":root"="read",{files}}},{network}}}'
    return ("-c", profile, "-c", f'default_permissions="{PROFILE}"')


def isolation(request: Request, *, guarded: bool) -> str:
    """What to add to what our own sandbox says of itself."""
    if guarded:
        return "codex's own sandbox"
    cannot = ", it cannot start inside" if request.role is Role.REVIEW else ""
    return f"codex's own sandbox off{cannot}"
