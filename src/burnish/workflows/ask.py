"""One question to an agent and its answer: waited for, reminded, asked to finish, and always closed."""

from __future__ import annotations

import time
from dataclasses import replace

from burnish.errors import AgentError, AgentTimedOut
from burnish.model.agent import Reply, Request
from burnish.ports import Agent, AgentSession

GRACE_S = 180.0
STATUS_CHECK = (
    "STATUS_CHECK: the time for this task is over. Say briefly what is done and what is missing, "
    "and finish within the next minutes."
)
FINALIZE = (
    "FINALIZE: stop working now. Write what you have into the files you were asked for and give your final "
    "message in the required form."
)


async def ask(agent: Agent, request: Request, *, grace_s: float = GRACE_S) -> Reply:
    """The agent's reply, or an AgentError, each with the seconds that the agent worked.

    The session is closed whatever happens, also on cancelling.
    """
    session = agent.session()
    try:
        await session.spawn(request)
        # What is waited for until it starts (a free place, the end of a limit) is not the agent's time.
        began = time.monotonic()
        try:
            reply = await _answer(agent, session, request, grace_s)
        except AgentError as error:
            error.usage = error.usage.timed(time.monotonic() - began)
            raise
        return replace(reply, usage=reply.usage.timed(time.monotonic() - began))
    finally:
        await session.close()


async def _answer(agent: Agent, session: AgentSession, request: Request, grace_s: float) -> Reply:
    reply = await session.wait(request.timeout_s)
    if reply is None:
        # A step of a few seconds does not get minutes on top of them.
        reply = await _hurry(session, min(grace_s, request.timeout_s))
    if reply is None:
        raise AgentTimedOut(
            f"{agent.name} did not finish within {request.timeout_s:g} s",
            hint="give it more time, or a smaller task",
        )
    return reply


async def _hurry(session: AgentSession, grace_s: float) -> Reply | None:
    """Two reminders, each with some grace; an agent that cannot be told anything gets none."""
    for reminder in (STATUS_CHECK, FINALIZE):
        try:
            await session.send(reminder)
        except AgentError:
            return None
        reply = await session.wait(grace_s)
        if reply is not None:
            return reply
    return None
