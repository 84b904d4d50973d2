"""A question about a whole build: asked in a throw-away copy, answered by tool calls or in words."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from typing import Any

from burnish.errors import AgentError
from burnish.model.agent import Model, Request, Usage
from burnish.model.step import Role, Step
from burnish.ports import Agent, Desks, Run, Workspaces
from burnish.team_ports import OpenTools, Scope, ToolCall, ToolDesk
from burnish.workflows.ask import ask
from burnish.workflows.denials import tell_denied
from burnish.workflows.writing import failure, variables


@dataclass(frozen=True)
class Told:
    """What an agent answered: its words, its native structure, and its valid tool calls by tool.

    `trouble` is why there is no answer.
    """

    text: str = ""
    structured: Any = None
    calls: Mapping[str, tuple[ToolCall, ...]] = field(default_factory=dict)
    agent: str = ""
    usage: Usage = Usage()
    trouble: str = ""
    structure_expected: bool = False


@dataclass(frozen=True)
class Outliner:
    """`tree` is what agents look at; what they edit there is thrown away."""

    workspaces: Workspaces
    desks: Desks
    tree: str
    timeout_s: float
    models: Mapping[str, str] = field(default_factory=dict)
    tools: ToolDesk | None = None

    async def ask(self, run: Run, step: Step, agent: Agent, prompt: str, scope: Scope) -> Told:
        model = Model.of(step.role, self.models.get(step.role, ""))
        async with self.workspaces.open(self.tree, step.key) as workspace, AsyncExitStack() as stack:
            desk = self.desks.lay(step, {})
            opened: OpenTools | None = None
            if self.tools is not None:
                opened = await stack.enter_async_context(self.tools.open(step, desk, scope))
            request = Request(
                role=step.role,
                prompt=prompt,
                workspace=workspace.path,
                inbox=desk.inbox,
                outbox=desk.outbox,
                timeout_s=self.timeout_s,
                tier=model.tier,
                model=model.name,
                variables=variables(run, step),
            )
            try:
                reply = await ask(agent, replace(request, open_tools=opened))
            except AgentError as error:
                failed = failure(step.role, error)
                return Told(agent=agent.name, usage=failed.usage, trouble=failed.message)
            await tell_denied(run, step, reply)
            calls = {name: opened.calls(name) for name in scope.tools} if opened else {}
        # A reviewer's words are its own message: a file may be by somebody else.
        text = reply.text if step.role is Role.REVIEW else reply.report or reply.text
        who, expected = reply.agent or agent.name, reply.structure_expected
        return Told(text, reply.structured, calls, who, reply.usage, structure_expected=expected)
