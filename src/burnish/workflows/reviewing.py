"""One review: a throw-away copy of the result, a reviewer's words, and what they are worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from burnish.errors import AgentError, ContractViolation
from burnish.model.agent import Model, Reply, Request
from burnish.model.change import Failure, FailureKind
from burnish.model.history import History
from burnish.model.review import Finding, Review, Severity, Verdict
from burnish.model.step import Role, Step
from burnish.ports import Agent, Asking, Contract, Desks, Diff, Run, Touched, Workspace, Workspaces
from burnish.prompts.book import PromptBook, cap
from burnish.sanitise import clean_line
from burnish.team_ports import ToolDesk
from burnish.workflows.ask import ask
from burnish.workflows.denials import tell_denied
from burnish.workflows.evidence import Evidence, evidence_of, no_evidence
from burnish.workflows.gating import describe, judge, known_red, red_output
from burnish.workflows.given import given_files
from burnish.workflows.leftovers import left_behind, tell_left_behind
from burnish.workflows.masking import reviewers_copy, told_masked
from burnish.workflows.previous import earlier_reviews
from burnish.workflows.standing_in import reviewed_by_code, tell_stood_in
from burnish.workflows.tool_verdict import exact_ids, scope_of, verdict_tool
from burnish.workflows.writing import failure, signal_name, variables

REPORT = "report.md"
ANSWER_CAP = 20_000
# Stands for the reviewer's copy in a prompt.
WORKSPACE = "\x00workspace\x00"


@dataclass(frozen=True)
class Reviewer:
    """Carries out reviews of one run."""

    agent: Agent
    contract: Contract
    workspaces: Workspaces
    desks: Desks
    prompts: PromptBook
    timeout_s: float
    diff_cap: int = 50_000
    fail_on: Severity = Severity.HIGH
    model: str = ""
    # By which ids it answers, the run's own where none are given, and what else its prompt holds.
    ids: Mapping[str, str] = field(default_factory=dict)
    more: Mapping[str, object] = field(default_factory=dict)
    tools: ToolDesk | None = None
    evidence: Evidence = no_evidence

    async def review(self, run: Run, history: History, step: Step, complaint: str) -> Review | Failure:
        diff = await self.workspaces.diff(history.task.base_tree, history.tree, self.diff_cap)
        desk = self.desks.lay(step, {})
        asking = Asking(step.cycle, desk.outbox / REPORT, self.fail_on, self.ids or {"loopId": run.id})
        tool = verdict_tool(self.tools, self.contract, step, desk, scope_of(run.id, step, asking))
        opened = reviewers_copy(self.workspaces, history.tree, history.task.base_tree, step.key)
        async with opened as copy, tool as verdict:
            workspace, model = copy.workspace, Model.of(Role.REVIEW, self.model)
            prompt = (await self._knowing(history))._prompt(run, history, step, diff, asking, complaint)
            request = Request(
                role=Role.REVIEW,
                prompt=told_masked(prompt.replace(WORKSPACE, str(workspace.path)), copy.masked),
                workspace=workspace.path,
                inbox=desk.inbox,
                outbox=desk.outbox,
                timeout_s=self.timeout_s,
                schema=self.contract.schema(asking),
                tier=model.tier,
                model=model.name,
                variables=variables(run, step),
                tree=history.tree,
                findings=known_red(history),
            )
            try:
                reply = verdict.answered(await ask(self.agent, verdict.offered(request)))
            except AgentError as error:
                return failure(Role.REVIEW, error)
            await tell_denied(run, step, reply)
            await tell_stood_in(run, step, reply)
            touched = await self._touched(run, step, copy.tree, workspace, reply)
        review = self._parse(reply, asking)
        if isinstance(review, Failure):
            return review
        partial, given = bool(diff.left_out), given_files(diff)
        review = replace(review, tree=history.tree, partial=partial, left_behind=touched.added, given=given)
        return judge(_forbid_edits(review, touched.edited), history, self.fail_on)

    async def _knowing(self, history: History) -> Reviewer:
        """The same reviewer, who is shown what analysers know of the change."""
        known = await evidence_of(self.evidence, self.workspaces, history)
        return replace(self, more={**self.more, "evidence": known})

    async def _touched(self, run: Run, step: Step, tree: str, workspace: Workspace, reply: Reply) -> Touched:
        """What became of its copy; what it left there is told, whatever its answer is worth."""
        left = await workspace.snapshot()
        touched = await self.workspaces.touched(tree, left.tree)
        names = left_behind(touched, left)
        await tell_left_behind(run, step, f"the reviewer {reply.agent or self.agent.name}", names)
        return Touched(touched.edited, names)

    def _parse(self, reply: Reply, asking: Asking) -> Review | Failure:
        try:
            review = reviewed_by_code(reply) or self.contract.parse(reply)
        except ContractViolation as violation:
            message = f"reviewer contract violation ({violation.code}): {violation.why}"
            return Failure(
                Role.REVIEW,
                FailureKind.VIOLATION,
                message,
                reply.agent_exit,
                usage=reply.usage,
                problems=(*violation.problems, *exact_ids(self.contract, asking)),
                answer=cap(reply.text or reply.report or "", ANSWER_CAP),
                denied=violation.denied,
            )
        return replace(
            review,
            agent=reply.agent or self.agent.name,
            agent_version=reply.version,
            model=reply.model,
            isolation=reply.isolation,
            usage=reply.usage,
            passed_over=reply.passed_over,
        )

    def _prompt(
        self, run: Run, history: History, step: Step, diff: Diff, asking: Asking, complaint: str
    ) -> str:
        previous, task = history.review, history.task
        instructions = self.contract.instructions(asking)
        text = self.prompts.render(
            "review",
            run=run.id,
            cycle=step.cycle,
            phase=step.phase or "1",
            task=task.prompt,
            briefing=task.briefing.told_to(Role.REVIEW),
            base=task.base[:12],
            output=asking.report,
            signal=asking.report.with_name(signal_name(step)) if asking.report else "",
            diff=diff.text,
            files=[clean_line(name) for name in diff.files],
            left_out=[clean_line(name) for name in diff.left_out],
            gate=describe(history),
            gate_output=red_output(history),
            previous=previous.text if previous else "",
            follow_up=_follow_up(previous),
            earlier=earlier_reviews(history),
            said=history.changes[-1].said if history.changes else "",
            complaint=complaint,
            contract=instructions,
            **self.more,
        )
        # A template of the user's own must not lose the contract: without it no answer could ever be used.
        return text if instructions.strip() in text else f"{text}\n{instructions}"


def _follow_up(previous: Review | None) -> str:
    """What the last review wants done, without the form it had to be said in."""
    if previous is None:
        return ""
    told = [finding.detail or finding.title for finding in previous.findings]
    return "\n\n".join(told) or previous.text


def _forbid_edits(review: Review, edited: tuple[str, ...]) -> Review:
    """A reviewer that edited tracked files reviewed something else than what will be delivered."""
    if not edited:
        return review
    names = ", ".join(edited[:5])
    finding = Finding(
        f"the reviewer edited tracked files: {names}", Severity.HIGH, category="reviewer-violation"
    )
    verdict = Verdict.FAIL if review.verdict is Verdict.PASS else review.verdict
    return replace(
        review,
        verdict=verdict,
        overruled=f"the reviewer edited tracked files ({names}); the edits were thrown away",
        findings=(*review.findings, finding),
    )
