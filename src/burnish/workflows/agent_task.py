"""One question about a tree to an agent that may read and run but not edit, asked a second time at most."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from burnish.errors import AgentError, ContractViolation
from burnish.model.agent import Model, Reply, Request, Usage
from burnish.model.review import Review, Verdict
from burnish.model.step import Step
from burnish.ports import Agent, Desk, Desks, Run, Workspaces
from burnish.prompts.book import PromptBook, cap
from burnish.sanitise import clean_line
from burnish.workflows.ask import GRACE_S, ask
from burnish.workflows.attempts import TURNED
from burnish.workflows.chain import NotUsable, Trigger
from burnish.workflows.complaint import complaint_of
from burnish.workflows.denials import tell_denied
from burnish.workflows.leftovers import few, left_behind, tell_left_behind
from burnish.workflows.masking import reviewers_copy, told_masked
from burnish.workflows.standing_in import tell_stood_in
from burnish.workflows.writing import variables

ASKS = 2
ROLE_FILE, PROJECT_FILE, GUIDELINES_FILE = "role.md", "project.md", "guidelines.md"
GUIDELINES_CAP = 20_000
T = TypeVar("T")


@dataclass(frozen=True)
class Project:
    """What is known of a repository from its base commit, never from the change under review.

    `guidelines` are its own words for reviewers: path and text.
    """

    languages: tuple[str, ...] = ()
    test_command: str = ""
    guidelines: tuple[tuple[str, str], ...] = ()

    def about(self) -> str:
        languages = ", ".join(self.languages) or "not known"
        tests = f"`{clean_line(self.test_command)}`" if self.test_command else "none was found"
        return f"# The project\n\n- languages: {languages}\n- test command: {tests}\n"

    def words(self) -> str:
        """The guidelines as one file."""
        told = [f"# {clean_line(path)}\n\n{cap(text, GUIDELINES_CAP)}" for path, text in self.guidelines]
        return "\n\n".join(told) or "The project has no REVIEW.md and no AGENTS.md.\n"


@dataclass(frozen=True)
class Office:
    """What every question of one run needs: where agents work, what passes over desks, what is known."""

    workspaces: Workspaces
    desks: Desks
    prompts: PromptBook = field(default_factory=PromptBook)
    project: Project = Project()
    grace_s: float = GRACE_S
    model: str = ""


@dataclass(frozen=True)
class Question(Generic[T]):
    """`prompt` is made for the desk it is put on, with what was wrong with the last answer; `read` raises
    ContractViolation."""

    tree: str
    role: str
    prompt: Callable[[Desk, str], str]
    read: Callable[[Reply], T]
    timeout_s: float
    schema: Mapping[str, Any] | None = None
    # What the tree is a change of, where it is one.
    base: str = ""


@dataclass(frozen=True)
class Answer(Generic[T]):
    value: T
    reply: Reply
    agent: str
    spent: Usage


async def ask_about(run: Run, step: Step, office: Office, agent: Agent, question: Question[T]) -> Answer[T]:
    """An answer in the form asked for. Raises AgentError, NotUsable among them."""
    spent, complaint, why, denied = Usage(), "", "", False
    for number in range(1, ASKS + 1):
        asked = replace(step, ask=number)
        try:
            reply = await _reply(run, asked, office, agent, question, complaint)
        except AgentError as error:
            error.usage = spent + error.usage
            raise
        spent += reply.usage
        try:
            value = question.read(reply)
            if denied and isinstance(value, Review) and value.verdict is Verdict.PASS:
                raise NotUsable(Trigger.MALFORMED, TURNED, spent)
            return Answer(value, reply, reply.agent or agent.name, spent)
        except ContractViolation as violation:
            denied = denied or violation.denied
            complaint, why = complaint_of(violation.problems, reply.text), violation.why
    raise NotUsable(Trigger.MALFORMED, f"asked {ASKS} times: {why}", spent)


async def _reply(
    run: Run, step: Step, office: Office, agent: Agent, question: Question[T], complaint: str
) -> Reply:
    """From a throw-away copy. An agent that edited it has judged something else than what is there."""
    async with reviewers_copy(office.workspaces, question.tree, question.base, step.key) as copy:
        inbox = {
            ROLE_FILE: question.role,
            PROJECT_FILE: office.project.about(),
            GUIDELINES_FILE: office.project.words(),
        }
        desk = office.desks.lay(step, inbox)
        model = Model.of(step.role, office.model)
        request = Request(
            role=step.role,
            prompt=told_masked(question.prompt(desk, complaint), copy.masked),
            workspace=copy.workspace.path,
            inbox=desk.inbox,
            outbox=desk.outbox,
            timeout_s=question.timeout_s,
            schema=question.schema,
            tier=model.tier,
            model=model.name,
            variables=variables(run, step),
        )
        reply = await ask(agent, request, grace_s=office.grace_s)
        await tell_denied(run, step, reply)
        await tell_stood_in(run, step, reply)
        left = await copy.workspace.snapshot()
    touched = await office.workspaces.touched(copy.tree, left.tree)
    await tell_left_behind(run, step, agent.name, left_behind(touched, left))
    if touched.edited:
        why = f"the edits to {few(touched.edited)} were thrown away, and its answer with them"
        raise NotUsable(Trigger.EDITED, why, reply.usage)
    return reply
