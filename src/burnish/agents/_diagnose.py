"""From what a CLI says when it gives up to why: status, error words, and when it may be asked again."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from burnish.agents._reset_time import reset_time, wait_s
from burnish.model.agent_events import AgentTrouble, Failed
from burnish.sanitise import clean_line

MESSAGE_CHARS = 500
READ_CHARS = 4000

# One alternative a line; the first kind whose words are found is taken.
_WORDS = {
    AgentTrouble.CONTEXT_TOO_LONG: r"""
        prompt.{0,20}too long
        prompt_too_long
        context.{0,3}(?:window|length)
        maximum context
        too many tokens
        input is too long
        request.?too.?large
        exceeds? the .{0,30}(?:tokens|context)""",
    AgentTrouble.QUOTA: r"""
        quota
        usage.?limit
        usage_not_included
        credit balance
        billing
        insufficient.{0,10}(?:funds|credit)
        out of .{0,10}credits
        spend(?:ing)?.?limit
        hit your .{0,20}limit
        (?:hour|session|weekly|daily|opus|sonnet) limit
        limit reached.{0,20}reset""",
    AgentTrouble.NOT_LOGGED_IN: r"""
        not logged in
        please (?:run )?/?log ?in
        run .{0,20}\blogin\b
        invalid.{0,10}(?:api.?key|token)
        incorrect api key
        no api key
        missing .{0,40}api.?key
        authentication
        unauthori[sz]ed
        (?:token|session|login).{0,20}(?:expired|revoked)
        refresh_token
        sign in again
        account has been (?:disabled|suspended)""",
    AgentTrouble.REFUSED: r"""
        refused to
        \brefusal\b
        usage polic
        content.?(?:filter|policy)
        (?:cyber|bio|safety)_?.?policy
        policy.violation
        violat\w+ .{0,30}polic
        flagged""",
    AgentTrouble.OVERLOADED: r"""
        overloaded
        high demand
        at capacity
        server.?error
        internal server
        bad gateway
        service unavailable
        gateway time-?out""",
    AgentTrouble.RATE_LIMIT: r"""
        rate.?limit
        too many requests
        resource.?exhausted""",
    AgentTrouble.NETWORK: r"""
        connection (?:failed|timed out|time-?out|refused|reset|aborted|error|closed)
        connect ?time-?out
        stream (?:disconnected|closed)
        error sending request
        etimedout|econnreset|econnrefused|enotfound|eai_again
        (?:lookup|resolve).{0,20}(?:address|host|name)
        name resolution
        network is unreachable
        \b(?:timed out|time-?out)\b
        socket hang up
        unable to connect
        could ?n.t connect
        fetch failed""",
}
_PATTERNS = tuple(
    (trouble, re.compile("|".join(line.strip() for line in words.strip().splitlines()), re.I | re.A))
    for trouble, words in _WORDS.items()
)
_STATUS = re.compile(
    r"(?:status(?: code)?|error(?: code)?|http|code)\W{0,3}([45]\d\d)\b|\(([45]\d\d)\)", re.I | re.A
)
_BY_STATUS = {
    401: AgentTrouble.NOT_LOGGED_IN,
    402: AgentTrouble.QUOTA,
    403: AgentTrouble.NOT_LOGGED_IN,
    408: AgentTrouble.NETWORK,
    413: AgentTrouble.CONTEXT_TOO_LONG,
    429: AgentTrouble.RATE_LIMIT,
}
# What a status says less well than the words beside it.
_SHARPER = {429: (AgentTrouble.QUOTA,), 403: (AgentTrouble.QUOTA, AgentTrouble.REFUSED)}


def diagnose(said: str, *, status: int | None = None, now: datetime | None = None) -> Failed:
    """`status` is the service's own number, where the CLI tells it; else one is looked for in the words."""
    words = said[-READ_CHARS:]
    trouble = _trouble(words, status or _status_in(words))
    moment = now or datetime.now(UTC)
    resets = reset_time(words, moment)
    message = shortened(said)
    return Failed(trouble, message, wait_s(words, moment), resets.isoformat() if resets else "")


def shortened(said: str) -> str:
    """One line that can be shown; of a long text the end, where the reason stands."""
    line = clean_line(" ".join(said[-READ_CHARS:].split()))
    return line if len(line) <= MESSAGE_CHARS else f"...{line[-MESSAGE_CHARS:]}"


def _trouble(words: str, status: int | None) -> AgentTrouble:
    told = next((trouble for trouble, pattern in _PATTERNS if pattern.search(words)), None)
    if status is None or status in (400, 404, 422):
        return told or AgentTrouble.CRASHED
    if told in _SHARPER.get(status, ()):
        return told or AgentTrouble.CRASHED
    if status >= 500:
        return AgentTrouble.OVERLOADED
    return _BY_STATUS.get(status, told or AgentTrouble.CRASHED)


def _status_in(words: str) -> int | None:
    found = _STATUS.search(words)
    return int(found[1] or found[2]) if found else None
