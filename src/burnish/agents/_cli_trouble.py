"""A CLI's failure as the error that tells whoever must act: one sentence, and what to do about it."""

from __future__ import annotations

from datetime import UTC, datetime

from burnish.agents._adapter import CliAdapter
from burnish.agents._cli_events import Heard
from burnish.agents._diagnose import shortened
from burnish.errors import AgentError, AgentFailed, AgentLimited, AgentMissing, AgentTimedOut
from burnish.model.agent_events import AgentTrouble, Failed
from burnish.process.child import Finished

_ENDED_BY = {130: "SIGINT", 143: "SIGTERM"}
_WHAT = {
    AgentTrouble.NOT_LOGGED_IN: "is not logged in",
    AgentTrouble.QUOTA: "has used up its quota",
    AgentTrouble.RATE_LIMIT: "is rate limited",
    AgentTrouble.OVERLOADED: "is answered by an overloaded service",
    AgentTrouble.CONTEXT_TOO_LONG: "was given more than fits its context",
    AgentTrouble.REFUSED: "refused to answer",
    AgentTrouble.NETWORK: "cannot reach its service",
    AgentTrouble.CRASHED: "failed",
    AgentTrouble.CANCELLED: "was stopped from outside",
    AgentTrouble.SCHEMA_IGNORED: "did not keep to the form of the answer",
    AgentTrouble.NO_END: "ended without an answer",
    AgentTrouble.BUDGET: "has used up its budget",
}
_HINTS = {
    AgentTrouble.QUOTA: "wait for the reset, or name another agent to fall back on",
    AgentTrouble.RATE_LIMIT: "try again later, or name another agent to fall back on; burnish work waits",
    AgentTrouble.OVERLOADED: "try again later, or name another agent to fall back on",
    AgentTrouble.CONTEXT_TOO_LONG: "make the task or the diff smaller, or choose a model with more context",
    AgentTrouble.REFUSED: "read what it says, and word the task differently or choose another agent",
    AgentTrouble.NETWORK: "check the connection and the proxy variables, then resume the run",
    AgentTrouble.CRASHED: "run it by hand with the same prompt, or update it",
    AgentTrouble.CANCELLED: "resume the run",
    AgentTrouble.SCHEMA_IGNORED: "choose a stronger model for this role",
    AgentTrouble.NO_END: "update it, or resume the run",
    AgentTrouble.BUDGET: "give it a larger budget, or a smaller task",
}


def why_no_answer(heard: Heard, finished: Finished) -> Failed:
    """The terminal event, else what its end says; an end like any other without that event is none."""
    if isinstance(heard.last, Failed):
        return heard.last
    found = heard.reader.end(finished)
    if found is not None:
        return found
    tail = shortened(finished.stderr.text)
    if finished.status in _ENDED_BY:
        return Failed(AgentTrouble.CANCELLED, f"{_ENDED_BY[finished.status]} ended it")
    if finished.status:
        return Failed(AgentTrouble.CRASHED, f"status {finished.status}{': ' + tail if tail else ''}")
    retried = f"; it was trying again because of: {heard.retried.why}" if heard.retried else ""
    return Failed(AgentTrouble.NO_END, f"status 0 and no event that says it is done{retried}")


def error_of(adapter: CliAdapter, failed: Failed, status: int | None) -> AgentError:
    """Limits are waited for and fallen back from, so they are errors of their own."""
    message = f"{adapter.name} {_WHAT.get(failed.trouble, 'failed')}: {failed.message}"
    trouble = failed.trouble
    if trouble in (AgentTrouble.QUOTA, AgentTrouble.RATE_LIMIT, AgentTrouble.OVERLOADED):
        until = f" (until {failed.resets_at})" if failed.resets_at else ""
        error: AgentError = AgentLimited(
            f"{message}{until}", retry_after_s=_wait_s(failed), hint=_HINTS[trouble], agent_exit=status
        )
    else:
        hint = f"run: {adapter.login}" if trouble is AgentTrouble.NOT_LOGGED_IN else _HINTS.get(trouble, "")
        error = AgentFailed(message, hint=hint, agent_exit=status)
    error.trouble = trouble
    return error


def out_of_time(adapter: CliAdapter, finished: Finished, heard: Heard, stall_s: float | None) -> AgentError:
    what = (
        f"printed nothing for {stall_s or 0:g} s"
        if finished.stalled
        else f"did not finish within {finished.duration_s:.0f} s"
    )
    why = f"; it was trying again because of: {heard.retried.why}" if heard.retried else ""
    error = AgentTimedOut(f"{adapter.name} {what}{why}", hint="give it more time, or a smaller task")
    error.trouble = AgentTrouble.STALLED if finished.stalled else None
    return error


def not_installed(adapter: CliAdapter, why: str) -> AgentMissing:
    error = AgentMissing(
        f"{adapter.name} is not installed: {why}", hint=f"install it, for example with: {adapter.install}"
    )
    error.trouble = AgentTrouble.NOT_INSTALLED
    return error


def not_logged_in(adapter: CliAdapter) -> AgentMissing:
    error = AgentMissing(
        f"{adapter.name} is installed but not logged in: no login and no key of it was found",
        hint=f"run: {adapter.login}",
    )
    error.trouble = AgentTrouble.NOT_LOGGED_IN
    return error


def _wait_s(failed: Failed) -> float | None:
    if failed.resets_at:
        left = (datetime.fromisoformat(failed.resets_at) - datetime.now(UTC)).total_seconds()
        return max(left, 1.0)
    return failed.retry_after_s
