"""The budgets of a run and of a day, kept while an agent works: who is told of too much stops it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

from burnish.agents._around import Around, InnerSession
from burnish.errors import AgentFailed
from burnish.model.agent import OnUsed, Request, Usage
from burnish.model.agent_events import AgentTrouble
from burnish.model.ceiling import Ceiling
from burnish.ports import AgentSession
from burnish.store import spending
from burnish.store.database import Database

HINT = "start it again with a larger budget (budget.*, --max-...); a task of the queue: burnish retry"

PRICE_HINT = (
    'give the model a price ([prices."MODEL"] in burnish.toml), or limit tokens as well (--max-tokens, '
    "budget.*_tokens)"
)


@dataclass(frozen=True)
class MeteredAgent(Around):
    """`ceiling` is what the run may spend in all; what it has spent is in the database."""

    database: Database
    run_id: str
    ceiling: Ceiling

    def session(self) -> AgentSession:
        return _Metered(self, self.inner.session())


class _Metered(InnerSession):
    def __init__(self, agent: MeteredAgent, inner: AgentSession) -> None:
        super().__init__(agent.name, inner)
        self._agent = agent

    async def spawn(self, request: Request) -> None:
        agent = self._agent
        spent = await asyncio.to_thread(spending.spent, agent.database, [agent.run_id])
        left = agent.ceiling.left(spent)
        check = no_more_than(left, f"{agent.name} was stopped", "this run")
        await super().spawn(replace(request, on_used=both(request.on_used, check)))


def no_more_than(left: Ceiling, why: str, whose: str) -> OnUsed:
    """Raises as soon as one call has used what was left when it began, or nobody knows what it costs."""

    def check(used: Usage) -> None:
        reached, uncounted = left.reached(used), left.uncounted(used)
        if reached or uncounted:
            error = (
                AgentFailed(f"{why}: the budget of {whose} is used up ({reached} that were left)", hint=HINT)
                if reached
                else AgentFailed(f"{why}: {uncounted} (the budget of {whose})", hint=PRICE_HINT)
            )
            error.trouble = AgentTrouble.BUDGET
            error.usage = used
            raise error

    return check


def both(one: OnUsed | None, other: OnUsed) -> OnUsed:
    if one is None:
        return other

    def tell(used: Usage) -> None:
        one(used)
        other(used)

    return tell
