"""Agent `cassette`: a recorded run, played again without its agents. `cassette:DIR` has the recordings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from burnish.agents._adapters import adapters
from burnish.agents._around import InnerSession
from burnish.agents._cassette import CLI, SUFFIX, Key, RecordedCall, asked, read
from burnish.agents._cli_runner import CliAgent, make_cli
from burnish.agents._file_changes import redo
from burnish.agents._setup import AgentSetup
from burnish.agents.command import CommandAgent
from burnish.errors import AgentError, AgentFailed, AgentTimedOut, UsageError
from burnish.model.agent import Reply, Request, Usage
from burnish.model.sandbox_mode import SandboxMode
from burnish.ports import Agent, AgentSession
from burnish.process.child import Captured, Command, Finished

# Nothing is started: no program, no sandbox, no login.
_NOWHERE = Path("/nonexistent/cassette")


def make(spec: str, setup: AgentSetup) -> CassetteAgent:
    """Every recording is read now, so that a damaged one is not an agent's failure."""
    folder = (setup.start / spec).absolute()
    paths = sorted(folder.glob(f"*{SUFFIX}")) if spec and folder.is_dir() else []
    if not paths:
        raise UsageError(
            f"expected cassette:DIR, a folder with recordings (*{SUFFIX}), found {spec!r}",
            hint="record a run with burnish run --record DIR",
        )
    calls = tuple(map(read, paths))
    unknown = next(
        (call.adapter for call in calls if call.kind == CLI and call.adapter not in adapters()), ""
    )
    if unknown:
        raise UsageError(
            f"{folder} was recorded with the agent {unknown!r}, which this Burnish does not know",
            hint=f"known: {', '.join(adapters())}",
        )
    return CassetteAgent(f"cassette:{spec}", calls)


@dataclass(frozen=True)
class CassetteAgent:
    name: str
    calls: tuple[RecordedCall, ...]

    def check(self) -> None:
        """It is read, so it is there."""

    def session(self) -> AgentSession:
        return _Session(self)

    def recorded(self, request: Request) -> list[RecordedCall]:
        """What was asked in the same step, in that order; of several runs the one with this prompt."""
        now = asked(request)
        key = _key(now)
        same = [call for call in self.calls if call.key == key]
        runs = [call.request.get("run") for call in same]
        prompted = [call.request.get("run") for call in same if call.request.get("digest") == now["digest"]]
        chosen = next(iter((*prompted, *runs)), None)
        return [call for call in same if call.request.get("run") == chosen]


class _Session(InnerSession):
    """Asks whoever was asked next in the recorded run, until one of them answered."""

    def __init__(self, agent: CassetteAgent) -> None:
        super().__init__(agent.name)
        self._agent = agent
        self._request: Request | None = None
        self._left: list[RecordedCall] = []
        self._call: RecordedCall | None = None
        self._spent = Usage()

    async def spawn(self, request: Request) -> None:
        self._left = self._agent.recorded(request)
        if not self._left:
            raise AgentFailed(
                f"{self._agent.name} has no recording of {_words(_key(asked(request)))}",
                hint=f"it has: {'; '.join(dict.fromkeys(_words(call.key) for call in self._agent.calls))}",
            )
        self._request = request
        await self._next()

    async def wait(self, timeout_s: float) -> Reply | None:
        while True:
            try:
                reply = await super().wait(timeout_s)
            except AgentError as error:
                self._spent += self._timed(error.usage)
                error.usage = self._spent
                if not self._left:
                    error.message = "; ".join((error.message, *self._remarks()))
                    raise
                await self._next()
                continue
            if reply is None:
                return None
            told = f"replayed ({self._call.isolation})" if self._call else "replayed"
            usage = self._spent + self._timed(reply.usage)
            return replace(reply, usage=usage, isolation=told, remarks=(*reply.remarks, *self._remarks()))

    def _remarks(self) -> tuple[str, ...]:
        """An answer to other words may pass as well, and would then be taken for one to these."""
        if self._call is None or self._request is None or self._call.answers(self._request):
            return ()
        what = _words(self._call.key)
        return (
            f"{self._agent.name}: what is played of {what} was the answer to another prompt than this one",
        )

    async def _next(self) -> None:
        assert self._request is not None
        await self.close()
        self._call = self._left.pop(0)
        self._inner = _player(self._call, self._request).session()
        await self._inner.spawn(self._request)

    def _timed(self, usage: Usage) -> Usage:
        return replace(usage, seconds=self._call.seconds) if self._call else usage


def _player(call: RecordedCall, request: Request) -> Agent:
    """The agent that was recorded, with the recording in place of its program."""
    setup = AgentSetup({}, mode=SandboxMode.OFF)

    async def start(command: Command, on_line: Callable[[bytes], None]) -> Finished:
        return _play(call, request, on_line)

    async def start_command(command: Command, on_line: Callable[[bytes], None] | None) -> Finished:
        return _play(call, request)

    if call.kind == CLI:
        like = make_cli(adapters()[call.adapter], call.agent.partition(":")[2], setup)
        return _PlayedCli(
            like.name, like.adapter, setup, like.model, like.tier, start, told_version=call.version
        )
    return _PlayedCommand(call.agent, (str(_NOWHERE),), setup, start=start_command, told_version=call.version)


def _play(call: RecordedCall, request: Request, on_line: Callable[[bytes], None] | None = None) -> Finished:
    redo(request.workspace, call.files)
    redo(request.outbox, call.outbox)
    for tool, arguments in call.calls if request.open_tools else ():
        assert request.open_tools is not None
        request.open_tools.play(tool, arguments)
    for _, data in call.lines if on_line else ():
        assert on_line is not None
        on_line(data)
    if call.finished is not None:
        return call.finished
    if call.answered:
        return Finished(0, None, Captured(), Captured(), False, False, call.seconds, "")
    raise AgentTimedOut(f"{call.agent} was stopped before its end when this was recorded")


@dataclass(frozen=True)
class _PlayedCli(CliAgent):
    told_version: str = ""

    def check(self) -> None:
        """It needs no program."""

    def locate(self, outside: tuple[Path, ...] = ()) -> Path:
        return _NOWHERE

    async def version(self) -> str:
        return self.told_version


@dataclass(frozen=True)
class _PlayedCommand(CommandAgent):
    told_version: str = ""

    def locate(self, outside: tuple[Path, ...] = ()) -> Path:
        return _NOWHERE

    @property
    def version(self) -> str:
        return self.told_version


def _key(said: dict[str, object]) -> Key:
    role, cycle, ask, part = (str(said[name]) for name in ("role", "cycle", "ask", "part"))
    return role, cycle, ask, part


def _words(key: Iterable[str]) -> str:
    role, cycle, ask, part = key
    more = f", {part}" if part else ""
    return f"{role}, cycle {cycle or '-'}, ask {ask or '-'}{more}"
