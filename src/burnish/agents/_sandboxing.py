"""The sandbox of an agent for a request: a writer may change its workspace, a reviewer nothing in it."""

from __future__ import annotations

from dataclasses import replace

from burnish.agents._setup import AgentSetup
from burnish.agents._toolbox import reaching
from burnish.model.agent import Request
from burnish.model.step import Role
from burnish.ports import Sandbox


def sandbox_for(setup: AgentSetup, request: Request | None = None) -> Sandbox:
    """Without a request: what holds of every one."""
    sandbox = Sandbox(
        readable=setup.readable, hidden=setup.hidden, home_paths=setup.home_paths, network=setup.network
    )
    if request is None:
        return sandbox
    reads = request.role is Role.REVIEW
    return replace(
        reaching(sandbox, request),
        readable=(request.inbox, *reaching(sandbox, request).readable),
        writable=(request.outbox,) if reads else (request.workspace, request.outbox),
        # What tests write beside the files is thrown away with the copy.
        kept=(request.workspace,) if reads else (),
    )
