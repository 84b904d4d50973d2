"""What a real agent tells while it works, and why it may have no answer in the end."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from burnish.model.agent import Usage


class AgentTrouble(StrEnum):
    """Why there is no answer: what to do about it differs for each."""

    NOT_INSTALLED = "not_installed"
    NOT_LOGGED_IN = "not_logged_in"
    QUOTA = "quota"
    RATE_LIMIT = "rate_limit"
    OVERLOADED = "overloaded"
    CONTEXT_TOO_LONG = "context_too_long"
    REFUSED = "refused"
    NETWORK = "network"
    CRASHED = "crashed"
    STALLED = "stalled"
    CANCELLED = "cancelled"
    SCHEMA_IGNORED = "schema_ignored"
    # It ended with status 0 and without the event that says it is done.
    NO_END = "no_end"
    BUDGET = "budget"

    @property
    def words(self) -> str:
        return self.replace("_", " ")

    @property
    def passes(self) -> bool:
        """Whether waiting helps."""
        return self in (
            AgentTrouble.QUOTA,
            AgentTrouble.RATE_LIMIT,
            AgentTrouble.OVERLOADED,
            AgentTrouble.NETWORK,
        )


@dataclass(frozen=True)
class Started:
    session: str = ""
    model: str = ""
    version: str = ""


@dataclass(frozen=True)
class Text:
    text: str


@dataclass(frozen=True)
class ToolUsed:
    """`about` is its argument in a few words: a file, a command."""

    name: str
    about: str = ""


@dataclass(frozen=True)
class Retried:
    attempt: int
    why: str
    wait_s: float | None = None


@dataclass(frozen=True)
class Denied:
    """Something the agent wanted to do and was not allowed to."""

    tool: str
    about: str = ""


@dataclass(frozen=True)
class Used:
    """All that was used so far, not what came on top; `whole`: by all calls of its session."""

    usage: Usage
    whole: bool = False


@dataclass(frozen=True)
class Ended:
    """The terminal event: without it there is no answer. `doubt` says why it may not be the agent's own."""

    text: str
    structured: Any = None
    doubt: str = ""


@dataclass(frozen=True)
class Failed:
    """The terminal event of an agent that gave up. `resets_at` is an ISO time, where it told one."""

    trouble: AgentTrouble
    message: str
    retry_after_s: float | None = None
    resets_at: str = ""


AgentEvent = Started | Text | ToolUsed | Retried | Denied | Used | Ended | Failed
