"""A verdict given by calling a tool: it is there while the reviewer works, and its call is the answer."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from burnish.contracts.loop_result import TOOL
from burnish.model.agent import Reply, Request
from burnish.model.step import Step
from burnish.ports import Asking, Contract, Desk
from burnish.team_ports import OpenTools, Scope, ToolDesk


@dataclass(frozen=True)
class VerdictTool:
    """`opened` is None where the contract wants words, or where there are no tools: then words will do."""

    opened: OpenTools | None = None

    def offered(self, request: Request) -> Request:
        """With the tool, and then not held to a form as well: answers given twice can differ."""
        return replace(request, open_tools=self.opened, schema=None) if self.opened else request

    def answered(self, reply: Reply) -> Reply:
        """The call as the structured answer; several as a list, so that the contract compares them."""
        called = [dict(call.arguments) for call in self.opened.calls(TOOL)] if self.opened else []
        if not called:
            return reply
        return replace(reply, structured=called[0] if len(called) == 1 else called)


@asynccontextmanager
async def verdict_tool(
    tools: ToolDesk | None, contract: Contract, step: Step, desk: Desk, scope: Scope
) -> AsyncIterator[VerdictTool]:
    if tools is None or contract.carrier != "tool":
        yield VerdictTool()
        return
    async with tools.open(step, desk, scope) as opened:
        yield VerdictTool(opened)


def scope_of(run: str, step: Step, asking: Asking) -> Scope:
    """Only the loop and the task that are reviewed."""
    ids = asking.ids or {}
    return Scope(run, step.role, (TOOL,), ids.get("loopId", ""), ids.get("taskId", ""))


def exact_ids(contract: Contract, asking: Asking) -> tuple[str, ...]:
    """For a reviewer whose result did not come: what it must call, with the ids as they are."""
    if contract.carrier != "tool" or not asking.ids:
        return ()
    named = (f"{name} {asking.ids[name]!r}" for name in ("loopId", "taskId") if asking.ids.get(name))
    return (f"no valid result came by {TOOL}; report it with {' and '.join(named)}, exactly",)
