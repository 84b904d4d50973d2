"""What an agent is asked and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from burnish.model.agent_session import SessionUse
from burnish.model.step import Role
from burnish.model.tool_access import ToolAccess

if TYPE_CHECKING:
    from burnish.model.review import Finding


class CostBasis(StrEnum):
    """Where a cost comes from: the agent told it, our price table did, or nobody knows it."""

    REPORTED = "reported"
    ESTIMATED = "estimated"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Usage:
    """What an answer cost; `cost_usd` is None while nobody knows. `seconds` is the time the agent worked.

    `cached_in` are those of `tokens_in` that came from a cache, which cost less. `estimated`: some of the
    cost is from a price table; `partly`: the cost of some of the tokens is not known, and not in it.
    """

    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float | None = None
    seconds: float = 0.0
    cached_in: int = 0
    estimated: bool = False
    partly: bool = False

    def __add__(self, other: Usage) -> Usage:
        known = [cost for cost in (self.cost_usd, other.cost_usd) if cost is not None]
        return Usage(
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            sum(known) if known else None,
            self.seconds + other.seconds,
            self.cached_in + other.cached_in,
            estimated=self.estimated or other.estimated,
            partly=bool(known) and (self.unpriced or other.unpriced),
        )

    def less(self, before: Usage) -> Usage:
        """What came on top of `before`, of a sum that holds it; its cost only where that of both is known."""
        known = self.cost_usd is not None and (before.cost_usd is not None or not before.tokens)
        return replace(
            self,
            tokens_in=max(self.tokens_in - before.tokens_in, 0),
            tokens_out=max(self.tokens_out - before.tokens_out, 0),
            cost_usd=max((self.cost_usd or 0.0) - (before.cost_usd or 0.0), 0.0) if known else None,
            cached_in=max(self.cached_in - before.cached_in, 0),
        )

    @property
    def basis(self) -> CostBasis:
        if self.cost_usd is None:
            return CostBasis.UNKNOWN
        return CostBasis.ESTIMATED if self.estimated else CostBasis.REPORTED

    @property
    def unpriced(self) -> bool:
        """Whether there are tokens in it that nobody knows the price of."""
        return self.partly or (self.cost_usd is None and self.tokens > 0)

    @property
    def cost(self) -> str:
        """`$0.31 (reported)`, `~$0.31 (estimated)`, either with `at least`, or `cost unknown`; empty where
        nothing was used."""
        if self.cost_usd is None:
            return "cost unknown" if self.tokens else ""
        least = "at least " if self.partly else ""
        if self.estimated:
            return f"{least}~${self.cost_usd:,.2f} (estimated)"
        return f"{least}${self.cost_usd:,.2f} (reported)"

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out

    def timed(self, seconds: float) -> Usage:
        """With the time that was measured, unless an agent made of others has measured it better."""
        return self if self.seconds else replace(self, seconds=round(seconds, 3))

    @property
    def nothing(self) -> bool:
        return not (self.tokens or self.cost_usd or self.seconds)


def spent(tokens: int, cost_usd: float | None, *, estimated: bool, unpriced: bool) -> Usage:
    """What somebody kept as sums: of the tokens it does not matter any more which way they went."""
    partly = unpriced and cost_usd is not None
    return Usage(tokens, cost_usd=cost_usd, estimated=estimated, partly=partly)


OnUsed = Callable[[Usage], None]
OnLine = Callable[[str], None]


class Tier(StrEnum):
    """How good a model a role wants, where no model is named; each agent maps it to one of its own."""

    STRONG = "strong"
    FAST = "fast"


TIERS = {Role.IMPLEMENT: Tier.STRONG, Role.REVIEW: Tier.STRONG, Role.FIX: Tier.FAST}


@dataclass(frozen=True)
class Model:
    """What a role is to be asked with; `name` is empty where the tier alone decides."""

    name: str
    tier: Tier

    @classmethod
    def of(cls, role: Role, chosen: str) -> Model:
        """From what was set for a role: nothing, a tier, or the name of a model."""
        if chosen in set(Tier):
            return cls("", Tier(chosen))
        return cls(chosen, TIERS[role])


@dataclass(frozen=True)
class Request:
    """One question to an agent.

    `inbox` holds files it must read (bound read-only into its sandbox), `outbox` is where it may write its
    answer. `model` is a name; where it is empty the agent maps `tier` to one. `variables` go into its
    environment.
    """

    role: Role
    prompt: str
    workspace: Path
    inbox: Path
    outbox: Path
    timeout_s: float
    schema: Mapping[str, Any] | None = None
    tier: Tier = Tier.STRONG
    model: str = ""
    tools: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    # Told all that this call has used so far, as often as the agent tells it; may raise AgentError.
    on_used: OnUsed | None = None
    # Told what the agent says and does while it works, line by line, for whoever looks on; must not raise.
    on_line: OnLine | None = None
    # Whether its session is kept, and which one it goes on with; None: fresh, and gone with the step.
    sessions: SessionUse | None = None
    # For whoever speaks our types: the tree in the workspace, and what is known to be wrong with it.
    tree: str = ""
    findings: tuple[Finding, ...] = ()
    # Tools of the step that it may call while it works.
    open_tools: ToolAccess | None = None


@dataclass(frozen=True)
class Reply:
    """An agent's answer: the final message, the report file if one was asked for, native structure.

    `agent` is who really answered, where an agent is made of others; empty where it is the one asked.
    `passed_over` are those who were asked before it, each with why it gave no answer.
    """

    text: str
    report: str | None = None
    structured: Any = None
    usage: Usage = Usage()
    agent_exit: int | None = None
    isolation: str = ""
    truncated: bool = False
    version: str = ""
    model: str = ""
    agent: str = ""
    # What it wanted to do and was not allowed to, and the session it can be resumed by.
    denied: tuple[str, ...] = ()
    session: str = ""
    # Whether that session is kept, whether it is an earlier one, and why not where that was wanted.
    kept: bool = False
    resumed: bool = False
    fresh_why: str = ""
    passed_over: tuple[str, ...] = ()
    # What a person should know of how the answer came to be.
    remarks: tuple[str, ...] = ()
    # The agent's own protocol shows that it wrote these bytes of the report: nothing that it ran did.
    report_witnessed: bool = False
    # The agent was held to a schema or offered the verdict tool, so that prose alone is no verdict.
    structure_expected: bool = False
