"""Drives the real loop in memory: each agent is a function of the request, everything else is the product."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from burnish.git.memory import MemoryWorkspaces
from burnish.model.agent import Reply, Request
from burnish.model.agent_session import FixerSession
from burnish.model.briefing import Briefing
from burnish.model.events import Noticed
from burnish.model.history import Ending
from burnish.model.mode import GivenReview
from burnish.model.profile import Limit, Profile
from burnish.model.review import Severity
from burnish.model.step import Role
from burnish.policies.until_pass import UntilPass
from burnish.ports import Gate, Policy
from burnish.prompts.book import PromptBook
from burnish.registry import load
from burnish.store.desks import FolderDesks
from burnish.store.memory import MemoryRun
from burnish.team_ports import ToolDesk
from burnish.workflows.crew import Crew
from burnish.workflows.improving import Improving
from burnish.workflows.review_loop import review_loop
from burnish.workflows.reviewing import Reviewer
from burnish.workflows.writing import Writer

Answer = Callable[[Request], str | Reply]


@dataclass
class FunctionAgent:
    """An agent that answers by calling a function; an AgentError it raises is an agent that failed."""

    answer: Answer
    name: str = "function"
    requests: list[Request] = field(default_factory=list)

    def check(self) -> None: ...

    def session(self) -> FunctionSession:
        return FunctionSession(self)


@dataclass
class FunctionSession:
    agent: FunctionAgent
    request: Request | None = None

    async def spawn(self, request: Request) -> None:
        self.request = request
        self.agent.requests.append(request)

    async def wait(self, timeout_s: float) -> Reply | None:
        assert self.request is not None
        if self.request.open_tools:
            # Its tools answer in this loop while it works.
            answer = await asyncio.to_thread(self.agent.answer, self.request)
        else:
            answer = self.agent.answer(self.request)
        return Reply(answer) if isinstance(answer, str) else answer

    async def send(self, text: str) -> None: ...

    async def close(self) -> None: ...


def cycle_of(request: Request) -> int:
    return int(request.variables["BURNISH_CYCLE"])


def edits(name: str = "app.py") -> Answer:
    """A writer that leaves a new version of a file each time."""

    def write(request: Request) -> str:
        path = request.workspace / name
        path.write_text(f"{path.read_text() if path.exists() else ''}{request.role} {cycle_of(request)}\n")
        return "done"

    return write


def says(*replies: str) -> Answer:
    """A reviewer whose n-th cycle gets the n-th reply, the last one from then on."""
    return lambda request: replies[min(cycle_of(request), len(replies)) - 1]


def _dimension(*severities: str) -> str:
    """A dimension report with one finding of each severity."""
    findings = [
        {
            "id": f"qual-{number:03}-0a1b2c3d",
            "title": "The check is missing",
            "severity": severity,
            "category": "error-handling",
            "description": "Nothing is checked.",
            "file": "app.py",
            "line": 1,
            "snippet": "x",
            "recommendation": "Check it.",
            "references": [],
            "impact": "It breaks.",
            "metadata": {},
            "iteration": 0,
            "status": "pending_remediation",
            "cross_references": [],
        }
        for number, severity in enumerate(severities, 1)
    ]
    counts = {level: severities.count(level) for level in ("critical", "high", "medium", "low")}
    report = {
        "dimension": "quality",
        "review_id": "review-20260101-000000",
        "analysis_timestamp": "2026-01-01T00:00:00Z",
        "cli_tool_used": "codex",
        "model": "test",
        "analysis_duration_ms": 1,
        "summary": {"total_findings": len(findings), **counts, "files_analyzed": 1, "lines_reviewed": 1},
        "findings": findings,
        "cross_references": [],
    }
    return json.dumps([report])


WORDS = {
    "grade": ("## Grade: PASS\n", "## Grade: FAIL\n\nThe check is missing.\n"),
    "verdict-line": ("**Verdict: APPROVED**\n", "No check.\n\n**Verdict: CHANGES_REQUESTED**\n"),
    "json-verdict": (
        '{"verdict": "pass", "followUpPrompt": "fine"}',
        '{"verdict": "drift", "followUpPrompt": "add the check"}',
    ),
    "loop-result": (
        '{"loopId": "r-memory", "passed": true}',
        '{"loopId": "r-memory", "passed": false, "issues": [{"file": "app.py", "line": 1, "type": "dead-code",'
        ' "description": "unused", "suggestion": "remove it"}]}',
    ),
    "findings": (_dimension(), _dimension("high")),
}


def passing(profile: Profile) -> str:
    return WORDS[profile.contract][0]


def failing(profile: Profile) -> str:
    return WORDS[profile.contract][1]


def profile_named(name: str) -> Profile:
    profile: Profile = load("profiles", name)()
    return profile


@dataclass
class Drive:
    """One loop, ready to run: change what a test is about, then `run()`."""

    folder: Path
    profile: Profile
    review: Answer
    implement: Answer | None = field(default_factory=edits)
    fix: Answer | None = field(default_factory=edits)
    limit: Limit | None = None
    gate: Gate | None = None
    wrap: Callable[[Policy], Policy] = lambda policy: policy
    no_reviewer: bool = False
    briefing: Briefing = field(default_factory=Briefing)
    phase: str = ""
    fixer_session: FixerSession = FixerSession.FRESH
    tools: ToolDesk | None = None
    # A review made elsewhere that it begins with.
    given: GivenReview | None = None

    def __post_init__(self) -> None:
        self.workspaces = MemoryWorkspaces({"app.py": "start\n"})
        self.memory = MemoryRun()
        self.agents = {
            Role.IMPLEMENT: FunctionAgent(self.implement) if self.implement else None,
            Role.REVIEW: FunctionAgent(self.review),
            Role.FIX: FunctionAgent(self.fix) if self.fix else None,
        }

    def run(self) -> Ending:
        return asyncio.run(self._run())

    async def _run(self) -> Ending:
        desks, prompts = FolderDesks(self.folder), PromptBook(instead=self.profile.prompts)
        reviewer_agent = self.agents[Role.REVIEW]
        assert reviewer_agent is not None
        reviewer = Reviewer(
            agent=reviewer_agent,
            contract=load("contracts", self.profile.contract)(fail_on=Severity.HIGH),
            workspaces=self.workspaces,
            desks=desks,
            prompts=prompts,
            timeout_s=60,
            tools=self.tools,
        )
        crew = Crew(
            profile=self.profile,
            writer=Writer(self.workspaces, desks),
            prompts=prompts,
            implementer=self.agents[Role.IMPLEMENT],
            reviewer=None if self.no_reviewer else reviewer,
            fixer=self.agents[Role.FIX],
            checks=self.gate,
            phase=self.phase,
            fixer_session=self.fixer_session,
        )
        policy = UntilPass(self.profile, self.limit or self.profile.limit, can_fix=self.fix is not None)
        task = replace(self.workspaces.task("Add a check"), briefing=self.briefing)
        hands = Improving(crew, self.given) if self.given else crew
        return await review_loop(task, hands, self.wrap(policy), self.memory)

    def notes(self) -> list[Noticed]:
        return [event for event in self.memory.events if isinstance(event, Noticed)]

    def asked(self, role: Role) -> list[Request]:
        agent = self.agents[role]
        return agent.requests if agent else []
