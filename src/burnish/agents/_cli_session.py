"""One session with a CLI: a call of it, and where it can be resumed further calls that remind it."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from burnish.agents import _kept_session, _outbox
from burnish.agents._adapter import Call, Room, model_for
from burnish.agents._cli_ending import counted, ended, willing
from burnish.agents._cli_events import Heard, said
from burnish.agents._cli_trouble import error_of, not_installed, out_of_time, why_no_answer
from burnish.agents._kept_session import KeptSession
from burnish.agents._own_words import witnessed, words
from burnish.agents._private_home import PrivateHome
from burnish.agents._toolbox import admit, forget_calls, seal_once
from burnish.errors import AgentError, AgentFailed
from burnish.model.agent import Reply, Request, Usage
from burnish.model.agent_events import AgentEvent, AgentTrouble, Denied, Ended, ToolUsed, Used
from burnish.ports import Sandbox
from burnish.process.child import Finished, ProgramMissing
from burnish.process.containment import uninterrupted
from burnish.process.isolation import isolation
from burnish.sanitise import clean_line

if TYPE_CHECKING:
    from burnish.agents._cli_runner import CliAgent

# Whoever waits decides when the time is over; this is only for a session that nobody waits for any more.
SLACK_S = 30.0
REMINDED_S = 600.0
# A call ends with its first answer, so what it says to a reminder is all that will ever be heard.
LAST_WORDS = "Your next message is taken as your final one: give it in the form you were first asked for."
# What it remembers of where files are is not true any more.
MOVED = (
    "You go on with your session. The files are in another folder now, your current working directory: paths "
    "of before are gone, and files may have changed. Read them again before you edit. What follows is for "
    "somebody who knows nothing of this session; where the two differ, what follows holds."
)
# A session that cannot be gone on with ends in one of these before anything is done.
_NOT_TAKEN_UP = (AgentTrouble.CRASHED, AgentTrouble.NO_END)


class CliSession:
    """Has a configuration home of its own, gone when it is closed. Fresh, unless the request names an earlier
    session that can be gone on with; where the CLI does not take that one up, it is fresh after all."""

    def __init__(self, agent: CliAgent) -> None:
        self._agent = agent
        self._request: Request | None = None
        self._home: PrivateHome | None = None
        self._task: asyncio.Future[Finished] | None = None
        self._heard: Heard | None = None
        self._call: Call | None = None
        self._spent = Usage()
        self._session = ""
        self._earlier: KeptSession | None = None
        self._taking_up = False
        self._fresh_why = ""
        self._denied_before: tuple[Denied, ...] = ()

    async def spawn(self, request: Request) -> None:
        if self._home is not None:
            raise AgentError(f"{self._agent.name} was already started in this session")
        self._agent.locate(outside=(request.workspace,))
        _outbox.clear(request.outbox)
        forget_calls(request)
        self._request = self._agent.chosen(request)
        self._home = PrivateHome(request.outbox.parent)
        if request.sessions is None or request.sessions.goes_on is None:
            self._start(self._request, request.timeout_s + SLACK_S)
        else:
            self._take_up(self._request, self._home)

    def _take_up(self, request: Request, home: PrivateHome) -> None:
        """Go on with the session that was kept, or begin one and know why."""
        adapter = self._agent.adapter
        self._earlier = earlier = _kept_session.earlier(request)
        self._fresh_why = _kept_session.place(request, adapter, home.folder, earlier)
        if earlier is None or self._fresh_why:
            self._start(request, request.timeout_s + SLACK_S)
            return
        self._session, self._taking_up = earlier.session, True
        self._start(replace(request, prompt=f"{MOVED}\n\n{request.prompt}"), request.timeout_s + SLACK_S)
        if self._call is not None and self._call.afterwards is not None:
            self._denied_before = tuple(self._call.afterwards())

    def _begin_anew(self, request: Request, heard: Heard, error: AgentError) -> None:
        """What the CLI did not take up costs what it has cost, and is told; it is no failure."""
        assert self._home is not None
        self._taking_up, self._session, self._denied_before = False, "", ()
        self._fresh_why = clean_line(f"the session of the step before was not taken up ({error.message})")
        self._spent = self._used(heard)
        self._home.give_back()
        self._home.remove()
        self._home = PrivateHome(request.outbox.parent)
        _outbox.clear(request.outbox)
        forget_calls(request)
        self._start(request, request.timeout_s + SLACK_S)

    def _not_taken_up(self, heard: Heard, error: AgentError) -> bool:
        if not self._taking_up:
            return False
        too_long = error.trouble is AgentTrouble.CONTEXT_TOO_LONG
        return too_long or (error.trouble in _NOT_TAKEN_UP and not heard.worked)

    async def wait(self, timeout_s: float) -> Reply | None:
        """The reply, or None while it still works; raises when it gave none."""
        if self._task is None or self._heard is None or self._request is None:
            raise AgentError(f"{self._agent.name} was not started, or is closed")
        until = time.monotonic() + timeout_s
        while True:
            task, heard = self._task, self._heard
            if not await self._over(task, heard, until - time.monotonic()):
                return None
            try:
                return await self._reply(task, heard, self._request)
            except AgentError as error:
                if not self._not_taken_up(heard, error):
                    raise
                self._begin_anew(self._request, heard, error)

    async def send(self, text: str) -> None:
        """It cannot be told anything while it works: it is stopped, and goes on with these words."""
        heard, request = self._heard, self._request
        if heard is None or request is None or self._task is None:
            raise AgentError(f"{self._agent.name} was not started, or is closed")
        session = heard.started.session
        if not session or not self._agent.adapter.abilities.resume:
            raise AgentError(f"{self._agent.name} has no session yet that could go on")
        await self._stop()
        self._session, self._taking_up = session, False
        if not self._agent.adapter.abilities.sums_up:
            self._spent = self._used(heard)
        self._start(replace(request, prompt=f"{text}\n\n{LAST_WORDS}"), REMINDED_S)

    async def close(self) -> None:
        """Kill it with everything it started, if it still runs, and leave nothing of it."""
        await self._stop()
        self._task = None
        home, self._home = self._home, None
        if home is not None:
            home.give_back()
            home.remove()

    def _start(self, request: Request, timeout_s: float) -> None:
        agent, home = self._agent, self._home
        assert home is not None
        admit(request)
        held = agent.sandbox() is not None
        nests = agent.nests(request, held=held)
        room = Room(home.folder, agent.setup.environ, held, self._session, nests)
        self._call = agent.adapter.call(request, room)
        home.furnish(self._call)
        command = agent.command(request, room, self._call, timeout_s)
        reader = agent.adapter.reader(request)
        self._heard = heard = Heard(reader, lambda event: self._hear(heard, event), self._earlier)
        running = asyncio.ensure_future(agent.start(command, heard.line))
        self._task = asyncio.ensure_future(counted(running, self._call.meanwhile, heard))

    async def _over(self, task: asyncio.Future[Finished], heard: Heard, timeout_s: float) -> bool:
        """Whether it is done: ended by itself, or it said so and then neither went nor worked on."""
        until = time.monotonic() + timeout_s
        while not task.done():
            said = asyncio.create_task(heard.over.wait())
            either: set[asyncio.Future[Any]] = {task, said}
            left_s = max(until - time.monotonic(), 0.0)
            try:
                await asyncio.wait(either, timeout=left_s, return_when=asyncio.FIRST_COMPLETED)
            finally:
                said.cancel()
            if not task.done() and not heard.over.is_set():
                if time.monotonic() >= until:
                    return False
                # What seemed to be its end was taken back in the same breath.
                continue
            await asyncio.wait({task}, timeout=self._agent.linger_s)
            if heard.over.is_set():
                await self._stop()
        return True

    async def _stop(self) -> None:
        task = self._task
        if task is not None and not task.done():
            task.cancel()
            # Cancelled ourselves meanwhile, we still do not leave before it is dead.
            await uninterrupted(ended(task))

    async def _reply(self, task: asyncio.Future[Finished], heard: Heard, request: Request) -> Reply:
        try:
            finished = None if task.cancelled() else task.result()
        except ProgramMissing as error:
            raise not_installed(self._agent.adapter, error.message) from None
        except AgentError as error:
            error.usage = self._used(heard)
            raise
        answer = heard.last
        if isinstance(answer, Ended) and (finished is None or willing(finished)):
            return await self._answered(heard, finished, request)
        failure = self._error(heard, finished)
        failure.usage = self._used(heard)
        raise failure

    async def _answered(self, heard: Heard, finished: Finished | None, request: Request) -> Reply:
        if self._call is not None and self._call.afterwards is not None:
            found = (event for event in self._call.afterwards() if event not in self._denied_before)
            heard.also_denied(found)
        try:
            report = _outbox.read(request.outbox, _outbox.REPORT)
        except AgentFailed as error:
            error.usage = self._used(heard)
            raise
        answer = words(heard.answers, request)
        return Reply(
            text=answer.text,
            report=None if report is None else report.text,
            report_witnessed=witnessed(report, heard.reader.wrote()),
            structured=answer.structured,
            structure_expected=self._structured(request),
            usage=self._used(heard),
            agent_exit=None if finished is None else finished.status,
            isolation=self._isolation(finished),
            # What is in doubt counts as cut: neither can be relied on.
            truncated=bool(answer.doubt or (report and report.left_out)),
            remarks=(answer.doubt,) if answer.doubt else (),
            version=heard.started.version or await self._agent.version(),
            model=clean_line(heard.started.model) or model_for(self._agent.adapter, request),
            denied=tuple(clean_line(f"{one.tool} {one.about}".strip()) for one in heard.denied),
            session=heard.started.session,
            kept=await self._keep(heard, request),
            resumed=heard.resumed,
            fresh_why="" if heard.resumed else self._fresh_why,
        )

    def _structured(self, request: Request) -> bool:
        held = request.schema is not None and self._agent.adapter.abilities.schema
        return held or request.open_tools is not None

    async def _keep(self, heard: Heard, request: Request) -> bool:
        home, adapter, session = self._home, self._agent.adapter, heard.started.session
        if home is None or request.sessions is None or not adapter.abilities.resume:
            return False
        return await asyncio.to_thread(
            _kept_session.keep, request, adapter, home.folder, session, heard.summed
        )

    def _error(self, heard: Heard, finished: Finished | None) -> AgentError:
        adapter = self._agent.adapter
        if finished is None:
            assert heard.last is not None and not isinstance(heard.last, Ended)
            return error_of(adapter, heard.last, None)
        if heard.last is None and (finished.timed_out or finished.stalled):
            return out_of_time(adapter, finished, heard, self._agent.setup.stall_s)
        return error_of(adapter, why_no_answer(heard, finished), finished.status)

    def _hear(self, heard: Heard, event: AgentEvent) -> None:
        """Whatever this raises ends the call."""
        if isinstance(event, ToolUsed) and self._request is not None:
            seal_once(self._request)
        if isinstance(event, Used) and self._request is not None and self._request.on_used is not None:
            self._request.on_used(self._used(heard))
        if self._request is not None and self._request.on_line is not None and (line := said(event)):
            self._request.on_line(line)
        if self._agent.listener is not None:
            self._agent.listener(event)

    def _used(self, heard: Heard) -> Usage:
        """With what the prices say, where only tokens are known."""
        model = heard.started.model or (
            model_for(self._agent.adapter, self._request) if self._request else ""
        )
        return self._spent + self._agent.setup.prices.estimate(heard.usage, model)

    def _isolation(self, finished: Finished | None) -> str:
        setup, call = self._agent.setup, self._call
        ours = finished.isolation if finished else isolation(setup.mode, self._agent.sandbox() or Sandbox())
        return f"{ours}, {call.isolation}" if call and call.isolation else ours
