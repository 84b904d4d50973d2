"""The embedded default at the end of a chain: it says what is wrong and repairs it, and never approves."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from pathlib import Path

from burnish.agents.embedded import EMBEDDED
from burnish.analysers._embedded import embedded, text_of
from burnish.app.fix_wiring import NOT_RECHECKED, AnyRule
from burnish.app.followed_change import lay_change
from burnish.app.repairable import repairable
from burnish.app.review_plan import SURE_ENOUGH
from burnish.app.spec import RunSpec
from burnish.app.tool_options import tool_options
from burnish.errors import AgentError, AgentFailed, AgentTimedOut, AgentUnfit
from burnish.fixers._choose import code_fixers
from burnish.git.export import lay_source
from burnish.git.run_store import RunStore
from burnish.model.agent import Reply, Request
from burnish.model.assessment import Analysis, DimensionReport
from burnish.model.dimension import Dimension
from burnish.model.report import Blocking, entry_of
from burnish.model.review import Finding, Review, Verdict
from burnish.model.step import Role
from burnish.model.subject import Subject
from burnish.ports import AgentSession, CodeFixer, Ledger
from burnish.process.tool_setup import ToolSetup
from burnish.sanitise import clean_line
from burnish.workflows.aggregate import merge
from burnish.workflows.analysing import Analysing
from burnish.workflows.giving_way import give_way

CANNOT_IMPLEMENT = f"{EMBEDDED} cannot do a task in words: it has analysers and rewrites, and no model"
NO_APPROVAL = (
    f"{EMBEDDED} found nothing that blocks in {{count}} changed file(s), and cannot judge whether the task"
    " was done: that is no approval"
)
IN_WORDS = f"{EMBEDDED} cannot repair any of {{count}} finding(s): no rewrite of ours is meant for them"
# How each contract calls a review that failed.
_WORDS = {"verdict-line": "CHANGES_REQUESTED", "json-verdict": "drift", "loop-result": "failed"}
_FAIL = "FAIL"


@dataclass(frozen=True)
class Tools:
    """Where trees are laid out to be read, and with what; the base is what a change is compared with."""

    store: RunStore
    base_tree: str
    folder: Path
    repository: Path
    setup: ToolSetup

    async def analyse(self, tree: str) -> tuple[Subject, tuple[Analysis, ...]]:
        """What the change from the base to this tree brought, by every analyser that reads."""
        subject, head, base = await lay_change(self.store, self.base_tree, tree, self.folder)
        every = repairable(embedded(self.setup), self.setup)
        wanted = [one for one in every if one.name not in NOT_RECHECKED and one.wants(subject.present)]
        analysing = Analysing(tuple(wanted), head, base)
        found = await asyncio.gather(*(analysing.compare(one, subject) for one in wanted))
        return subject, give_way(tuple(found))

    async def fixers(self) -> tuple[CodeFixer, ...]:
        """What they leave is formatted as the base is."""
        await lay_source(self.store, self.base_tree, self.folder / "base")
        options = tool_options(self.repository, self.folder / "base")
        return tuple(AnyRule(fixer) for fixer in code_fixers(replace(self.setup, options=options)))


@dataclass(frozen=True)
class StandIn:
    """An agent by its shape. `native` is how the run's contract calls a review that failed."""

    tools: Tools
    blocking: Blocking
    ledger: Ledger
    native: str = _FAIL
    name: str = EMBEDDED

    def check(self) -> None:
        """Always there."""

    def session(self) -> AgentSession:
        return _Session(self)

    async def answer(self, request: Request) -> Reply:
        match request.role:
            case Role.REVIEW:
                return await self._review(request)
            case Role.FIX:
                return await self._fix(request)
        raise AgentUnfit(CANNOT_IMPLEMENT)

    async def _review(self, request: Request) -> Reply:
        """A no, or no answer at all: that analysers find nothing says nothing about what was asked for."""
        subject, analyses = await self.tools.analyse(request.tree)
        ran = [analysis for analysis in analyses if not analysis.failed]
        if analyses and not ran:
            raise AgentFailed(f"{self.name}: no analyser could run: {analyses[0].failed}")
        entries = await self.ledger.entries()
        found = merge([DimensionReport(Dimension.QUALITY, tuple(f for one in ran for f in one.findings))])
        open_ = tuple(f for f in found if self.blocking.blocks(f, entry_of(f, entries)))
        if not open_ and not request.findings:
            raise AgentUnfit(NO_APPROVAL.format(count=len(subject.files)))
        text = _told(self.name, open_)
        review = Review(Verdict.FAIL, self.native, text.partition("\n")[0], open_, text=text)
        return Reply(text, structured=review, version=_versions(ran), agent=self.name)

    async def _fix(self, request: Request) -> Reply:
        """From the end of each file up, so that one repair does not move the next one."""
        fixers = await self.tools.fixers()
        done = []
        for finding in sorted(request.findings, key=lambda one: (one.file, -(one.line or 0))):
            if text_of(request.workspace, finding.file) is not None:
                done += await _repair(finding, fixers, request.workspace)
        if not done:
            raise AgentUnfit(IN_WORDS.format(count=len(request.findings)))
        return Reply("\n".join(done), agent=self.name)


def make_stand_in(tools: Tools, spec: RunSpec, ledger: Ledger) -> StandIn:
    blocking = Blocking(spec.fail_on, max(spec.min_confidence, SURE_ENOUGH))
    return StandIn(tools, blocking, ledger, _WORDS.get(spec.contract, _FAIL))


class _Session:
    def __init__(self, agent: StandIn) -> None:
        self._agent = agent
        self._request: Request | None = None

    async def spawn(self, request: Request) -> None:
        self._request = request

    async def wait(self, timeout_s: float) -> Reply | None:
        assert self._request is not None
        try:
            async with asyncio.timeout(timeout_s):
                return await self._agent.answer(self._request)
        except TimeoutError:
            raise AgentTimedOut(f"{EMBEDDED} did not finish within {timeout_s:g} s") from None

    async def send(self, text: str) -> None:
        raise AgentError(f"{EMBEDDED} cannot be told anything while it works")

    async def close(self) -> None:
        """Whoever stops waiting has stopped its tools."""


async def _repair(finding: Finding, fixers: tuple[CodeFixer, ...], workspace: Path) -> list[str]:
    for fixer in fixers:
        if fixer.can(finding) and (did := await fixer.fix(finding, workspace)):
            return [clean_line(f"{finding.file}:{finding.line or 0}: {did} ({fixer.name})")]
    return []


def _told(name: str, findings: tuple[Finding, ...]) -> str:
    lines = [
        clean_line(f"- {f.file}:{f.line or 0}: {f.severity}: {f.title}{f' ({f.rule})' if f.rule else ''}")
        for f in findings
    ]
    head = f"{len(findings)} blocking finding(s) of analysers; {name} stood in, no agent has read the change"
    return "\n".join((head, "", *lines))


def _versions(ran: list[Analysis]) -> str:
    return ", ".join(f"{one.tool} {one.version}".strip() for one in ran)
