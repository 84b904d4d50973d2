"""Drives loops of a build in memory, alone or side by side: each agent is a function, the rest is the product."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from burnish.codec import dumps
from burnish.git.memory import MemoryWorkspaces
from burnish.loops.effort import PRESETS, Effort
from burnish.loops.part import LoopPart
from burnish.loops.standing import Standing, checkpoint_due, others_summary
from burnish.model.agent import Reply, Request
from burnish.model.change import Change
from burnish.model.history import Ending
from burnish.model.profile import Limit, LimitUnit
from burnish.model.step import Role, Step
from burnish.model.task import Task
from burnish.policies.until_pass import UntilPass
from burnish.ports import Desk, Gate
from burnish.prompts.book import PromptBook
from burnish.registry import load
from burnish.store.desks import FolderDesks
from burnish.store.memory import MemoryRun
from burnish.team_ports import Scope, ToolCall
from burnish.workflows.crew import Crew
from burnish.workflows.looping import LoopCrew
from burnish.workflows.review_loop import review_loop
from burnish.workflows.reviewing import Reviewer
from burnish.workflows.writing import Writer
from tests.loops import profile_named

LOOPS = profile_named("loops")
Answer = Callable[[Request], "str | Reply | Awaitable[str]"]


@dataclass
class AsyncAgent:
    """An agent whose answer may take its time; an AgentError it raises is an agent that failed."""

    answer: Answer
    name: str = "function"
    requests: list[Request] = field(default_factory=list)

    def check(self) -> None: ...

    def session(self) -> AsyncSession:
        return AsyncSession(self)


@dataclass
class AsyncSession:
    agent: AsyncAgent
    request: Request | None = None

    async def spawn(self, request: Request) -> None:
        self.request = request
        self.agent.requests.append(request)

    async def wait(self, timeout_s: float) -> Reply | None:
        assert self.request is not None
        answer = self.agent.answer(self.request)
        if not isinstance(answer, str | Reply):
            answer = await answer
        return Reply(answer) if isinstance(answer, str) else answer

    async def send(self, text: str) -> None: ...

    async def close(self) -> None: ...


class MemoryBoard:
    """A board without a build: rounds are called as `interval` says, all loops on it take part."""

    def __init__(self, *loops: str, interval: int | None = None) -> None:
        self.interval = interval
        self.standings = {loop: Standing(loop, f"the task of {loop}") for loop in loops}
        self.called_rounds: list[tuple[str, ...]] = []
        self.posts: list[tuple[str, int, str]] = []
        self._changed = asyncio.Condition()

    async def post(self, loop: str, iteration: int, doing: str) -> None:
        self.posts.append((loop, iteration, doing))
        self.standings[loop] = replace(self.standings[loop], iteration=iteration, doing=doing)
        if checkpoint_due(self.standings.values(), self.interval):
            await self.call()

    async def call(self) -> None:
        active = tuple(name for name, one in self.standings.items() if one.active)
        async with self._changed:
            self.called_rounds.append(active)
            for name in active:
                one = self.standings[name]
                self.standings[name] = replace(one, checkpoint_at=one.iteration)
            self._changed.notify_all()

    def restarted(self) -> MemoryBoard:
        """As after a crash: what was called is remembered, how far the loops are is not."""
        again = MemoryBoard(*self.standings, interval=self.interval)
        again.called_rounds = list(self.called_rounds)
        for loop, one in self.standings.items():
            again.standings[loop] = replace(again.standings[loop], checkpoint_at=one.checkpoint_at)
        return again

    def others(self, loop: str) -> str:
        return others_summary(self.standings.values(), loop)

    def rounds(self, loop: str) -> tuple[int, ...]:
        return tuple(number for number, loops in enumerate(self.called_rounds, 1) if loop in loops)

    async def called(self, loop: str, known: int) -> None:
        async with self._changed:
            await self._changed.wait_for(lambda: len(self.rounds(loop)) > known)


class MemoryTools:
    """Tools without a socket: an agent calls `request.open_tools.call(...)`."""

    def __init__(self) -> None:
        self.scopes: list[Scope] = []

    @asynccontextmanager
    async def open(self, step: Step, desk: Desk, scope: Scope) -> AsyncIterator[MemoryCalls]:
        self.scopes.append(scope)
        yield MemoryCalls()


@dataclass
class MemoryCalls:
    made: list[ToolCall] = field(default_factory=list)
    socket: Path = Path("/nowhere/socket")
    token: str = "token"
    bridge: Path = Path("/nowhere/bridge.py")

    def call(self, tool: str, **arguments: object) -> None:
        self.made.append(ToolCall(tool, arguments))

    def calls(self, tool: str) -> tuple[ToolCall, ...]:
        return tuple(call for call in self.made if call.tool == tool)


def says_result(*, passed: bool, loop: str = "loop-1", task: str = "task-1", **more: object) -> str:
    """A reviewer's answer; one that fails has an issue unless told otherwise."""
    issue = {
        "file": "app.py", "line": 2, "type": "dead-code", "description": "never used",
        "suggestion": "remove it",
    }  # fmt: skip
    found: dict[str, object] = {"loopId": loop, "passed": passed, "issues": [] if passed else [issue]}
    return dumps(found | ({"taskId": task} if task else {}) | more) + "\n\nREVIEW_COMPLETE\n"


def is_checkpoint(request: Request) -> bool:
    return request.variables["BURNISH_PART"] == "checkpoint"


def works(*ends: str, name: str = "app.py") -> Answer:
    """A builder: the n-th iteration adds a line to a file and ends with the n-th of these, then the last."""

    def build(request: Request) -> str:
        number = int(request.variables["BURNISH_CYCLE"])
        path = request.workspace / name
        before = path.read_text() if path.exists() else ""
        path.write_text(f"{before}{request.role} {number}\n")
        return f"did some of it\n\n{ends[min(number, len(ends)) - 1]}"

    return build


@dataclass
class LoopDrive:
    """One loop, ready to run: change what a test is about, then `run()`; `again()` resumes it."""

    folder: Path
    build: Answer
    review: Answer = lambda request: says_result(passed=True)
    revise: Answer | None = None
    effort: Effort = Effort.LOW
    board: MemoryBoard | None = None
    loop: str = "loop-1"
    max_iterations: int = 6
    gate: Gate | None = None
    revisions: int | None = None
    tools: MemoryTools | None = None

    def __post_init__(self) -> None:
        self.workspaces = MemoryWorkspaces({"app.py": "start\n"})
        self.memory = MemoryRun("r-memory")
        self.builder, self.reviewer = AsyncAgent(self.build), AsyncAgent(self.review, "reviewer")
        self.reviser = AsyncAgent(self.revise or self.build)
        preset = PRESETS[self.effort]
        self.part = LoopPart(
            self.loop, "task-1", "Add a check", self.effort, preset.depth, self.max_iterations,
            preset.stuck_threshold, preset.checkpoint_interval,
        )  # fmt: skip

    def run(self) -> Ending:
        return asyncio.run(self.drive())

    async def drive(self) -> Ending:
        limit = PRESETS[self.effort].max_revision_attempts if self.revisions is None else self.revisions
        policy = UntilPass(LOOPS, Limit(LimitUnit.FIXES, limit))
        return await review_loop(self.task, self.hands(), policy, self.memory)

    @property
    def task(self) -> Task:
        return self.workspaces.task("Add a check\n\nIn `app.py`.")

    def hands(self) -> LoopCrew:
        desks, book = FolderDesks(self.folder), PromptBook()
        contract = load("contracts", LOOPS.contract)()
        reviewer = Reviewer(self.reviewer, contract, self.workspaces, desks, book, timeout_s=60)
        crew = Crew(
            profile=LOOPS,
            writer=Writer(self.workspaces, desks, tools=self.tools),
            prompts=book,
            implementer=self.builder,
            reviewer=reviewer,
            fixer=self.reviser,
            checks=self.gate,
        )
        return LoopCrew(crew, self.part, self.board)

    def killed_after(self, last: str) -> None:
        """Forget every step behind the one with this key, and let the run's line end there."""
        kept = list(self.memory.results.items())
        kept = kept[: [key for key, _ in kept].index(last) + 1]
        commits = [result.commit for _, result in kept if isinstance(result, Change)]
        self.memory = MemoryRun("r-memory")
        self.memory.results.update(kept)
        self.board = self.board.restarted() if self.board else None

        async def back() -> None:
            await self.workspaces.advance(commits[-1], await self.workspaces.head())

        asyncio.run(back())

    @property
    def iterations(self) -> list[Request]:
        return self.builder.requests

    @property
    def reviews(self) -> list[Request]:
        return [request for request in self.reviewer.requests if not is_checkpoint(request)]

    @property
    def checkpoints(self) -> list[Request]:
        return [request for request in self.reviewer.requests if is_checkpoint(request)]

    @property
    def revisions_asked(self) -> list[Request]:
        return [request for request in self.reviser.requests if request.role is Role.FIX]
