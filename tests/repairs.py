"""Drives the real fix pipeline in memory: a toy analyser, fixers that are functions, a gate over the files."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from burnish.git.memory import MemoryWorkspaces
from burnish.model.agent import Reply, Request
from burnish.model.assessment import Analysis
from burnish.model.events import Noticed
from burnish.model.fixing import FindingFix
from burnish.model.gate import GateResult
from burnish.model.review import Finding, Severity
from burnish.model.subject import NotReviewed
from burnish.ports import Workspaces
from burnish.store.clock import SystemClock
from burnish.store.desks import FolderDesks
from burnish.store.memory import MemoryRun
from burnish.workflows.fix_crew import FixCrew, FixTask
from burnish.workflows.fix_cycle import fix_cycle
from burnish.workflows.fix_outcome import FixOutcome

Files = Mapping[str, str]
Edit = Callable[[Finding, Path], str]
SEVERITIES = {
    "BAD": Severity.HIGH,
    "UGLY": Severity.MEDIUM,
    "EVIL": Severity.CRITICAL,
    "DULL": Severity.LOW,
}


def findings_in(files: Files, dimension: str = "quality") -> tuple[Finding, ...]:
    """The toy analyser: every line with one of its words, and the rule is the word."""
    found = []
    for name, text in files.items():
        seen: dict[str, int] = {}
        for number, line in enumerate(text.splitlines(), 1):
            for word in re.findall("|".join(SEVERITIES), line):
                key = f"{word} {name} {line.strip()}"
                seen[key] = seen.get(key, 0) + 1
                found.append(
                    Finding(
                        f"{word} code", SEVERITIES[word], name, number, dimension=dimension, rule=f"toy:{word}",
                        snippet=line, identity=f"{key} {seen[key]}",
                    )
                )  # fmt: skip
    return tuple(replace(one, id=f"qual-{at:03}-0a1b2c3d") for at, one in enumerate(found, 1))


@dataclass
class ToyRecheck:
    """Reads a tree through `read`; a file with BROKEN in it cannot be parsed."""

    read: Callable[[str], Files]
    asked: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)

    async def __call__(self, tree: str, files: tuple[str, ...]) -> tuple[Analysis, ...]:
        self.asked.append((tree, files))
        there = {name: text for name, text in self.read(tree).items() if name in files}
        if not there:
            return ()
        broken = tuple(NotReviewed(name, "syntax error") for name, text in there.items() if "BROKEN" in text)
        return (Analysis("toy", findings=findings_in(there), not_reviewed=broken, files=len(files)),)


@dataclass
class FunctionFixer:
    """A fixer without a model that is a function of the finding and the folder."""

    edit: Edit
    name: str = "toy-fixer"
    rules: tuple[str, ...] = ("toy:BAD", "toy:UGLY", "toy:EVIL")
    asked: list[Finding] = field(default_factory=list)

    def can(self, finding: Finding, *, unsafe: bool = False) -> bool:
        return finding.rule in self.rules

    async def fix(self, finding: Finding, workspace: Path) -> str:
        self.asked.append(finding)
        await asyncio.sleep(0)
        return self.edit(finding, workspace)


@dataclass
class WatchedAgent:
    """Answers by a function, slowly; remembers each session's life and how many there were at once."""

    answer: Callable[[Request], str]
    name: str = "watched"
    lives: list[list[str]] = field(default_factory=list)
    open_now: int = 0
    most: int = 0

    def check(self) -> None: ...

    def session(self) -> WatchedSession:
        self.lives.append([])
        return WatchedSession(self, self.lives[-1])


@dataclass
class WatchedSession:
    agent: WatchedAgent
    life: list[str]
    request: Request | None = None

    async def spawn(self, request: Request) -> None:
        self.request = request
        self.life.append("spawn")
        self.agent.open_now += 1
        self.agent.most = max(self.agent.most, self.agent.open_now)

    async def wait(self, timeout_s: float) -> Reply:
        self.life.append(f"wait {timeout_s:g}")
        await asyncio.sleep(0.02)
        assert self.request is not None
        return Reply(self.agent.answer(self.request))

    async def send(self, text: str) -> None:
        self.life.append("send")

    async def close(self) -> None:
        self.life.append("close")
        self.agent.open_now -= 1


def changes_line(new: str) -> Edit:
    """Writes the finding's word anew, on its line only."""

    def edit(finding: Finding, workspace: Path) -> str:
        path = workspace / finding.file
        lines = path.read_text().splitlines(keepends=True)
        at = (finding.line or 1) - 1
        lines[at] = lines[at].replace(finding.rule.removeprefix("toy:"), new)
        path.write_text("".join(lines))
        return f"wrote {new}"

    return edit


@dataclass
class FilesGate:
    """Green as long as `fine` says so of all files; it may name what fails."""

    read: Callable[[str], Files]
    fine: Callable[[Files], bool] = lambda files: True
    failing: Callable[[Files], tuple[str, ...]] = lambda files: ()
    command: str = "check files"
    checked: list[tuple[str, str]] = field(default_factory=list)

    async def check(self, tree: str, base: str) -> GateResult:
        self.checked.append((tree, base))
        files = self.read(tree)
        names = self.failing(files)
        fine = self.fine(files) and not names
        return GateResult(
            tree, self.command, 0 if fine else 1, "" if fine else "1 failed: see x.py", failing=names
        )


@dataclass
class Shop:
    """Everything around one fix session. Replace `crew` or `task` before `run` to make it another one."""

    folder: Path
    files: Files
    fixers: tuple[FunctionFixer, ...] = ()
    run_as: MemoryRun = field(default_factory=MemoryRun)
    make_workspaces: Callable[[Files], MemoryWorkspaces] = MemoryWorkspaces

    def __post_init__(self) -> None:
        self.workspaces = self.make_workspaces(self.files)
        self.recheck = ToyRecheck(self.read)
        self.gate = FilesGate(self.read)
        self.findings = findings_in(self.files)
        self.task = FixTask(self.findings, self.workspaces.base, self.workspaces.base_tree)
        workspaces: Workspaces = self.workspaces
        self.crew = FixCrew(
            workspaces,
            self.recheck,
            FolderDesks(self.folder),
            SystemClock(),
            fixers=self.fixers,
            gate=self.gate,
        )

    def read(self, tree: str) -> Files:
        return self.workspaces.trees[tree]

    def run(self) -> FixOutcome:
        return asyncio.run(fix_cycle(self.task, self.crew, self.run_as))

    @property
    def notes(self) -> list[str]:
        return [event.text for event in self.run_as.events if isinstance(event, Noticed)]


def told(outcome: FixOutcome) -> dict[str, str]:
    """Finding id -> what came of it."""
    return {fix.finding_id: str(fix.result) for fix in outcome.fixes}


def only(outcome: FixOutcome) -> FindingFix:
    [fix] = outcome.fixes
    return fix
