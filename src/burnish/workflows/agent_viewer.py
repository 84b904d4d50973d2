"""An agent looks at a subject from one dimension, with the analysers' findings as evidence."""

from __future__ import annotations

import posixpath
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from burnish.model.assessment import Analysis, DimensionReport
from burnish.model.dimension import Dimension
from burnish.model.review import Finding, Review
from burnish.model.step import Step
from burnish.model.subject import Subject
from burnish.ports import Agent, Asking, Contract, Desk, Diff, Run
from burnish.sanitise import clean_line
from burnish.workflows.agent_task import Office, Question, ask_about
from burnish.workflows.aggregate import number
from burnish.workflows.chain import check_worth
from burnish.workflows.embedded import RAW_CAP, now
from burnish.workflows.evidence import evidence_lines
from burnish.workflows.placing import placed

DIFF_CAP = 50_000
MOST_FILES = 1000


def unread(path: str) -> str | None:
    """Nobody has the file at hand."""
    return None


@dataclass(frozen=True)
class AgentViewer:
    """`timeout_s` caps what the dimension allows; `text_of` reads a file of the tree under review."""

    agent: Agent
    office: Office
    contract: Contract
    timeout_s: float
    diff_cap: int = DIFF_CAP
    text_of: Callable[[str], str | None] = unread

    async def view(
        self, run: Run, step: Step, subject: Subject, dimension: Dimension, evidence: tuple[Analysis, ...]
    ) -> DimensionReport:
        began, started = time.monotonic(), now()
        tools = [f for analysis in evidence for f in analysis.findings if f.dimension == dimension]
        question = await self._question(run, step, subject, dimension, tools)
        answer = await ask_about(run, step, self.office, self.agent, question)
        check_worth(answer.reply, _confidence(answer.value.findings), answer.spent)
        inside = _inside(answer.value.findings, subject, answer.agent)
        kept = [placed(finding, self.text_of(finding.file)) for finding in inside]
        return DimensionReport(
            dimension,
            findings=number([*tools, *kept], dimension),
            agent=answer.agent,
            model=answer.reply.model or answer.reply.version,
            raw=f"{answer.reply.text}\n{answer.reply.report or ''}".strip()[:RAW_CAP],
            files=len(subject.present),
            lines=sum(file.lines for file in subject.files),
            started_at=started,
            finished_at=now(),
            duration_s=round(time.monotonic() - began, 3),
            usage=answer.spent,
            dropped=len(answer.value.findings) - len(kept),
            isolation=answer.reply.isolation,
        )

    async def _question(
        self, run: Run, step: Step, subject: Subject, dimension: Dimension, tools: list[Finding]
    ) -> Question[Review]:
        diff = Diff("", ())
        if subject.base_tree:
            diff = await self.office.workspaces.diff(subject.base_tree, subject.tree, self.diff_cap)
        role = self.office.prompts.render(f"dimensions/{dimension}")
        asking = Asking(cycle=step.cycle)
        instructions = self.contract.instructions(asking)

        def prompt(desk: Desk, complaint: str) -> str:
            text = self.office.prompts.render(
                "view",
                run=run.id,
                dimension=dimension.value,
                inbox=str(desk.inbox),
                role=role,
                subject=clean_line(subject.title),
                files=_files(subject),
                diff=diff.text,
                left_out=[clean_line(name) for name in diff.left_out],
                evidence=[line for finding in tools for line in evidence_lines(finding)],
                complaint=complaint,
                contract=instructions,
            )
            # A template of the user's own must not lose the contract.
            return text if instructions.strip() in text else f"{text}\n{instructions}"

        timeout_s = min(dimension.about.timeout_s, self.timeout_s)
        read, schema = self.contract.parse, self.contract.schema(asking)
        return Question(subject.tree, role, prompt, read, timeout_s, schema, subject.base_tree)


def _files(subject: Subject) -> list[str]:
    shown = [clean_line(f"{file.path} ({file.status})") for file in subject.files[:MOST_FILES]]
    more = len(subject.files) - len(shown)
    return [*shown, f"... and {more} more"] if more else shown


def _confidence(findings: tuple[Finding, ...]) -> float | None:
    """Of the analysis: what its findings say on average; None where none of them says anything."""
    known = [finding.confidence for finding in findings if finding.confidence is not None]
    return sum(known) / len(known) if known else None


def _inside(findings: tuple[Finding, ...], subject: Subject, agent: str) -> list[Finding]:
    """An agent's findings as ours; those about files that nobody asked about are left out."""
    asked = {*subject.present, *subject.deleted}
    placed = [replace(finding, file=posixpath.normpath(finding.file.strip())) for finding in findings]
    return [replace(found, tools=(agent,), rule="", id="") for found in placed if found.file in asked]
