"""What can go wrong, sorted by who must act.

BurnishError          raised on purpose; the command line prints the message, then the hint    exit 1
├── UsageError        the caller asked for something impossible                               exit 2
├── AgentError        an agent did not do its part
│   ├── AgentMissing  its program is not there, or nobody is logged in to it
│   ├── AgentUnfit    it is not made for what was asked: the next of a chain may be
│   ├── AgentFailed   it ended with another status than 0
│   ├── AgentTimedOut it ran past its limit, or stalled
│   └── AgentLimited  rate limit or quota
│       └── AgentWaitedFor  for as long as whoever asks is willing to wait
├── ContractViolation the reviewer's words do not fit the contract; never guessed into a verdict
├── GateError         the gate could not be run at all
├── WorkspaceError    git refused, a conflict, a repository we cannot serve
│   ├── NotApplied    the user's files are not what the result was made for; nothing was changed
│   └── NotTaken      git will never take this result: it checks objects and refuses one of them
├── ToBeResumed       it cannot go on now; the run is left to be resumed                      exit 4
│   ├── DayBudgetUsed nothing more may be spent today
│   └── LimitOutlasts an agent's limit lasts longer than a run waits
├── StoreError        locked, newer than us, damaged
└── RunBusy           another process holds the run
"""

from __future__ import annotations

from burnish.model.agent import Usage
from burnish.model.agent_events import AgentTrouble

# Why a run stops that writes to a closed pipe, as in `| head`.
READER_GONE = "the reader of its output is gone"


class BurnishError(Exception):
    """`hint` says what to do about it."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(BurnishError):
    pass


class AgentError(BurnishError):
    """`usage` is what was spent all the same; whoever knows more of it adds that on the way up.

    `trouble` is the kind of it, for agents that are known well enough to tell.
    """

    trouble: AgentTrouble | None = None

    def __init__(
        self, message: str, *, hint: str = "", agent_exit: int | None = None, usage: Usage = Usage()
    ) -> None:
        super().__init__(message, hint=hint)
        self.agent_exit = agent_exit
        self.usage = usage


class AgentMissing(AgentError):
    pass


class AgentUnfit(AgentError):
    pass


class AgentFailed(AgentError):
    pass


class AgentTimedOut(AgentError):
    pass


class AgentLimited(AgentError):
    def __init__(
        self,
        message: str,
        *,
        retry_after_s: float | None = None,
        hint: str = "",
        agent_exit: int | None = None,
        usage: Usage = Usage(),
    ) -> None:
        super().__init__(message, hint=hint, agent_exit=agent_exit, usage=usage)
        self.retry_after_s = retry_after_s


class AgentWaitedFor(AgentLimited):
    pass


class ContractViolation(BurnishError):
    """`code` is one of the published codes (no_json, ...); the message is the validator's own words.

    `problems` is everything it found wrong, the message first; `denied` when the answer can be read as a no.
    """

    def __init__(self, code: str, why: str, problems: tuple[str, ...] = (), *, denied: bool = False) -> None:
        super().__init__(why)
        self.code = code
        self.why = why
        self.problems = problems or (why,)
        self.denied = denied


class GateError(BurnishError):
    pass


class WorkspaceError(BurnishError):
    pass


class NotApplied(WorkspaceError):
    pass


class NotTaken(WorkspaceError):
    pass


class ToBeResumed(BurnishError):
    pass


class DayBudgetUsed(ToBeResumed):
    pass


class LimitOutlasts(ToBeResumed):
    pass


class StoreError(BurnishError):
    pass


class RunBusy(BurnishError):
    pass
