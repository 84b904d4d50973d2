"""An agent without a process: for library users' tests and ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from burnish.errors import AgentError, AgentFailed
from burnish.model.agent import Reply, Request
from burnish.ports import AgentSession

Edits = Mapping[str, str | None]


class ScriptedAgent:
    """Gives the next reply (or raises the next error) each time it is asked.

    `edits` go with the replies: files to write into the workspace, None to delete one. What it was asked is
    in `requests`.
    """

    def __init__(
        self, replies: Sequence[Reply | str | AgentError], edits: Sequence[Edits] = (), name: str = "scripted"
    ) -> None:
        self.name = name
        self.requests: list[Request] = []
        self._replies = tuple(replies)
        self._edits = tuple(edits)

    def check(self) -> None:
        """It is always there."""

    def session(self) -> AgentSession:
        return _Session(self)

    def answer(self, request: Request) -> Reply:
        turn = len(self.requests)
        self.requests.append(request)
        if turn >= len(self._replies):
            raise AgentFailed(f"{self.name} was asked {turn + 1} times but has {len(self._replies)} replies")
        if turn < len(self._edits):
            _edit(request.workspace, self._edits[turn])
        reply = self._replies[turn]
        if isinstance(reply, AgentError):
            raise reply
        if isinstance(reply, str):
            return Reply(reply, agent_exit=0, isolation="in memory")
        # There is no process that could have written it instead.
        return replace(reply, report_witnessed=reply.report is not None)


class _Session:
    def __init__(self, agent: ScriptedAgent) -> None:
        self._agent = agent
        self._request: Request | None = None

    async def spawn(self, request: Request) -> None:
        self._request = request

    async def wait(self, timeout_s: float) -> Reply | None:
        if self._request is None:
            raise AgentError(f"{self._agent.name} was not started, or is closed")
        return self._agent.answer(self._request)

    async def send(self, text: str) -> None:
        raise AgentError(f"{self._agent.name} answers at once; there is nothing to tell it")

    async def close(self) -> None:
        self._request = None


def _edit(workspace: Path, edits: Edits) -> None:
    for name, content in edits.items():
        path = workspace / name
        if content is None:
            path.unlink(missing_ok=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf8")
