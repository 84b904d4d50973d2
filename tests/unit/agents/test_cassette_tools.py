"""Recordings of agents that answer by a tool of their step."""

from __future__ import annotations

import socket
from collections.abc import Callable
from dataclasses import replace

from burnish.agents.command import CommandAgent
from burnish.model.agent import Request
from burnish.model.step import Role
from burnish.process.child import Command, Finished
from burnish.team_ports import Scope
from burnish.tools.desk import StepTools
from burnish.tools.taken import Taken
from tests.unit.agents.desk import Desk
from tests.unit.agents.test_cassette import STEP, play, record


async def no_talk(connection: socket.socket, token: str) -> None:
    """Nobody connects."""


def test_tools_that_were_called_are_called_again_for_the_loop_that_is_played(desk: Desk) -> None:
    def reviewing(loop: str) -> tuple[Taken, Request]:
        taken = Taken(Scope("r-1", Role.REVIEW, ("set_loop_review_result",), loop, "task-1"))
        tools = StepTools(desk.root, taken, no_talk)
        asked = desk.request(f"review {loop}")
        return taken, replace(asked, role=Role.REVIEW, variables=STEP, open_tools=tools)

    taken, request = reviewing("r-abcd-1")
    inner = desk.agent("/bin/sh -c 'echo told'")
    assert isinstance(inner, CommandAgent)

    async def start(command: Command, on_line: Callable[[bytes], None] | None) -> Finished:
        result = {"loopId": "r-abcd-1", "taskId": "task-1", "passed": True}
        assert not taken.take("set_loop_review_result", result).refused
        return await inner.start(command, on_line)

    record(desk, replace(inner, start=start), request)
    again, asked = reviewing("r-wxyz-1")
    reply = play(desk, asked)
    (call,) = again.calls("set_loop_review_result")
    assert (call.arguments["loopId"], call.arguments["passed"]) == ("r-wxyz-1", True)
    # The ids of other runs are no other words.
    assert (reply.text, reply.remarks) == ("told\n", ())
