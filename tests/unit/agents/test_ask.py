"""One question: waited for, reminded, asked to finish, and always closed."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from burnish.errors import AgentError, AgentFailed, AgentTimedOut
from burnish.model.agent import Reply, Request
from burnish.model.step import Role
from burnish.workflows.ask import FINALIZE, STATUS_CHECK, ask

REQUEST = Request(Role.REVIEW, "?", Path(), Path(), Path(), timeout_s=5.0)


class Talker:
    """A session that can be talked to; `answers` are what each wait gives."""

    name = "talker"

    def __init__(self, *answers: Reply | AgentError | None, deaf: bool = False) -> None:
        self.answers = list(answers)
        self.deaf = deaf
        self.heard: list[str] = []
        self.waited: list[float] = []
        self.closed = 0

    def session(self) -> Talker:
        return self

    async def spawn(self, request: Request) -> None:
        self.heard.append(request.prompt)

    async def wait(self, timeout_s: float) -> Reply | None:
        self.waited.append(timeout_s)
        answer = self.answers.pop(0)
        if isinstance(answer, AgentError):
            raise answer
        return answer

    async def send(self, text: str) -> None:
        if self.deaf:
            raise AgentError("cannot hear")
        self.heard.append(text)

    async def close(self) -> None:
        self.closed += 1


def test_an_answer_in_time_needs_no_reminder_and_the_session_is_closed() -> None:
    talker = Talker(Reply("yes"))
    assert asyncio.run(ask(talker, REQUEST)).text == "yes"
    assert (talker.heard, talker.waited, talker.closed) == (["?"], [5.0], 1)


@pytest.mark.conformance("C-68", "C-69")
def test_a_late_agent_is_reminded_then_told_to_finish() -> None:
    talker = Talker(None, None, Reply("at last"))
    assert asyncio.run(ask(talker, REQUEST, grace_s=2.0)).text == "at last"
    assert talker.heard == ["?", STATUS_CHECK, FINALIZE]
    assert talker.waited == [5.0, 2.0, 2.0]
    assert talker.closed == 1


def test_an_agent_that_never_answers_timed_out_and_is_closed() -> None:
    talker = Talker(None, None, None)
    with pytest.raises(AgentTimedOut, match=r"talker did not finish within 5 s"):
        asyncio.run(ask(talker, REQUEST))
    assert talker.closed == 1


def test_the_grace_of_a_short_step_is_no_longer_than_the_step() -> None:
    talker = Talker(None, None, None)
    with pytest.raises(AgentTimedOut):
        asyncio.run(ask(talker, REQUEST, grace_s=180.0))
    assert talker.waited == [5.0, 5.0, 5.0]


def test_an_agent_that_cannot_be_told_anything_is_not_waited_for_any_longer() -> None:
    talker = Talker(None, deaf=True)
    with pytest.raises(AgentTimedOut):
        asyncio.run(ask(talker, REQUEST))
    assert (talker.waited, talker.closed) == ([5.0], 1)


@pytest.mark.conformance("C-66")
def test_a_failing_agent_is_closed_as_well() -> None:
    talker = Talker(AgentFailed("broken"))
    with pytest.raises(AgentFailed):
        asyncio.run(ask(talker, REQUEST))
    assert talker.closed == 1


@pytest.mark.conformance("C-07")
def test_an_agent_is_spawned_waited_for_and_closed_in_this_order() -> None:
    done: list[str] = []

    class Logged(Talker):
        async def spawn(self, request: Request) -> None:
            done.append("spawn")

        async def wait(self, timeout_s: float) -> Reply | None:
            done.append("wait")
            return Reply("fine")

        async def close(self) -> None:
            done.append("close")

    assert asyncio.run(ask(Logged(), REQUEST)).text == "fine"
    assert done == ["spawn", "wait", "close"]
